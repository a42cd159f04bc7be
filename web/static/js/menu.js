// What can be done with a row: filter by its values, copy it.
import { copy, textOf } from "./copy.js";
import { numberOf } from "./list.js";

// The link beside a value, to what is without it.
const withoutOf = (only) => (only.nextElementSibling?.matches("a.not") ? only.nextElementSibling : null);

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
      location.href = withoutOf(value)?.href || value.href;
      return;
    }
    if (event.target.closest("a, button") || String(getSelection())) return;
    acts.open(row);
  });
  dialog.addEventListener("click", (event) => { if (event.target === dialog) dialog.close(); });
  items.addEventListener("keydown", (event) => {
    const lines = [...items.children];
    const of = (line) => [...(line.matches("[role=menuitem]") ? [line] : line.querySelectorAll("[role=menuitem]"))];
    const at = lines.findIndex((line) => line.contains(document.activeElement));
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, j: at + 1, k: at - 1, Home: 0, End: -1 }[event.key];
    const beside = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (to === undefined && !beside) return;
    event.preventDefault();
    if (beside) {
      const all = of(lines[at]);
      all.at((all.indexOf(document.activeElement) + beside) % all.length).focus();
    } else {
      of(lines.at(to % lines.length))[0].focus();
    }
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

  // One line for a value: the list with only it, the list without it. What is in every row
  // another, the list has no use for without.
  function values(row) {
    const lines = [];
    const seen = new Set();
    for (const only of row.querySelectorAll("a.only")) {
      const what = only.title.replace(/^Only /, "");
      if (only.closest(".c-n") || seen.has(what)) continue;
      seen.add(what);
      const not = only.closest(".c-time, .c-latency, .c-size") ? null : withoutOf(only);
      const line = document.createElement("div");
      line.className = "line";
      line.setAttribute("role", "group");
      line.setAttribute("aria-label", what);
      const label = document.createElement("bdi");
      label.textContent = `${what}: `;
      label.title = what;
      line.append(label, choice("only", only));
      if (not) line.append(choice("without", not));
      lines.push(line);
    }
    return lines;
  }

  function choice(text, link) {
    const made = item(text, link.href);
    made.setAttribute("aria-label", link.title);
    return made;
  }

  function open(row) {
    const n = numberOf(row);
    const address = `${location.origin}${location.pathname}${location.search}#x${n}`;
    const command = list.body.dataset.inspect.replace("{n}", n);
    items.setAttribute("aria-label", `Exchange ${n}`);
    items.replaceChildren(
      item("Open", row.querySelector("a.n").href),
      item(row.dataset.marked ? "Unmark" : "Mark", () => acts.mark(row)),
      item("Comment \u2026", () => acts.comment(row)),
      item("Copy as JSON", () => copy(`exchange ${n} as JSON`, textOf(`/api/v1/exchanges/${n}`))),
      item("Copy as hex", () => copy(`exchange ${n} as hex`, textOf(`/exchanges/${n}/hex`))),
      item("Copy the inspect command", () => copy("the command", command)),
      item("Copy a link to the row", () => copy("the link", address)),
      ...values(row),
    );
    dialog.showModal();
    beside(row);
    items.firstElementChild.focus();
    dialog.addEventListener("close", () => selection.to(list.row(n)), { once: true });
  }

  // At the row: below it, or above where there is no room.
  function beside(row) {
    const { top, bottom } = row.getBoundingClientRect();
    const button = row.querySelector("button.more").getBoundingClientRect();
    const { offsetHeight: height, offsetWidth: width } = dialog;
    const at = bottom + height + 8 <= innerHeight || top < height + 8 ? bottom : top - height;
    dialog.style.top = `${Math.max(8, Math.min(at, innerHeight - height - 8))}px`;
    dialog.style.left = `${Math.max(8, Math.min(button.left, document.documentElement.clientWidth - width - 8))}px`;
  }

  return { open };
}
