// What may come next in a filter, and what was asked before: a combobox (ARIA 1.2). Each
// choice is the whole text with one more word.
const HISTORY = "parallax.filters";

export function complete(input) {
  const list = document.getElementById("where-list");
  const most = Number(list.dataset.most);
  const remembered = Number(list.dataset.remembered);
  let fields = null;
  let choices = [];
  let at = -1;

  // The browser's own list is for those without script.
  input.removeAttribute("list");
  input.setAttribute("role", "combobox");
  input.setAttribute("aria-autocomplete", "list");
  input.setAttribute("aria-controls", list.id);
  input.setAttribute("aria-expanded", "false");
  if (input.value && !input.hasAttribute("aria-invalid")) remember(input.value);
  input.addEventListener("focus", async () => {
    await load();
    if (document.activeElement === input) offer();
  });
  input.addEventListener("input", offer);
  input.addEventListener("blur", close);
  input.addEventListener("keydown", onKey);
  list.addEventListener("mousedown", (event) => {
    // The field keeps the focus.
    event.preventDefault();
    const option = event.target.closest("[role=option]");
    if (option) take([...list.children].indexOf(option));
  });

  async function load() {
    if (fields) return;
    fields = [];
    try {
      const response = await fetch("/api/v1/filter/fields");
      if (response.ok) fields = (await response.json()).fields;
    } catch {
      // Without it only what was asked before is offered.
    }
  }

  function history() {
    try {
      const all = JSON.parse(localStorage.getItem(HISTORY) || "[]");
      return Array.isArray(all) ? all.filter((text) => typeof text === "string") : [];
    } catch {
      return [];
    }
  }

  function remember(text) {
    const all = [text, ...history().filter((other) => other !== text)];
    localStorage.setItem(HISTORY, JSON.stringify(all.slice(0, remembered)));
  }

  function onKey(event) {
    const isOpen = !list.hidden;
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      if (!isOpen) offer();
      else point(at + (event.key === "ArrowDown" ? 1 : -1));
    } else if ((event.key === "Enter" || event.key === "Tab") && isOpen && at >= 0) {
      event.preventDefault();
      take(at);
    } else if (event.key === "Tab" && isOpen && !event.shiftKey && choices.length && word(input.value)) {
      event.preventDefault();
      take(0);
    } else if (event.key === "Escape" && isOpen) {
      event.preventDefault();
      close();
    }
  }

  function find(name) {
    return fields.find((field) => field.name === name || field.short === name);
  }

  const word = (text) => text.match(/[\w.]*$/)[0];

  function offer() {
    const last = word(input.value);
    const before = input.value.slice(0, input.value.length - last.length);
    const words = fields?.length
      ? next(before).filter(([text]) => text.startsWith(last) && text !== last)
      : [];
    const asked = history().filter((text) => text.startsWith(input.value) && text !== input.value);
    choices = [
      ...asked.map((text) => [text, "asked before"]),
      ...words.map(([text, meaning]) => [before + text, meaning, text]),
    ].slice(0, most);
    list.replaceChildren(...choices.map(([text, meaning, shown], index) => {
      const option = document.createElement("li");
      option.id = `where-option-${index}`;
      option.setAttribute("role", "option");
      option.setAttribute("aria-selected", "false");
      option.dataset.text = text;
      const name = document.createElement("span");
      name.className = "text";
      name.textContent = shown || text;
      option.append(name);
      if (meaning) {
        const small = document.createElement("span");
        small.className = "dim";
        small.textContent = ` ${meaning}`;
        option.append(small);
      }
      return option;
    }));
    at = -1;
    show(choices.length > 0);
  }

  function show(isOpen) {
    list.hidden = !isOpen;
    input.setAttribute("aria-expanded", isOpen);
    if (!isOpen || at < 0) input.removeAttribute("aria-activedescendant");
  }

  function close() {
    at = -1;
    show(false);
  }

  function point(to) {
    list.children[at]?.setAttribute("aria-selected", "false");
    // Beyond either end one is in the field again.
    at = to >= choices.length ? -1 : to < -1 ? choices.length - 1 : to;
    const option = list.children[at];
    if (!option) {
      input.removeAttribute("aria-activedescendant");
      return;
    }
    option.setAttribute("aria-selected", "true");
    option.scrollIntoView({ block: "nearest" });
    input.setAttribute("aria-activedescendant", option.id);
  }

  function take(index) {
    const [text, , isWord] = choices[index];
    input.value = isWord ? `${text} ` : text;
    input.setSelectionRange(input.value.length, input.value.length);
    if (isWord) offer();
    else close();
  }

  // Words with what they mean, after `before`.
  function next(before) {
    const open = before.match(/([\w.]+)\s*(?:==|!=|<=|>=|<|>|\bin\s*[{(](?:[^})]*,)?)\s*$/);
    if (open) return values(find(open[1]));
    const named = before.match(/([\w.]+)\s+$/);
    const field = named && find(named[1]);
    if (field) return operators(field);
    const joined = /(?:^|[(!]|\b(?:and|or|not)|&&|\|\|)\s*$/.test(before);
    if (before && !joined) return [["and"], ["or"]];
    const paths = fields.map((one) => [one.name, one.meaning]);
    const short = fields.filter((one) => one.short).map((one) => [one.short, one.meaning]);
    return [...short, ...paths, ["not"]];
  }

  function values(field) {
    if (!field) return [];
    if (field.words) return [...field.words, "null"].map((word) => [word]);
    if (field.type === "flag") return [["true"], ["false"]];
    return [["null"]];
  }

  function operators(field) {
    const ordered = ["number", "duration", "time", "timestamp", "any"].includes(field.type);
    const text = ["text", "identifier", "word", "any"].includes(field.type);
    const signs = ["==", "!=", ...(ordered ? ["<", "<=", ">", ">="] : []), "in {"];
    const words = [...(text ? ["contains", "matches"] : []), "and", "or"];
    return [...signs, ...words].map((sign) => [sign]);
  }
}
