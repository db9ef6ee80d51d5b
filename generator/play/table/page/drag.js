// Pointers: a tap chooses, a drag moves, a double tap turns over.

import { find } from "./dom.js";
import { drop, hold, isHolding, ofCard, ofExtra, ofStack, place, release } from "./hold.js";
import { toTable, zoom } from "./scale.js";
import { isPlayed, stackOf, state } from "./table.js";

const FAR = 6; // pixels before a press is a drag
const RIM = 44, PUSH = 14; // pixels: near the rim of the room, the table moves

/** @type {{pointer: number, x: number, y: number, source: HTMLElement, isWhole: boolean, offset: [number, number]} | null} */
let press = null;

/** @type {(choose: (element: HTMLElement | null) => void, count: () => number) => void} */
export function watchPointers(choose, count) {
  const begin = (/** @type {PointerEvent} */ event) => {
    if (event.button !== 0 || press || isPlayed()) return;
    const target = /** @type {Element} */ (event.target);
    const source = /** @type {HTMLElement | null} */ (target.closest(".thing, .card"));
    if (source === null && target.closest("#felt")) choose(null);
    if (source === null) return;
    const isWhole = event.shiftKey || target.classList.contains("count");
    press = { pointer: event.pointerId, x: event.clientX, y: event.clientY, source, isWhole, offset: [0, 0] };
  };
  find("felt").addEventListener("pointerdown", begin);
  find("hand").addEventListener("pointerdown", begin);
  addEventListener("pointermove", (event) => move(event, count()));
  addEventListener("pointerup", (event) => end(event, choose));
  addEventListener("pointercancel", () => {
    press = null;
    release();
  });
  find("room").addEventListener("wheel", turnWheel, { passive: false });
}

/** @type {(event: PointerEvent, count: number) => void} */
function move(event, count) {
  if (press?.pointer !== event.pointerId) return;
  if (!isHolding()) {
    if (Math.hypot(event.clientX - press.x, event.clientY - press.y) < FAR) return;
    if (!take(press, count)) return;
  }
  push(event);
  const [x, y] = toTable(event.clientX, event.clientY);
  place(x + press.offset[0], y + press.offset[1], { x: event.clientX, y: event.clientY });
}

// Holds what was pressed, at the point where it was pressed.
/** @type {(press: {x: number, y: number, source: HTMLElement, isWhole: boolean, offset: [number, number]}, count: number) => boolean} */
function take(press, count) {
  const { id, index } = press.source.dataset;
  const [x, y] = toTable(press.x, press.y);
  if (index !== undefined) {
    if (Number(index) >= state().hand.length) return false;
    hold(ofCard(Number(index)));
    return true;
  }
  const stack = stackOf(Number(id));
  const extra = [...state().dice, ...state().counters].find((item) => item.id === Number(id));
  const thing = stack ?? extra;
  if (!thing) return false;
  press.offset = [thing.x - x, thing.y - y];
  hold(stack ? ofStack(stack, press.isWhole ? stack.count : count) : ofExtra(thing));
  return true;
}

/** @type {(event: PointerEvent, choose: (element: HTMLElement | null) => void) => void} */
function end(event, choose) {
  if (press?.pointer !== event.pointerId) return;
  const { source } = press;
  press = null;
  if (isHolding()) drop();
  else choose(source);
}

/** @param {PointerEvent} event */
function push(event) {
  const room = find("room"), box = room.getBoundingClientRect();
  if (event.clientY > box.bottom) return;
  const along = event.clientX > box.right - RIM ? PUSH : event.clientX < box.left + RIM ? -PUSH : 0;
  const down = event.clientY > box.bottom - RIM ? PUSH : event.clientY < box.top + RIM ? -PUSH : 0;
  if (along || down) room.scrollBy(along, down);
}

/** @param {WheelEvent} event */
function turnWheel(event) {
  if (!event.ctrlKey && !event.metaKey) return;
  event.preventDefault();
  zoom(event.deltaY < 0 ? 0.5 : -0.5, { x: event.clientX, y: event.clientY });
}
