// The panel of tables: every row of the game in a grid, to be edited. An edit is sent when a cell is left; the file decides.

import { describeColumn, newName, orderOf } from "./columns.js";
import { addPanel, isOpen, openPanel } from "./dock.js";
import { make } from "./dom.js";
import { ask, complain, digestWritten, edit, fileNamed, followFiles, spec, step } from "./edit.js";
import { outline } from "./faces.js";
import { Grid } from "./grid.js";
import { askName, askRemoval, folded, keepWidth, translationsOf, widthsOf } from "./headings.js";
import { say } from "./say.js";
import { SPEC, listSources, specCells, specColumn, specOrder, specRemoval, specRename } from "./sources.js";

/** @import { Write } from "./grid.js" */
/** @import { Column, Fault } from "./gridview.js" */
/** @import { Source } from "./sources.js" */
/** @import { Component, Edit, Finding, GameFile, Rows, Stock } from "./told.js" */

/**
 * What the page tells the panel, and does for it.
 * @typedef {object} Game
 * @property {() => Component[]} components
 * @property {() => Finding[]} findings
 * @property {(key: string) => void} showFace
 */

/** @type {Game} */
let game;
/** @type {Source[]} */
let sources = [];
/** @type {Source | null} */
let chosen = null;
/** The rows that are shown, the header first, as the file has them with our edits that are under way. @type {(Rows & {of: string}) | null} */
let data = null;
/** @type {number[]} */
let order = []; // of the columns: their indices in the file
/** @type {Column[]} */
let columns = []; // in that order
/** @type {Grid} */
let grid;
/** @type {Map<string, Fault>} */
let faults = new Map(); // by row and column in the file: "3 2"; column -1 is the row
/** @type {Map<string, string[]>} */
let fronts = new Map(); // the keys of fronts by the place of their row
/** @type {Map<string, string>} */
let icons = new Map(); // their pictures, by name
let work = Promise.resolve(); // edits and readings, one after the other
let round = 0; // edits of an earlier one no longer fit the rows

const choice = make("select", { "aria-label": say("rows.table") });
const note = make("p", { class: "rows-note", role: "status" });
/** @type {(label: string, key: string, act: () => void, text?: string) => HTMLButtonElement} */
const button = (label, key, act, text = label) =>
  make("button", { type: "button", "aria-label": text === label ? null : label, title: `${label} (${key.replaceAll("+", "-").replace("Control", "Ctrl")})`, "aria-keyshortcuts": key, onclick: () => run(act) }, text);
const rowTools = make("span", { class: "row-tools", role: "group", "aria-label": say("rows.title") },
  button(say("rows.add"), "Alt+Enter", addRow),
  button(say("rows.duplicate"), "Alt+Shift+ArrowDown", duplicate),
  button(say("rows.delete-rows"), "Control+Delete", remove, say("rows.delete")),
  button(say("rows.up"), "Alt+ArrowUp", () => move(-1), "↑"),
  button(say("rows.down"), "Alt+ArrowDown", () => move(1), "↓"));
const columnRemover = button(say("rows.delete-column"), "Alt+Shift+Delete", removeColumn);
const columnTools = make("span", { class: "row-tools", role: "group", "aria-label": say("rows.all-columns") },
  button(say("rows.add-column"), "Alt+Shift+Enter", addColumn),
  button(say("rows.rename-column"), "Shift+F2", renameColumn, say("rows.rename")), columnRemover);
const faceTool = button(say("rows.show-faces"), "Control+Enter", showFaces);
const host = make("div", { class: "rows-grid" });
const elsewhere = make("p", { class: "quiet rows-elsewhere" });

const NUMBER = /^-?\d+([.,]\d+)?$/;
/** @type {{[key: string]: () => void}} */
const KEYS = {
  "Alt+Enter": addRow, "Alt+Shift+ArrowDown": duplicate, "Control+Delete": remove, "Control+Backspace": remove,
  "Alt+ArrowUp": () => move(-1), "Alt+ArrowDown": () => move(1), "Control+Enter": showFaces,
  "Alt+Shift+Enter": addColumn, "Shift+F2": renameColumn, "Alt+Shift+Delete": removeColumn, "Alt+Shift+Backspace": removeColumn,
  "Control+z": () => void step("undo"), "Control+Shift+z": () => void step("redo"), "Control+y": () => void step("redo"),
};

