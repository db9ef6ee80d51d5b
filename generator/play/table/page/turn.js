// A table with rules, in words: whose turn it is and what it asks, the moves, and what is counted.

import { find, make } from "./dom.js";
import { showSide, side } from "./felt.js";
import { say } from "./say.js";
import { mm } from "./scale.js";
import { setOf, state } from "./table.js";

/** @import { Icon, LegalMove, SeatCount } from "./told.js" */

export function showTurn() {
  const { played, seat, seats } = state();
  if (!played) return;
  if (find("prompt").textContent !== played.turn) find("prompt").textContent = played.turn;
  const others = [...seats.keys()].filter((number) => number !== seat);
  const whose = /** @type {(number | null)[]} */ ([null, seat, ...others]).filter((number, at) => at === 0 || number !== null);
  const counted = JSON.stringify([seat, played.counters, mm()]);
  if (said.counted !== counted) {
    said.counted = counted; // pictures that stay do not flicker
    const rows = whose.map((number) => {
      const name = number === null ? "" : number === seat ? say("seat.you") : say("seat.name", { number: number + 1 });
      return row(name, played.counters.filter((tally) => tally.seat === number));
    });
    find("counters").replaceChildren(...rows.filter((shown) => shown !== null));
  }
  find("counters").hidden = !played.counters.length;
  find("notation-text").textContent = played.text;
  find("turn").hidden = find("notation").hidden = false;
}

/** @type {(name: string, tallies: SeatCount[]) => HTMLElement | null} */
function row(name, tallies) {
  if (!tallies.length) return null;
  return make(
    "p",
    { class: "tallies" },
    name ? make("span", { class: "whose" }, name) : null,
    ...tallies.map(({ label, count, icon }) =>
      make("span", { class: "tally", title: label }, icon ? picture(icon) : null, make("span", { class: "label" }, `${label} `), make("b", {}, String(count)))),
  );
}

/** @param {Icon} icon */
export function picture({ face, set, isUp }) {
  const frame = side();
  const [width, height] = set === null ? [1, 1] : setOf(set).size;
  frame.classList.add("icon");
  frame.style.aspectRatio = `${width} / ${height}`;
  if (set !== null) showSide(frame, set, isUp, face);
  else /** @type {HTMLImageElement} */ (frame.firstElementChild).src = `/face/${face}/piece-192.jpg`;
  return frame;
}

/** @type {{moves: LegalMove[], counts: Map<string, number>, counted: string}} */
const said = { moves: [], counts: new Map(), counted: "" };

// What a button says. Of moves that are said alike, their notation too.
/** @type {(move: LegalMove) => string} */
export function sayMove({ name, words }) {
  const moves = state().played?.moves ?? [];
  if (said.moves !== moves) {
    said.moves = moves;
    said.counts = new Map();
    for (const move of moves) said.counts.set(move.words, (said.counts.get(move.words) ?? 0) + 1);
  }
  return (said.counts.get(words) ?? 0) > 1 && words !== name ? `${words} (${name})` : words;
}
