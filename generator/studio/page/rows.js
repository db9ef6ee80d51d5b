// The panel of tables: every row of the game in a grid, to be edited. An edit is sent when a cell is left; the file decides.

import { describeColumn, newName, orderOf } from "./columns.js";
import { addPanel, isOpen, openPanel } from "./dock.js";
import { count, make } from "./dom.js";
import { ask, complain, edit, fileNamed, followFiles, spec, step } from "./edit.js";
import { outline } from "./faces.js";
import { Grid } from "./grid.js";

/** @import { Write } from "./grid.js" */
/** @import { Column, Fault } from "./gridview.js" */
/** @import { Component, Edit, Finding, GameFile, Rows } from "./told.js" */

/**
 * What the page tells the panel, and does for it.
 * @typedef {object} Game
 * @property {() => Component[]} components
 * @property {() => Finding[]} findings
 * @property {(key: string) => void} showFace
 */
/** A table of the game: its file, and the sheet of a spreadsheet. @typedef {{name: string, sheet: string, label: string}} Source */

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
let work = Promise.resolve(); // edits and readings, one after the other
let round = 0; // edits of an earlier one no longer fit the rows

const choice = make("select", { "aria-label": "Table" });
const note = make("p", { class: "rows-note", role: "status" });
/** @type {(label: string, key: string, act: () => void, text?: string) => HTMLButtonElement} */
const button = (label, key, act, text = label) =>
  make("button", { type: "button", "aria-label": text === label ? null : label, title: `${label} (${key.replaceAll("+", "-").replace("Control", "Ctrl")})`, "aria-keyshortcuts": key, onclick: () => void enqueue(act) }, text);
const rowTools = make("span", { class: "row-tools", role: "group", "aria-label": "Rows" },
  button("Add row", "Alt+Enter", addRow),
  button("Duplicate", "Alt+Shift+ArrowDown", duplicate),
  button("Delete rows", "Control+Delete", remove, "Delete"),
  button("Move up", "Alt+ArrowUp", () => move(-1), "↑"),
  button("Move down", "Alt+ArrowDown", () => move(1), "↓"));
const faceTool = button("Show faces", "Control+Enter", showFaces);
const host = make("div", { class: "rows-grid" });
const elsewhere = make("p", { class: "quiet rows-elsewhere" });

/** @type {{[key: string]: () => void}} */
const KEYS = {
  "Alt+Enter": addRow, "Alt+Shift+ArrowDown": duplicate, "Control+Delete": remove, "Control+Backspace": remove,
  "Alt+ArrowUp": () => move(-1), "Alt+ArrowDown": () => move(1), "Control+Enter": showFaces,
  "Control+z": () => void step("undo"), "Control+Shift+z": () => void step("redo"), "Control+y": () => void step("redo"),
};

