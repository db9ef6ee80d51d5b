// A single face: large, with its lines, its row and its findings.

import { find, make } from "./dom.js";
import { canEdit } from "./edit.js";
import { findingBox } from "./findings.js";
import { editFace, leaveFace } from "./parts.js";
import { CLOSE, GLANCE, boxOf, card, crop, imageOf, lines, partOf, show, source } from "./picture.js";
import { openRow } from "./rows.js";
import { number, say, word } from "./say.js";
import { lookClose } from "./sight.js";

/** @import { Attributes, Child } from "./dom.js" */
/** @import { Box, Component, Finding, Piece, Side } from "./told.js" */

/**
 * Finds the face of a key, and the keys beside it.
 * @typedef {object} Looker
 * @property {(key: string) => LargeFace | null} at
 * @property {(key: string, by: number) => string | null} beside
 */
/** @typedef {{component: Component, piece: Piece, side: Side, id: string | undefined, findings: Finding[]}} LargeFace */

const LINES = { trim: say("face.trim"), bleed: say("face.bleed"), safe: say("face.safe") };
const off = new Set();
let current = ""; // a key
/** @type {HTMLElement | null} */
let last = null; // the last frame
/** @type {Looker} */
let look; // set when a face is first opened

const dialog = () => find("large");
export const isOpen = () => dialog().open;
export const key = () => current;
/** @type {(key: string) => boolean} */
export const shows = (key) => isOpen() && current === key;

/** @type {(key: string, looker: Looker) => void} */
export function open(key, looker) {
  look = looker;
  if (!dialog().open) dialog().showModal();
  dialog().onclose = () => (lookClose(null), leaveFace());
  go(key);
}

// Renders the face again, or closes the dialog if the face is gone.
export function refresh() {
  if (!dialog().open) return;
  if (look.at(current)) render();
  else dialog().close();
}

const face = () => /** @type {LargeFace} */ (look.at(current));

export function turnOver() {
  const { component, piece, side } = face();
  const other = side === "front" ? "back" : "front";
  if (component.sides[other]) go(`${component.id}/${piece.id}/${other}`);
}

/** @param {number} by */
export function move(by) {
  const next = look.beside(current, by);
  if (next) go(next);
}

/** @param {string} key */
function go(key) {
  current = key;
  lookClose(key);
  render();
}

/** @param {string} line */
export function toggle(line) {
  if (!off.delete(line)) off.add(line);
  render();
}

function render() {
  const { component, piece, side, id, findings } = face();
  const box = boxOf(component, piece, side);
  const focused = document.activeElement?.closest("#large .bar button")?.getAttribute("data-name");
  const frame = staged(box, id);
  const edited = editFace({ key: current, component, piece, side, box, view: viewOf(box), frame });
  const about = make("div", {}, rows(component, piece), ...findings.map((finding) => findingBox(finding)));
  const old = [...dialog().querySelectorAll(".bar, .about")], now = [bar(component, piece, side), about];
  about.className = "about";
  // what stays in its place keeps its focus
  if (dialog().contains(frame) && dialog().contains(edited)) old.forEach((part, index) => part.replaceWith(now[index]));
  else {
    document.body.append(find("complaint"));
    dialog().replaceChildren(now[0], make("div", { class: edited ? "pair is-edited" : "pair" }, make("div", { class: "stage" }, frame), make("div", {}, edited, about)));
  }
  if (focused || !dialog().contains(document.activeElement))
    /** @type {HTMLElement | null} */ (dialog().querySelector(`[data-name="${focused ?? "next"}"]`))?.focus();
}

/** @type {(box: Box) => import("./told.js").Rect} */
const viewOf = ({ size, trim }) => (off.has("bleed") ? trim : [0, 0, ...size]);

/** @type {(component: Component, piece: Piece, side: Side) => HTMLElement} */
function bar(component, piece, side) {
  /** @type {(name: string, label: string | Child[], act: () => void, more?: Attributes) => HTMLElement} */
  const button = (name, label, act, more = {}) =>
    make("button", { type: "button", "data-name": name, onclick: act, ...more }, ...[label].flat());
  const overlays = Object.entries(LINES).map(([line, label]) =>
    button(line, [make("span", { class: `key ${line}` }), label], () => toggle(line),
      { "aria-pressed": String(!off.has(line)), title: line[0] }));
  return make("div", { class: "bar" },
    make("h2", { id: "large-title" }, `${piece.id} `, make("small", { class: "quiet" }, `${component.title}, ${word(side)}`)),
    ...overlays,
    component.sides.back ? button("over", say("face.turn-over"), turnOver, { title: "f" }) : null,
    button("previous", "←", () => move(-1), { "aria-label": say("face.previous") }),
    button("next", "→", () => move(1), { "aria-label": say("face.next") }),
    canEdit() ? button("row", say("rows.row"), () => (dialog().close(), openRow(piece.where)), { title: "r" }) : null,
    button("close", say("page.close"), () => dialog().close()));
}

/** @type {(box: Box, id: string | undefined) => HTMLElement} */
function staged(box, id) {
  const isBled = !off.has("bleed");
  const what = `${current} ${isBled}`;
  const isOther = last?.dataset.what !== what; // if not, the old picture stays until the new one is loaded
  const frame = (last = isOther || !last ? card(box) : last);
  Object.assign(frame.dataset, { what, id: id ?? "" });
  frame.querySelector(".lines")?.remove();
  crop(frame, box, isBled);
  const overlay = lines(box);
  overlay.setAttribute("data-off", [...off].join(" "));
  imageOf(frame).after(isBled ? overlay : cropped(overlay, box));
  const [x0, y0, x1, y1] = viewOf(box);
  const ratio = (x1 - x0) / (y1 - y0);
  frame.style.width = `min(100%, ${(ratio * 74).toFixed(2)}vh)`;
  if (isOther) show(frame, id, GLANCE);
  if (id) sharper(frame, id);
  return frame;
}

/** @type {(overlay: SVGElement, box: Box) => SVGElement} */
function cropped(overlay, { trim: [x0, y0, x1, y1] }) {
  overlay.setAttribute("viewBox", `${x0} ${y0} ${x1 - x0} ${y1 - y0}`);
  return overlay;
}

/** @type {(frame: HTMLElement, id: string) => void} */
function sharper(frame, id) {
  const close = new Image();
  close.onload = () => frame.dataset.id === id && show(frame, id, CLOSE);
  close.src = source(id, partOf(frame), CLOSE);
}

/** @type {(component: Component, piece: Piece) => HTMLElement} */
function rows(component, piece) {
  /** @type {(cell: [name: string, value: string | number]) => HTMLElement} */
  const row = ([name, value]) => make("tr", {}, make("th", { scope: "row" }, name), make("td", {}, String(value)));
  const [x0, y0, x1, y1] = component.sides.front.trim;
  /** @type {(length: number) => string} */
  const mm = (length) => number(length, 2);
  /** @type {[string, string | number][]} */
  const about = [
    [say("face.row"), piece.where],
    [say("face.copies"), piece.copies],
    [say("face.cut-size"), `${mm(x1 - x0)} × ${mm(y1 - y0)} mm`],
  ];
  return make("table", {}, make("caption", { class: "unseen" }, say("face.row-of", { piece: piece.id })),
    make("tbody", {}, ...Object.entries(piece.row).map(row), ...about.map(row)));
}
