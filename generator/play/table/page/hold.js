// Pieces that are held: dragged with a pointer, or carried with the arrow keys.

import { find } from "./dom.js";
import { elementOf, showSide, side } from "./felt.js";
import { say } from "./say.js";
import { mm, toTable, toWindow } from "./scale.js";
import { isSnapping, snapped, stepOf } from "./snap.js";
import { act, setOf, state, warn } from "./table.js";

/** @import { Pair, Stack } from "./told.js" */
/**
 * What is held. `count` pieces of a stack, a card of the hand, or a die or counter; its middle is at x, y.
 * @typedef {{kind: "stack" | "card" | "extra", id: number, count: number, set: number, turn: number, isUp: boolean,
 *   face: string | null, x: number, y: number, isWhole: boolean}} Held
 */

/** @type {{held: Held | null, ghost: HTMLElement | null, onto: Stack | null, isOverHand: boolean, wanted: Pair | null}} */
const now = { held: null, ghost: null, onto: null, isOverHand: false, wanted: null };

// Of the shorter side: a piece dropped so close to the middle of a stack is put on it. If pieces snap, the stack has
// to be turned as they are: a tile may lie near the middle of one that is turned otherwise.
const NEAR = 0.3, NEAR_IF_SNAPPED = 0.16;

export const isHolding = () => now.held !== null;

/** @param {Held} held */
export function hold(held) {
  release();
  now.held = held;
  now.ghost = held.kind === "extra" ? copied(held.id) : pictured(held);
  document.body.append(now.ghost);
  if (held.isWhole) elementOf(held.id)?.classList.add("is-held");
  place(held.x, held.y);
}

/** @param {Held} held */
function pictured(held) {
  const ghost = document.createElement("div");
  const [width, height] = setOf(held.set).size;
  const frame = side();
  ghost.className = "ghost";
  ghost.style.width = `${width * mm()}px`;
  ghost.style.height = `${height * mm()}px`;
  ghost.style.rotate = `${held.turn}deg`;
  showSide(frame, held.set, held.isUp, held.face);
  ghost.append(frame);
  return ghost;
}

/** @param {number} id */
function copied(id) {
  const ghost = /** @type {HTMLElement} */ (elementOf(id)?.cloneNode(true));
  ghost.classList.add("ghost");
  ghost.removeAttribute("data-id");
  return ghost;
}

// Moves what is held, its middle, to a point of the table.
/** @type {(x: number, y: number, pointer?: {x: number, y: number}) => void} */
export function place(x, y, pointer) {
  const { held, ghost } = now;
  if (!held || !ghost) return;
  [held.x, held.y] = [x, y];
  now.isOverHand = held.kind !== "card" && pointer !== undefined && isOver(find("tray"), pointer);
  now.isOverHand &&= held.kind === "stack";
  target(now.isOverHand ? null : near(held));
  const spot = spotOf(held);
  const [left, top] = now.isOverHand && pointer ? [pointer.x, pointer.y] : toWindow(...spot);
  ghost.style.left = `${left}px`;
  ghost.style.top = `${top}px`;
  find("tray").classList.toggle("is-target", now.isOverHand);
}

/** @type {(held: Held) => Pair} */
function spotOf(held) {
  if (now.onto) return [now.onto.x, now.onto.y];
  return held.kind === "extra" ? [held.x, held.y] : snapped(held.set, held.turn, held.x, held.y);
}

/** @type {(element: HTMLElement, at: {x: number, y: number}) => boolean} */
export function isOver(element, { x, y }) {
  const box = element.getBoundingClientRect();
  return x >= box.left && x <= box.right && y >= box.top && y <= box.bottom;
}

