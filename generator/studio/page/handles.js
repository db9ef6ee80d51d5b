// The parts of a face, to be selected, moved and resized on its picture. Lengths are mm of the
// bleed box. A drag moves only what is drawn over the picture; one edit follows when it ends.

import { draw, make } from "./dom.js";
import { isShrunk } from "./looks.js";
import { around, boxed, cornersOf, holderOf, inverse, isUpright, localBox, mapped, moved, rounded, whySized, whyStill } from "./places.js";
import { number, say } from "./say.js";

/** @import { Box, Part, Rect } from "./told.js" */
/** @import { Point, Values } from "./places.js" */

/**
 * What the overlay shows, and what it calls.
 * @typedef {object} Host
 * @property {Part[]} parts
 * @property {Part | null} selected
 * @property {Box} box
 * @property {Rect} view the part of the bleed box that is shown
 * @property {(part: Part | null) => void} select
 * @property {(part: Part, values: Values) => void} change
 * @property {(part: Part, file: File) => void} drop
 * @property {((by: Point, isDone: boolean) => string) | null} pan what drags a picture within its frame
 */
/** @typedef {{target: Part, edges: [number, number], from: Point, by: Point, moves: boolean, values: Values}} Drag `edges`: -1, 0 or 1 each way; both 0 to move */

const NEAR = 7, HANDLE = 8, LABEL = 12; // px
const GRID = 0.5, FINE = 0.1; // mm
const KEPT = 2; // mm of a part that stay on the piece
const LEAST_NEAR = 4; // mm²: what is smaller is no line to snap to
const MOST_OF_FACE = 0.8; // what is larger moves only once it is selected

/** @type {Host} */
let host;
/** @type {Drag | null} */
let drag = null;

const svg = draw("svg", { class: "handles", tabindex: 0, role: "application", "aria-label": say("part.handles") });
const output = make("output", { class: "drag-mm", hidden: true });

/** Lays the overlay on a frame. @type {(frame: HTMLElement, now: Host) => void} */
export function layHandles(frame, now) {
  host = now;
  const [x0, y0, x1, y1] = host.view;
  svg.setAttribute("viewBox", `${x0} ${y0} ${x1 - x0} ${y1 - y0}`);
  if (svg.parentElement !== frame) frame.append(svg, output);
  if (!drag) paint();
}

export function dropHandles() {
  svg.remove();
  output.remove();
}

/** @type {() => number} */
const mmOfPixel = () => (host.view[2] - host.view[0]) / (svg.clientWidth || 1);

/** @type {(event: MouseEvent) => Point} */
function pointOf(event) {
  const box = svg.getBoundingClientRect(), [x0, y0, x1, y1] = host.view;
  return [x0 + (event.clientX - box.left) / box.width * (x1 - x0), y0 + (event.clientY - box.top) / box.height * (y1 - y0)];
}

/** @type {([x0, y0, x1, y1]: Rect) => number} */
const area = ([x0, y0, x1, y1]) => (x1 - x0) * (y1 - y0);

/** The parts that a click or Tab selects: what is seen, texts in the place of their boxes. */
const selectable = () => host.parts.filter(({ kind, boxes, number, values }) => boxes.length > 0 && values.display !== "none"
  && !["layer", "group"].includes(kind) && !(kind === "box" && host.parts.some(({ frame }) => frame === number)));

/** The parts at a point, the smallest first. @type {(point: Point) => Part[]} */
function partsAt([x, y]) {
  /** @type {(part: Part) => number} */
  const size = ({ boxes }) => Math.min(...boxes.filter(([x0, y0, x1, y1]) => x0 <= x && x <= x1 && y0 <= y && y <= y1).map(area));
  return selectable().filter((part) => Number.isFinite(size(part))).sort((a, b) => size(a) - size(b) || b.number - a.number);
}

// What is drawn -------------------------------------------------------------------------------

/** @type {(corners: Point[], className: string) => SVGElement} */
const outline = (corners, className) => draw("path", { class: className, d: `M${corners.map(([x, y]) => `${x} ${y}`).join("L")}Z` });