/** @param {Game} page */
export function startRows(page) {
  game = page;
  grid = new Grid(host, {
    write: writeCells,
    tell: (text) => enqueue(() => void complain(text)), // behind the edit, which clears what was told
    moved: showPlace,
    key: (key) => (KEYS[key] ? (run(KEYS[key]), true) : false),
    leave: () => choice.focus(),
    resize(column, rem) {
      keepWidth(nameOfTable(), columns[column].name, rem);
      const file = chosen && fileNamed(chosen.name);
      if (file && rem === null) show(file);
    },
  });
  choice.addEventListener("change", () => choose(sources[choice.selectedIndex]));
  addPanel("rows", fill);
  followFiles(() => {
    sources = listSources();
    describeColumns(); // the palette may be another
  });
}

/** @param {HTMLElement} panel */
function fill(panel) {
  if (!panel.firstChild) {
    panel.append(make("div", { class: "rows-bar" }, choice, rowTools, columnTools, faceTool, elsewhere), host, note);
    enqueue(readIcons);
    panel.addEventListener("insert", (event) => {
      event.preventDefault();
      grid.insert(/** @type {CustomEvent<string>} */ (event).detail);
    });
  }
  const names = sources.map(({ label }) => label);
  if ([...choice.options].map(({ text }) => text).join("\n") !== names.join("\n")) choice.replaceChildren(...names.map((name) => make("option", {}, name)));
  const same = sources.find(({ name, sheet }) => name === chosen?.name && sheet === chosen?.sheet) ?? (grid.isEditing ? chosen : sources[0]) ?? null;
  choice.selectedIndex = same ? sources.indexOf(same) : -1;
  choose(same);
}

// Tables --------------------------------------------------------------------------------------

/** Tells what is done elsewhere. */
function tellElsewhere() {
  elsewhere.textContent = !sources.length ? say("rows.no-table") : isSpreadsheet() ? say("rows.in-spreadsheet") : "";
}

const nameOfTable = () => `${chosen?.name}#${chosen?.sheet}`;

/** @type {(source: Source | null) => Promise<void>} */
function choose(source) {
  chosen = source;
  tellElsewhere();
  host.hidden = rowTools.hidden = columnTools.hidden = faceTool.hidden = choice.hidden = note.hidden = !source;
  return enqueue(read);
}

/** Reads the rows again if the file is another than the one that is shown: by an edit of this page if `isOwn`. */
async function read(isOwn = false) {
  const file = chosen && fileNamed(chosen.name), of = nameOfTable();
  if (!chosen || !file) return;
  if (data?.of === of && data.digest === file.digest) return show(file);
  const rows = /** @type {Rows | null} */ (await ask(`/rows?${new URLSearchParams({ file: file.id, sheet: chosen.sheet })}`));
  if (!rows) return;
  if (!isOwn && grid.isEditing && data?.of === of) complain(say("rows.changed", { name: chosen.name }));
  file.digest = rows.digest;
  data = { ...rows, of };
  describeColumns();
  show(file);
}

async function readIcons() {
  const stock = /** @type {Stock | null} */ (await ask("/stock"));
  icons = new Map(stock?.icons.map(({ name, picture }) => [name, picture]));
  describeColumns();
}

function describeColumns() {
  const [header, ...rows] = data?.rows ?? [];
  order = orderOf(header?.cells ?? []);
  columns = order.map((at) => describeColumn(header.cells[at], rows.map(({ cells }) => cells[at] ?? ""), spec(), icons));
}

/** @param {GameFile} file */
function show(file) {
  if (!data || !chosen) return;
  const [header, ...rows] = data.rows;
  findFaults(header?.cells ?? []);
  findFronts();
  columnTools.hidden = Boolean(file.locked);
  rowTools.hidden = columnTools.hidden || isSpreadsheet();
  columnRemover.hidden = isSpreadsheet() || columns.length < 2;
  grid.show({
    label: chosen.label,
    columns,
    rows: rows.map(({ cells }) => order.map((at) => cells[at] ?? "")),
    locked: file.locked,
    canGrow: !isSpreadsheet(),
    fault: (row, column) => faults.get(`${row} ${column < 0 ? -1 : order[column]}`),
    widths: widthsOf(nameOfTable()),
  });
  showPlace();
}

