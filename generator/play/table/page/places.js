// Draws where pieces may be laid, and the piece that is to be laid.

import { find, make } from "./dom.js";
import { elementOf, showSide, side } from "./felt.js";
import { pointsOf } from "./outlines.js";
import { say } from "./say.js";
import { setOf, state } from "./table.js";

/** @import { Spot } from "./choosing.js" */

const MANY = 40; // places, whose outlines are finer
const SVG = "http://www.w3.org/2000/svg";

/** @type {(name: string, attributes: {[name: string]: string}) => SVGElement} */
function draw(name, attributes) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}

// One outline for each place, and a button there for the keyboard.
/** @type {(spots: Spot[], aim: (place: number) => void, press: (place: number) => void) => void} */
export function showPlaces(spots, aim, press) {
  const active = /** @type {HTMLElement | null} */ (document.activeElement)?.dataset.place;
  for (const element of document.querySelectorAll("#felt > .shore, #felt > .place")) element.remove();
  /** @type {Map<number, Spot>} */
  const places = new Map();
  for (const spot of spots) if (!places.has(spot.place)) places.set(spot.place, spot);
  if (!places.size) return;
  const [width, height] = state().size;
  const shore = draw("svg", { class: places.size > MANY ? "shore is-dense" : "shore", viewBox: `0 0 ${width} ${height}`, "aria-hidden": "true" });
  shore.append(...[...places].map(([place, spot]) => draw("polygon", { "data-place": String(place), points: pointsOf(spot.look, spot) })));
  const buttons = [...places.values()].sort((one, other) => one.y - other.y || one.x - other.x).map((spot) => placeButton(spot, aim, press));
  find("felt").append(shore, ...buttons);
  if (active !== undefined) buttons.find((button) => button.dataset.place === active)?.focus({ preventScroll: true });
}

/** @type {(spot: Spot, aim: (place: number) => void, press: (place: number) => void) => HTMLElement} */
function placeButton({ look, place, x, y }, aim, press) {
  const [width, height] = setOf(look.set).size;
  const made = make("button", { type: "button", class: "place", "data-place": place, "aria-label": say("thing.place", { what: look.name || setOf(look.set).title }), onfocus: () => aim(place), onclick: () => press(place) });
  made.style.left = `calc(var(--mm) * ${x})`;
  made.style.top = `calc(var(--mm) * ${y})`;
  made.style.width = `calc(var(--mm) * ${width})`;
  made.style.height = `calc(var(--mm) * ${height})`;
  return made;
}

// Draws the outline of one place heavier.
/** @param {number | null} place */
export function showAim(place) {
  for (const element of document.querySelectorAll(".shore .is-aimed")) element.classList.remove("is-aimed");
  const shore = document.querySelector(".shore");
  const outline = place === null ? null : shore?.querySelector(`[data-place="${place}"]`);
  outline?.classList.add("is-aimed");
  if (outline) shore?.append(outline); // above the others
}

/** @type {(look: import("./told.js").Look, at: {x: number, y: number, turn: number}, how: string) => HTMLElement} */
export function pieceAt(look, { x, y, turn }, how) {
  const [width, height] = setOf(look.set).size;
  const frame = side();
  showSide(frame, look.set, look.isUp, look.face);
  const outline = draw("svg", { viewBox: `0 0 ${width} ${height}` });
  outline.append(draw("polygon", { points: pointsOf(look, { x: width / 2, y: height / 2, turn: 0 }) }));
  const made = make("div", { class: `laying ${how}`, "aria-hidden": "true" }, frame, outline);
  made.style.left = `calc(var(--mm) * ${x})`;
  made.style.top = `calc(var(--mm) * ${y})`;
  made.style.width = `calc(var(--mm) * ${width})`;
  made.style.height = `calc(var(--mm) * ${height})`;
  made.style.rotate = `${turn}deg`;
  return made;
}

// Marks the pieces that can be chosen, and those that are.
/** @type {(pieces: string[], chosen: string[]) => void} */
export function markPieces(pieces, chosen) {
  for (const element of document.querySelectorAll("#felt .is-legal, #felt .is-taken")) element.classList.remove("is-legal", "is-taken");
  for (const piece of pieces) elementOf(Number(piece))?.classList.add("is-legal");
  for (const piece of chosen) elementOf(Number(piece))?.classList.add("is-taken");
}