// The stack of the same set that a held piece would be put on.
/** @type {(held: Held) => Stack | null} */
function near(held) {
  if (held.kind === "extra") return null;
  const { x, y } = held;
  const reach = (isSnapping() ? NEAR_IF_SNAPPED : NEAR) * Math.min(...setOf(held.set).size);
  const isSelf = (/** @type {Stack} */ stack) => held.kind === "stack" && stack.id === held.id;
  const isLike = (/** @type {Stack} */ stack) => stack.set === held.set && (!setOf(held.set).isApart || stack.face === held.face) && (!isSnapping() || stack.turn === held.turn);
  const others = state().stacks.filter((stack) => isLike(stack) && !isSelf(stack));
  return others.findLast((stack) => Math.hypot(stack.x - x, stack.y - y) < reach) ?? null;
}

/** @param {Stack | null} onto */
function target(onto) {
  if (now.onto) elementOf(now.onto.id)?.classList.remove("is-target");
  if (onto) elementOf(onto.id)?.classList.add("is-target");
  now.onto = onto;
}

// Moves what is held by steps of an arrow key.
/** @type {(dx: number, dy: number) => void} */
export function carry(dx, dy) {
  const { held } = now;
  if (!held) return;
  const [across, down] = held.kind === "extra" ? [10, 10] : stepOf(held.set, held.turn);
  const [x, y] = spotOf(held);
  const [width, height] = state().size;
  place(Math.min(Math.max(x + dx * across, 0), width), Math.min(Math.max(y + dy * down, 0), height));
  now.ghost?.scrollIntoView({ block: "nearest", inline: "nearest" });
}

// Puts down what is held.
export async function drop() {
  const { held, onto, isOverHand } = now;
  if (!held) return;
  const [x, y] = spotOf(held);
  release();
  now.wanted = [x, y];
  const { kind, id, count } = held;
  if (isOverHand) await act({ do: "draw", id, count });
  else if (kind === "extra") await act({ do: "move-extra", id, x, y });
  else if (kind === "card") await act({ do: "play", card: id, x, y, is_up: held.isUp, onto: onto?.id ?? null });
  else if (onto) await act({ do: "join", id, onto: onto.id, count });
  else if (held.isWhole) await act({ do: "move", id, x, y });
  else await act({ do: "lift", id, count, x, y });
}

// Lets go of what is held; it stays where it was.
export function release() {
  if (now.held) elementOf(now.held.id)?.classList.remove("is-held");
  target(null);
  now.ghost?.remove();
  find("tray").classList.remove("is-target");
  [now.held, now.ghost, now.isOverHand] = [null, null, false];
}

// The place where something was put last, asked for once.
export function wanted() {
  const { wanted } = now;
  now.wanted = null;
  return wanted;
}

/** @type {(stack: Stack, count: number) => Held} */
export function ofStack(stack, count) {
  const isWhole = count >= stack.count;
  const { id, set, turn, isUp, face, x, y } = stack;
  return { kind: "stack", id, count: Math.min(count, stack.count), set, turn, isUp, face, x, y, isWhole };
}

/** @type {(index: number, isUp?: boolean) => Held} */
export function ofCard(index, isUp = true) {
  const { set, face } = state().hand[index];
  const room = find("room").getBoundingClientRect();
  const [x, y] = toTable(room.left + room.width / 2, room.top + room.height / 2);
  return { kind: "card", id: index, count: 1, set, turn: 0, isUp, face: isUp ? face : null, x, y, isWhole: false };
}

/** @type {(extra: {id: number, x: number, y: number}) => Held} */
export const ofExtra = ({ id, x, y }) =>
  ({ kind: "extra", id, count: 1, set: 0, turn: 0, isUp: true, face: null, x, y, isWhole: true });

// What is held may have gone while it was held.
export function check() {
  const { held } = now;
  if (!held) return;
  const ids = [...state().stacks, ...state().dice, ...state().counters].map(({ id }) => id);
  const isThere = held.kind === "card" ? held.id < state().hand.length : ids.includes(held.id);
  if (isThere) return;
  release();
  warn(say("wrong.took-it"));
}