/** The corners of the selected part, and its handles if it can be resized. @type {(target: Part) => {corners: Point[], handles: [Point, [number, number]][]}} */
function shapeOf(target) {
  const local = localBox(target), [x0, y0, x1, y1] = target.boxes[0] ?? [0, 0, 0, 0];
  if (!local) return { corners: [[x0, y0], [x1, y0], [x1, y1], [x0, y1]], handles: [] };
  const corners = cornersOf(target.matrix, local);
  if (whySized(target)) return { corners, handles: [] };
  /** @type {[Point, [number, number]][]} */
  const handles = [];
  for (const down of [-1, 0, 1])
    for (const across of [-1, 0, 1])
      if (across || down) handles.push([mapped(target.matrix, [edge(local[0], local[2], across), edge(local[1], local[3], down)]), [across, down]]);
  return { corners, handles };
}

/** @type {(least: number, most: number, at: number) => number} */
const edge = (least, most, at) => (at < 0 ? least : at > 0 ? most : (least + most) / 2);

/** @param {Point[]} [ghost] @param {SVGElement[]} lines */
function paint(ghost, lines = []) {
  const { selected, parts } = host, shown = [];
  for (const { boxes, lettering } of parts)
    if (lettering && isShrunk(lettering)) {
      const name = lettering.over > 0 ? "is-over" : "is-small";
      const words = say("part.least-of", { size: number(lettering.size), least: number(lettering.least || lettering.asked) });
      for (const [x0, y0, x1, y1] of boxes) {
        shown.push(outline([[x0, y0], [x1, y0], [x1, y1], [x0, y1]], name));
        shown.push(draw("text", { class: name, x: x0, y: y0 - 3 * mmOfPixel(), "font-size": LABEL * mmOfPixel() }, words));
      }
    }
  if (selected) {
    const target = holderOf(parts, selected), { corners, handles } = shapeOf(target), size = HANDLE * mmOfPixel();
    for (const [x0, y0, x1, y1] of selected.boxes.slice(1)) shown.push(outline([[x0, y0], [x1, y0], [x1, y1], [x0, y1]], "copy"));
    if (target.boxes.length) shown.push(outline(ghost ?? corners, "chosen"));
    if (!ghost && target.boxes.length)
      for (const [[x, y]] of handles)
        shown.push(draw("rect", { class: "handle", x: x - size / 2, y: y - size / 2, width: size, height: size }));
  }
  svg.replaceChildren(...shown, ...lines);
}

// What is near, to snap to --------------------------------------------------------------------

/** @type {(path: string) => Rect} */
const boundsOf = (path) => {
  const shape = draw("path", { d: path, class: "measured" });
  svg.append(shape);
  const { x, y, width, height } = shape.getBBox();
  shape.remove();
  return [x, y, x + width, y + height];
};

/** The lines that a part snaps to, across and down. @type {(target: Part) => [number[], number[]]} */
function linesFor(target) {
  const { trim, safe } = host.box;
  const others = selectable().filter((part) => holderOf(host.parts, part) !== target && part !== target).flatMap(({ boxes }) => boxes).filter((box) => area(box) > LEAST_NEAR);
  const [x0, y0, x1, y1] = trim, boxes = [trim, ...(safe ? [boundsOf(safe)] : []), ...others];
  return [[(x0 + x1) / 2, ...boxes.flatMap((box) => [box[0], box[2]])], [(y0 + y1) / 2, ...boxes.flatMap((box) => [box[1], box[3]])]];
}

/** How far to move so that one of some places is on a line, or the first on the grid; and the line. @type {(places: number[], lines: number[]) => [number, number | null]} */
function snap(places, lines) {
  const reach = NEAR * mmOfPixel();
  let best = reach, by = NaN, line = 0;
  for (const at of lines)
    for (const place of places)
      if (Math.abs(at - place) < best) [best, by, line] = [Math.abs(at - place), at - place, at];
  return Number.isNaN(by) ? [Math.round(places[0] / GRID) * GRID - places[0], null] : [by, line];
}

