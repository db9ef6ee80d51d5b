// A table with rules: what is chosen of a move, and a button for what cannot be pointed at.

import * as choosing from "./choosing.js";
import { find, make } from "./dom.js";
import { elementOf } from "./felt.js";
import { markPieces, pieceAt, showPlaces } from "./places.js";
import { aimAnew, aimed, canTurn, canTurnOver, lay, pressPlace, setAt, tellWhy, turn, watchPointing } from "./pointing.js";
import { say } from "./say.js";
import { act, setOf, state } from "./table.js";
import { picture, sayMove } from "./turn.js";

/** @import { Choice } from "./choosing.js" */
/** @import { LegalMove } from "./told.js" */

/** @type {{number: number, bar: string, isFinger: boolean, isWaiting: boolean, isByKey: boolean, ready: LegalMove | null, all: HTMLElement | null}} */
const shown = { number: -1, bar: "", isFinger: false, isWaiting: false, isByKey: false, ready: null, all: null };

/** @param {LegalMove} move */
const labelOf = (move) => sayMove(move);

export function showRules() {
  const { played, number } = state();
  if (!played) return;
  if (shown.number !== number) {
    choosing.begin(played);
    [shown.number, shown.ready, shown.bar] = [number, null, ""];
    shown.all = played.moves.length > 1 ? allMoves(played.moves) : null;
    showChoice();
    if (shown.isByKey) keepFocus();
  } else showBar();
  document.body.style.setProperty("--tray", `${find("tray").offsetHeight}px`);
}

// Who plays by the keyboard goes on from there when what had the focus is gone.
function keepFocus() {
  const { activeElement } = document;
  if (activeElement && activeElement !== document.body && activeElement !== find("room")) return;
  /** @type {HTMLElement | null} */
  const next = document.querySelector(".thing.is-legal, .place, #acts button");
  (next ?? find("room")).focus({ preventScroll: true });
}

// Makes a move, once.
/** @param {LegalMove} move */
async function play(move) {
  if (shown.isWaiting) return;
  shown.isWaiting = true;
  document.body.classList.add("is-waiting");
  const isMade = await act({ do: "play", move: move.name });
  shown.isWaiting = false;
  document.body.classList.remove("is-waiting");
  if (!isMade) while (choosing.takeBack());
  showChoice();
}

// Chooses a piece, a place or both. A move that is settled is made; by a finger that only touched pieces, once it is confirmed.
/** @param {Choice} choice */
function decide(choice) {
  if ("piece" in choice && !choice.spot && isChosen(choice.piece)) return back();
  const move = choosing.choose(choice);
  const isSure = !shown.isFinger || ("spot" in choice && choice.spot !== undefined) || "place" in choice;
  if (move && isSure) play(move);
  shown.ready = isSure ? null : move;
  showChoice();
}

/** @param {string} piece */
const isChosen = (piece) => choosing.chosen().some((choice) => "piece" in choice && !choice.spot && choice.piece === piece);

// Takes the last choice back.
export function back() {
  shown.ready = null;
  if (choosing.takeBack()) showChoice();
}

export function showChoice() {
  const laid = choosing.chosen().flatMap((choice) => ("spot" in choice && choice.spot ? [choice.spot] : []));
  for (const element of document.querySelectorAll(".laying")) element.remove();
  showPlaces(choosing.spots(), setAt, pressPlace);
  find("felt").append(...laid.map((spot) => pieceAt(spot.look, spot, "is-laid")));
  markPieces(choosing.pieces(), choosing.chosen().flatMap((choice) => ("piece" in choice ? [choice.piece] : [])));
  for (const element of document.querySelectorAll(".is-lifted")) element.classList.remove("is-lifted");
  elementOf(Number(choosing.held() ?? NaN))?.classList.add("is-lifted");
  aimAnew();
}

/** @typedef {{kind: string, name: string, move?: string, look?: import("./told.js").Look, run: () => unknown}} Deed */

/** @type {() => Deed[]} */
function deeds() {
  const { isSet, spot } = aimed(), { ready } = shown;
  const kinds = choosing.pieces().filter((piece) => !elementOf(Number(piece)));
  const named = ready ? [] : choosing.named().map(({ move }) => move);
  return [
    ...kinds.map((piece) => ({ kind: "piece", name: titleOf(piece, kinds), look: choosing.lookOf(piece), run: () => decide({ piece }) })),
    ...(canTurn() ? [{ kind: "turn", name: say("deed.turn"), run: () => turn(1) }] : []),
    ...(canTurnOver() ? [{ kind: "over", name: say("deed.turn-over"), run: () => turn(1, true) }] : []),
    ...(isSet && spot ? [{ kind: "lay", name: say(choosing.held() === null ? "deed.choose-it" : "deed.lay-it"), run: lay }] : []),
    ...(ready ? [{ kind: "lay", name: labelOf(ready), run: () => play(ready) }] : []),
    ...named.map((move) => ({ kind: "move", name: labelOf(move), move: move.name, run: () => play(move) })),
    ...(choosing.chosen().length ? [{ kind: "back", name: say("deed.take-back"), run: back }] : []),
  ];
}

