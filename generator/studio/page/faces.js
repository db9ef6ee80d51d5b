// The grid: every front, and every distinct back. An element lives as long as its face, so that a
// change replaces its picture and nothing else moves.

import { find, make } from "./dom.js";
import { GLANCE, boxOf, card, crop, partOf, sharpenSoon, show, showSent, source, swap } from "./picture.js";
import { say } from "./say.js";
import { isSeen, watch } from "./sight.js";
import { fit, size } from "./sizes.js";

/** @import { Component, Finding, Level, Pictures, Piece, Side, State } from "./told.js" */
/** @import { Holds } from "./filter.js" */
/** @import { Open } from "./findings.js" */
/** @typedef {{component: Component, pieces: Piece[], side: Side}} Cell */

/** @type {Map<string, HTMLElement>} */
const kept = new Map(); // key -> cell
/** @type {Map<string, string>} */
const shownIds = new Map(); // key -> the id of its last face
/** @type {Set<string>} */
const failed = new Set(); // ids of faces that could not be painted

/** How sides are shown: both, or each piece as one tile, with the front or the back up. @type {"both" | "front" | "back"} */
let up = "both";
/** @type {Set<string>} */
const turned = new Set(); // pieces whose tile shows the other side, as component/piece

/** @param {string} sides */
export function showSides(sides) {
  up = sides === "front" || sides === "back" ? sides : "both";
  turned.clear();
}

/** Turns a tile over, if it has two sides; returns the key of the face that it shows then. @param {string} key */
export function turnTile(key) {
  const own = key.slice(0, key.lastIndexOf("/"));
  if (up === "both") return key;
  if (!turned.delete(own)) turned.add(own);
  return `${own}/${key.endsWith("/front") ? "back" : "front"}`;
}

// Cells of a component: each front, then each distinct back; or a tile of each piece.
/** @type {(component: Component, holds: Holds) => Generator<Cell>} */
function* listCells(component, holds) {
  const pieces = component.pieces.filter((piece) => holds(piece, component));
  const isTile = up !== "both" && component.sides.back;
  for (const piece of pieces) {
    const isTurned = turned.has(`${component.id}/${piece.id}`) !== (up === "back");
    yield { component, pieces: [piece], side: isTile && isTurned ? "back" : "front" };
  }
  if (isTile || !component.sides.back) return;
  /** @type {Map<string, Piece[]>} */
  const alike = new Map();
  for (const piece of pieces) {
    const id = piece.faces.back ?? `none ${piece.id}`;
    alike.set(id, [...(alike.get(id) ?? []), piece]);
  }
  for (const own of alike.values()) yield { component, pieces: own, side: "back" };
}

/** @type {(cell: Cell) => string} */
export const keyOf = ({ component, pieces, side }) => `${component.id}/${pieces[0].id}/${side}`;

/** @param {string} text */
const fold = (text) => text.toLocaleLowerCase().replace(/[^\p{L}\d]+/gu, "-");

/** @type {(cell: Cell) => string} */
function nameOf({ pieces, side, component }) {
  const [piece] = pieces;
  const title = String(piece.row.title ?? piece.row.name ?? "");
  const name = title && fold(title) !== fold(piece.id) ? `${piece.id} · ${title}` : piece.id;
  if (side === "front") return piece.copies > 1 ? `${name} ×${piece.copies}` : name;
  if (pieces.length === 1) return say("face.back", { piece: piece.id });
  const isAll = pieces.length === component.pieces.length;
  return isAll ? say("face.back-of-all", { count: pieces.length }) : say("face.back-of", { count: pieces.length });
}

// All cells that match the search, in order.
/** @type {(state: State, holds: Holds) => Cell[]} */
export function cellsOf(state, holds) {
  return state.components.flatMap((component) => [...listCells(component, holds)]);
}

