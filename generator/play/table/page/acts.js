// The bar of what can be done with the chosen thing, and the same by keys.

import { find, make } from "./dom.js";
import { elementOf, labelOf } from "./felt.js";
import { say } from "./say.js";
import { mm, toTable } from "./scale.js";
import { snapped } from "./snap.js";
import { act, setOf, stackOf, state } from "./table.js";

/** @import { Pair, Stack } from "./told.js" */
/** @typedef {{key: string, name: string, run: () => void}} Deed */

/** @type {{id: number | null, card: number | null, many: number, bar: string}} */
const chosen = { id: null, card: null, many: 1, bar: "?" };

export const many = () => chosen.many;

/** @param {HTMLElement | null} element */
export function choose(element) {
  chosen.id = element?.dataset.id === undefined ? null : Number(element.dataset.id);
  chosen.card = element?.dataset.index === undefined ? null : Number(element.dataset.index);
  if (element && document.activeElement !== element) element.focus({ preventScroll: true });
  showActs();
}

/** @param {number} number */
export function setMany(number) {
  chosen.many = Math.min(Math.max(Math.round(number) || 1, 1), 5000);
  const input = /** @type {HTMLInputElement | null} */ (document.getElementById("many"));
  if (input) input.value = String(chosen.many);
}

// Shows the bar; what was chosen may be gone.
export function showActs() {
  if (state().played) return; // the rules say what can be done
  if (chosen.id !== null && !elementOf(chosen.id)) chosen.id = null;
  if (chosen.card !== null && chosen.card >= state().hand.length) chosen.card = null;
  for (const element of document.querySelectorAll(".is-chosen")) element.classList.remove("is-chosen");
  if (chosen.id !== null) elementOf(chosen.id)?.classList.add("is-chosen");
  if (chosen.card !== null) document.querySelector(`.card[data-index="${chosen.card}"]`)?.classList.add("is-chosen");
  const names = deeds().map(({ name }) => name);
  const stack = chosen.id === null ? undefined : stackOf(chosen.id);
  const hasNumber = stack !== undefined && stack.count > 1;
  const bar = [...names, hasNumber].join();
  if (bar !== chosen.bar) build(hasNumber);
  chosen.bar = bar;
  const what = find("acts").querySelector(".what");
  if (what) what.textContent = title();
}

// The buttons stay while they are the same: one that is pressed must not go.
/** @param {boolean} hasNumber */
function build(hasNumber) {
  const buttons = deeds().map(({ key, name }) =>
    make("button", { type: "button", "data-deed": name, title: `${name} (${key})`, onclick: () => deeds().find((deed) => deed.name === name)?.run() }, name));
  const children = buttons.length
    ? [make("span", { class: "what" }), hasNumber ? number() : null, ...buttons]
    : [make("p", { class: "quiet" }, say("deed.choose-first"))];
  const active = /** @type {HTMLElement | null} */ (document.activeElement);
  const focused = active && find("acts").contains(active) ? active.dataset.deed : undefined;
  find("acts").replaceChildren(...children.filter((child) => child !== null));
  if (focused) /** @type {HTMLElement | null} */ (find("acts").querySelector(`[data-deed="${focused}"]`) ?? find("acts").querySelector("button"))?.focus();
}

function number() {
  const input = make("input", { id: "many", type: "number", min: 1, max: 5000, value: chosen.many, inputmode: "numeric" });
  input.addEventListener("input", () => (chosen.many = Math.min(Math.max(Math.round(Number(input.value)) || 1, 1), 5000)));
  return make("label", { class: "many", title: say("deed.how-many") }, say("deed.pieces"), input);
}

function title() {
  if (chosen.card !== null) return state().hand[chosen.card].name;
  const stack = stackOf(/** @type {number} */ (chosen.id));
  return stack ? labelOf(stack) : elementOf(/** @type {number} */ (chosen.id))?.getAttribute("aria-label") ?? "";
}

// What can be done with the chosen thing; run by its key, too.
/** @type {() => Deed[]} */
export function deeds() {
  if (state().played) return [];
  if (chosen.card !== null) return ofCard(chosen.card);
  const { id } = chosen;
  if (id === null) return [];
  const stack = stackOf(id);
  if (stack) return ofStack(stack);
  return state().dice.some((die) => die.id === id) ? ofDie(id) : ofCounter(id);
}