// The buttons stay while they are the same: one that is pressed must not go.
function showBar() {
  const { played } = state();
  if (!played) return;
  const buttons = deeds();
  const bar = JSON.stringify([played.turn, buttons]);
  if (bar === shown.bar) return;
  const hadFocus = find("acts").contains(document.activeElement);
  shown.bar = bar;
  find("acts").replaceChildren(
    ...buttons.map(({ kind, name, move = null, look, run }) => make("button", { type: "button", class: kind, "data-move": move, onclick: run }, look?.face ? picture(look) : null, name)),
    ...(shown.all ? [shown.all] : []),
  );
  if (hadFocus) find("acts").querySelector("button")?.focus();
}

// A kind of piece that lies nowhere yet: its set, or its own name beside others of that.
/** @type {(piece: string, kinds: string[]) => string} */
function titleOf(piece, kinds) {
  const set = Number.parseInt(piece), isAlone = kinds.filter((other) => Number.parseInt(other) === set).length < 2;
  return (isAlone ? "" : piece.slice(piece.indexOf(" ") + 1)) || setOf(set).title;
}

// Shows on the felt where the pieces of a move come to lie; of none, nothing.
/** @param {LegalMove | null} move */
function preview(move) {
  for (const piece of document.querySelectorAll(".laying.is-shown")) piece.remove();
  if (move) find("felt").append(...choosing.spotsOf(move).map((spot) => pieceAt(spot.look, spot, "is-shown is-good")));
}

/** @param {LegalMove} move */
function moveButton(move) {
  const show = () => preview(move), hide = () => preview(null);
  return make("button", { type: "button", class: "move", onclick: () => play(move), onfocus: show, onblur: hide, onpointerenter: show, onpointerleave: hide }, labelOf(move));
}

// All moves by their names, with a field that finds some.
/** @param {LegalMove[]} moves */
function allMoves(moves) {
  const found = make("div", { class: "found", role: "group", "aria-label": say("deed.moves") });
  const field = make("input", { type: "search", placeholder: say("deed.filter"), "aria-label": say("deed.filter"), autocomplete: "off", spellcheck: "false" });
  const list = () => {
    const words = field.value.toLowerCase().split(/\s+/);
    const wanted = moves.filter((move) => words.every((word) => `${move.name} ${labelOf(move)}`.toLowerCase().includes(word)));
    found.replaceChildren(...wanted.map(moveButton));
  };
  field.addEventListener("input", list);
  const summary = make("summary", {}, say("deed.all-moves", { count: moves.length }));
  const all = make("details", { class: "moves", ontoggle: list }, summary, make("div", { class: "panel" }, field, found));
  all.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !all.open) return;
    event.stopPropagation(); // it takes no choice back
    all.open = false;
    summary.focus();
  });
  return all;
}

// What a key does at a table with rules. Returns whether it does anything.
/** @param {KeyboardEvent} event */
export function ruleKey(event) {
  const target = /** @type {HTMLElement} */ (event.target);
  const { id, place } = target.dataset;
  /** @type {{[key: string]: () => unknown}} */
  const keys = { r: () => turn(1), R: () => turn(-1), f: () => turn(1, true), Escape: back };
  const press = place !== undefined ? () => pressPlace(Number(place)) : id !== undefined ? () => pick(id) : null;
  const run = event.key === "Enter" || event.key === " " ? press : keys[event.key];
  if (!run) return false;
  event.preventDefault();
  run();
  return true;
}

// Chooses a piece by the keyboard, and goes on to where it may lie.
/** @param {string} id */
function pick(id) {
  const thing = elementOf(Number(id));
  if (thing && !thing.classList.contains("is-legal")) {
    tellWhy(thing);
    return;
  }
  decide({ piece: id });
  if (choosing.held() === id) /** @type {HTMLElement | null} */ (document.querySelector(".place"))?.focus();
}

export function watchRules() {
  watchPointing(decide, showBar);
  addEventListener("pointerdown", (event) => {
    shown.isByKey = false;
    shown.isFinger = event.pointerType !== "mouse";
  }, true);
  addEventListener("keydown", () => (shown.isByKey = true), true);
}
