// Where the parts of a face lie, and the values that move or resize them. Lengths are mm of the
// bleed box, if not said to be user units.

/** @import { Affine, Part, Rect } from "./told.js" */
/** @typedef {{[name: string]: string | null}} Values */
/** @typedef {[number, number]} Point */

/** @type {(matrix: Affine, point: Point) => Point} */
export const mapped = ([a, b, c, d, e, f], [x, y]) => [a * x + c * y + e, b * x + d * y + f];

/** @type {(matrix: Affine) => Affine} */
export function inverse([a, b, c, d, e, f]) {
  const area = a * d - b * c;
  return [d / area, -b / area, -c / area, a / area, (c * f - d * e) / area, (b * e - a * f) / area];
}

/** @type {(matrix: Affine, by: Point) => Point} */
const turned = ([a, b, c, d], by) => mapped([a, b, c, d, 0, 0], by);

/** @type {(matrix: Affine) => boolean} */
export const isUpright = ([a, b, c, d]) => b === 0 && c === 0 && a > 0 && d > 0;

/** The part that says where another lies: the box of a text. @type {(parts: Part[], part: Part) => Part} */
export const holderOf = (parts, part) => parts.find(({ number }) => number === part.frame) ?? part;

/** The box of a part in its own units; null if only its place can be set. @type {(part: Part) => Rect | null} */
export function localBox({ places: p }) {
  if ("width" in p && "height" in p && p.width > 0) return [p.x, p.y, p.x + p.width, p.y + p.height];
  if ("r" in p) return [p.cx - p.r, p.cy - p.r, p.cx + p.r, p.cy + p.r];
  if ("rx" in p && "cx" in p) return [p.cx - p.rx, p.cy - p.ry, p.cx + p.rx, p.cy + p.ry];
  return null;
}

/** The corners of a box, clockwise, on the face. @type {(matrix: Affine, box: Rect) => Point[]} */
export const cornersOf = (matrix, [x0, y0, x1, y1]) =>
  /** @type {Point[]} */ ([[x0, y0], [x1, y0], [x1, y1], [x0, y1]]).map((corner) => mapped(matrix, corner));

/** @type {(points: Point[]) => Rect} */
export function around(points) {
  const xs = points.map(([x]) => x), ys = points.map(([, y]) => y);
  return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
}

/** Why a part cannot be moved, or "". @type {(part: Part) => string} */
export const whyStill = (part) =>
  ["x", "y", "cx", "cy", "x1", "y1", "transform"].map((name) => part.fixed[name]).find(Boolean) ?? "";

/** Why a part cannot be resized, or "". @type {(part: Part) => string} */
export const whySized = (part) =>
  whyStill(part) || (["width", "height", "r", "rx", "ry"].map((name) => part.fixed[name]).find(Boolean) ?? "");

const TRANSLATE = /^\s*translate\(\s*([-+.\deE]+)(?:[\s,]+([-+.\deE]+))?\s*\)/;

/** @type {(number: number) => string} */
export const rounded = (number) => String(Math.round(number * 1000) / 1000 + 0);

/** The values that move a part by some mm. @type {(part: Part, by: Point) => Values} */
export function moved(part, by) {
  const [dx, dy] = turned(inverse(part.matrix), by);
  /** @type {{[name: string]: number}} */
  const now = {};
  for (const name of ["x", "cx", "x1", "x2"]) if (name in part.places) now[name] = part.places[name] + dx;
  for (const name of ["y", "cy", "y1", "y2"]) if (name in part.places) now[name] = part.places[name] + dy;
  if (Object.keys(now).length) return changed(part, now);
  const before = part.values.transform ?? "", [whole, x = "0", y = "0"] = before.match(TRANSLATE) ?? [""];
  const step = `translate(${rounded(Number(x) + dx)} ${rounded(Number(y) + dy)})`;
  return { transform: `${step} ${before.slice(whole.length)}`.trim() };
}

/** The values that give a part another box of its own units. @type {(part: Part, box: Rect) => Values} */
export function boxed(part, [x0, y0, x1, y1]) {
  const width = x1 - x0, height = y1 - y0, { places } = part;
  if ("width" in places) return changed(part, { x: x0, y: y0, width, height });
  const [cx, cy] = [x0 + width / 2, y0 + height / 2];
  if ("r" in places) return changed(part, { cx, cy, r: Math.min(width, height) / 2 });
  return changed(part, { cx, cy, rx: width / 2, ry: height / 2 });
}

/** @type {(part: Part, now: {[name: string]: number}) => Values} */
const changed = ({ places }, now) => Object.fromEntries(Object.entries(now)
  .map(([name, value]) => [name, rounded(value)])
  .filter(([name, value]) => value !== rounded(places[name])));
