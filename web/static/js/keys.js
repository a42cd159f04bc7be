// Keys, by the table that the help is made from.
const SWITCH = "parallax.keys";

// `acts` has a function for every act of the table.
export function keys(dialog, acts) {
  const table = new Map();
  for (const { keys, act } of JSON.parse(dialog.dataset.keys)) {
    keys.forEach((key) => table.set(key, act));
  }
  const isOn = document.getElementById("keys-on");
  const button = document.getElementById("show-keys");
  const help = () => dialog.showModal();

  isOn.checked = localStorage.getItem(SWITCH) !== "off";
  isOn.addEventListener("change", () => localStorage.setItem(SWITCH, isOn.checked ? "on" : "off"));
  button.hidden = false;
  button.addEventListener("click", help);
  document.addEventListener("keydown", (event) => {
    const { key, target } = event;
    const act = table.get(key);
    if (!act || event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey) return;
    if (document.querySelector("dialog[open]")) return;
    // Single characters can be turned off (WCAG 2.1.4).
    if (key.length === 1 && !isOn.checked) return;
    if (key === "Escape" && target.closest("details.tool")) {
      event.preventDefault();
      acts[act]();
      return;
    }
    if (target.matches("input, textarea, select, [contenteditable]")) {
      if (key === "Escape") target.blur();
      return;
    }
    if (key === "Enter" && target.closest("a, button, summary")) return;
    event.preventDefault();
    if (act === "help") help();
    else acts[act]();
  });
}
