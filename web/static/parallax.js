// Adds rows as they come, and lights the bytes of a field. Every page can be
// read without it.
"use strict";

(() => {
  const rows = document.getElementById("rows");
  if (rows && rows.dataset.live) follow(rows);
  document.querySelectorAll(".frame").forEach(link);

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
