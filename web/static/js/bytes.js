// A field and its bytes: what is pointed at or has the focus lights up on both sides.
export function link(frame) {
  const tree = frame.querySelector(".tree");
  const hex = frame.querySelector(".hex");
  const cells = new Map();
  frame.querySelectorAll("[data-leaf]").forEach((cell) => {
    const leaf = Number(cell.dataset.leaf);
    if (!cells.has(leaf)) cells.set(leaf, []);
    cells.get(leaf).push(cell);
  });
  const leaves = new Map();
  tree.querySelectorAll(".leaf").forEach((field) => leaves.set(Number(field.dataset.from), field));
  const order = [...hex.querySelectorAll(".bytes [data-leaf]")];
  let lit = [];

  function light(target) {
    lit.forEach((element) => element.classList.remove("lit"));
    lit = [];
    const field = target && target.closest("[data-from]");
    const cell = target && target.closest("[data-leaf]");
    if (field) {
      lit.push(field);
      for (let leaf = Number(field.dataset.from); leaf < Number(field.dataset.to); leaf += 1) {
        lit.push(...(cells.get(leaf) || []));
      }
    } else if (cell) {
      const leaf = Number(cell.dataset.leaf);
      lit.push(...cells.get(leaf));
      const seen = visible(leaves.get(leaf));
      if (seen) lit.push(seen);
    }
    lit.forEach((element) => element.classList.add("lit"));
  }

  // The field, or the closed group that it is in.
  function visible(field) {
    let seen = field;
    for (let node = field && field.parentElement; node && node !== tree; node = node.parentElement) {
      if (node.tagName === "DETAILS" && !node.open) seen = node.querySelector("summary");
    }
    return seen;
  }

  // A chosen byte's field is opened and brought into view; and the other way round.
  function reveal(target) {
    const cell = target.closest("[data-leaf]");
    const field = target.closest("[data-from]");
    if (cell) {
      const leaf = leaves.get(Number(cell.dataset.leaf));
      for (let node = leaf; node && node !== tree; node = node.parentElement) {
        if (node.tagName === "DETAILS") node.open = true;
      }
      scroll(tree, leaf);
    } else if (field) {
      scroll(hex, (cells.get(Number(field.dataset.from)) || [])[0]);
    }
  }

  // Within the pane alone: the page stays where it is.
  function scroll(pane, element) {
    if (!element) return;
    const [outer, inner] = [pane.getBoundingClientRect(), element.getBoundingClientRect()];
    if (inner.top < outer.top) pane.scrollTop -= outer.top - inner.top + 8;
    else if (inner.bottom > outer.bottom) pane.scrollTop += inner.bottom - outer.bottom + 8;
  }

  function steps(event, list, keys) {
    const step = { [keys[0]]: -1, [keys[1]]: 1 }[event.key];
    if (!step) return false;
    const at = list.indexOf(document.activeElement);
    const next = list[at < 0 ? 0 : at + step];
    if (next) next.focus({ preventScroll: true });
    return true;
  }

  // The tree and the bytes are one stop each for Tab; arrows go on within.
  const stops = [...tree.querySelectorAll("[data-from]")];
  stops.slice(1).forEach((stop) => { stop.tabIndex = -1; });

  frame.addEventListener("mouseover", (event) => light(event.target));
  frame.addEventListener("mouseleave", () => {
    light(frame.contains(document.activeElement) ? document.activeElement : null);
  });
  frame.addEventListener("focusin", (event) => {
    reveal(event.target);
    light(event.target);
  });
  frame.addEventListener("click", (event) => {
    const cell = event.target.closest("[data-leaf]");
    if (cell) order.find((other) => other.dataset.leaf === cell.dataset.leaf).focus({ preventScroll: true });
  });
  frame.addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const field = event.target.closest("[data-from]");
    const cell = event.target.closest("[data-leaf]");
    let done = false;
    if (field) {
      const group = field.tagName === "SUMMARY" && field.parentElement;
      done = steps(event, stops.filter((stop) => stop.offsetParent), ["ArrowUp", "ArrowDown"]);
      if (group && event.key === "ArrowRight") done = group.open = true;
      if (group && event.key === "ArrowLeft") { group.open = false; done = true; }
      if (!group && event.key === "Enter") {
        const first = order.find((other) => other.dataset.leaf === field.dataset.from);
        if (first) first.focus({ preventScroll: true });
        done = true;
      }
    } else if (cell || event.target === hex) {
      done = steps(event, order, ["ArrowLeft", "ArrowRight"]);
      if (cell && event.key === "Enter") {
        leaves.get(Number(cell.dataset.leaf)).focus({ preventScroll: true });
        done = true;
      }
    }
    if (done) event.preventDefault();
  });
}
