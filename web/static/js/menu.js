// What can be done with a row: filter by its values, copy it.
import { copy, textOf } from "./copy.js";
import { numberOf } from "./list.js";

export function menu(list, selection, acts) {
  const dialog = document.createElement("dialog");
  dialog.className = "menu";
  const items = document.createElement("div");
  items.setAttribute("role", "menu");
  dialog.append(items);
  document.body.append(dialog);

  list.listen({
    shown(row) {
      const button = document.createElement("button");
      button.type = "button";
      button.className = "more";
      button.textContent = "\u22ef";
      button.tabIndex = -1;
      button.setAttribute("aria-label", `Menu of exchange ${numberOf(row)}`);
      row.querySelector(".c-n").append(button);
    },
  });
  list.body.addEventListener("click", (event) => {
    const row = event.target.closest("tr");
    if (!row) return;
    if (event.target.closest("button.more")) {
      selection.to(row);
      open(row);
      return;
    }
    const value = event.target.closest("a.only");
    if (value && event.altKey) {
      event.preventDefault();
      location.href = value.parentElement.querySelector("a.not")?.href || value.href;
      return;
    }
    if (event.target.closest("a, button") || String(getSelection())) return;
    acts.open(row);
  });
  dialog.addEventListener("click", (event) => { if (event.target === dialog) dialog.close(); });
  items.addEventListener("keydown", (event) => {
    const all = [...items.children];
    const at = all.indexOf(document.activeElement);
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, j: at + 1, k: at - 1, Home: 0, End: -1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    all.at(to % all.length).focus();
  });

  function item(text, what) {
    const made = document.createElement(typeof what === "string" ? "a" : "button");
    made.setAttribute("role", "menuitem");
    made.textContent = text;
    if (typeof what === "string") {
      made.href = what;
    } else {
      made.type = "button";
      made.addEventListener("click", () => {
        dialog.close();
        what();
      });
    }
    return made;
  }

  function open(row) {
    const n = numberOf(row);
    const address = `${location.origin}${location.pathname}${location.search}#x${n}`;
    const command = list.body.dataset.inspect.replace("{n}", n);
    const links = [...row.querySelectorAll("a.only, a.not")];
    items.setAttribute("aria-label", `Exchange ${n}`);
    items.replaceChildren(
      item("Open", row.querySelector("a.n").href),
      item(row.dataset.marked ? "Unmark" : "Mark", () => acts.mark(row)),
      item("Comment \u2026", () => acts.comment(row)),
      item("Copy as JSON", () => copy(`exchange ${n} as JSON`, textOf(`/api/v1/exchanges/${n}`))),
      item("Copy as hex", () => copy(`exchange ${n} as hex`, textOf(`/exchanges/${n}/hex`))),
      item("Copy the inspect command", () => copy("the command", command)),
      item("Copy a link to the row", () => copy("the link", address)),
      ...links.map((link) => item(link.title, link.href)),
    );
    dialog.showModal();
    const at = row.getBoundingClientRect();
    const room = innerHeight - dialog.offsetHeight - 8;
    dialog.style.top = `${Math.max(8, Math.min(at.bottom, room))}px`;
    items.firstElementChild.focus();
    dialog.addEventListener("close", () => selection.to(list.row(n)), { once: true });
  }

  return { open };
}
