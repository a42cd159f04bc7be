import { listen } from "./events.js";
import { fragment } from "./fragment.js";

// The overview, as it is now.
export function panels(panels) {
  let outdated = false;
  let busy = false;

  document.addEventListener("visibilitychange", flush);
  listen(Number(panels.dataset.newest), () => { outdated = true; flush(); }, () => {});

  async function flush() {
    // Nothing moves under a hand that is on it.
    if (busy || document.hidden || !outdated || panels.contains(document.activeElement)) return;
    busy = true;
    outdated = false;
    try {
      const fresh = await fragment("/panels");
      // What a reader has unfolded stays so.
      const open = new Set([...panels.querySelectorAll("details[open]")].map((one) => one.dataset.fold));
      fresh.querySelectorAll("details").forEach((one) => { one.open = open.has(one.dataset.fold); });
      panels.replaceChildren(fresh);
    } catch {
      outdated = true;
    }
    busy = false;
    if (outdated) setTimeout(flush, 250);
  }
}
