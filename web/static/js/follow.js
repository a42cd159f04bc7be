import { listen } from "./events.js";
import { fragment } from "./fragment.js";

// The live list.
export function follow(rows) {
  const status = document.getElementById("live");
  const button = document.getElementById("hold");
  const empty = document.getElementById("empty");
  const most = Number(rows.dataset.most);
  let from = Infinity;
  let held = false;
  let busy = false;

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
  listen(Number(rows.dataset.newest), changed, say);

  function changed(number) {
    if (number === null) return;
    from = Math.min(from, number);
    say();
    flush();
  }

  function say(words = "live") {
    const waiting = from < Infinity ? "held, more has come" : "held";
    const text = held && words === "live" ? waiting : words;
    if (status.textContent !== text) status.textContent = text;
  }

  async function flush() {
    if (busy || held || document.hidden || from === Infinity) return;
    busy = true;
    const after = Math.max(from - 1, 0);
    from = Infinity;
    try {
      const sign = rows.dataset.query ? "&" : "?";
      merge(await fragment(`/rows${rows.dataset.query}${sign}after=${after}`));
      say();
    } catch {
      say("parallax does not answer");
      from = Math.min(from, after + 1);
    }
    busy = false;
    if (from < Infinity) setTimeout(flush, 250);
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
