// The keys of a face that code draws, as parts that can be dragged: a place lies where it is on the cut piece, a length is
// a square at the middle of it, to scale.

import { tableOf } from "./keysform.js";

/** @import { Values } from "./places.js" */
/** @import { Box, Part, Path, Side } from "./told.js" */
/** Where a part stands in game.toml, and the list in which it is the item `at`. @typedef {{key: string, name: string | null, at: number | null}} Place */

const LENGTH = /^\s*([\d.]+)\s*(mm|cm|in|pt)\s*$/, IS_PLACE = /from the (top )?left/;
const MM = { mm: 1, cm: 10, in: 25.4, pt: 25.4 / 72 };
const LEAST = 2, MARK = 3; // mm: shorter lengths have no handles; across a place that has no size

/** @type {WeakMap<Part, Place>} */
const known = new WeakMap();

/** The mm of a length, with its unit; null for what is none. @type {(value: unknown) => {mm: number, unit: keyof typeof MM} | null} */
function read(value) {
  const [, number, unit] = String(value).match(LENGTH) ?? [];
  return unit ? { mm: Number(number) * MM[/** @type {keyof typeof MM} */ (unit)], unit: /** @type {keyof typeof MM} */ (unit) } : null;
}

/** @type {(value: unknown) => value is string[]} */
const isPair = (value) => Array.isArray(value) && value.length === 2 && value.every((each) => typeof each === "string" && read(each));

/** The parts of the keys of a JSON Schema that game.toml sets. @type {(schema: {[key: string]: any}, id: string, side: Side, box: Box) => Part[]} */
export function keyParts(schema, id, side, { trim: [x0, y0, x1, y1] }) {
  const { table } = tableOf(id, side), tile = read(table.tile)?.mm ?? MARK;
  /** @type {Part[]} */
  const parts = [];
  /** @type {(place: Place, name: string, places: {[name: string]: number}, box: import("./told.js").Rect) => void} */
  const add = (place, name, places, [left, top, right, bottom]) => {
    const part = /** @type {Part} */ ({ number: parts.length, kind: "key", name, within: -1, boxes: [[left + x0, top + y0, right + x0, bottom + y0]],
      matrix: [1, 0, 0, 1, x0, y0], frame: -1, places, values: {}, fixed: {}, words: null, lettering: null });
    known.set(part, place);
    parts.push(part);
  };
  /** @type {(place: Place, pair: string[]) => void} */
  const addPlace = (place, pair) => {
    const [x, y] = pair.map((each) => read(each)?.mm ?? 0), across = place.name === null ? MARK : tile;
    const name = [place.key, place.name, place.at === null ? null : place.at + 1].filter((each) => each !== null).join(" ");
    add(place, name, { x, y }, [x, y, x + across, y + across]);
  };
  for (const [key, kind] of Object.entries(/** @type {{[key: string]: any}} */ (schema.properties ?? {}))) {
    const value = table[key], length = typeof value === "string" && kind.pattern?.includes("mm|cm") ? read(value) : null;
    const [cx, cy] = [(x1 - x0) / 2, (y1 - y0) / 2];
    if (length && length.mm >= LEAST) add({ key, name: null, at: null }, key, { cx, cy, r: length.mm / 2 }, [cx - length.mm / 2, cy - length.mm / 2, cx + length.mm / 2, cy + length.mm / 2]);
    if (!IS_PLACE.test(kind.description ?? "")) continue;
    if (isPair(value)) addPlace({ key, name: null, at: null }, value);
    for (const [name, list] of Object.entries(value && !Array.isArray(value) && typeof value === "object" ? value : {}))
      if (Array.isArray(list)) list.forEach((pair, at) => isPair(pair) && addPlace({ key, name, at }, pair));
  }
  return parts;
}

/** What game.toml says then of a key that was dragged: null if it is the same. It is what the page knows, too. @type {(part: Part, now: Values, id: string, side: Side) => [Path, any] | null} */
export function keyChange(part, now, id, side) {
  const { index, table } = tableOf(id, side), { key, name, at } = /** @type {Place} */ (known.get(part));
  /** @type {(before: string, mm: number) => string} */
  const written = (before, mm) => {
    const unit = read(before)?.unit ?? "mm";
    return `${Math.round((mm / MM[unit]) * 1e4) / 1e4}${unit}`;
  };
  if ("r" in part.places) {
    if (!now.r) return null;
    table[key] = written(table[key], 2 * Number(now.r));
    return [["component", index, side, key], table[key]];
  }
  const own = name === null ? table : table[key], last = name ?? key;
  const before = at === null ? own[last] : own[last][at];
  const pair = ["x", "y"].map((way, index) => written(before[index], Math.max(0, Number(now[way] ?? part.places[way]))));
  own[last] = at === null ? pair : own[last].with(at, pair);
  return [["component", index, side, ...(name === null ? [key] : [key, name])], own[last]];
}
