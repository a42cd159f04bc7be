// A field and its bytes.
export function link(frame) {
  const cells = new Map();
  frame.querySelectorAll("[data-leaf]").forEach((cell) => {
    const leaf = Number(cell.dataset.leaf);
    if (!cells.has(leaf)) cells.set(leaf, []);
    cells.get(leaf).push(cell);
  });
  let lit = [];

  function light(target) {
    lit.forEach((element) => element.classList.remove("lit"));
    lit = [];
    const field = target && target.closest("[data-from]");
    const cell = target && target.closest("[data-leaf]");
    if (field) {
      lit.push(field);
      for (let leaf = Number(field.dataset.from); leaf < Number(field.dataset.to); leaf += 1) {
        lit.push(...(cells.get(leaf) || []));
      }
    } else if (cell) {
      const leaf = Number(cell.dataset.leaf);
      lit.push(...cells.get(leaf));
      frame.querySelectorAll(`.leaf[data-from="${leaf}"]`).forEach((field) => lit.push(field));
    }
    lit.forEach((element) => element.classList.add("lit"));
  }

  frame.addEventListener("mouseover", (event) => light(event.target));
  frame.addEventListener("mouseleave", () => light(null));
  frame.addEventListener("focusin", (event) => light(event.target));
  frame.addEventListener("click", (event) => {
    const cell = event.target.closest("[data-leaf]");
    if (!cell) return;
    const field = frame.querySelector(`.leaf[data-from="${cell.dataset.leaf}"]`);
    for (let node = field; node; node = node.parentElement) if (node.tagName === "DETAILS") node.open = true;
    if (field) field.focus();
  });
