// The tables of the game: the files that game.toml names, and rows that it holds itself.

import { fileNamed, spec } from "./edit.js";
import { say } from "./say.js";

/** @import { Edit, Path } from "./told.js" */
/** A table: its file, and the sheet of a spreadsheet, or where its rows are in game.toml: a path as JSON.
 * @typedef {{name: string, sheet: string, label: string}} Source */
/** A cell by the indices of its row, the header being 0, and of its column. @typedef {[row: number, column: number, text: string]} Cell */

export const SPEC = "game.toml";
const NUMBER = /^-?(0|[1-9]\d{0,8})(\.\d{0,5}[1-9])?$/;

/** The tables that game.toml names, and those in it, in its order. @returns {Source[]} */
export function listSources() {
  /** @type {Map<string, Source>} */
  const found = new Map();
  /** @type {(value: unknown, title: string, path: Path) => void} */
  const walk = (value, title, path) => {
    if (typeof value === "string") {
      const [name, sheet = ""] = value.split("#");
      if (fileNamed(name)?.kind === "table" && !found.has(value)) found.set(value, { name, sheet, label: title ? `${title}: ${value}` : value });
    } else if (path[0] === "component" && path.at(-1) === "row" && Array.isArray(value)) {
      const sheet = JSON.stringify(path), lookup = path.length > 3 ? `, ${path.at(-2)}` : "";
      found.set(sheet, { name: SPEC, sheet, label: `${title}${lookup}: ${SPEC}` });
    } else if (value && typeof value === "object") {
      const { title: own, id } = /** @type {{[key: string]: unknown}} */ (value);
      const isList = Array.isArray(value);
      for (const [key, inner] of Object.entries(value)) walk(inner, String(own ?? id ?? title), [...path, isList ? Number(key) : key]);
    }
  };
  walk(spec(), "", []);
  return [...found.values()];
}

/** The table with the rows of a component. @param {string} id @returns {Source | undefined} */
export function sourceOf(id) {
  const tables = /** @type {any[]} */ (spec().component ?? []), at = tables.findIndex((table) => table.id === id);
  const [name, sheet = ""] = String(tables[at]?.table ?? "").split("#");
  const own = name ? { name, sheet } : { name: SPEC, sheet: JSON.stringify(["component", at, "row"]) };
  return listSources().find((source) => source.name === own.name && source.sheet === own.sheet);
}

/** @type {(source: Source) => Path} */
const pathOf = (source) => JSON.parse(source.sheet);

/** The raw rows that game.toml holds. @type {(source: Source) => {[key: string]: any}[]} */
const tablesOf = (source) => pathOf(source).reduce((/** @type {any} */ value, part) => value?.[part], spec()) ?? [];

/** The edit that writes cells of rows in game.toml; rows behind the last of `count` are new. Throws an Error with the reason if it cannot be done. @type {(source: Source, header: string[], count: number, cells: Cell[]) => Edit} */
export function specCells(source, header, count, cells) {
  const path = pathOf(source);
  /** @type {[Path, any][]} */
  const values = [];
  /** @type {Map<number, {[key: string]: any}>} */
  const added = new Map();
  for (const [row, column, text] of cells) {
    const name = header[column], value = valueOf(text, name, source);
    if (row <= count) values.push([[...path, row - 1, name], value]);
    else if (text) added.set(row, { ...added.get(row), [name]: value });
  }
  [...added.keys()].sort((a, b) => a - b).forEach((row, at) => values.push([[...path, count + at], added.get(row)]));
  return { do: "values", values };
}

/** The edit that puts rows in game.toml in an order: each by its index, from 1, or the cells of a new one. @type {(source: Source, header: string[], rows: (number | string[])[]) => Edit} */
export function specOrder(source, header, rows) {
  /** @type {(cells: string[]) => {[key: string]: any}} */
  const table = (cells) => Object.fromEntries(header.flatMap((name, column) => (cells[column] ? [[name, valueOf(cells[column], name, source)]] : [])));
  return { do: "tables", path: pathOf(source), tables: rows.map((row) => (typeof row === "number" ? row - 1 : table(row))) };
}

/** The edit that adds a key to the first row in game.toml. @type {(source: Source, name: string) => Edit} */
export const specColumn = (source, name) => ({ do: "values", values: [[[...pathOf(source), 0, name], ""]] });

/** Where the rows in game.toml have a key. @type {(source: Source, name: string) => Path[]} */
const keysOf = (source, name) => tablesOf(source).flatMap((table, row) => (name in table ? [[...pathOf(source), row, name]] : []));

/** The edit that removes keys from all rows in game.toml. @type {(source: Source, names: string[]) => Edit} */
export const specRemoval = (source, names) =>
  ({ do: "values", values: names.flatMap((name) => keysOf(source, name).map((path) => /** @type {[Path, any]} */ ([path, null]))) });

/** The edit that renames a key of all rows in game.toml. @type {(source: Source, before: string, name: string) => Edit} */
export const specRename = (source, before, name) =>
  ({ do: "rename", name, keys: keysOf(source, before) });

/** What a cell says as a value of TOML: of the kind that others of its column have, if it can be one; else a text. @type {(text: string, name: string, source: Source) => any} */
function valueOf(text, name, source) {
  const kinds = new Set(tablesOf(source).map((table) => (Array.isArray(table[name]) ? "list" : typeof table[name])));
  if (kinds.has("boolean") && (text === "yes" || text === "no")) return text === "yes";
  if (kinds.has("number") && NUMBER.test(text)) return Number(text);
  if (!kinds.has("list") || !text.startsWith("[")) return text;
  try {
    return JSON.parse(text);
  } catch {
    throw new Error(say("rows.no-list", { text }));
  }
}