const isSpec = () => chosen?.name === SPEC;
const isSpreadsheet = () => /\.(xlsx|xlsm|ods|fods)$/i.test(chosen?.name ?? "");

/** Faults by their cells: a finding names a row, or a cell of it, or the faces of rows. @param {string[]} header */
function findFaults(header) {
  faults = new Map();
  const at = new Map(data?.rows.map(({ where }, index) => [where, index - 1]));
  const rowOf = new Map(game.components().flatMap(({ id, pieces }) => pieces.map((piece) => [`${id}/${piece.id}`, at.get(piece.where)])));
  for (const { where, what, level, faces } of game.findings()) {
    const [, place, name] = /** @type {RegExpMatchArray} */ (where.match(/^(.*?)(?: column (.*))?$/s));
    const letters = place.match(/!([A-Z]+)(?=\d+$)/)?.[1];
    const column = letters ? indexOf(letters) : name === undefined ? -1 : header.indexOf(name);
    const own = at.get(letters ? place.replace(/![A-Z]+(?=\d+$)/, "!") : place);
    const rows = new Set([own, ...faces.map((key) => rowOf.get(key.slice(0, key.lastIndexOf("/"))))]);
    for (const row of rows) {
      if (row === undefined) continue;
      for (const index of new Set([-1, column])) {
        const before = faults.get(`${row} ${index}`);
        const isWorse = !before || level === "error";
        faults.set(`${row} ${index}`, { text: before ? `${before.text}\n${what}` : what, level: isWorse ? level : before.level });
      }
    }
  }
}

