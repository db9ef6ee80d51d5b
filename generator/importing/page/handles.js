// The handles of the cards of one page: edges and corners of the first card, the last corner of all,
// what moves all, and what moves the second card away. They are the same elements for every page, so
// that they keep the focus.

import { draw, dressed } from "./dom.js";
import { cellsOf, moved, resized, spread, stretched } from "./grid.js";
import { hideLens, showLens } from "./lens.js";
import { number, say } from "./say.js";

/** @import { Pair, Rect } from "./told.js" */
/** @import { Grid } from "./grid.js" */
/** @typedef {{page: number, svg: SVGSVGElement, size: Pair, grid: Grid, change: (grid: Grid) => void}} Host the page with the handles, and what hears of a change */
/** @typedef {{element: SVGGElement, place: (cells: Rect[], grid: Grid) => Pair | null, change: (grid: Grid, by: Pair) => Grid, tell?: (grid: Grid) => number}} Handle */

const REACH = 11, REACH_OF_FINGER = 24; // px
const KNOB = 9, GRIP = 26; // px
const FINE = 0.1, COARSE = 1; // mm
const SLOW = 0.1; // how far a card goes with a pointer, with Shift
const isFinger = matchMedia("(pointer: coarse)");

/** @type {Host} */
let host;
/** @type {{handle: Handle, from: Pair, grid: Grid, cell: Rect, near: Pair} | null} */
let drag = null;

/** @type {(a: number, b: number, at: number) => number} */
const between = (a, b, at) => (at < 0 ? a : at > 0 ? b : (a + b) / 2);

/** Edges and corners of the first card. @type {Handle[]} */
const edges = [[0, -1], [1, 0], [0, 1], [-1, 0], [-1, -1], [1, -1], [1, 1], [-1, 1]].map(([across, down]) => ({
  element: handleOf("edge", `${["n", "", "s"][down + 1]}${["w", "", "e"][across + 1]}-resize`),
  place: ([[x0, y0, x1, y1]]) => [between(x0, x1, across), between(y0, y1, down)],
  change: (grid, by) => resized(grid, [across, down], by),
  tell: across && down ? undefined : (grid) => grid.size[across ? 0 : 1],
}));
/** @type {Handle} */
const all = { element: handleOf("move", "move", "M-8 0H8M0-8V8M-6-2-8 0-6 2M6-2 8 0 6 2M-2-6 0-8 2-6M-2 6 0 8 2 6"), place: ([cell]) => centreOf(cell), change: moved };
/** @type {Handle[]} */
const gaps = [0, 1].map((axis) => ({
  element: handleOf("gap", axis ? "ns-resize" : "ew-resize", axis ? "M0-8V8M-3-5 0-8 3-5M-3 5 0 8 3 5" : "M-8 0H8M-5-3-8 0-5 3M5-3 8 0 5 3"),
  place: (cells, { rows, columns }) => ((axis ? rows : columns) > 1 ? centreOf(cells[axis ? columns : 1]) : null),
  change: (grid, by) => spread(grid, axis ? [0, by[1]] : [by[0], 0]),
  tell: (grid) => grid.gap[axis],
}));
/** @type {Handle} */
const last = { element: handleOf("last", "nwse-resize"), place: (cells) => (cells.length > 1 ? /** @type {Pair} */ (cells[cells.length - 1].slice(2)) : null), change: stretched };
const handles = [...edges, last, ...gaps, all];

// What the keyboard reaches, and what it is called there. Corners are for pointers: their sides are reached.
for (const [handle, phrase] of /** @type {[Handle, string][]} */ ([[all, say("adjust.move")], [gaps[0], say("adjust.gap-across")], [gaps[1], say("adjust.gap-down")],
  [edges[0], say("adjust.upper")], [edges[1], say("adjust.right")], [edges[2], say("adjust.lower")], [edges[3], say("adjust.left-edge")]]))
  dressed(handle.element, {
    tabindex: 0, role: handle.tell ? "slider" : "button", "aria-label": phrase,
    onkeydown: (event) => step(handle, event), onfocus: () => handle.element.matches(":focus-visible") && enlarge(handle), onblur: hideLens,
  });

/** @type {([x0, y0, x1, y1]: Rect) => Pair} */
function centreOf([x0, y0, x1, y1]) {
  return [(x0 + x1) / 2, (y0 + y1) / 2];
}

/** @type {(kind: string, cursor: string, sign?: string) => SVGGElement} */
function handleOf(kind, cursor, sign) {
  const knob = sign ? draw("circle", { r: GRIP / 2, class: "knob" }) : draw("rect", { x: -KNOB / 2, y: -KNOB / 2, width: KNOB, height: KNOB, rx: kind === "last" ? KNOB : 1, class: "knob" });
  const hit = draw("circle", { r: isFinger.matches ? REACH_OF_FINGER : REACH, class: "hit" });
  const handle = draw("g", { class: `handle ${kind}` }, hit, knob, sign ? draw("path", { d: sign, class: "sign" }) : null);
  handle.style.cursor = cursor;
  return handle;
}

const ghosts = ["casing", "ghost"].map((name) => draw("path", { class: name }));
const layer = draw("g", { class: "handles" }, ...ghosts, ...handles.toReversed().map(({ element }) => element));

/** Lays the handles on a page. @type {(now: Host) => void} */
export function layHandles(now) {
  host = drag ? { ...now, grid: host.grid } : now;
  if (layer.parentNode !== host.svg) host.svg.append(layer);
  host.svg.setAttribute("role", "group");
  paint();
}

export const dropHandles = () => layer.remove();
/** @type {() => boolean} */
export const isDragged = () => drag !== null;

