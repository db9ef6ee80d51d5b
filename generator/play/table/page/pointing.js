// The piece at the pointer: it turns, snaps to the nearest legal place, and is laid by a click; by a finger, in two taps.

import * as choosing from "./choosing.js";
import { find, make } from "./dom.js";
import { middleOf } from "./outlines.js";
import { pieceAt, showAim } from "./places.js";
import { capital, say } from "./say.js";
import { mm, toTable } from "./scale.js";
import { hasState, isPlayed, setOf, warn, why } from "./table.js";

/** @import { Choice, Spot } from "./choosing.js" */
/** @typedef {{x: number, y: number}} Point */

const FAR = 6; // pixels before a press is a drag
const REACH = 0.45; // of the shorter side: so near to a place a piece snaps to it
const FINGER = 26; // pixels: so near a tap means a place
const TWIST = 25; // degrees that two fingers turn for one turn of a piece
const WHEEL = 40; // of its delta, for a turn

/**
 * `at`: where the piece hangs, in mm. `way`: how it is turned. `spot`: where it would be laid. `isSet`: whether it waits
 * there for a second tap, or is there by the keyboard.
 * @type {{at: Point | null, way: {isUp: boolean, turn: number} | null, spot: Spot | null, isSet: boolean, why: string}}
 */
const aim = { at: null, way: null, spot: null, isSet: false, why: "" };
/** @type {{x: number, y: number, id: string | null, thing: HTMLElement | null, isDragged: boolean} | null} */
let press = null;
/** @type {(choice: Choice) => void} */
let onChoice = () => {};
/** @type {() => void} */
let onAim = () => {};

export const aimed = () => aim;

// Forgets where the pointer aims: the next piece is another one.
export function aimAnew() {
  const first = choosing.held() === null ? undefined : choosing.spots()[0];
  const isSame = first && aim.way && choosing.spots().some(({ look, turn }) => isWay({ look, turn }, aim.way));
  aim.way = isSame ? aim.way : first ? { isUp: first.look.isUp, turn: first.turn } : null;
  [aim.spot, aim.isSet, aim.why] = [null, false, ""];
  if (aim.at) lookFor(aim.at);
  else show();
  hint(""); // nobody has aimed with this piece yet
}

/** @type {(spot: {look: {isUp: boolean}, turn: number}, way: {isUp: boolean, turn: number} | null) => boolean} */
const isWay = ({ look, turn }, way) => way !== null && look.isUp === way.isUp && turn === way.turn;

/** @type {(spot: Spot, at: Point) => number} */
function awayOf(spot, at) {
  const { x, y } = choosing.placeOf(spot.place);
  return Math.hypot(x - at.x, y - at.y);
}

/** @type {(spots: Spot[], at: Point) => Spot | undefined} */
const nearest = (spots, at) => spots.reduce((/** @type {Spot | undefined} */ best, spot) => (!best || awayOf(spot, at) < awayOf(best, at) ? spot : best), undefined);

/** @param {Spot} spot */
const reachOf = ({ look }) => REACH * Math.min(...setOf(look.set).size);

/** @type {(spots: Spot[], at: Point) => Spot[]} */
const within = (spots, at) => spots.filter((spot) => awayOf(spot, at) <= reachOf(spot));

// Whether it is a choice how a piece is turned: some place takes it in several ways.
/** @param {Spot[]} spots */
const isTurnable = (spots) => new Set(spots.map(({ place }) => place)).size < spots.length;

// Aims from a point of the table.
/** @param {Point} at */
export function lookFor(at) {
  const spots = choosing.spots();
  aim.at = at;
  [aim.spot, aim.isSet, aim.why] = [null, false, ""];
  const near = within(spots, at);
  const legal = choosing.held() === null || !isTurnable(spots) ? near : near.filter((spot) => isWay(spot, aim.way));
  aim.spot = nearest(legal, at) ?? null;
  if (aim.spot && !isTurnable(spots)) aim.way = { isUp: aim.spot.look.isUp, turn: aim.spot.turn };
  if (!aim.spot && choosing.held() !== null) aim.why = isAsked(at) ? asked.why : say(near.length ? "turn.not-so" : "turn.not-here");
  show();
}

// The reason that pnp told last, where it was asked, and with which piece.
/** @type {{at: Point, way: typeof aim.way, reach: number, why: string}} */
const asked = { at: { x: 0, y: 0 }, way: null, reach: 0, why: "" };