/** The index of a spreadsheet's column: 0 for A. @param {string} letters */
const indexOf = (letters) => [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1;

// Edits ---------------------------------------------------------------------------------------

/** @type {(task: () => Promise<void> | void) => Promise<void>} */
const enqueue = (task) => (work = work.then(task, task));

/** Does an act once the rows are as the file has them. One that first asks opens its dialog at once, for what is typed next. @type {(act: () => void) => void} */
function run(act) {
  const asks = [addColumn, renameColumn, removeColumn].includes(act);
  if (asks && data?.of === nameOfTable()) act();
  else enqueue(act);
}

/** @param {Write[]} writes */
function writeCells(writes) {
  const rows = data?.rows;
  if (!rows) return;
  const count = rows.length - 1, header = rows[0].cells;
  /** @type {[number, number, string, string][]} */
  const cells = writes.map(([row, column, text]) => [row + 1, order[column], rows[row + 1]?.cells[order[column]] ?? "", text]);
  let isMore = false, areMoved = false; // rows come or go, or begin at other lines; or have other places since
  for (const [row, column, before, text] of cells) {
    isMore ||= row >= rows.length || before.includes("\n") || text.includes("\n");
    while (rows.length <= row) rows.push({ where: "", cells: [] });
    const own = rows[row].cells;
    while (own.length <= column) own.push("");
    own[column] = text;
    areMoved ||= !own.some(Boolean);
  }
  const { name = "" } = chosen ?? {}, file = fileNamed(name);
  if (file) show(file);
  /** @type {() => Edit} */
  const change = () => (chosen && isSpec() ? specCells(chosen, header, count, cells.map(([row, column, , text]) => [row, column, text]))
    : { do: "cells", cells, sheet: chosen?.sheet ?? "" });
  send(change, isMore || areMoved || isSpec(), (why) => {
    const [[row, column, text]] = writes;
    if (why && writes.length === 1 && chosen?.name === name && !grid.isEditing) grid.open(row, column, text);
  }, areMoved || isSpec());
}

/** Changes the file that is shown. `isMore`: there are more rows or columns since, or fewer; `areMoved`: so those that
 * stay have other places. @type {(make: () => Edit, isMore: boolean, then: (why: string) => void, areMoved?: boolean) => Promise<void>} */
function send(make, isMore, then, areMoved = isMore) {
  const own = round, name = chosen?.name ?? "", seen = data;
  return enqueue(async () => {
    const why = own === round ? await tried(name, make) : complain(say("rows.try-again"));
    const isOld = why || isMore || data !== seen; // what was typed meanwhile is not in rows that were read meanwhile
    if (data) data.digest = isOld ? "" : digestWritten();
    if (why || areMoved) round += 1;
    if (isOld) await read(!why);
    then(why);
  });
}

/** @type {(name: string, make: () => Edit) => Promise<string>} */
async function tried(name, make) {
  try {
    return await edit(name, make(), data?.digest);
  } catch (error) {
    return complain(String(/** @type {Error} */ (error).message));
  }
}

/** Puts the rows in an order: each by its index, or the cells of a new one. Some are selected then. @type {(rows: (number | string[])[], top: number, bottom?: number) => void} */
function arrange(rows, top, bottom) {
  const header = data?.rows[0].cells ?? [];
  send(() => (chosen && isSpec() ? specOrder(chosen, header, rows) : { do: "rows", rows }), true, (why) => {
    if (!why && bottom === undefined) grid.go(top);
    else if (!why) grid.goRows(top, bottom ?? top);
  });
}

const rowsOf = () => grid.selectedRows.map((row) => row + 1);
/** All rows, by their indices, with others before the one of an index. @type {(to: number, others?: (number | string[])[]) => (number | string[])[]} */
function orderWith(to, others = []) {
  const all = Array.from({ length: (data?.rows.length ?? 1) - 1 }, (_, row) => row + 1);
  const isElse = (/** @type {number} */ row) => !others.includes(row);
  return [...all.slice(0, to - 1).filter(isElse), ...others, ...all.slice(to - 1).filter(isElse)];
}
/** @type {(column: number) => Set<string>} */
const namesIn = (column) => new Set(data?.rows.map(({ cells }) => cells[column]));
/** The index of the column that names the rows. */
const naming = () => Math.max(0, data?.rows[0].cells.indexOf("id") ?? 0);

/** What a new row has in a column: the number above it where all rows have one, as a rule may want it. @type {(column: number, at: number) => string} */
function numberFor(column, at) {
  const rows = data?.rows.slice(1) ?? [];
  return rows.length && rows.every(({ cells }) => NUMBER.test(cells[column] ?? "")) ? rows[Math.max(at - 2, 0)].cells[column] : "";
}

function addRow() {
  if (!data || rowTools.hidden) return;
  const at = Math.min(grid.active.row + 2, data.rows.length), names = namesIn(naming());
  const name = names.has("new") ? newName("new", names) : "new";
  const cells = data.rows[0].cells.map((heading, column) => (column === naming() ? name : folded(heading) === "count" ? "1" : numberFor(column, at)));
  arrange(orderWith(at, [cells]), at - 1);
}

function duplicate() {
  const rows = rowsOf();
  if (!data || !rows.length || rowTools.hidden) return;
  const at = naming(), names = namesIn(at), width = data.rows[0].cells.length;
  const copies = rows.map((row) => {
    const cells = Array.from({ length: width }, (_, column) => data?.rows[row].cells[column] ?? "");
    if (data?.rows[0].cells[at] === "id" && cells[at]) names.add((cells[at] = newName(cells[at], names)));
    return cells;
  });
  const to = rows[rows.length - 1] + 1;
  arrange(orderWith(to, copies), to - 1);
}

function remove() {
  const rows = rowsOf();
  if (rows.length && !rowTools.hidden) arrange(orderWith(1).filter((row) => !rows.includes(Number(row))), rows[0] - 1);
}

/** @param {number} by */
function move(by) {
  const rows = rowsOf(), to = by < 0 ? rows[0] - 1 : rows[rows.length - 1] + 2;
  if (!data || !rows.length || rowTools.hidden || to < 1 || to > data.rows.length) return;
  arrange(orderWith(to, rows), rows[0] - 1 + by, rows[rows.length - 1] - 1 + by);
}

function addColumn() {
  if (!data || columnTools.hidden) return;
  const header = data.rows[0].cells, at = header.length;
  askName("", header, (name) => {
    /** @type {() => Edit} */
    const change = () => (chosen && isSpec() ? specColumn(chosen, name)
      : { do: "cells", cells: isSpreadsheet() ? [[0, at, "", name]] : (data?.rows ?? []).map((_, row) => [row, at, "", row ? "" : name]), sheet: chosen?.sheet ?? "" });
    send(change, true, (why) => void (why || grid.go(grid.active.row, order.indexOf(data?.rows[0].cells.indexOf(name) ?? at))));
  });
}

/** Renames the column of the active cell, and its translations with it. */
function renameColumn() {
  if (!data || columnTools.hidden) return;
  const header = data.rows[0].cells, before = header[order[grid.active.column]];
  askName(before, header, (name) => {
    const names = [before, ...(isSpec() ? [] : translationsOf(before, header))];
    /** @type {() => Edit} */
    const change = () => (chosen && isSpec() ? specRename(chosen, before, name)
      : { do: "cells", cells: names.map((each) => [0, header.indexOf(each), each, name + each.slice(before.length)]), sheet: chosen?.sheet ?? "" });
    send(change, true, (why) => void (why || grid.go(grid.active.row)));
  });
}

/** Removes the column of the active cell, and its translations with it. */
function removeColumn() {
  if (!data || columnTools.hidden || columnRemover.hidden) return;
  const header = data.rows[0].cells, at = order[grid.active.column], name = header[at];
  askRemoval(name, header, () => {
    const names = isSpec() ? [] : translationsOf(name, header);
    /** @type {() => Edit} */
    const change = () => (chosen && isSpec() ? specRemoval(chosen, [name]) : { do: "columns", columns: [at, ...names.map((each) => header.indexOf(each))] });
    send(change, true, (why) => void (why || grid.go(grid.active.row)));
  });
}

// From a row to its faces, and back -----------------------------------------------------------

/** Shows what is selected: the faces of its rows, its faults, the copies. */
function showPlace() {
  const rows = grid.selectedRows, columns = grid.selection;
  outline(keysOf(rows));
  const { row, column } = grid.active;
  const fault = faults.get(`${row} ${order[column]}`) ?? faults.get(`${row} -1`);
  const counts = rows.length > 1 || columns.left < columns.right ? say("rows.selected", { count: rows.length }) : say("rows.rows", { count: Math.max((data?.rows.length ?? 1) - 1, 0) });
  note.className = `rows-note ${fault?.level ?? ""}`;
  note.textContent = fault ? fault.text : counts;
}

/** The fronts of rows. @type {(rows: number[]) => string[]} */
const keysOf = (rows) => rows.flatMap((row) => fronts.get(data?.rows[row + 1]?.where ?? "") ?? []);

function findFronts() {
  fronts = new Map();
  for (const { id, pieces } of game.components())
    for (const piece of pieces) fronts.set(piece.where, [...(fronts.get(piece.where) ?? []), `${id}/${piece.id}/front`]);
}

function showFaces() {
  const [key] = keysOf(grid.selectedRows);
  if (key) game.showFace(key);
  else complain(say("rows.no-face"));
}

/** Opens the panel at a place in a table: "quest/cards.csv:2 column count". Returns whether there is one. @param {string} where */
export async function openRow(where) {
  const [, place, name] = /** @type {RegExpMatchArray} */ (where.match(/^(.*?)(?: column (.*))?$/s));
  const letters = place.match(/!([A-Z]+)(?=\d+$)/)?.[1], line = place.replace(/![A-Z]+(?=\d+$)/, "!");
  const focused = document.activeElement;
  for (const source of sources.filter((source) => place.includes(`/${source.name}:`))) {
    if (source.name === SPEC && !(await holds(source, line))) continue;
    chosen = source;
    if (isOpen("rows")) await choose(source);
    else openPanel("rows");
    await enqueue(() => {});
    const row = data?.rows.findIndex((row) => row.where === line) ?? -1;
    if (row < 1) continue;
    choice.selectedIndex = sources.indexOf(source);
    const column = letters ? indexOf(letters) : data?.rows[0].cells.indexOf(name) ?? -1;
    const isElsewhere = ![focused, document.body].includes(document.activeElement); // the user went on meanwhile
    grid.go(row - 1, Math.max(0, order.indexOf(column)), !isElsewhere);
    return true;
  }
  return false;
}

/** Whether rows of game.toml have one at a place. @type {(source: Source, line: string) => Promise<boolean>} */
async function holds({ name, sheet }, line) {
  const rows = /** @type {Rows | null} */ (await ask(`/rows?${new URLSearchParams({ file: fileNamed(name)?.id ?? "", sheet })}`));
  return Boolean(rows?.rows.slice(1).some(({ where }) => where === line));
}
