// The list, endless: pages of rows are fetched as one scrolls, and taken out again far
// from the window. What is out leaves a gap of its height, so that nothing moves.
import { piece } from "./fragment.js";

// A query with other parameters.
export function changed(query, parameters) {
  const all = new URLSearchParams(query);
  for (const [name, value] of Object.entries(parameters)) all.set(name, value);
  return `?${all}`;
}

export const numberOf = (row) => Number(row.dataset.n);

export function list(body) {
  const { order, query } = body.dataset;
  const byNumber = order === "newest" || order === "oldest";
  const opposite = order === "newest" ? "oldest" : "newest";
  const mostRows = Number(body.dataset.rowsShown);
  const mostPages = Number(body.dataset.pagesKnown);
  const end = document.getElementById("end");
  const empty = document.getElementById("empty");
  const above = gap("beforebegin");
  const below = gap("afterend");
  const listeners = [];
  // In the order of the list; those from `low` to `high` are in the document.
  let pages = [];
  let low = 0;
  let high = -1;
  // What asks for the rows behind the last page; whether there may be some ahead.
  let next = body.dataset.next || null;
  let ahead = byNumber && "further" in body.dataset;
  let generation = 0;
  let working = null;

  document.documentElement.classList.add("steady");
  document.querySelectorAll("#pages a").forEach((link) => { link.hidden = true; });
  take([...body.children], true);
  addEventListener("scroll", () => settle(), { passive: true });
  addEventListener("resize", () => settle(), { passive: true });
  addEventListener("hashchange", toHash);

  function gap(where) {
    const element = document.createElement("tbody");
    element.className = "spacer";
    element.setAttribute("role", "presentation");
    element.hidden = true;
    element.innerHTML = '<tr role="presentation"><td role="presentation" colspan="20"></td></tr>';
    body.insertAdjacentElement(where, element);
    return element;
  }

  async function fetched(where) {
    const { content, next } = await piece(`/rows${where}`);
    return { rows: [...content.children], next };
  }

  // Adds a page at the end, or at the beginning.
  function take(rows, isBehind, address = null) {
    if (!rows.length) return;
    const page = { rows, address, height: 0, first: numberOf(rows[0]), last: numberOf(rows.at(-1)) };
    if (isBehind) {
      pages.push(page);
      high = pages.length - 1;
      body.append(...rows);
    } else {
      pages.unshift(page);
      high += 1;
      low = 0;
      body.prepend(...rows);
    }
    shown(rows);
  }

  function shown(rows) {
    // Whichever way they were fetched, they are opened as of this list.
    for (const row of rows) {
      const link = row.querySelector("a.n");
      if (link) link.search = query ? `?in=${encodeURIComponent(query.slice(1))}` : "";
    }
    rows.forEach((row) => listeners.forEach((listener) => listener.shown?.(row)));
    empty.hidden = pages.length > 0;
  }

  // These rows are about to be taken out.
  function leaving(rows) {
    listeners.forEach((listener) => listener.leaving?.(rows));
  }

  // Does `change`; the first row in the window stays where it is.
  function steady(change) {
    const row = topRow();
    const before = row?.getBoundingClientRect().top;
    change();
    if (row?.isConnected) {
      const moved = row.getBoundingClientRect().top - before;
      if (moved) scrollBy({ top: moved, behavior: "instant" });
    }
  }

  // The first row in the window.
  function topRow() {
    return [...body.children].find((row) => row.getBoundingClientRect().bottom > 0);
  }

  function heightOf(page) {
    const top = page.rows[0].getBoundingClientRect().top;
    return page.rows.at(-1).getBoundingClientRect().bottom - top;
  }

  function drop(index) {
    const page = pages[index];
    page.height = heightOf(page);
    leaving(page.rows);
    page.rows.forEach((row) => row.remove());
    page.rows = null;
    if (index === low) low += 1;
    else high -= 1;
  }

  function setGaps() {
    const total = (some) => some.reduce((sum, page) => sum + page.height, 0);
    for (const [element, height] of [[above, total(pages.slice(0, low))], [below, total(pages.slice(high + 1))]]) {
      element.hidden = height === 0;
      element.querySelector("td").style.height = `${height}px`;
    }
  }

  // Takes out what is far away, where there is too much.
  function trim() {
    const margin = innerHeight;
    const count = () => pages.slice(low, high + 1).reduce((sum, page) => sum + page.rows.length, 0);
    while (low < high && count() > mostRows) {
      const overhead = -pages[low].rows.at(-1).getBoundingClientRect().bottom - margin;
      const underneath = pages[high].rows[0].getBoundingClientRect().top - innerHeight - margin;
      if (Math.max(overhead, underneath) <= 0) break;
      drop(overhead > underneath ? low : high);
    }
    // What is not known any more can be asked for again.
    while (pages.length > mostPages && high < pages.length - 1) {
      const gone = pages.pop();
      next = gone.address || changed(query, { [order === "newest" ? "before" : "after"]: pages.at(-1).last });
    }
    setGaps();
  }

  // What asks for a known page again.
  function again(page) {
    if (order === "newest") return changed(query, { before: page.first + 1, after: page.last - 1 });
    if (order === "oldest") return changed(query, { after: page.first - 1, before: page.last + 1 });
    return page.address || query;
  }

  // The rows of a known page, which may have become more than a page is sent with.
  async function known(page) {
    const all = [];
    let where = again(page);
    while (where) {
      const { rows, next } = await fetched(where);
      all.push(...rows);
      const isWhole = !rows.length || numberOf(rows.at(-1)) === page.last;
      where = byNumber && !isWhole ? next : null;
    }
    return all;
  }

  // Puts a known page back: at the end of what is in the document, or its beginning.
  async function restore(index) {
    const mine = generation;
    const rows = await known(pages[index]);
    if (mine !== generation) return;
    steady(() => {
      if (index === high + 1) {
        high = index;
        body.append(...rows);
      } else {
        low = index;
        body.prepend(...rows);
      }
      pages[index].rows = rows;
      // All of it may be gone by now.
      if (!rows.length) forget(index);
      shown(rows);
      trim();
    });
  }

  function forget(index) {
    pages.splice(index, 1);
    high -= 1;
  }

  async function behind() {
    const mine = generation;
    const asked = next;
    end.textContent = "looking further \u2026";
    const { rows, next: then } = await fetched(asked);
    if (mine !== generation) return;
    next = then;
    steady(() => {
      take(rows, true, asked);
      trim();
    });
  }

  async function before() {
    const mine = generation;
    const place = order === "newest" ? "after" : "before";
    const asked = changed(query, { sort: opposite, [place]: pages[0].first });
    const { rows, next: then } = await fetched(asked);
    if (mine !== generation) return;
    ahead = Boolean(then) && rows.length > 0;
    steady(() => {
      take(rows.reverse(), false);
      trim();
    });
  }

  // The one thing that is to be done next; whether there was one.
  async function step() {
    const margin = innerHeight;
    if (low > high || !pages.length) {
      if (!next || pages.length) return false;
      await behind();
      return true;
    }
    const top = pages[low].rows[0].getBoundingClientRect().top;
    const bottom = pages[high].rows.at(-1).getBoundingClientRect().bottom;
    if ((bottom < -margin && high < pages.length - 1) || (top > innerHeight + margin && low > 0)) {
      await leap();
      return true;
    }
    if (bottom < innerHeight + margin) {
      if (high < pages.length - 1) {
        await restore(high + 1);
        return true;
      }
      if (next) {
        await behind();
        return true;
      }
    }
    if (top > -margin && low > 0) {
      await restore(low - 1);
      return true;
    }
    if (top > -margin && ahead) {
      await before();
      return true;
    }
    return false;
  }

  // The window is in a gap: the page that belongs there.
  async function leap() {
    const start = (above.hidden ? body : above).getBoundingClientRect().top;
    let height = -start + innerHeight / 2;
    for (let index = low; index <= high; index += 1) pages[index].height = heightOf(pages[index]);
    let index = pages.findIndex((page) => (height -= page.height) < 0);
    if (index < 0) index = pages.length - 1;
    const mine = generation;
    const rows = await known(pages[index]);
    if (mine !== generation) return;
    while (low <= high) drop(high);
    pages[index].rows = rows;
    [low, high] = [index, index];
    body.append(...rows);
    if (!rows.length) forget(index);
    shown(rows);
    setGaps();
  }

  function settle() {
    working ??= (async () => {
      try {
        while (await step());
        end.textContent = next || !pages.length ? "" : "the end of the list";
      } catch {
        end.textContent = "parallax does not answer; it is asked again";
        setTimeout(settle, 1000);
      }
      working = null;
    })();
    return working;
  }

  // Begins anew with the rows of this query, where they are still wanted when they have
  // come; whether they were.
  async function begin(where, { isAhead = false, isReversed = false, isWanted = () => true } = {}) {
    generation += 1;
    const mine = generation;
    const { rows, next: then } = await fetched(where);
    if (mine !== generation || !isWanted()) return false;
    // What was asked for meanwhile belongs to what is gone.
    generation += 1;
    leaving([...body.children]);
    body.replaceChildren();
    pages = [];
    [low, high] = [0, -1];
    if (isReversed) {
      rows.reverse();
      next = null;
      ahead = Boolean(then);
    } else {
      next = then;
      ahead = isAhead;
    }
    take(rows, true);
    setGaps();
    return true;
  }

  async function toHash() {
    const n = Number(/^#x(\d+)$/.exec(location.hash)?.[1]);
    if (n) await self.show(n);
  }

  const self = {
    body,
    order,
    query,
    byNumber,
    listen(listener) {
      listeners.push(listener);
      [...body.children].forEach((row) => listener.shown?.(row));
    },
    settle,
    topRow,
    row: (n) => document.getElementById(`x${n}`),
    // Whether its very first rows are here and in the window.
    isAtFirst() {
      const first = body.firstElementChild;
      return !ahead && low === 0 && (!first || first.getBoundingClientRect().bottom > 0);
    },
    first: () => (ahead || low > 0 ? null : body.firstElementChild),
    firstNumber: () => pages[0]?.first ?? 0,
    // To the first rows of all; not where one scrolls on while they are fetched.
    async toFirst() {
      const from = scrollY;
      const isWanted = () => Math.abs(scrollY - from) < innerHeight / 2;
      if ((ahead || low > 0) && !(await begin(query, { isWanted }))) {
        settle();
        return null;
      }
      scrollTo({ top: 0, behavior: "instant" });
      await settle();
      return body.firstElementChild;
    },
    // To the last rows of all, where they can be asked for; else to the last that are known.
    async toLast() {
      if (byNumber && (next || high < pages.length - 1)) {
        await begin(changed(query, { sort: opposite }), { isReversed: true });
      }
      scrollTo({ top: document.documentElement.scrollHeight, behavior: "instant" });
      await settle();
      return body.lastElementChild;
    },
    // The row with this number, or the one that stands in its place.
    async show(n) {
      if (!self.row(n) && byNumber) {
        const place = order === "newest" ? { before: n + 1 } : { after: n - 1 };
        await begin(changed(query, place), { isAhead: true });
      }
      const row = self.row(n) || body.firstElementChild;
      row?.scrollIntoView({ block: "center", behavior: "instant" });
      await settle();
      return self.row(n) || row;
    },
    // The row beside this one, fetched where it has to be.
    async beside(row, step) {
      const sibling = () => (step > 0 ? row.nextElementSibling : row.previousElementSibling);
      if (!sibling()) {
        if (step > 0 && high < pages.length - 1) await restore(high + 1);
        else if (step > 0 && next) await behind();
        else if (step < 0 && low > 0) await restore(low - 1);
        else if (step < 0 && ahead) await before();
      }
      return sibling();
    },
    // Puts rows in the place of those with the same numbers; gives those that are new.
    replace(rows) {
      return rows.filter((row) => {
        const old = self.row(numberOf(row));
        if (!old) return true;
        const page = pages.find((one) => one.rows?.includes(old));
        page.rows[page.rows.indexOf(old)] = row;
        old.replaceWith(row);
        listeners.forEach((listener) => listener.replaced?.(old, row));
        shown([row]);
        return false;
      });
    },
    steady,
    // Rows that have come, the newest first.
    addNewest(rows) {
      if (!rows.length) return;
      const page = pages[0];
      rows.forEach((row) => row.classList.add("new"));
      if (page && page.rows.length + rows.length <= Number(body.dataset.page)) {
        page.rows.unshift(...rows);
        page.first = numberOf(rows[0]);
        body.prepend(...rows);
        shown(rows);
      } else {
        take(rows, false);
      }
      trim();
    },
    // A row between those that are here, of a list that has the newest first.
    insert(row) {
      const later = [...body.children].find((other) => numberOf(other) < numberOf(row));
      const page = pages.find((one) => one.rows?.includes(later));
      if (!page) return;
      page.rows.splice(page.rows.indexOf(later), 0, row);
      page.first = numberOf(page.rows[0]);
      body.insertBefore(row, later);
      shown([row]);
    },
    restart: (isWanted) => begin(query, { isWanted }),
    fetched,
  };
  queueMicrotask(async () => {
    await toHash();
    settle();
  });
  return self;
}