/** @type {(stack: Stack) => Deed[]} */
function ofStack({ id, set, count }) {
  const { turn, isFolded } = setOf(set);
  const isMany = count > 1;
  const pieces = () => Math.min(chosen.many, count);
  /** @type {(key: string, name: string, how: string, more?: () => {[name: string]: unknown}) => Deed} */
  const deed = (key, name, how, more = () => ({})) => ({ key, name, run: () => void act({ do: how, id, ...more() }) });
  return [
    ...(isFolded ? [] : [deed("f", say("deed.flip"), "flip", () => ({ count: pieces() }))]),
    ...(isMany && !isFolded ? [deed("F", say("deed.flip-all"), "flip")] : []),
    { key: "r", name: say("deed.turn"), run: () => turnStack(id, turn) },
    { key: "R", name: say("deed.turn-back"), run: () => turnStack(id, -turn) },
    ...(isMany ? [deed("s", say("deed.shuffle"), "shuffle")] : []),
    deed("d", say("deed.draw"), "draw", () => ({ count: pieces() })),
    ...(isMany ? [deed("e", say("deed.deal"), "deal", () => ({ count: chosen.many })), deed("a", say("deed.spread"), "spread")] : []),
    deed("g", say("deed.gather"), "gather"),
  ];
}

/** @type {Promise<unknown>} */
let turned = Promise.resolve();

// One turn after another: where the pieces snap to depends on how they lie.
/** @type {(id: number, by: number) => void} */
function turnStack(id, by) {
  turned = turned.then(() => {
    const stack = stackOf(id);
    if (!stack) return null;
    const [x, y] = snapped(stack.set, stack.turn + by, stack.x, stack.y);
    return act({ do: "turn", id, by, x, y });
  });
}

/** @type {(card: number) => Deed[]} */
function ofCard(card) {
  const { set } = state().hand[card];
  /** @type {(key: string, name: string, isUp: boolean) => Deed} */
  const play = (key, name, isUp) =>
    ({ key, name, run: () => void act({ do: "play", card, ...freeSpot(setOf(set).size), is_up: isUp }) });
  return setOf(set).isFolded ? [play("p", say("deed.play"), true)] : [play("p", say("deed.play"), true), play("P", say("deed.play-down"), false)];
}

/** @type {(id: number) => Deed[]} */
const ofDie = (id) => [
  { key: "f", name: say("deed.roll"), run: () => void act({ do: "roll", id }) },
  { key: "Delete", name: say("deed.remove"), run: () => void act({ do: "remove", id }) },
];

/** @type {(id: number) => Deed[]} */
const ofCounter = (id) => [
  { key: "+", name: say("deed.up"), run: () => void act({ do: "count", id, by: chosen.many }) },
  { key: "-", name: say("deed.down"), run: () => void act({ do: "count", id, by: -chosen.many }) },
  { key: "Delete", name: say("deed.remove"), run: () => void act({ do: "remove", id }) },
];

const EXTRA = 56; // pixels: the room that a die or a short counter takes
export const DIE_ROOM = 1, COUNTER_ROOM = 3; // in breadths of a die
const STEP = 10; // mm between places that are tried

// The place nearest to the middle of what is seen where something of a size has room, if there is one.
/** @param {Pair} size in mm */
export function freeSpot([width, height]) {
  const room = find("room").getBoundingClientRect();
  const [left, top] = toTable(room.left, room.top), [right, bottom] = toTable(room.right, room.bottom);
  const middle = { x: (left + right) / 2, y: (top + bottom) / 2 };
  const spots = [];
  for (let x = left + width / 2; x < Math.min(right, state().size[0]) - width / 2; x += STEP) {
    for (let y = top + height / 2; y < Math.min(bottom, state().size[1]) - height / 2; y += STEP) spots.push({ x, y });
  }
  /** @param {{x: number, y: number}} spot */
  const away = ({ x, y }) => Math.hypot(x - middle.x, y - middle.y);
  spots.sort((one, other) => away(one) - away(other));
  const taken = takenBoxes();
  return spots.find(({ x, y }) => !taken.some((box) => Math.abs(box.x - x) < (box.width + width) / 2 && Math.abs(box.y - y) < (box.height + height) / 2)) ?? middle;
}

/** @type {(breadths: number) => Pair} */
export const roomOf = (breadths) => [(breadths * EXTRA) / mm(), EXTRA / mm()];

function takenBoxes() {
  const stacks = state().stacks.map(({ x, y, set, turn }) => {
    const [width, height] = setOf(set).size;
    return turn % 180 === 90 ? { x, y, width: height, height: width } : { x, y, width, height };
  });
  /** @type {(breadths: number) => (extra: {x: number, y: number}) => {x: number, y: number, width: number, height: number}} */
  const boxed = (breadths) => ({ x, y }) => ({ x, y, width: roomOf(breadths)[0], height: roomOf(breadths)[1] });
  return [...stacks, ...state().dice.map(boxed(DIE_ROOM)), ...state().counters.map(boxed(COUNTER_ROOM))];
}
