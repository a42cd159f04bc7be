import { listen } from "./events.js";
import { changed, numberOf } from "./list.js";

// The live list. It moves only while its first rows are in the window, no row is selected,
// and nobody holds it; else it says how many have come. The button says what it would do.
export function follow(list, selection, counted) {
  const status = document.getElementById("live");
  const button = document.getElementById("hold");
  const newer = document.getElementById("newer");
  let from = Infinity;
  let isHeld = false;
  let isBusy = false;
  // On the way to the first rows; whether the rows that are there are the latest.
  let isMoving = false;
  let isCaughtUp = true;
  let words = "live";

  status.hidden = button.hidden = false;
  button.addEventListener("click", toggle);
  newer.addEventListener("click", toNewest);
  document.addEventListener("visibilitychange", flush);
  addEventListener("scroll", () => { if (isFollowing()) flush(); else say(); }, { passive: true });
  list.body.addEventListener("focusin", say);
  selection.onRelease(flush);
  listen(Number(list.body.dataset.newest), news, (said) => { words = said; say(); });

  function toggle() {
    if (isFollowing()) {
      isHeld = true;
      say();
    } else {
      toNewest();
    }
  }

  // To the first rows, and on with what comes; where the reader moves on meanwhile, he stays.
  async function toNewest() {
    isHeld = false;
    isMoving = true;
    selection.release();
    try {
      await list.toFirst();
    } catch {
      words = "parallax does not answer";
      say();
      words = "live";
    }
    isMoving = false;
    flush();
  }

  function isFollowing() {
    return !isHeld && !selection.row() && list.isAtFirst();
  }

  function news(number) {
    if (number === null) return;
    from = Math.min(from, number);
    counted();
    flush();
  }

  function say() {
    const text = words !== "live" ? words : state();
    if (status.textContent !== text) status.textContent = text;
    const does = isFollowing() ? "Hold" : "Follow";
    if (button.textContent !== does) button.textContent = does;
    button.classList.toggle("held", isHeld);
  }

  function state() {
    if (isHeld) return "held";
    if (isMoving) return "loading";
    if (!isFollowing()) return "paused";
    return isCaughtUp ? "live" : "loading";
  }

  async function flush() {
    if (from === Infinity && !isBusy) isCaughtUp = true;
    if (isBusy || document.hidden || from === Infinity) return say();
    isBusy = true;
    const since = from;
    try {
      const isComing = isFollowing();
      if (isComing) from = Infinity;
      say();
      if (isComing && (await come(since))) {
        newer.hidden = isCaughtUp = true;
      } else {
        from = Math.min(from, since);
        isCaughtUp = false;
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

  // Whether what has come is shown: not where one has moved on while it was fetched.
  async function come(since) {
    const where = changed(list.query, { after: Math.max(since - 1, 0) });
    const { rows, next } = await list.fetched(where);
    if (!isFollowing()) return false;
    const first = list.firstNumber();
    const others = list.replace(rows);
    const fresh = others.filter((row) => numberOf(row) > first);
    // More than a page has come: what is between is not here.
    if (next && fresh.length === rows.length) return list.restart(isFollowing);
    list.addNewest(fresh);
    // A verdict that came late made it one of the list.
    others.filter((row) => numberOf(row) < first).reverse().forEach(list.insert);
    return true;
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
