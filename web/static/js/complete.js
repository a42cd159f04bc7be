// What may come next in a filter: the browser offers the choices of the list, of
// which each is the whole text with one more word.
export function complete(input) {
  const list = document.getElementById(input.getAttribute("list"));
  const most = 30;
  let fields = null;

  input.addEventListener("focus", load);
  input.addEventListener("input", offer);

  async function load() {
    if (fields) return;
    fields = [];
    try {
      const response = await fetch("/api/v1/filter/fields");
      if (response.ok) fields = (await response.json()).fields;
    } catch {
      // Without it the list stays as it came.
    }
    if (document.activeElement === input) offer();
  }

  function find(name) {
    return fields.find((field) => field.name === name || field.short === name);
  }

  function offer() {
    if (!fields || !fields.length) return;
    const word = input.value.match(/[\w.]*$/)[0];
    const before = input.value.slice(0, input.value.length - word.length);
    const choices = next(before).filter(([text]) => text.startsWith(word) && text !== word);
    list.replaceChildren(...choices.slice(0, most).map(([text, meaning]) => {
      const option = document.createElement("option");
      option.value = before + text;
      option.textContent = meaning || text;
      return option;
    }));
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