/** @type {() => number} */
const mmOfPixel = () => host.size[0] / (host.svg.clientWidth || 1);

/** @type {(cells: Rect[]) => string} */
export const pathOf = (cells) => cells.map(([x0, y0, x1, y1]) => `M${x0} ${y0}H${x1}V${y1}H${x0}Z`).join("");

function paint() {
  const cells = cellsOf(host.grid), scale = mmOfPixel();
  for (const ghost of ghosts) ghost.setAttribute("d", pathOf(cells));
  for (const { element, place, tell } of handles) {
    const at = place(cells, host.grid);
    element.style.display = at ? "" : "none";
    if (at) element.setAttribute("transform", `translate(${at.join(" ")}) scale(${scale})`);
    const value = tell?.(host.grid);
    if (value !== undefined) dressed(element, { "aria-valuenow": value, "aria-valuemin": 0, "aria-valuemax": Math.round(Math.max(...host.size)), "aria-valuetext": `${number(value, 2)} mm` });
  }
}

/** Takes a changed grid. @type {(grid: Grid) => void} */
function take(grid) {
  host.grid = grid;
  paint();
  host.change(grid);
}

// The keyboard --------------------------------------------------------------------------------

/** @type {{[key: string]: Pair}} */
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/** @type {(handle: Handle, event: KeyboardEvent) => void} */
function step(handle, event) {
  const way = ARROWS[event.key];
  if (!way || event.ctrlKey || event.altKey || event.metaKey) return;
  event.preventDefault();
  const length = event.shiftKey ? COARSE : FINE;
  take(handle.change(host.grid, /** @type {Pair} */ (way.map((side) => side * length))));
  enlarge(handle);
}

/** The place that a handle moves: an edge of a card, or the corner of one. @type {(handle: Handle, cell?: Rect) => Pair} */
function spotOf(handle, cell) {
  const cells = cellsOf(host.grid);
  const second = handle === gaps[0] ? cells[1] : handle === gaps[1] ? cells[host.grid.columns] : cell ?? cells[0];
  return handle === all || gaps.includes(handle) ? [second[0], second[1]] : handle.place(cells, host.grid) ?? [0, 0];
}

/** @type {(handle: Handle) => void} */
function enlarge(handle) {
  const spot = spotOf(handle), box = host.svg.getBoundingClientRect(), scale = mmOfPixel();
  showLens({ page: host.page, size: host.size, spot, outlines: pathOf(cellsOf(host.grid)), near: [box.left + spot[0] / scale, box.top + spot[1] / scale] });
}

// The pointer ---------------------------------------------------------------------------------

/** @type {(event: MouseEvent) => Pair} */
function pointOf(event) {
  const box = host.svg.getBoundingClientRect(), scale = mmOfPixel();
  return [(event.clientX - box.left) * scale, (event.clientY - box.top) * scale];
}

/** The nearest handle, or on a card what moves all; a finger on a card scrolls the page. @type {(event: PointerEvent) => Handle | null} */
function handleAt(event) {
  const [x, y] = pointOf(event), cells = cellsOf(host.grid), isTouch = event.pointerType === "touch";
  const distances = handles.flatMap((handle) => {
    const at = handle.place(cells, host.grid);
    return at ? [{ handle, away: Math.hypot(at[0] - x, at[1] - y) / mmOfPixel() }] : [];
  });
  const nearest = distances.reduce((best, each) => (each.away < best.away ? each : best));
  if (nearest.away <= (isTouch ? REACH_OF_FINGER : Math.max(REACH, GRIP / 2))) return nearest.handle;
  return !isTouch && cells.some(([x0, y0, x1, y1]) => x0 <= x && x <= x1 && y0 <= y && y <= y1) ? all : null;
}

/** Begins a drag on the page with the handles. @type {(event: PointerEvent) => void} */
export function begin(event) {
  const handle = event.button ? null : handleAt(event);
  if (!handle) return;
  event.preventDefault();
  const from = pointOf(event), cells = cellsOf(host.grid);
  const cell = cells.find(([x0, y0, x1, y1]) => x0 <= from[0] && from[0] <= x1 && y0 <= from[1] && from[1] <= y1) ?? cells[0];
  drag = { handle, from, grid: host.grid, cell, near: [event.clientX, event.clientY] };
  host.svg.setPointerCapture(event.pointerId);
  host.svg.classList.add("is-dragged");
  if (handle.element.tabIndex >= 0) handle.element.focus({ preventScroll: true });
  host.svg.onpointermove = (moving) => follow(moving, pointOf(moving));
  host.svg.onpointerup = host.svg.onpointercancel = host.svg.onlostpointercapture = end;
  look(drag, [event.clientX, event.clientY]);
}

/** @type {(event: PointerEvent, at: Pair) => void} */
function follow(event, at) {
  if (!drag) return;
  const share = event.shiftKey ? SLOW : 1;
  const by = /** @type {Pair} */ (at.map((side, axis) => (side - (drag?.from[axis] ?? 0)) * share));
  take(drag.handle.change(drag.grid, by));
  look(drag, [event.clientX, event.clientY]);
}

/** @type {(now: NonNullable<typeof drag>, near: Pair) => void} */
function look({ handle, grid, cell }, near) {
  const by = host.grid.at.map((start, axis) => start - grid.at[axis]);
  const moving = /** @type {Rect} */ (cell.map((side, index) => side + by[index % 2]));
  showLens({ page: host.page, size: host.size, spot: spotOf(handle, moving), outlines: pathOf(cellsOf(host.grid)), near });
}

function end() {
  drag = host.svg.onpointermove = host.svg.onpointerup = host.svg.onpointercancel = host.svg.onlostpointercapture = null;
  hideLens();
  host.change(host.grid);
}
