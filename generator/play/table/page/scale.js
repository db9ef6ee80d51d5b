// How large the table is shown: pixels for each millimetre.

import { find } from "./dom.js";
import { hasState, state } from "./table.js";

const LEAST = 0.25, MOST = 12, LEAST_AT_FIRST = 0.62, STEP = 1.25;
const DPIS = [96, 192, 300];
const view = { mm: 1, isFitted: true };

/** @type {() => void} */
let onChange = () => {};
/** @param {() => void} act */
export const onScale = (act) => (onChange = act);

export const mm = () => view.mm;

// The path of a face's picture that is fine enough.
/** @type {(face: string) => string} */
export function source(face) {
  const wanted = view.mm * devicePixelRatio * 25.4;
  const dpi = DPIS.find((dpi) => dpi * 1.15 >= wanted) ?? DPIS[DPIS.length - 1];
  return `/face/${face}/piece-${dpi}.jpg`;
}

// Shows the table as wide as the window, with rules all of it; on a phone, not so small that nothing can be held.
export function fit() {
  if (!hasState()) return;
  const room = find("room"), [width, height] = state().size;
  const wide = (room.clientWidth - 4) / width, high = (room.clientHeight - 4) / height;
  resize(Math.max(state().played ? Math.min(wide, high) : wide, LEAST_AT_FIRST));
  view.isFitted = true;
  room.scrollTo(0, 0);
}

export function refit() {
  if (view.isFitted) fit();
}

// Keeps the point of the table that is at a place of the window, its middle without one.
/** @type {(scale: number, at?: {x: number, y: number}) => void} */
export function resize(scale, at) {
  const room = find("room"), box = room.getBoundingClientRect();
  const { x, y } = at ?? { x: box.left + box.width / 2, y: box.top + box.height / 2 };
  const by = Math.min(Math.max(scale, LEAST), MOST) / view.mm;
  const [left, top] = [room.scrollLeft + x - box.left, room.scrollTop + y - box.top];
  view.mm *= by;
  view.isFitted = false;
  find("felt").style.setProperty("--mm", `${view.mm}px`);
  onChange();
  room.scrollTo(left * by - (x - box.left), top * by - (y - box.top));
}

/** @type {(steps: number, at?: {x: number, y: number}) => void} */
export const zoom = (steps, at) => resize(view.mm * STEP ** steps, at);

// A point of the window, on the table in mm.
/** @type {(x: number, y: number) => [number, number]} */
export function toTable(x, y) {
  const box = find("felt").getBoundingClientRect();
  return [(x - box.left) / view.mm, (y - box.top) / view.mm];
}

/** @type {(x: number, y: number) => [number, number]} */
export function toWindow(x, y) {
  const box = find("felt").getBoundingClientRect();
  return [x * view.mm + box.left, y * view.mm + box.top];
}
