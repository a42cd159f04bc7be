// Adds rows as they come, and lights the bytes of a field. Every page can be
// read without it.
"use strict";

(() => {
  const rows = document.getElementById("rows");
  if (rows && rows.dataset.live) follow(rows);
  document.querySelectorAll(".frame").forEach(link);
  const where = document.getElementById("where");
  if (where) complete(where);

  // The live list. The server says from which number on something changed; the
  // rows themselves are fetched, rendered there.
  function follow(rows) {
    const panels = document.getElementById("panels");
    const status = document.getElementById("live");
    const button = document.getElementById("hold");
    const empty = document.getElementById("empty");
    const most = Number(rows.dataset.most);
    let from = Infinity;
    let panelsChanged = false;
    let held = false;
    let busy = false;
    let waiting = 0;

    status.hidden = button.hidden = false;
    button.addEventListener("click", () => {
      held = !held;
      button.setAttribute("aria-pressed", held);
      button.textContent = held ? "Follow" : "Hold";
      say();
      flush();
    });
    document.addEventListener("visibilitychange", flush);
    rows.addEventListener("click", (event) => {
      if (event.target.closest("a") || String(getSelection())) return;
      const row = event.target.closest("tr");
      if (row) row.querySelector("a.n").click();
    });

    const events = new EventSource("/events");
    events.addEventListener("hello", (event) => {
      // The page may be older than the stream.
      if (Number(event.data) > Number(rows.dataset.newest)) changed(Number(rows.dataset.newest) + 1);
      say();
    });
    events.addEventListener("change", (event) => changed(JSON.parse(event.data).from));
    events.addEventListener("stale", () => changed(0));
    events.addEventListener("error", () => say("connection lost, trying again"));

    function changed(number) {
      if (number !== null) from = Math.min(from, number);
      panelsChanged = true;
      waiting += 1;
      say();
      flush();
    }

    function say(words) {
      const text = words || (held ? (waiting ? "held, more has come" : "held") : "live");
      if (status.textContent !== text) status.textContent = text;
    }

    async function flush() {
      if (busy || held || document.hidden || !panelsChanged) return;
      busy = true;
      const after = from - 1;
      from = Infinity;
      panelsChanged = false;
      waiting = 0;
      try {
        if (after < Infinity) {
          const query = rows.dataset.query;
          const sign = query ? "&" : "?";
          merge(await fragment(`/rows${query}${sign}after=${Math.max(after, 0)}`));
        }
        if (!panels.contains(document.activeElement)) {
          const fresh = await fragment("/panels");
          // What a reader has unfolded stays so.
          const open = new Set([...panels.querySelectorAll("details[open]")].map((one) => one.dataset.fold));
          fresh.querySelectorAll("details").forEach((one) => { one.open = open.has(one.dataset.fold); });
          panels.replaceChildren(fresh);
        }
        say();
      } catch {
        say("parallax does not answer");
      }
      busy = false;
      if (panelsChanged) setTimeout(flush, 250);
    }

    function merge(fresh) {
      const number = (row) => Number(row.dataset.n);
      for (const row of [...fresh.children].reverse()) {
        const old = document.getElementById(row.id);
        if (old) {
          const focused = old.contains(document.activeElement);
          old.replaceWith(row);
          if (focused) row.querySelector("a.n").focus();
          continue;
        }
        const next = [...rows.children].find((other) => number(other) < number(row));
        if (next || rows.children.length < most) {
          row.classList.add("new");
          rows.insertBefore(row, next || null);
        }
      }
      while (rows.children.length > most) rows.lastElementChild.remove();
      empty.hidden = rows.children.length > 0;
    }
  }

  // What may come next in a filter: the browser offers the choices of the list, of
  // which each is the whole text with one more word.
  function complete(input) {
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

  async function fragment(address) {
    const response = await fetch(address);
    if (!response.ok) throw new Error(response.status);
    const template = document.createElement("template");
    template.innerHTML = await response.text();
    return template.content;
  }

  // A field and its bytes.
  function link(frame) {
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
  }
})();