/** @type {(x: number | null, y: number | null) => SVGElement[]} */
function drawn(x, y) {
  const [x0, y0, x1, y1] = host.view;
  return [
    ...(x === null ? [] : [draw("path", { class: "snap", d: `M${x} ${y0}V${y1}` })]),
    ...(y === null ? [] : [draw("path", { class: "snap", d: `M${x0} ${y}H${x1}` })]),
  ];
}

// The pointer ---------------------------------------------------------------------------------

/** @type {(point: Point) => [number, number] | null} */
function handleAt([x, y]) {
  if (!host.selected) return null;
  const reach = HANDLE * mmOfPixel();
  const target = holderOf(host.parts, host.selected);
  if (!target.boxes.length) return null;
  return shapeOf(target).handles.find(([[hx, hy]]) => Math.abs(hx - x) < reach && Math.abs(hy - y) < reach)?.[1] ?? null;
}

const CURSORS = { "-1-1": "nwse-resize", "11": "nwse-resize", "-11": "nesw-resize", "1-1": "nesw-resize", "0-1": "ns-resize", "01": "ns-resize", "-10": "ew-resize", "10": "ew-resize" };

svg.addEventListener("pointerdown", (event) => {
  if (event.button) return;
  const from = pointOf(event), edges = handleAt(from), under = partsAt(from), was = host.selected;
  const isWhole = (/** @type {Part} */ part) => part.boxes.some((box) => area(box) > MOST_OF_FACE * area(host.view));
  const hit = edges || (was && under.includes(was)) ? was : under[0] ?? null;
  svg.focus();
  if (hit !== was) host.select(hit);
  if (!hit || (isWhole(hit) && hit !== was)) return;
  const target = holderOf(host.parts, hit);
  if (!target.boxes.length || whyStill(target)) return;
  svg.setPointerCapture(event.pointerId);
  drag = { target, edges: edges ?? [0, 0], from, by: [0, 0], moves: false, values: {} };
  svg.onpointerup = () => {
    const ended = drag;
    end();
    if (ended?.moves && host.pan && !edges) host.pan(ended.by, true);
    else if (ended?.moves) host.change(ended.target, ended.values);
    else if (hit === was && !edges && under.length > 1) host.select(under[(under.indexOf(hit) + 1) % under.length]); // what lies below it
  };
});

svg.addEventListener("pointermove", (event) => {
  const at = pointOf(event);
  if (drag) return follow(drag, at, event.altKey);
  const edges = handleAt(at), under = partsAt(at);
  svg.style.cursor = edges ? CURSORS[/** @type {keyof typeof CURSORS} */ (edges.join(""))] : under.length ? "move" : "default";
});
svg.addEventListener("lostpointercapture", () => drag && end());

function end() {
  drag = svg.onpointerup = null;
  output.hidden = true;
  paint();
}

