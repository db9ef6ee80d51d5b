// The keyboard: from thing to thing, what is done with them, and pieces that are carried.

import { choose, deeds, many, setMany } from "./acts.js";
import { find } from "./dom.js";
import { carry, drop, hold, isHolding, ofCard, ofExtra, ofStack, release } from "./hold.js";
import { ruleKey } from "./rules.js";
import { fit, zoom } from "./scale.js";
import { act, isPlayed, stackOf, state } from "./table.js";

/** @type {{[key: string]: [number, number]}} */
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const THINGS = ".thing, .card", PLAYABLE = ".thing.is-legal, .place";

export function watchKeys() {
  addEventListener("keydown", (event) => {
    const target = /** @type {HTMLElement} */ (event.target);
    if (event.altKey || document.querySelector("dialog[open]")) return;
    if (event.ctrlKey || event.metaKey) {
      if (event.key.toLowerCase() === "z") run(event, () => act({ do: event.shiftKey ? "redo" : "undo" }));
      return;
    }
    if (target.matches("input, select, textarea")) return;
    if (isPlayed() && ruleKey(event)) return;
    if (isHolding()) carryOn(event);
    else if (event.key in ARROWS && step(...ARROWS[event.key])) event.preventDefault();
    else if (isPlayed()) byKey(event);
    else if (event.key === " " && target.matches(THINGS)) run(event, () => lift(target, event.shiftKey));
    else if (event.key === "Enter" && target.matches(THINGS)) run(event, () => toBar());
    else if (event.key === "Escape") run(event, () => choose(null));
    else byKey(event);
  });
  addEventListener("focusin", (event) => {
    const target = /** @type {HTMLElement} */ (event.target);
    if (target.matches(THINGS) && !isHolding() && !isPlayed()) choose(target);
  });
}

/** @type {(event: Event, act: () => unknown) => void} */
function run(event, act) {
  event.preventDefault();
  act();
}

/** @param {KeyboardEvent} event */
function carryOn(event) {
  if (event.key in ARROWS) run(event, () => carry(...ARROWS[event.key]));
  else if (event.key === " " || event.key === "Enter") run(event, () => drop());
  else if (event.key === "Escape") run(event, () => release());
}

/** @type {(element: HTMLElement, isWhole: boolean) => void} */
function lift(element, isWhole) {
  const { id, index } = element.dataset;
  if (index !== undefined) return hold(ofCard(Number(index)));
  const stack = stackOf(Number(id));
  const extra = [...state().dice, ...state().counters].find((item) => item.id === Number(id));
  if (stack) hold(ofStack(stack, isWhole ? stack.count : many()));
  else if (extra) hold(ofExtra(extra));
}

// The focus on the first thing that can be done.
function toBar() {
  /** @type {HTMLElement | null} */ (find("acts").querySelector("button"))?.focus();
}

/** @param {KeyboardEvent} event */
function byKey(event) {
  const deed = deeds().find(({ key }) => key === event.key);
  /** @type {{[key: string]: () => unknown}} */
  const always = {
    u: () => act({ do: "undo" }),
    U: () => act({ do: "redo" }),
    "+": () => zoom(1),
    "-": () => zoom(-1),
    0: () => fit(),
    "?": () => find("help").showModal(),
  };
  if (deed) run(event, deed.run);
  else if (event.key >= "1" && event.key <= "9") run(event, () => setMany(Number(event.key)));
  else if (event.key in always) run(event, always[event.key]);
}

// Moves the focus to the nearest thing in a direction.
/** @type {(dx: number, dy: number) => boolean} */
function step(dx, dy) {
  const things = isPlayed() ? PLAYABLE : THINGS;
  const here = document.activeElement?.matches(things) ? middle(/** @type {Element} */ (document.activeElement)) : null;
  const others = /** @type {HTMLElement[]} */ ([...document.querySelectorAll(things)]).filter((one) => one !== document.activeElement);
  if (!here) {
    others[0]?.focus();
    return others.length > 0;
  }
  /** @type {[number, HTMLElement | null]} */
  let best = [Infinity, null];
  for (const other of others) {
    const [x, y] = middle(other);
    const along = (x - here[0]) * dx + (y - here[1]) * dy;
    const aside = Math.abs((x - here[0]) * dy) + Math.abs((y - here[1]) * dx);
    const away = along + 2.5 * aside;
    if (along > 1 && away < best[0]) best = [away, other];
  }
  best[1]?.focus();
  best[1]?.scrollIntoView({ block: "nearest", inline: "nearest" });
  return best[1] !== null;
}

/** @type {(element: Element) => [number, number]} */
function middle(element) {
  const box = element.getBoundingClientRect();
  return [box.left + box.width / 2, box.top + box.height / 2];
}
