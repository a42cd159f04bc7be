import { listen } from "./events.js";
import { changed, numberOf } from "./list.js";

// The live list. It moves only while its first rows are in the window, no row is selected,
// and nobody holds it; else it says how many have come.
export function follow(list, selection) {
  const status = document.getElementById("live");
  const button = document.getElementById("hold");
  const newer = document.getElementById("newer");
  let from = Infinity;
  let isHeld = false;
  let isBusy = false;
  let words = "live";

  status.hidden = button.hidden = false;
  button.addEventListener("click", toggle);
  newer.addEventListener("click", async () => {
    selection.release();
    await list.toFirst();
    flush();
  });
  document.addEventListener("visibilitychange", flush);
  addEventListener("scroll", () => { if (isFollowing()) flush(); }, { passive: true });
  selection.onRelease(flush);
  listen(Number(list.body.dataset.newest), news, (said) => { words = said; say(); });

  function toggle() {
    isHeld = !isHeld;
    button.setAttribute("aria-pressed", isHeld);
    button.textContent = isHeld ? "Follow" : "Hold";
    if (!isHeld) {
      selection.release();
      list.toFirst().then(flush);
    }
    say();
  }

  function isFollowing() {
    return !isHeld && !selection.row() && list.isAtFirst();
  }

  function news(number) {
    if (number === null) return;
    from = Math.min(from, number);
    flush();
  }

  function say() {
    const text = words !== "live" ? words : isHeld ? "held" : isFollowing() ? "live" : "paused";
    if (status.textContent !== text) status.textContent = text;
  }

  async function flush() {
    if (isBusy || document.hidden || from === Infinity) return say();
    isBusy = true;
    const since = from;
    try {
      if (isFollowing()) {
        from = Infinity;
        await come(since);
        newer.hidden = true;
      } else {
        await count();
        // What is held stays as it is; what is only scrolled away is told anew in place.
        if (!isHeld) await tell(since);
      }
      say();
    } catch {
      from = Math.min(from, since);
      words = "parallax does not answer";
      say();
      words = "live";
    }
    isBusy = false;
    if (from < Infinity && isFollowing()) setTimeout(flush, 250);
  }

  async function come(since) {
    const where = changed(list.query, { after: Math.max(since - 1, 0) });
    const { rows, next } = await list.fetched(where);
    if (!isFollowing()) {
      from = Math.min(from, since);
      return;
    }
    const first = list.firstNumber();
    const others = list.replace(rows);
    const fresh = others.filter((row) => numberOf(row) > first);
    // More than a page has come: what is between is not here.
    if (next && fresh.length === rows.length) {
      await list.restart();
      return;
    }
    list.addNewest(fresh);
    // A verdict that came late made it one of the list.
    others.filter((row) => numberOf(row) < first).reverse().forEach(list.insert);
  }

  async function count() {
    const response = await fetch(`/newer${changed(list.query, { after: list.firstNumber() })}`);
    if (!response.ok) throw new Error(response.status);
    const { count, more } = await response.json();
    newer.hidden = count === 0;
    const text = `\u2191 ${count}${more ? "+" : ""} newer`;
    if (newer.textContent !== text) newer.textContent = text;
  }

  async function tell(since) {
    const known = [...list.body.children].map(numberOf).filter((n) => n >= since);
    if (!known.length) return;
    const [least, most] = [Math.min(...known), Math.max(...known)];
    const { rows } = await list.fetched(changed(list.query, { after: least - 1, before: most + 1 }));
    list.steady(() => list.replace(rows));
  }

  return { toggle };
}
