// The bar of what can be done with the chosen thing, and the same by keys.

import { find, make } from "./dom.js";
import { elementOf, labelOf } from "./felt.js";
import { act, setOf, stackOf, state } from "./table.js";

/** @import { Stack } from "./told.js" */
/** @typedef {{key: string, name: string, run: () => void}} Deed */

/** @type {{id: number | null, card: number | null, many: number}} */
const chosen = { id: null, card: null, many: 1 };

export const many = () => chosen.many;
export const chosenId = () => chosen.id;

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
  if (chosen.id !== null && !elementOf(chosen.id)) chosen.id = null;
  if (chosen.card !== null && chosen.card >= state().hand.length) chosen.card = null;
  for (const one of document.querySelectorAll(".is-chosen")) one.classList.remove("is-chosen");
  if (chosen.id !== null) elementOf(chosen.id)?.classList.add("is-chosen");
  if (chosen.card !== null) document.querySelector(`.card[data-index="${chosen.card}"]`)?.classList.add("is-chosen");
  const done = deeds();
  const stack = chosen.id === null ? undefined : stackOf(chosen.id);
  const buttons = done.map(({ key, name, run }) =>
    make("button", { type: "button", "data-deed": name, title: `${name} (${key})`, onclick: run }, name));
  const children = done.length
    ? [make("span", { class: "what" }, title()), stack && stack.count > 1 ? number() : null, ...buttons]
    : [make("p", { class: "quiet" }, "Choose a stack. Drag its top piece, or its number to move all of it.")];
  const active = /** @type {HTMLElement | null} */ (document.activeElement);
  const focused = active && find("acts").contains(active) ? active.dataset.deed ?? active.id : null;
  find("acts").replaceChildren(...children.filter((child) => child !== null));
  if (focused) /** @type {HTMLElement | null} */ (find("acts").querySelector(`[data-deed="${focused}"], #${focused.split(" ")[0]}`))?.focus();
}

function number() {
  const input = make("input", { id: "many", type: "number", min: 1, max: 5000, value: chosen.many, inputmode: "numeric" });
  input.addEventListener("input", () => (chosen.many = Math.min(Math.max(Math.round(Number(input.value)) || 1, 1), 5000)));
  return make("label", { class: "many", title: "How many pieces to draw, deal, turn over or drag" }, "Pieces", input);
}

function title() {
  if (chosen.card !== null) return state().hand[chosen.card].name;
  const stack = stackOf(/** @type {number} */ (chosen.id));
  return stack ? labelOf(stack) : elementOf(/** @type {number} */ (chosen.id))?.getAttribute("aria-label") ?? "";
}

// What can be done with the chosen thing; run by its key, too.
/** @type {() => Deed[]} */
export function deeds() {
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
  const pieces = Math.min(chosen.many, count);
  /** @type {(key: string, name: string, message: {do: string, [name: string]: unknown}) => Deed} */
  const deed = (key, name, message) => ({ key, name, run: () => void act({ ...message, id }) });
  const isMany = count > 1;
  return [
    ...(isFolded ? [] : [deed("f", "Flip", { do: "flip", count: pieces })]),
    ...(isMany && !isFolded ? [deed("F", "Flip all", { do: "flip" })] : []),
    deed("r", "Turn", { do: "turn", by: turn }),
    ...(isMany ? [deed("s", "Shuffle", { do: "shuffle" })] : []),
    deed("d", "Draw", { do: "draw", count: pieces }),
    ...(isMany ? [deed("e", "Deal", { do: "deal", count: chosen.many }), deed("a", "Spread", { do: "spread" })] : []),
    deed("g", "Gather", { do: "gather" }),
  ];
}

/** @type {(card: number) => Deed[]} */
function ofCard(card) {
  const { set } = state().hand[card];
  const at = freeSpot();
  const deeds = [{ key: "p", name: "Play", run: () => void act({ do: "play", card, ...at, is_up: true }) }];
  if (!setOf(set).isFolded) deeds.push({ key: "P", name: "Play face down", run: () => void act({ do: "play", card, ...at, is_up: false }) });
  return deeds;
}

/** @type {(id: number) => Deed[]} */
const ofDie = (id) => [
  { key: "f", name: "Roll", run: () => void act({ do: "roll", id }) },
  { key: "Delete", name: "Remove", run: () => void act({ do: "remove", id }) },
];

/** @type {(id: number) => Deed[]} */
const ofCounter = (id) => [
  { key: "+", name: "Up", run: () => void act({ do: "count", id, by: chosen.many }) },
  { key: "-", name: "Down", run: () => void act({ do: "count", id, by: -chosen.many }) },
  { key: "Delete", name: "Remove", run: () => void act({ do: "remove", id }) },
];

// A place near the middle of what is seen, where nothing lies yet.
export function freeSpot() {
  const room = find("room").getBoundingClientRect(), felt = find("felt").getBoundingClientRect();
  const mm = felt.width / state().size[0];
  const things = [...state().stacks, ...state().dice, ...state().counters];
  let [x, y] = [(room.left + room.width / 2 - felt.left) / mm, (room.top + room.height * 0.6 - felt.top) / mm];
  while (things.some((one) => Math.hypot(one.x - x, one.y - y) < 8)) [x, y] = [x + 12, y + 6];
  return { x, y };
}
