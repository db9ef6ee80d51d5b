// Where a piece comes to lie: where it is put, in a grid of its own size, or on hexagons.

import { find } from "./dom.js";
import { turned } from "./outlines.js";
import { setOf, supply } from "./table.js";

/** @import { Pair } from "./told.js" */

export const isSnapping = () => find("snap").value !== "off";

/** @type {(set: number, turn: number, x: number, y: number) => Pair} */
export function snapped(set, turn, x, y) {
  const way = find("snap").value;
  if (way === "grid") return onGrid(set, turn, x, y);
  if (way === "hexagons") return onHexagons(set, turn, x, y);
  return [x, y];
}

// How far an arrow key moves a piece.
/** @type {(set: number, turn: number) => Pair} */
export function stepOf(set, turn) {
  const way = find("snap").value;
  if (way === "grid") return cell(set, turn);
  if (way !== "hexagons") return [10, 10];
  const { across, isPointed } = supply();
  const apart = (across * Math.sqrt(3)) / 2;
  return isPointed ? [across, apart] : [apart, across];
}

/** @type {(set: number, turn: number) => Pair} */
function cell(set, turn) {
  const [width, height] = setOf(set).size;
  return turn % 180 === 90 ? [height, width] : [width, height];
}

/** @type {(set: number, turn: number, x: number, y: number) => Pair} */
function onGrid(set, turn, x, y) {
  const [width, height] = cell(set, turn);
  return [(Math.floor(x / width) + 0.5) * width, (Math.floor(y / height) + 0.5) * height];
}

/** @type {(set: number, turn: number, x: number, y: number) => Pair} */
function onHexagons(set, turn, x, y) {
  const [dx, dy] = turned(setOf(set).anchor, turn);
  const { across, isPointed } = supply();
  const [u, v] = isPointed ? [x + dx, y + dy] : [y + dy, x + dx];
  const [i, j] = nearest(across, u, v);
  return isPointed ? [i - dx, j - dy] : [j - dx, i - dy];
}

// The middle of the nearest hexagon, in rows that lie `across` * √3 / 2 apart.
/** @type {(across: number, u: number, v: number) => Pair} */
function nearest(across, u, v) {
  const apart = (across * Math.sqrt(3)) / 2;
  const row = Math.round(v / apart);
  const middles = [row - 1, row, row + 1].map((at) => {
    const shift = at % 2 ? across / 2 : 0;
    return /** @type {Pair} */ ([Math.round((u - shift) / across) * across + shift, at * apart]);
  });
  /** @param {Pair} middle */
  const away = ([i, j]) => Math.hypot(i - u, j - v);
  return middles.reduce((best, middle) => (away(middle) < away(best) ? middle : best));
}
