// The selected row: one row has the focus, its links can be reached by Tab.
export function select(list) {
  const { body } = list;
  let selected = null;
  let onRelease = () => {};

  const table = body.closest("table");
  table.setAttribute("role", "grid");
  table.tabIndex = -1;
  body.addEventListener("focusin", (event) => {
    const row = event.target.closest("tr");
    if (row && row !== selected) choose(row);
  });
  list.listen({
    shown(row) {
      reach(row, false);
      enter();
    },
    leaving(rows) {
      const focused = document.activeElement?.closest("tr");
      if (!rows.includes(focused) && !rows.includes(selected)) return;
      if (rows.includes(selected)) reach(selected, false);
      selected = rows.includes(selected) ? null : selected;
      // Not to nowhere: the place in the page would be lost.
      if (rows.includes(focused)) table.focus({ preventScroll: true });
    },
    replaced(old, row) {
      if (old !== selected) return;
      const hadFocus = old.contains(document.activeElement) || document.activeElement === document.body;
      selected = null;
      choose(row);
      if (hadFocus) row.focus({ preventScroll: true });
    },
  });

  function reach(row, isReached) {
    row.tabIndex = isReached ? 0 : -1;
    row.querySelectorAll("a, button").forEach((one) => { one.tabIndex = isReached ? 0 : -1; });
    if (isReached) row.setAttribute("aria-selected", "true");
    else row.removeAttribute("aria-selected");
  }

  // Where nothing is selected, Tab leads to the first row.
  function enter() {
    if (current()) return;
    const first = body.firstElementChild;
    if (first) first.tabIndex = 0;
  }

  function current() {
    if (selected && !selected.isConnected) selected = null;
    return selected;
  }

  function choose(row) {
    const old = current();
    const first = body.firstElementChild;
    if (first && first !== row) first.tabIndex = -1;
    if (old && old !== row) reach(old, false);
    selected = row;
    reach(row, true);
  }

  return {
    row: current,
    onRelease(listener) { onRelease = listener; },
    // Selects a row, with the focus on it, in the window.
    to(row) {
      if (!row) return;
      choose(row);
      row.focus({ preventScroll: true });
      row.scrollIntoView({ block: "nearest", behavior: "instant" });
    },
    release() {
      const old = current();
      if (!old) return false;
      if (old.contains(document.activeElement)) table.focus({ preventScroll: true });
      reach(old, false);
      selected = null;
      enter();
      onRelease();
      return true;
    },
  };
}
