// More of what is long, in its place. Without it the links lead to a page that has it.
import { link } from "./bytes.js";

export function parts(root) {
  root.addEventListener("click", async (event) => {
    const more = event.target.closest("a[data-part]");
    if (!more || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    const old = document.getElementById(more.dataset.part);
    if (!old) return;
    event.preventDefault();
    old.setAttribute("aria-busy", "true");
    try {
      const response = await fetch(more.href);
      if (!response.ok) throw new Error(response.status);
      const page = new DOMParser().parseFromString(await response.text(), "text/html");
      const fresh = document.adoptNode(page.getElementById(more.dataset.part));
      old.replaceWith(fresh);
      if (fresh.matches(".frame")) link(fresh);
      // What was pressed is gone: the keyboard goes on where it stood.
      const focus = fresh.querySelector("[aria-current]") || fresh.querySelector("a[data-part]") || fresh;
      focus.focus({ preventScroll: true });
    } catch {
      location.assign(more.href);
    }
  });
}
