// The outlines of pieces, as they lie turned on the table.

import { setOf } from "./table.js";

/** @import { Pair } from "./told.js" */
/** @typedef {{set: number, isUp: boolean}} Side */

/** @type {Map<string, Pair>} */
const middles = new Map();

/** @type {(side: Side) => Pair[]} */
const cornersOf = ({ set, isUp }) => setOf(set)[isUp ? "front" : "back"];

/** @type {(point: Pair, degrees: number) => Pair} */
export function turned([x, y], degrees) {
  const [cos, sin] = [Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180)];
  return [x * cos - y * sin, x * sin + y * cos];
}

// The middle of what a piece covers, from the middle of its box: a piece of three hexagons turns about their corner.
/** @type {(side: Side, turn: number) => Pair} */
export function middleOf(side, turn) {
  const key = `${side.set} ${side.isUp}`;
  let middle = middles.get(key);
  if (!middle) {
    const [width, height] = setOf(side.set).size;
    const [x, y] = centroid(cornersOf(side));
    middle = [x - width / 2, y - height / 2];
    middles.set(key, middle);
  }
  return turned(middle, turn);
}

/** @type {(corners: Pair[]) => Pair} */
function centroid(corners) {
  let area = 0, x = 0, y = 0;
  corners.forEach(([x1, y1], at) => {
    const [x2, y2] = corners[(at + 1) % corners.length];
    const cross = x1 * y2 - x2 * y1;
    [area, x, y] = [area + cross, x + (x1 + x2) * cross, y + (y1 + y2) * cross];
  });
  return [x / (3 * area), y / (3 * area)];
}

// The corners of a side, the middle of whose box is at x, y, as SVG writes points.
/** @type {(side: Side, at: {x: number, y: number, turn: number}) => string} */
export function pointsOf(side, { x, y, turn }) {
  const [width, height] = setOf(side.set).size;
  return cornersOf(side)
    .map(([left, top]) => turned([left - width / 2, top - height / 2], turn))
    .map(([dx, dy]) => `${(x + dx).toFixed(2)},${(y + dy).toFixed(2)}`)
    .join(" ");
}
