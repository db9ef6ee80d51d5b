// A face by itself: large, with its lines, its row, what was found about it.

import { find, make } from "./dom.js";
import { findingBox } from "./findings.js";
import { CLOSE, GLANCE, card, crop, lines, show, source } from "./picture.js";
import { lookClose } from "./sight.js";

const LINES = { trim: "Trim", bleed: "Bleed", safe: "Safe zone" };
const off = new Set();
let current = null; // a key
let last = null; // the frame that was shown
let look = null; // key -> {component, piece, side, id, findings}, and the keys beside it

const dialog = () => find("large");
export const isOpen = () => dialog().open;
export const shows = (key) => isOpen() && current === key;

export function open(key, looker) {
  look = looker;
  if (!dialog().open) dialog().showModal();
  dialog().onclose = () => lookClose(null);
  go(key);
}

// What is shown is made anew; where the face went, it closes.
export function refresh() {
  if (!dialog().open) return;
  if (look.at(current)) render();
  else dialog().close();
}

export function turnOver() {
  const { component, piece, side } = look.at(current);
  const other = side === "front" ? "back" : "front";
  if (component.sides[other]) go(`${component.id}/${piece.id}/${other}`);
}

export function move(by) {
  const next = look.beside(current, by);
  if (next) go(next);
}

function go(key) {
  current = key;
  lookClose(key);
  render();
}

export function toggle(line) {
  if (!off.delete(line)) off.add(line);
  render();
}

function render() {
  const { component, piece, side, id, findings } = look.at(current);
  const box = component.sides[side];
  const focused = document.activeElement?.closest("#large .bar button")?.dataset.name;
  dialog().replaceChildren(
    bar(component, piece, side),
    make("div", { class: "pair" },
      make("div", { class: "stage" }, staged(box, id)),
      make("div", {}, rows(component, piece), ...findings.map((finding) => findingBox(finding)))),
  );
  dialog().querySelector(`[data-name="${focused ?? "next"}"]`)?.focus();
}

function bar(component, piece, side) {
  const button = (name, label, act, more = {}) =>
    make("button", { type: "button", "data-name": name, onclick: act, ...more }, ...[label].flat());
  const overlays = Object.entries(LINES).map(([line, label]) =>
    button(line, [make("span", { class: `key ${line}` }), label], () => toggle(line),
      { "aria-pressed": String(!off.has(line)), title: line[0] }));
  return make("div", { class: "bar" },
    make("h2", { id: "large-title" }, `${piece.id} `, make("small", { class: "quiet" }, `${component.title}, ${side}`)),
    ...overlays,
    component.sides.back ? button("over", "Turn over", turnOver, { title: "f" }) : null,
    button("previous", "←", () => move(-1), { "aria-label": "Previous" }),
    button("next", "→", () => move(1), { "aria-label": "Next" }),
    button("close", "Close", () => dialog().close()));
}

function staged(box, id) {
  const isBled = !off.has("bleed");
  const what = `${current} ${isBled}`;
  const isOther = last?.dataset.what !== what; // if not, its picture stays until a new one is there
  const frame = (last = isOther ? card(box) : last);
  Object.assign(frame.dataset, { what, id: id ?? "" });
  frame.replaceChildren(frame.firstElementChild);
  crop(frame, box, isBled);
  const overlay = lines(box);
  overlay.setAttribute("data-off", [...off].join(" "));
  if (isBled) frame.append(overlay);
  else frame.append(cropped(overlay, box));
  const [x0, y0, x1, y1] = isBled ? [0, 0, ...box.size] : box.trim;
  const ratio = (x1 - x0) / (y1 - y0);
  frame.style.width = `min(100%, ${(ratio * 74).toFixed(2)}vh)`;
  if (isOther) show(frame, id, GLANCE);
  if (id) sharper(frame, id);
  return frame;
}

function cropped(overlay, { trim: [x0, y0, x1, y1] }) {
  overlay.setAttribute("viewBox", `${x0} ${y0} ${x1 - x0} ${y1 - y0}`);
  return overlay;
}

function sharper(frame, id) {
  const close = new Image();
  close.onload = () => frame.dataset.id === id && show(frame, id, CLOSE);
  close.src = source(id, frame.dataset.part, CLOSE);
}

function rows(component, piece) {
  const row = ([name, value]) => make("tr", {}, make("th", { scope: "row" }, name), make("td", {}, String(value)));
  const [x0, y0, x1, y1] = component.sides.front.trim;
  const mm = (length) => `${Math.round(length * 100) / 100}`;
  const about = [
    ["stands in", piece.where],
    ["copies", piece.copies],
    ["cut size", `${mm(x1 - x0)} × ${mm(y1 - y0)} mm`],
  ];
  return make("table", {}, make("caption", { class: "unseen" }, `The row of ${piece.id}`),
    make("tbody", {}, ...Object.entries(piece.row).map(row), ...about.map(row)));
}
