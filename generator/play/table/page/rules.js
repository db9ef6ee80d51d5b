// A table with rules: the legal moves, as places that glow and as buttons.

import { find, make } from "./dom.js";
import { elementOf, side, showSide } from "./felt.js";
import { act, setOf, state } from "./table.js";
import { sayMove } from "./turn.js";

/** @import { Ghost, LegalMove } from "./told.js" */

const MOST = 60; // buttons at once
const SAME = 1; // mm

/** @type {{wanted: ((move: LegalMove) => boolean) | null, number: number}} */
const shown = { wanted: null, number: -1 };

export const isPlayed = () => state().played !== undefined;

export function showRules() {
  const { played, number } = state();
  if (!played) return;
  if (shown.number !== number) {
    shown.wanted = null;
    showPlaces(played.moves); // one that is pressed must not go
  }
  shown.number = number;
  showMoves(played.moves.filter(shown.wanted ?? (() => true)));
  find("log").style.setProperty("--tray", `${find("tray").offsetHeight}px`);
}

// Makes the only move that is wanted, or shows those that are.
/** @param {(move: LegalMove) => boolean} wanted */
function want(wanted) {
  const found = state().played?.moves.filter(wanted) ?? [];
  shown.wanted = found.length ? wanted : null;
  if (found.length === 1) play(found[0]);
  else showRules();
}

/** @param {LegalMove} move */
const play = (move) => act({ do: "play", move: move.name });

// A piece that was chosen, or null, which shows all moves again.
/** @param {number | null} id */
export function chooseForMove(id) {
  if (id !== null) want((move) => move.sources.includes(id));
  else if (shown.wanted) {
    shown.wanted = null;
    showRules();
  }
}

/** @param {LegalMove[]} moves */
function showPlaces(moves) {
  for (const one of document.querySelectorAll(".is-legal")) one.classList.remove("is-legal");
  for (const one of document.querySelectorAll(".place")) one.remove();
  for (const id of new Set(moves.flatMap(({ sources }) => sources))) elementOf(id)?.classList.add("is-legal");
  /** @type {Ghost[]} */
  const places = [];
  for (const ghost of moves.flatMap(({ ghosts }) => ghosts)) {
    if (!places.some((one) => isAt(one, ghost))) places.push(ghost);
  }
  find("felt").append(...places.map(place));
}

/** @type {(one: Ghost, other: Ghost) => boolean} */
const isAt = (one, other) => Math.hypot(one.x - other.x, one.y - other.y) < SAME && one.set === other.set;

/** @param {Ghost} ghost */
function place(ghost) {
  const [width, height] = setOf(ghost.set).size;
  const frame = side();
  showSide(frame, ghost.set, ghost.isUp, null);
  const made = make("button", { type: "button", class: "place", "aria-label": `Legal place for ${setOf(ghost.set).title}`, onclick: () => want(({ ghosts }) => ghosts.some((one) => isAt(one, ghost))) }, frame);
  made.style.left = `calc(var(--mm) * ${ghost.x})`;
  made.style.top = `calc(var(--mm) * ${ghost.y})`;
  made.style.width = `calc(var(--mm) * ${width})`;
  made.style.height = `calc(var(--mm) * ${height})`;
  made.style.rotate = `${ghost.turn}deg`;
  return made;
}

/** @param {LegalMove[]} moves */
function showMoves(moves) {
  const buttons = moves.slice(0, MOST).map((move) =>
    make("button", { type: "button", class: "move", onclick: () => play(move), onmouseenter: () => preview(move, true), onmouseleave: () => preview(move, false), onfocus: () => preview(move, true), onblur: () => preview(move, false) }, sayMove(move)));
  const rest = moves.length - buttons.length;
  find("acts").replaceChildren(
    ...(shown.wanted ? [make("button", { type: "button", class: "all", onclick: () => chooseForMove(null) }, "All moves")] : []),
    ...buttons,
    ...(rest > 0 ? [make("span", { class: "quiet" }, `and ${rest} more: choose a place that glows`)] : []),
  );
}

// Shows where a move puts its pieces.
/** @type {(move: LegalMove, isShown: boolean) => void} */
function preview(move, isShown) {
  for (const one of document.querySelectorAll(".preview")) one.remove();
  if (!isShown) return;
  for (const ghost of move.ghosts) {
    const made = place(ghost);
    made.classList.add("preview");
    showSide(/** @type {HTMLElement} */ (made.firstElementChild), ghost.set, ghost.isUp, ghost.face);
    made.tabIndex = -1;
    made.setAttribute("aria-hidden", "true");
    find("felt").append(made);
  }
}