/** @param {Point} at */
const isAsked = (at) => asked.why !== "" && asked.way === aim.way && Math.hypot(at.x - asked.at.x, at.y - asked.at.y) < asked.reach;

// Asks why the piece that is held may not lie there; or any, if the place is chosen before the piece.
/** @param {Point} at */
async function ask(at) {
  const spots = choosing.spots(), way = aim.way;
  const spot = spots.find((spot) => isWay(spot, way)) ?? spots[0];
  if (!spot || (choosing.held() === null && spots.some(({ piece }) => piece))) return;
  const turn = way?.turn ?? spot.turn;
  const [dx, dy] = middleOf(spot.look, turn);
  const told = await why({ id: spot.look.id, set: spot.look.set, is_up: way?.isUp ?? spot.look.isUp, x: at.x - dx, y: at.y - dy, turn });
  if (!told || choosing.spots() !== spots) return;
  Object.assign(asked, { at, way, reach: reachOf(spot), why: told });
  if (aim.spot === null && aim.at && isAsked(aim.at)) hint((aim.why = told));
}

// Says why no move takes a piece.
/** @param {HTMLElement} thing */
export async function tellWhy({ dataset }) {
  warn(say("turn.no-move"));
  const told = await why({ id: Number(dataset.id) });
  if (told) warn(told);
}

function show() {
  for (const element of document.querySelectorAll(".laying.is-hanging")) element.remove();
  const piece = choosing.held(), spots = choosing.spots();
  const goal = aim.spot ?? (aim.at && piece !== null ? nearest(spots, aim.at) : undefined);
  showAim(goal ? goal.place : null);
  if (piece !== null && aim.at && aim.way) {
    const look = (spots.find((spot) => isWay(spot, aim.way)) ?? spots[0])?.look;
    if (aim.spot) find("felt").append(pieceAt(aim.spot.look, aim.spot, "is-hanging is-good"));
    else if (look) {
      const [dx, dy] = middleOf(look, aim.way.turn);
      find("felt").append(pieceAt(look, { x: aim.at.x - dx, y: aim.at.y - dy, turn: aim.way.turn }, "is-hanging is-bad"));
    }
  }
  hint(aim.why);
  onAim();
}

/** @param {string} why */
function hint(why) {
  let line = document.getElementById("why");
  if (!line) {
    line = make("p", { id: "why", role: "status" });
    document.body.append(line);
  }
  line.hidden = !why;
  if (line.textContent !== capital(why)) line.textContent = capital(why);
}

// Turns the piece to its next legal turn near where it hangs, or turns it over.
/** @type {(step: number, isOver?: boolean) => void} */
export function turn(step, isOver = false) {
  const spots = choosing.spots(), way = aim.way;
  if (choosing.held() === null || !way) return;
  const here = aim.isSet && aim.spot ? spots.filter(({ place }) => place === aim.spot?.place) : aim.at ? within(spots, aim.at) : [];
  const isUp = isOver ? !way.isUp : way.isUp;
  const on = (/** @type {Spot[]} */ all) => all.filter(({ look }) => look.isUp === isUp).map((spot) => spot.turn);
  const turns = [...new Set([on(here), on(spots)].find((found) => found.length))].sort((one, other) => one - other);
  if (!turns.length) return;
  const next = step > 0 ? turns.find((turn) => turn > way.turn) ?? turns[0] : turns.findLast((turn) => turn < way.turn) ?? turns[turns.length - 1];
  aim.way = { isUp, turn: isOver && turns.includes(way.turn) ? way.turn : next };
  if (aim.isSet && aim.spot) setAt(aim.spot.place);
  else if (aim.at) lookFor(aim.at);
}

export const canTurn = () => choosing.held() !== null && isTurnable(choosing.spots());
export const canTurnOver = () => choosing.held() !== null && new Set(choosing.spots().map(({ look }) => look.isUp)).size > 1;

// Sets the piece at a place, as it is turned if that is legal there. It waits to be laid.
/** @param {number} place */
export function setAt(place) {
  const here = choosing.spots().filter((spot) => spot.place === place);
  if (!here.length) return;
  const spot = here.find((spot) => isWay(spot, aim.way)) ?? here.find(({ look, turn }) => look.isUp === aim.way?.isUp && turn > aim.way.turn) ?? here[0];
  const { x, y } = choosing.placeOf(place);
  [aim.at, aim.spot, aim.isSet, aim.why] = [{ x, y }, spot, true, ""];
  if (choosing.held() !== null) aim.way = { isUp: spot.look.isUp, turn: spot.turn };
  show();
}

