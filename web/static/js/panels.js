import { listen } from "./events.js";
import { fragment } from "./fragment.js";

// The overview, as it is now.
export function panels(panels) {
  let outdated = false;
  let busy = false;

  document.addEventListener("visibilitychange", flush);
  listen(Number(panels.dataset.newest), () => { outdated = true; flush(); }, () => {});

  async function flush() {
    if (busy || document.hidden || !outdated || isRead()) return;
    busy = true;
    outdated = false;
    try {
      show(await fragment("/panels"));
    } catch {
      outdated = true;
    }
    busy = false;
    if (outdated) setTimeout(flush, 250);
  }

  // Nothing moves under a hand that marks it.
  function isRead() {
    const marked = getSelection();
    return !marked.isCollapsed && panels.contains(marked.anchorNode);
  }

  function show(fresh) {
    // What a reader has folded or unfolded stays so.
    const folds = new Map([...panels.querySelectorAll("details")].map((one) => [one.dataset.fold, one.open]));
    fresh.querySelectorAll("details").forEach((one) => { one.open = folds.get(one.dataset.fold) ?? one.open; });
    const focused = panels.contains(document.activeElement) ? place(panels, document.activeElement) : null;
    panels.replaceChildren(fresh);
    if (focused) find(panels, focused)?.focus({ preventScroll: true });
  }
}

// What tells an element that can be focused from the others: a fold by its name, a link
// by where it leads and which of those it is.
function place(panels, element) {
  const selector = same(element);
  return { selector, index: [...panels.querySelectorAll(selector)].indexOf(element) };
}

function same(element) {
  const fold = element.closest("summary")?.parentElement.dataset.fold;
  if (fold) return `details[data-fold="${CSS.escape(fold)}"] > summary`;
  const href = element.getAttribute("href");
  return href ? `a[href="${CSS.escape(href)}"]` : "[tabindex]";
}

function find(panels, { selector, index }) {
  const all = panels.querySelectorAll(selector);
  return all[index] ?? all[0];
}