/** @param {Game} page */
export function startRows(page) {
  game = page;
  grid = new Grid(host, {
    write: writeCells,
    tell: (text) => enqueue(() => void complain(text)), // behind the edit, which clears what was told
    moved: showPlace,
    key: (key) => (KEYS[key] ? (enqueue(KEYS[key]), true) : false),
    leave: () => choice.focus(),
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
    panel.append(make("div", { class: "rows-bar" }, choice, rowTools, faceTool, elsewhere), host, note);
    panel.addEventListener("insert", (event) => {
      event.preventDefault();
      grid.insert(/** @type {CustomEvent<string>} */ (event).detail);
    });
  }
  const names = sources.map(({ label }) => label);
  if ([...choice.options].map(({ text }) => text).join("\n") !== names.join("\n")) choice.replaceChildren(...names.map((name) => make("option", {}, name)));
  const same = sources.find(({ name, sheet }) => name === chosen?.name && sheet === chosen?.sheet) ?? (grid.isEditing ? chosen : sources[0]) ?? null;
  choice.selectedIndex = same ? sources.indexOf(same) : -1;
  tellElsewhere();
  choose(same);
}

// Tables --------------------------------------------------------------------------------------

/** The tables that game.toml names, in its order. @returns {Source[]} */
function listSources() {
  /** @type {Map<string, Source>} */
  const found = new Map();
  /** @type {(value: unknown, title: string) => void} */
  const walk = (value, title) => {
    if (typeof value === "string") {
      const [name, sheet = ""] = value.split("#");
      if (fileNamed(name)?.kind === "table" && !found.has(value)) found.set(value, { name, sheet, label: title ? `${title}: ${value}` : value });
    } else if (value && typeof value === "object") {
      const { title: own, id } = /** @type {{[key: string]: unknown}} */ (value);
      for (const inner of Object.values(value)) walk(inner, String(own ?? id ?? title));
    }
  };
  walk(spec(), "");
  return [...found.values()];
}

/** Tells which components have their rows in game.toml. */
function tellElsewhere() {
  const own = /** @type {any[]} */ (spec().component ?? []).filter(({ row }) => row).map(({ title, id }) => title ?? id);
  const why = sources.length ? "" : "The game names no table. ";
  elsewhere.textContent = own.length ? `${why}The rows of ${own.join(", ")} are in game.toml: edit its text.` : why;
}

/** @type {(source: Source | null) => Promise<void>} */
function choose(source) {
  chosen = source;
  host.hidden = rowTools.hidden = faceTool.hidden = choice.hidden = note.hidden = !source;
  return enqueue(read);
}

/** Reads the rows again if the file is another than the one that is shown. */
async function read() {
  const file = chosen && fileNamed(chosen.name), of = chosen ? `${chosen.name}#${chosen.sheet}` : "";
  if (!chosen || !file) return;
  if (data?.of === of && data.digest === file.digest) return show(file);
  const rows = /** @type {Rows | null} */ (await ask(`/rows?${new URLSearchParams({ file: file.id, sheet: chosen.sheet })}`));
  if (!rows) return;
  if (grid.isEditing && data?.of === of) complain(`${chosen.name} has changed meanwhile: what you typed is still there.`);
  file.digest = rows.digest;
  data = { ...rows, of };
  describeColumns();
  show(file);
}

function describeColumns() {
  const [header, ...rows] = data?.rows ?? [];
  order = orderOf(header?.cells ?? []);
  columns = order.map((at) => describeColumn(header.cells[at], rows.map(({ cells }) => cells[at] ?? ""), spec()));
}

/** @param {GameFile} file */
function show(file) {
  if (!data || !chosen) return;
  const [header, ...rows] = data.rows;
  findFaults(header?.cells ?? []);
  findFronts();
  rowTools.hidden = Boolean(file.locked) || isSpreadsheet();
  grid.show({
    label: chosen.label,
    columns,
    rows: rows.map(({ cells }) => order.map((at) => cells[at] ?? "")),
    locked: file.locked,
    canGrow: !isSpreadsheet(),
    fault: (row, column) => faults.get(`${row} ${column < 0 ? -1 : order[column]}`),
  });
  showPlace();
}

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

/** @param {Write[]} writes */
function writeCells(writes) {
  const rows = data?.rows;
  if (!rows) return;
  /** @type {[number, number, string, string][]} */
  const cells = writes.map(([row, column, text]) => [row + 1, order[column], rows[row + 1]?.cells[order[column]] ?? "", text]);
  let isMore = false; // rows come or go, or begin at other lines
  for (const [row, column, before, text] of cells) {
    isMore ||= row >= rows.length || before.includes("\n") || text.includes("\n");
    while (rows.length <= row) rows.push({ where: "", cells: [] });
    const own = rows[row].cells;
    while (own.length <= column) own.push("");
    own[column] = text;
    isMore ||= !own.some(Boolean);
  }
  const { name = "" } = chosen ?? {}, file = fileNamed(name);
  if (file) show(file);
  change({ do: "cells", cells, sheet: chosen?.sheet ?? "" }, isMore, (why) => {
    const [[row, column, text]] = writes;
    if (why && writes.length === 1 && chosen?.name === name && !grid.isEditing) grid.open(row, column, text);
  });
}

/** Changes the file that is shown. `isMore`: rows have other places since. @type {(change: Edit, isMore: boolean, then: (why: string) => void) => Promise<void>} */
function change(change, isMore, then) {
  const own = round, name = chosen?.name ?? "";
  return enqueue(async () => {
    const why = own === round ? await edit(name, change, data?.digest) : complain("The rows have changed meanwhile: try again.");
    if (data) data.digest = why || isMore ? "" : fileNamed(name)?.digest ?? "";
    if (why || isMore) {
      round += 1;
      await read();
    }
    then(why);
  });
}

/** Changes rows; these are selected then. @type {(act: "insert" | "remove" | "move", more: {to?: number, rows?: number[], new?: string[][]}, top: number, bottom?: number) => void} */
function changeRows(act, more, top, bottom) {
  change({ do: "rows", act, ...more }, true, (why) => {
    if (!why && bottom === undefined) grid.go(top);
    else if (!why) grid.goRows(top, bottom ?? top);
  });
}

const rowsOf = () => grid.selectedRows.map((row) => row + 1);
/** @type {(column: number) => Set<string>} */
const namesIn = (column) => new Set(data?.rows.map(({ cells }) => cells[column]));
/** The index of the column that names the rows. */
const naming = () => Math.max(0, data?.rows[0].cells.indexOf("id") ?? 0);

function addRow() {
  if (!data || rowTools.hidden) return;
  const at = Math.min(grid.active.row + 2, data.rows.length), names = namesIn(naming());
  const cells = data.rows[0].cells.map((_, column) => (column === naming() ? (names.has("new") ? newName("new", names) : "new") : ""));
  changeRows("insert", { to: at, new: [cells] }, at - 1);
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
  changeRows("insert", { to, new: copies }, to - 1);
}

function remove() {
  const rows = rowsOf();
  if (rows.length && !rowTools.hidden) changeRows("remove", { rows }, rows[0] - 1);
}

/** @param {number} by */
function move(by) {
  const rows = rowsOf(), to = by < 0 ? rows[0] - 1 : rows[rows.length - 1] + 2;
  if (!data || !rows.length || rowTools.hidden || to < 1 || to > data.rows.length) return;
  changeRows("move", { rows, to }, rows[0] - 1 + by, rows[rows.length - 1] - 1 + by);
}

// From a row to its faces, and back -----------------------------------------------------------

/** Shows what is selected: the faces of its rows, its faults, the copies. */
function showPlace() {
  const rows = grid.selectedRows, columns = grid.selection;
  outline(keysOf(rows));
  const { row, column } = grid.active;
  const fault = faults.get(`${row} ${order[column]}`) ?? faults.get(`${row} -1`);
  const counts = rows.length > 1 || columns.left < columns.right ? `${count(rows.length, "row")} selected` : `${count((data?.rows.length ?? 1) - 1, "row")}`;
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
  else complain("This row has no face.");
}

/** Opens the panel at a place in a table: "quest/cards.csv:2 column count". Returns whether there is one. @param {string} where */
export async function openRow(where) {
  const [, place, name] = /** @type {RegExpMatchArray} */ (where.match(/^(.*?)(?: column (.*))?$/s));
  const letters = place.match(/!([A-Z]+)(?=\d+$)/)?.[1], line = place.replace(/![A-Z]+(?=\d+$)/, "!");
  for (const source of sources.filter((source) => place.includes(`/${source.name}:`))) {
    chosen = source;
    if (isOpen("rows")) await choose(source);
    else openPanel("rows");
    await enqueue(() => {});
    const row = data?.rows.findIndex((row) => row.where === line) ?? -1;
    if (row < 1) continue;
    choice.selectedIndex = sources.indexOf(source);
    const column = letters ? indexOf(letters) : data?.rows[0].cells.indexOf(name) ?? -1;
    grid.go(row - 1, Math.max(0, order.indexOf(column)));
    return true;
  }
  return false;
}
