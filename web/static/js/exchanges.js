// The page of the list: what its keys do.
import { follow } from "./follow.js";
import { keys } from "./keys.js";
import { changed, list as made, numberOf } from "./list.js";
import { matching } from "./matching.js";
import { menu as menuOf } from "./menu.js";
import { comment, note } from "./note.js";
import { select } from "./select.js";

export function exchanges(body) {
  const list = made(body);
  const selection = select(list);
  const of = (act) => async (row = selection.row()) => { if (row) await act(row); };
  const rowActs = { open: of(open), mark: of(mark), comment: of(noteOn) };
  const menu = menuOf(list, selection, rowActs);
  const counted = document.getElementById("matching") ? matching(list) : () => {};
  const live = "live" in body.dataset ? follow(list, selection, counted) : null;
  const filter = document.getElementById("where");
  const save = document.getElementById("save");
  let turn = Promise.resolve();
  let waiting = 0;

  // One after the other; of a key that is held, while rows are fetched, only a few.
  const inTurn = (act) => () => {
    if (waiting >= 8) return;
    waiting += 1;
    turn = turn.then(() => act()).catch(() => {}).then(() => { waiting -= 1; });
  };

  keys(document.getElementById("keys"), {
    next: inTurn(() => beside(1)),
    previous: inTurn(() => beside(-1)),
    first: inTurn(async () => selection.to(await list.toFirst())),
    last: inTurn(async () => selection.to(await list.toLast())),
    next_problem: inTurn(() => problem(1)),
    previous_problem: inTurn(() => problem(-1)),
    open: inTurn(rowActs.open),
    menu: inTurn(of(menu.open)),
    mark: inTurn(rowActs.mark),
    comment: inTurn(rowActs.comment),
    filter() {
      filter.focus();
      filter.select();
    },
    follow: () => live?.toggle(),
    save() {
      save.open = true;
      save.querySelector("a").focus();
    },
    release() {
      const tools = [...document.querySelectorAll("details.tool[open]")];
      tools.forEach((tool) => { tool.open = false; });
      if (!tools.length) selection.release();
      else if (selection.row()) selection.to(selection.row());
      else tools[0].querySelector("summary").focus();
    },
    back() { location.href = "/"; },
  });

  function open(row) {
    // So that going back leads to this row.
    history.replaceState(null, "", `#x${numberOf(row)}`);
    location.href = row.querySelector("a.n").href;
  }

  async function beside(step) {
    const row = selection.row();
    selection.to(row ? (await list.beside(row, step)) || row : list.topRow());
    list.settle();
  }

  async function problem(step) {
    const row = selection.row() || list.topRow();
    if (!row) return;
    const is = (one) => !one.classList.contains("r-well");
    let one = row;
    do one = step > 0 ? one.nextElementSibling : one.previousElementSibling; while (one && !is(one));
    if (one) {
      selection.to(one);
      return;
    }
    if (!list.byNumber) return;
    const isOlder = (list.order === "newest") === step > 0;
    let where = changed(list.query, isOlder
      ? { problems: 1, sort: "newest", before: numberOf(edge(step)) }
      : { problems: 1, sort: "oldest", after: numberOf(edge(step)) });
    while (where) {
      const { rows, next } = await list.fetched(where);
      if (rows.length) {
        selection.to(await list.show(numberOf(rows[0])));
        return;
      }
      where = next;
    }
  }

  const edge = (step) => (step > 0 ? body.lastElementChild : body.firstElementChild);

  async function mark(row) {
    if (await note(numberOf(row), { mark: row.dataset.marked ? 0 : 1 })) await again(row);
  }

  function noteOn(row) {
    comment(numberOf(row), row.dataset.comment || "", async (text) => {
      if (await note(numberOf(row), { comment: text })) await again(row);
    });
  }

  // A row as it is now; one that the filter no longer takes stays until the list is read
  // anew.
  async function again(row) {
    const n = numberOf(row);
    const only = { before: n + 1, after: n - 1 };
    let { rows } = await list.fetched(changed(list.query, only));
    if (!rows.length) ({ rows } = await list.fetched(changed("", only)));
    list.steady(() => list.replace(rows));
  }
}

// The page of one exchange.
export function exchange(dialog) {
  const form = document.getElementById("note");
  const n = Number(form.action.match(/\/exchanges\/(\d+)\//)[1]);
  // As the keys go in the list.
  const step = (way) => document.querySelector(`a[data-step="${way}"]`)?.click();
  keys(dialog, {
    older: () => step("down"),
    newer: () => step("up"),
    mark() {
      document.getElementById("mark").click();
      form.requestSubmit();
    },
    comment: () => document.getElementById("comment").focus(),
    back() {
      const from = document.referrer && new URL(document.referrer);
      if (from && from.origin === location.origin && from.pathname === "/exchanges") history.back();
      else location.href = document.getElementById("list")?.href || `/exchanges#x${n}`;
    },
  });
}