// Lays the piece where it would come to lie, or chooses that place.
export function lay() {
  if (!aim.spot) return false;
  const { piece, place } = aim.spot;
  onChoice(choosing.held() !== null ? { piece, spot: aim.spot } : { place });
  return true;
}

// Sets the piece at a place, and lays it if it waits there.
/** @param {number} place */
export function pressPlace(place) {
  if (aim.isSet && aim.spot?.place === place) lay();
  else setAt(place);
}

/** @type {(choice: (choice: Choice) => void, show: () => void) => void} */
export function watchPointing(choice, show) {
  [onChoice, onAim] = [choice, show];
  find("room").addEventListener("pointerdown", begin);
  addEventListener("pointermove", move);
  addEventListener("pointerup", end);
  addEventListener("pointercancel", () => (press = null));
  find("room").addEventListener("wheel", turnByWheel, { passive: false });
  find("room").addEventListener("touchmove", turnByFingers, { passive: false });
  find("room").addEventListener("touchend", () => (twist = null));
}

const isOn = () => hasState() && isPlayed();

/** @type {(event: PointerEvent) => Point} */
function pointOf(event) {
  const [x, y] = toTable(event.clientX, event.clientY);
  return { x, y };
}

/** @param {PointerEvent} event */
function begin(event) {
  if (!isOn() || event.button !== 0 || !event.isPrimary) return;
  const thing = /** @type {HTMLElement | null} */ (/** @type {Element} */ (event.target).closest(".thing"));
  const isLegal = thing?.classList.contains("is-legal");
  press = { x: event.clientX, y: event.clientY, id: (isLegal && thing?.dataset.id) || null, thing, isDragged: false };
}

/** @param {PointerEvent} event */
function move(event) {
  if (!isOn() || !event.isPrimary) return;
  if (press && !press.isDragged && Math.hypot(event.clientX - press.x, event.clientY - press.y) >= FAR) {
    press.isDragged = true;
    if (press.id !== null && press.id !== choosing.held()) onChoice({ piece: press.id });
  }
  const isOver = /** @type {Element} */ (event.target).closest?.("#room");
  if (event.pointerType === "mouse" ? isOver : press?.isDragged && press.id !== null) lookFor(pointOf(event));
}

/** @param {PointerEvent} event */
function end(event) {
  if (!press || !event.isPrimary) return;
  const { id, thing, isDragged } = press;
  press = null;
  const isTouch = event.pointerType !== "mouse";
  if (isDragged && id === null) return; // the table was moved
  if (isTouch) return tap(pointOf(event), isDragged ? null : id, thing);
  lookFor(pointOf(event));
  if (lay()) return;
  if (id !== null && !isDragged) onChoice({ piece: id });
  else refuse(pointOf(event), thing);
}

/** @type {(at: Point, thing: HTMLElement | null) => void} */
function refuse(at, thing) {
  if (!choosing.rest().length) return;
  if (thing && choosing.held() === null) tellWhy(thing);
  else ask(at);
}

// The first tap sets the piece, the second one at the same place lays it.
/** @type {(at: Point, id: string | null, thing: HTMLElement | null) => void} */
function tap(at, id, thing) {
  const best = nearest(choosing.spots(), at);
  if (best && awayOf(best, at) <= Math.max(1.5 * reachOf(best), FINGER / mm())) pressPlace(best.place);
  else if (id !== null) onChoice({ piece: id });
  else {
    if (choosing.held() !== null) lookFor(at);
    refuse(at, thing);
  }
}

let wheeled = 0;

/** @param {WheelEvent} event */
function turnByWheel(event) {
  if (!isOn() || event.ctrlKey || event.metaKey || !canTurn()) return;
  event.preventDefault();
  wheeled += event.deltaY || event.deltaX;
  if (Math.abs(wheeled) < WHEEL) return;
  turn(Math.sign(wheeled));
  wheeled = 0;
}

/** @type {number | null} */
let twist = null;

/** @param {TouchEvent} event */
function turnByFingers(event) {
  if (!isOn() || event.touches.length !== 2 || !canTurn()) return;
  event.preventDefault();
  const [one, other] = event.touches;
  const angle = (Math.atan2(other.clientY - one.clientY, other.clientX - one.clientX) * 180) / Math.PI;
  twist ??= angle;
  const by = ((angle - twist + 540) % 360) - 180;
  if (Math.abs(by) < TWIST) return;
  turn(Math.sign(by));
  twist = angle;
}
