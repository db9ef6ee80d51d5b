// What is chosen of a move so far: its pieces and their places, one after the other, in any order.

import { middleOf } from "./outlines.js";

/** @import { Look, Played, LegalMove } from "./told.js" */
/**
 * Where a move may put a piece: `place` is the number of its place, in which it may lie in several ways; x and y are
 * of the middle of its box.
 * @typedef {{number: number, piece: string, look: Look, x: number, y: number, turn: number, place: number}} Spot
 * A piece that a move touches, with the spot where it comes to lie, null if it stays. A place for any piece has the piece "".
 * @typedef {{piece: string, spot: Spot | null}} Member
 * @typedef {{move: LegalMove, members: Member[]}} Parts
 * The middle of what lies there, the same however a piece is turned.
 * @typedef {{x: number, y: number, spots: Spot[]}} Place
 * @typedef {{piece: string, spot?: Spot} | {place: number}} Choice
 */

const SAME = 1; // mm: places so near are one
const FEW = 9; // moves that are named though more could be pointed at

/**
 * What can be chosen next. `left`: the moves that fit. `held`: the piece that is to be laid next, if it is clear which
 * one. `spots`: where it may lie; without one, all spots. `pieces`: those to choose, in the place of the held one, too.
 * `named`: moves with a button, of which nothing is left to be pointed at, and a few that are left.
 * @typedef {{left: Parts[], held: string | null, spots: Spot[], pieces: string[], named: Parts[]}} View
 */

/** @type {{all: Parts[], places: Place[], chosen: Choice[], view: View | null}} */
const now = { all: [], places: [], chosen: [], view: null };

/** @param {Played} played */
export function begin({ moves, spots, looks }) {
  [now.chosen, now.places, now.view] = [[], [], null];
  const known = spots.map(([look, x, y, turn], number) => spotOf(number, looks[look], x, y, turn));
  now.all = moves.map((move) => ({
    move,
    members: [...move.takes.map((id) => ({ piece: String(id), spot: null })), ...move.puts.map((put) => ({ piece: known[put].piece, spot: known[put] }))],
  }));
}

/** @type {(number: number, look: Look, x: number, y: number, turn: number) => Spot} */
function spotOf(number, look, x, y, turn) {
  const [dx, dy] = middleOf(look, turn);
  const at = { x: x + dx, y: y + dy };
  let place = now.places.findIndex(({ x, y }) => Math.hypot(x - at.x, y - at.y) < SAME);
  if (place < 0) place = now.places.push({ ...at, spots: [] }) - 1;
  const spot = { number, piece: pieceOf(look), look, x, y, turn, place };
  now.places[place].spots.push(spot);
  return spot;
}

// What tells pieces apart: those that lie nowhere yet are alike if they have one name.
/** @param {Look} look */
const pieceOf = ({ id, set, face, name }) => (id !== null ? String(id) : face === null && name === "" ? "" : `${set} ${name}`);

/** @type {(parts: Parts, choice: Choice) => boolean} */
const fits = ({ members }, choice) =>
  members.some(({ piece, spot }) => ("place" in choice ? spot?.place === choice.place : piece === choice.piece && (!choice.spot || spot === choice.spot)));

/** @type {(count?: number) => Parts[]} */
const remaining = (count = now.chosen.length) => now.all.filter((parts) => now.chosen.slice(0, count).every((choice) => fits(parts, choice)));

const view = () => (now.view ??= look(remaining()));
export const rest = () => view().left;
export const held = () => view().held;
export const spots = () => view().spots;
export const pieces = () => view().pieces;
export const named = () => view().named;
export const chosen = () => now.chosen;

/** How a piece would lie that lies nowhere yet. @type {(piece: string) => Look | undefined} */
export const lookOf = (piece) => spotsIn(rest(), piece)[0]?.look;

/** Where the pieces of a move come to lie. @type {(move: LegalMove) => Spot[]} */
export const spotsOf = (move) => spotsIn(now.all.filter((parts) => parts.move === move));

/** @type {(place: number) => Place} */
export const placeOf = (place) => now.places[place];

/** @type {(left: Parts[]) => View} */
function look(left) {
  const held = heldIn(left), last = now.chosen.at(-1);
  const spots = spotsIn(left, held ?? undefined).filter((spot) => !isLaid(spot) && (held !== null || !isShared(left, spot)));
  const others = last && "piece" in last && !last.spot ? offered(remaining(now.chosen.length - 1)) : [];
  const pieces = [...new Set([...(held === null ? offered(left) : []), ...others])];
  return { left, held, spots, pieces, named: now.chosen.length && left.length <= FEW ? left : left.filter((parts) => isWhole(parts, left)) };
}

/** @type {(parts: Parts[], piece?: string) => Spot[]} */
const spotsIn = (parts, piece) => [...new Set(parts.flatMap(({ members }) => members.flatMap((member) => (member.spot && (piece === undefined || member.piece === piece) ? [member.spot] : []))))];

/** @type {(parts: Parts[]) => string[]} */
const piecesIn = (parts) => [...new Set(parts.flatMap(({ members }) => members.map(({ piece }) => piece)))].filter((piece) => piece);

/** @type {(spot: Spot) => boolean} */
const isLaid = (spot) => now.chosen.some((choice) => "spot" in choice && choice.spot === spot);

/** @type {(left: Parts[], spot: Spot) => boolean} */
const isShared = (left, spot) => left.every(({ members }) => members.some((member) => member.spot === spot));

/** @type {(left: Parts[], piece: string) => boolean} */
const isCommon = (left, piece) => left.every((parts) => fits(parts, { piece }));

/** @type {(left: Parts[], piece: string) => boolean} */
const hasChoice = (left, piece) => spotsIn(left, piece).some((spot) => !isLaid(spot) && !isShared(left, spot));

// The piece that was chosen; or the only one, if all moves take it.
/** @param {Parts[]} left */
function heldIn(left) {
  const last = now.chosen.at(-1);
  if (last && "piece" in last && !last.spot && spotsIn(left, last.piece).length) return last.piece;
  const open = offered(left);
  return open.length === 1 && isCommon(left, open[0]) ? open[0] : null;
}

/** @param {Parts[]} left */
const offered = (left) => piecesIn(left).filter((piece) => !isCommon(left, piece) || hasChoice(left, piece));

/** @type {(parts: Parts, left: Parts[]) => boolean} */
const isWhole = ({ members }, left) => members.every(({ piece, spot }) => (spot ? isLaid(spot) || isShared(left, spot) : isCommon(left, piece)));

// Adds a choice. Returns the move that it settles, if it does: where pieces have several spots, they have to be laid.
/** @type {(choice: Choice) => LegalMove | null} */
export function choose(choice) {
  while (now.chosen.length && !remaining().some((parts) => fits(parts, choice))) now.chosen.pop();
  now.chosen.push(choice);
  now.view = null;
  const { left } = view();
  const isSettled = "place" in choice || choice.spot || !spotsIn(left, choice.piece).length || piecesIn(now.all).every((piece) => spotsIn(now.all, piece).length < 2);
  return left.length === 1 && isSettled ? left[0].move : null;
}

export function takeBack() {
  now.view = null;
  return now.chosen.pop() !== undefined;
}