/** @type {(now: Drag, at: Point, isFree: boolean) => void} */
function follow(now, at, isFree) {
  const by = /** @type {Point} */ ([at[0] - now.from[0], at[1] - now.from[1]]);
  if (!now.moves && Math.hypot(...by) < 3 * mmOfPixel()) return;
  [now.moves, now.by] = [true, by];
  const { target, edges } = now, corners = shapeOf(target).corners, box = around(corners), local = localBox(target);
  const [across, down] = linesFor(target);
  /** @type {[number, number | null][]} */
  let snaps = [[0, null], [0, null]];
  if (edges[0] || edges[1]) {
    if (!local) return;
    const places = [edge(box[0], box[2], edges[0]) + by[0], edge(box[1], box[3], edges[1]) + by[1]];
    if (!isFree && isUpright(target.matrix)) snaps = [edges[0] ? snap([places[0]], across) : [0, null], edges[1] ? snap([places[1]], down) : [0, null]];
    const [x, y] = mapped(inverse(target.matrix), [now.from[0] + by[0] + snaps[0][0], now.from[1] + by[1] + snaps[1][0]]);
    const [ox, oy] = mapped(inverse(target.matrix), now.from), least = 0.5;
    const size = /** @type {Rect} */ ([...local]);
    if (edges[0] < 0) size[0] = Math.min(local[0] + x - ox, local[2] - least);
    if (edges[0] > 0) size[2] = Math.max(local[2] + x - ox, local[0] + least);
    if (edges[1] < 0) size[1] = Math.min(local[1] + y - oy, local[3] - least);
    if (edges[1] > 0) size[3] = Math.max(local[3] + y - oy, local[1] + least);
    now.values = boxed(target, size);
    const ghost = cornersOf(target.matrix, localBox(withPlaces(target, now.values)) ?? size);
    tell(around(ghost));
    return paint(ghost, drawn(snaps[0][1], snaps[1][1]));
  }
  if (host.pan) return tell(box, host.pan(by, false));
  if (!isFree) {
    const [x0, y0, x1, y1] = box.map((place, index) => place + by[index % 2]);
    snaps = [snap([x0, x1, (x0 + x1) / 2], across), snap([y0, y1, (y0 + y1) / 2], down)];
  }
  const step = keepOn(box, [by[0] + snaps[0][0], by[1] + snaps[1][0]]);
  now.values = moved(target, step);
  const ghost = /** @type {Point[]} */ (corners.map(([x, y]) => [x + step[0], y + step[1]]));
  tell(around(ghost));
  paint(ghost, drawn(snaps[0][1], snaps[1][1]));
}

/** A move that leaves some of a box on the piece, if it is there: what lies beside it is cut away. @type {(box: Rect, step: Point) => Point} */
function keepOn(box, [x, y]) {
  const { trim } = host.box;
  /** @type {(by: number, at: number) => number} */
  const within = (by, at) => Math.min(Math.max(by, trim[at] + KEPT - box[at + 2]), trim[at + 2] - KEPT - box[at]);
  return within(0, 0) || within(0, 1) ? [x, y] : [within(x, 0), within(y, 1)];
}

/** @type {(part: Part, values: Values) => Part} */
const withPlaces = (part, values) => ({ ...part, places: { ...part.places, ...Object.fromEntries(Object.entries(values).map(([name, value]) => [name, Number(value)])) } });

/** @param {Rect} box @param {string} [words] */
function tell([x0, y0, x1, y1], words = `${rounded(x0)}, ${rounded(y0)}   ${rounded(x1 - x0)} × ${rounded(y1 - y0)} mm`) {
  const [left, top, right, bottom] = host.view;
  output.hidden = false;
  output.textContent = words;
  output.style.left = `${(x0 - left) / (right - left) * 100}%`;
  output.style.top = `${(y1 - top) / (bottom - top) * 100}%`;
}

// A picture that is dropped ------------------------------------------------------------------

const pictureAt = (/** @type {DragEvent} */ event) => partsAt(pointOf(event)).find(({ kind }) => kind === "picture");
svg.addEventListener("dragover", (event) => pictureAt(event) && event.preventDefault());
svg.addEventListener("drop", (event) => {
  const part = pictureAt(event), file = event.dataTransfer?.files[0];
  event.preventDefault();
  if (part && file) host.drop(part, file);
});

// The keyboard --------------------------------------------------------------------------------

/** @type {{[key: string]: Point}} */
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

svg.addEventListener("keydown", (event) => {
  const all = selectable(), { selected } = host;
  if (event.key === "Escape" && (drag || selected)) {
    if (drag) end();
    else host.select(null);
  } else if (event.key === "Tab" && all.length) {
    const next = selected ? all.indexOf(selected) + (event.shiftKey ? -1 : 1) : event.shiftKey ? -1 : 0;
    if (!all[next]) return void host.select(null); // to what is beside the face
    host.select(all[next]);
  } else if (ARROWS[event.key] && selected) {
    const target = holderOf(host.parts, selected), by = event.shiftKey ? FINE : GRID, [x, y] = ARROWS[event.key];
    if (target.boxes.length && !whyStill(target)) host.change(target, moved(target, keepOn(around(shapeOf(target).corners), [x * by, y * by])));
  } else return;
  event.preventDefault();
  event.stopPropagation();
});
