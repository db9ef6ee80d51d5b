// Draws the table: its stacks, dice and counters, each an element that stays while its id does.

import { find, make } from "./dom.js";
import { say } from "./say.js";
import { mm, source } from "./scale.js";
import { setOf, state } from "./table.js";

/** @import { Card, Counter, Die, Pair, Stack } from "./told.js" */

const SMALL = 64; // pixels: the number of a smaller stack is below it

/** @type {Map<number, HTMLButtonElement>} */
const drawn = new Map();

export function showFelt() {
  const { size, stacks, dice, counters } = state();
  const felt = find("felt");
  felt.style.setProperty("--width", String(size[0]));
  felt.style.setProperty("--height", String(size[1]));
  const ids = new Set([...stacks, ...dice, ...counters].map(({ id }) => id));
  for (const [id, element] of drawn) {
    if (!ids.has(id)) {
      element.remove();
      drawn.delete(id);
    }
  }
  stacks.forEach((stack, index) => showStack(stack, index));
  dice.forEach((die) => showDie(die, stacks.length));
  counters.forEach((counter) => showCounter(counter, stacks.length));
}

/** @type {(id: number) => HTMLButtonElement | undefined} */
export const elementOf = (id) => drawn.get(id);

/** @type {(id: number, kind: string, x: number, y: number, above: number) => HTMLButtonElement} */
function element(id, kind, x, y, above) {
  let found = drawn.get(id);
  if (!found) {
    found = make("button", { type: "button", class: `thing ${kind}`, "data-id": id });
    drawn.set(id, found);
    find("felt").append(found);
  }
  found.style.left = `calc(var(--mm) * ${x})`;
  found.style.top = `calc(var(--mm) * ${y})`;
  found.style.zIndex = String(above + 1);
  return found;
}

/** @type {(stack: Stack, above: number) => void} */
function showStack(stack, above) {
  const found = element(stack.id, "stack", stack.x, stack.y, above);
  if (!found.firstElementChild) {
    found.append(make("span", { class: "body" }, side()), make("span", { class: "count", "aria-hidden": "true" }), make("span", { class: "title", "aria-hidden": "true" }));
  }
  const [body, count, title] = /** @type {HTMLElement[]} */ ([...found.children]);
  lay(found, body, setOf(stack.set).size, stack.turn);
  found.classList.toggle("is-many", stack.count > 1);
  found.classList.toggle("is-high", stack.count > 8);
  found.classList.toggle("is-small", Math.min(...setOf(stack.set).size) * mm() < SMALL);
  showSide(/** @type {HTMLElement} */ (body.firstElementChild), stack.set, stack.isUp, stack.face);
  count.textContent = String(stack.count);
  title.textContent = setOf(stack.set).title;
  found.setAttribute("aria-label", labelOf(stack));
}

// The body is turned within the box that it then takes.
/** @type {(found: HTMLElement, body: HTMLElement, size: Pair, turn: number) => void} */
function lay(found, body, [width, height], turn) {
  const [cos, sin] = [Math.abs(Math.cos((turn * Math.PI) / 180)), Math.abs(Math.sin((turn * Math.PI) / 180))];
  found.style.width = `calc(var(--mm) * ${(width * cos + height * sin).toFixed(3)})`;
  found.style.height = `calc(var(--mm) * ${(width * sin + height * cos).toFixed(3)})`;
  body.style.width = `calc(var(--mm) * ${width})`;
  body.style.height = `calc(var(--mm) * ${height})`;
  body.style.rotate = `${turn}deg`;
}

/** @type {(stack: Stack) => string} */
export function labelOf(stack) {
  const { title, isFolded } = setOf(stack.set);
  const what = stack.name || title;
  const how = isFolded ? what : say(stack.isUp ? "thing.face-up" : "thing.face-down", { what });
  return stack.count > 1 ? say("thing.stack", { what: how, count: stack.count }) : how;
}

// A frame for the picture of a side.
export const side = () => make("span", { class: "side" }, make("img", { alt: "", draggable: "false" }));

/** @type {(frame: HTMLElement, set: number, isUp: boolean, face: string | null) => void} */
export function showSide(frame, set, isUp, face) {
  const { size, front, back } = setOf(set);
  showPicture(frame, isUp ? front : back, size, face);
}

/** @type {(frame: HTMLElement, cut: Pair[], size: Pair, face: string | null) => void} */
function showPicture(frame, cut, size, face) {
  frame.style.clipPath = clip(cut, size);
  const image = /** @type {HTMLImageElement} */ (frame.firstElementChild);
  const url = face === null ? "" : source(face);
  image.hidden = !url;
  if (url && image.getAttribute("src") !== url) image.src = url;
}

/** @type {(corners: Pair[], size: Pair) => string} */
const clip = (corners, [width, height]) =>
  `polygon(${corners.map(([x, y]) => `${((100 * x) / width).toFixed(2)}% ${((100 * y) / height).toFixed(2)}%`).join(",")})`;

/** @type {(die: Die, above: number) => void} */
function showDie(die, above) {
  const found = element(die.id, "die", die.x, die.y, above);
  found.dataset.sides = String(die.sides);
  if (found.textContent !== String(die.value)) found.textContent = String(die.value);
  found.setAttribute("aria-label", say("thing.die", { sides: die.sides, value: die.value }));
}

/** @type {(counter: Counter, above: number) => void} */
function showCounter(counter, above) {
  const found = element(counter.id, "counter", counter.x, counter.y, above);
  found.replaceChildren(make("b", {}, String(counter.value)), counter.label ? make("span", {}, counter.label) : "");
  found.setAttribute("aria-label", `${counter.label || say("thing.counter")}: ${counter.value}`);
}

/** @type {(card: Card) => HTMLElement} */
export function cardSide(card) {
  const frame = side();
  if (card.held) showPicture(frame, card.held.cut, card.held.size, card.held.face);
  else showSide(frame, card.set, true, card.face);
  return frame;
}