/** @type {(state: State, holds: Holds, open: Open) => void} */
export function showFaces(state, holds, open) {
  const sections = state.components.map((component) => {
    const cells = [...listCells(component, holds)];
    const all = component.pieces.length;
    const left = new Set(cells.flatMap(({ pieces }) => pieces)).size;
    const number = left === all ? say("face.pieces", { count: all }) : say("face.some-pieces", { left, count: all });
    return cells.length === 0 ? null : make(
      "section",
      { "aria-label": component.title },
      make("h2", {}, `${component.title} `, make("small", {}, number)),
      make("div", { class: "grid" }, ...cells.map((cell) => dressed(cell, open))),
    );
  }).filter((section) => section !== null);
  const focused = focusedKey();
  const none = make("p", { class: "quiet" }, say("face.no-match"));
  find("faces").replaceChildren(...(sections.length ? sections : [none]));
  fit();
  if (focused) kept.get(focused)?.focus({ preventScroll: true });
  rove(focusedKey() ?? first()?.dataset.key);
  sharpenSoon();
}

const focusedKey = () => document.activeElement?.getAttribute("data-key");

/** @type {(cell: Cell, open: Open) => HTMLElement} */
function dressed(cell, open) {
  const key = keyOf(cell);
  const button = kept.get(key) ?? bare(key, open);
  kept.set(key, button);
  const box = boxOf(cell.component, cell.pieces[0], cell.side);
  const frame = within(button, ".card");
  const mold = JSON.stringify(box);
  if (button.dataset.mold !== mold) {
    button.dataset.mold = mold;
    button.dataset.across = (box.trim[2] - box.trim[0]).toFixed(2);
    crop(frame, box, false);
    size(button);
  }
  const name = nameOf(cell);
  within(button, ".name").textContent = name;
  button.dataset.name = cell.side === "front" ? say("face.front", { name, title: cell.component.title }) : `${name}, ${cell.component.title}`;
  picture(key, cell.pieces[0].faces[cell.side]);
  return button;
}

/** @type {(cell: HTMLElement, selector: string) => HTMLElement} */
const within = (cell, selector) => /** @type {HTMLElement} */ (cell.querySelector(selector));

/** @type {(key: string, open: Open) => HTMLElement} */
function bare(key, open) {
  const frame = card({ size: [1, 1], trim: [0, 0, 1, 1], cut: "M0 0L1 0L1 1Z" });
  const cell = make(
    "button",
    { class: "cell", type: "button", "data-key": key, tabindex: "-1", onclick: () => open(key),
      onfocus: () => rove(key) },
    make("span", { class: "shade" }, frame),
    make("span", { class: "name" }),
    make("span", { class: "badge", "aria-hidden": "true", hidden: true }),
  );
  watch(cell);
  return cell;
}

// Updates the picture of a face. One that is coming will be sent; any other is requested.
/** @type {(key: string, id: string | undefined, isComing?: boolean) => void} */
export function picture(key, id, isComing = false) {
  const button = kept.get(key);
  if (!button) return;
  button.classList.toggle("is-missing", !id || failed.has(id));
  if (!id) return; // the last picture stays
  const before = shownIds.get(key);
  shownIds.set(key, id);
  if (before === id) return;
  const frame = within(button, ".card");
  coming.delete(key);
  if (!before || !isSeen(key)) {
    show(frame, id); // loads when it is near the window
    return;
  }
  coming.set(key, { id, image: new Image() }); // the old one stays until this one is loaded
  if (!isComing) load(key);
}

// Requests a picture that is coming, and shows it once it is loaded.
/** @param {string} key */
function load(key) {
  const next = coming.get(key), button = kept.get(key);
  if (!next || !button) return;
  const { id, image } = next, frame = within(button, ".card");
  image.onload = () => {
    ready.push(() => {
      if (shownIds.get(key) !== id) return;
      swap(frame, image, id);
      flash(button);
    });
    arrive(key, image);
  };
  image.onerror = () => {
    failed.add(id);
    if (shownIds.get(key) === id) button.classList.add("is-missing");
    arrive(key, image);
  };
  image.src = source(id, partOf(frame), GLANCE);
  image.decode().catch(() => {}); // now, not in the frame that first shows it
}

// Loaded pictures wait a little for others, because each redrawing of the page is expensive.
const TOGETHER = 60; // ms
/** @type {Map<string, {id: string, image: HTMLImageElement}>} */
const coming = new Map(); // by key
/** @type {(() => void)[]} */
let ready = [];
let patience = 0;

