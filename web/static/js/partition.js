import { listen } from "./events.js";
import { fragment } from "./fragment.js";

// Least time between two readings of a life that changes, in milliseconds.
const PAUSE = 1000;

// Least way of the pointer that is no click, in pixels.
const PULL = 8;

// A partition's life: follows live until somebody looks closer, or holds it.
export function partition(life) {
  const page = `/partitions/${life.dataset.life}`;
  const status = document.getElementById("life-state");
  const button = document.getElementById("life-hold");
  let outdated = false;
  let held = false;
  let busy = false;
  let begun = null;
  let pulledOver = false;

  document.getElementById("life-keys").hidden = false;
  towardsTrouble();
  life.addEventListener("click", (event) => {
    const link = event.target.closest("[data-zoom]");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    show(new URL(link.href).search, link.dataset.zoom);
  });
  life.addEventListener("keydown", keyed);
  life.addEventListener("wheel", wheeled, { passive: false });
  life.addEventListener("pointerdown", press);
  life.addEventListener("click", (event) => {
    if (pulledOver && event.target.closest("#drawing")) event.preventDefault();
  });
  life.addEventListener("dragstart", (event) => {
    if (event.target.closest("#drawing")) event.preventDefault();
  });
  addEventListener("popstate", () => show(location.search, null, true));
  if (life.dataset.follows) {
    status.hidden = button.hidden = false;
    button.addEventListener("click", () => {
      held = !held;
      button.setAttribute("aria-pressed", held);
      button.textContent = held ? "Follow" : "Hold";
      say();
      flush();
    });
    document.addEventListener("visibilitychange", flush);
    listen(Number(life.dataset.newest), () => { outdated = true; say(); flush(); }, say);
  }

  // In a narrow window the newest thing that is wrong is what is seen first.
  function towardsTrouble() {
    const box = drawing();
    const wrong = ".hole:not(.wanted):not(.gone), .stall, .failed";
    const mark = box.querySelector(`a:is(${wrong})`);
    if (!mark) return;
    const { left, width } = mark.getBoundingClientRect();
    box.scrollLeft += left + width / 2 - box.getBoundingClientRect().left - box.clientWidth / 2;
  }

  function say(words = "live") {
    const still = held || location.search !== "";
    const waiting = outdated ? "held, more has come" : "held";
    const text = still && words === "live" ? waiting : words;
    if (status.textContent !== text) status.textContent = text;
  }

  async function flush() {
    if (busy || held || begun || document.hidden || !outdated || location.search) return;
    busy = true;
    outdated = false;
    try {
      put(await fragment(`${page}/life`));
      say();
    } catch {
      outdated = true;
      say("parallax does not answer");
    }
    setTimeout(() => { busy = false; flush(); }, PAUSE);
  }

  // What is shown at another time; the address says so.
  async function show(query, focused, back = false) {
    try {
      const fresh = await fragment(`${page}/life${query}`);
      const inside = document.activeElement && document.activeElement.id === "drawing";
      put(fresh);
      if (!back) history.pushState(null, "", `${page}${query}`);
      const link = focused && life.querySelector(`[data-zoom="${focused}"]`);
      if (inside) drawing().focus();
      else if (link) link.focus();
      say();
      flush();
    } catch {
      location.href = `${page}${query}`;
    }
  }

  // What was unfolded and where it was scrolled to stays so.
  function put(fresh) {
    const scrolled = drawing().scrollLeft;
    const open = new Set([...life.querySelectorAll("details[open]")].map((one) => one.dataset.fold));
    const inside = document.activeElement && document.activeElement.id === "drawing";
    fresh.querySelectorAll("details").forEach((one) => { one.open = open.has(one.dataset.fold); });
    life.replaceChildren(fresh);
    document.getElementById("life-keys").hidden = false;
    drawing().scrollLeft = scrolled;
    if (inside) drawing().focus();
  }

  function drawing() {
    return document.getElementById("drawing");
  }

  function keyed(event) {
    if (event.target.id !== "drawing" || event.ctrlKey || event.metaKey || event.altKey) return;
    const names = { "+": "closer", "=": "closer", "-": "farther", ArrowLeft: "earlier", ArrowRight: "later", 0: "all" };
    const link = life.querySelector(`a[data-zoom="${names[event.key]}"]`);
    if (!link) return;
    event.preventDefault();
    show(new URL(link.href).search, null);
  }

  // Only once the drawing has the focus: a page that is scrolled past it scrolls on.
  function wheeled(event) {
    const box = event.target.closest("#drawing");
    if (!box || document.activeElement !== box || event.deltaY === 0 || begun) return;
    event.preventDefault();
    if (busy) return;
    busy = true;
    const { from, to } = times();
    const middle = time(event.clientX);
    const factor = event.deltaY < 0 ? 0.5 : 2;
    const begin = middle - (middle - from) * factor;
    zoom(begin, begin + (to - from) * factor).finally(() => { busy = false; });
  }

  // A time is pulled over to look at it, also from a mark on: that is what one wants to
  // see. Less than PULL is a click.
  function press(event) {
    const box = event.target.closest("#drawing");
    if (!box || event.button !== 0 || event.pointerType === "touch") return;
    event.preventDefault();
    pulledOver = false;
    box.focus({ preventScroll: true });
    const pulled = document.createElement("div");
    pulled.className = "pulled";
    pulled.hidden = true;
    box.append(pulled);
    begun = { x: event.clientX, pulled };
    addEventListener("pointermove", pull);
    addEventListener("pointerup", release);
    addEventListener("pointercancel", release);
  }

  function pull(event) {
    const box = drawing();
    const left = Math.min(begun.x, event.clientX) - box.getBoundingClientRect().left + box.scrollLeft;
    begun.pulled.hidden = Math.abs(event.clientX - begun.x) < PULL;
    begun.pulled.style.setProperty("left", `${left}px`);
    begun.pulled.style.setProperty("width", `${Math.abs(event.clientX - begun.x)}px`);
  }

  function release(event) {
    removeEventListener("pointermove", pull);
    removeEventListener("pointerup", release);
    removeEventListener("pointercancel", release);
    const { x, pulled } = begun;
    begun = null;
    pulled.remove();
    if (event.type === "pointerup" && Math.abs(event.clientX - x) >= PULL) {
      pulledOver = true;
      const ends = [time(x), time(event.clientX)].sort((a, b) => a - b);
      zoom(...ends);
    } else {
      flush();
    }
  }

  // Microseconds since 1970 fit a number until the year 2255.
  function times() {
    const { from, to } = life.querySelector("svg[data-from]").dataset;
    return { from: Number(from), to: Number(to) };
  }

  function time(x) {
    const svg = life.querySelector("svg[data-from]");
    const box = svg.getBoundingClientRect();
    const { left, right, width } = svg.dataset;
    const along = ((x - box.left) / box.width * width - left) / (right - left);
    const { from, to } = times();
    return from + Math.min(Math.max(along, 0), 1) * (to - from);
  }

  function zoom(from, to) {
    const written = (micros) => {
      const whole = Math.round(micros);
      const rest = String(whole % 1000).padStart(3, "0");
      return new Date(Math.floor(whole / 1000)).toISOString().replace("Z", `${rest}Z`);
    };
    if (to - from < 1000) return Promise.resolve();
    return show(`?from=${written(from)}&to=${written(to)}`, null);
  }
}