/** @type {(told: Pictures) => void} */
export function takePictures(told) {
  for (const [key, { id, image }] of coming) {
    if (image.src || !(id in told)) continue;
    if (told[id]) put(key, id, told[id]);
    else load(key);
  }
  if (!coming.size) showReady();
}

/** @type {(key: string, id: string, picture: string) => void} */
function put(key, id, picture) {
  coming.delete(key);
  const button = /** @type {HTMLElement} */ (kept.get(key));
  showSent(within(button, ".card"), id, picture);
  flash(button);
}

// Requests the pictures that were coming: what was sent while there was no connection is lost.
export function requestComing() {
  for (const [key, { image }] of coming) if (!image.src) load(key);
}

/** @type {(key: string, image: HTMLImageElement) => void} */
function arrive(key, image) {
  if (coming.get(key)?.image === image) coming.delete(key);
  if (!coming.size) showReady();
  else patience ||= setTimeout(showReady, TOGETHER);
}

function showReady() {
  clearTimeout(patience);
  patience = 0;
  const pictures = ready;
  ready = [];
  for (const put of pictures) put();
}

/** @param {HTMLElement} button */
function flash(button) {
  button.classList.remove("is-new");
  requestAnimationFrame(() => button.classList.add("is-new"));
}

// Scrolls the grid to a face.
/** @param {string} key */
export const goTo = (key) => kept.get(key)?.scrollIntoView({ block: "center" });

/** @type {(HTMLElement | undefined)[]} */
let outlined = [];

// Outlines the faces of the rows that are selected in a table.
/** @param {string[]} keys */
export function outline(keys) {
  for (const cell of outlined) cell?.classList.remove("is-chosen");
  outlined = keys.map((key) => kept.get(key));
  for (const cell of outlined) cell?.classList.add("is-chosen");
}

// Badges: the number of findings, in the colour of the worst.
/** @param {Finding[]} findings */
export function showBadges(findings) {
  /** @type {Map<string, Level[]>} */
  const of = new Map();
  for (const { level, faces } of findings)
    for (const key of faces) of.set(key, [...(of.get(key) ?? []), level]);
  for (const [key, button] of kept) {
    const levels = of.get(key) ?? [];
    const badge = within(button, ".badge");
    const worst = /** @type {Level[]} */ (["error", "warning", "note"]).find((level) => levels.includes(level)) ?? "";
    badge.className = `badge ${worst}`;
    badge.textContent = String(levels.length || "");
    badge.hidden = levels.length === 0;
    const suffix = levels.length ? `, ${say("finding.findings", { count: levels.length })}` : "";
    button.setAttribute("aria-label", `${button.dataset.name ?? key}${suffix}`);
  }
}

// Tab reaches one cell, the arrow keys the others.
/** @type {() => HTMLElement[]} */
const shown = () => [...document.querySelectorAll("#faces .cell")].map((cell) => /** @type {HTMLElement} */ (cell));
/** @type {() => HTMLElement | undefined} */
const first = () => shown()[0];

/** @param {string | undefined} key */
function rove(key) {
  for (const button of shown()) button.tabIndex = button.dataset.key === key ? 0 : -1;
}

/** @param {string} direction */
export function step(direction) {
  const cells = shown();
  const at = cells.indexOf(/** @type {HTMLElement} */ (document.activeElement));
  const next = at < 0 ? cells.find((cell) => cell.tabIndex === 0) ?? cells[0] : neighbour(cells, at, direction);
  next?.focus();
  next?.scrollIntoView({ block: "nearest" });
}

/** @type {(cells: HTMLElement[], at: number, direction: string) => HTMLElement | undefined} */
function neighbour(cells, at, direction) {
  if (direction === "ArrowRight") return cells[at + 1];
  if (direction === "ArrowLeft") return cells[at - 1];
  const here = cells[at].getBoundingClientRect();
  /** @type {(box: DOMRect) => number} */
  const middle = (box) => box.left + box.width / 2;
  const sign = direction === "ArrowDown" ? 1 : -1;
  let best, least = Infinity;
  for (const cell of cells) {
    const box = cell.getBoundingClientRect();
    const down = sign * (box.bottom - here.bottom);
    if (down <= here.height / 3) continue;
    const far = down * 4 + Math.abs(middle(box) - middle(here));
    if (far < least) [best, least] = [cell, far];
  }
  return best;
}
