// A face as a picture, cut out or with its bleed, painted by the engine that prints.

import { draw, make } from "./dom.js";

/** @import { Box, Component, Piece, Side } from "./told.js" */
/** @typedef {"piece" | "whole"} Part */
/** @typedef {Pick<Box, "size" | "trim" | "cut">} Edges */

export const GLANCE = 96, NEAR = 192, CLOSE = 300;

// The part is "piece", the box of the trim, or "whole", that of the bleed.
/** @type {(id: string, part: Part, dpi: number) => string} */
export const source = (id, part, dpi) => `/face/${id}/${part}-${dpi}.jpg`;

// The lines of a face as it is read: that of a card which lies turned has its own.
/** @type {(component: Component, piece: Piece, side: Side) => Box} */
export const boxOf = (component, piece, side) =>
  piece.turned[side] ?? /** @type {Box} */ (component.sides[side]);

// A frame for pictures of one side of a component; `show(card, id)` sets its picture.
/** @param {Edges} box */
export function card(box, { bled = false } = {}) {
  const image = make("img", { alt: "", draggable: "false", loading: "lazy" });
  const frame = make("span", { class: "card" }, image);
  crop(frame, box, bled);
  return frame;
}

/** @type {(frame: HTMLElement) => HTMLImageElement} */
export const imageOf = (frame) => /** @type {HTMLImageElement} */ (frame.firstElementChild);

/** @type {(frame: HTMLElement) => Part} */
export const partOf = (frame) => /** @type {Part} */ (frame.dataset.part);

/** @type {(frame: HTMLElement, box: Edges, bled: boolean) => void} */
export function crop(frame, box, bled) {
  const [width, height] = box.size;
  const [x0, y0, x1, y1] = bled ? [0, 0, width, height] : box.trim;
  frame.dataset.part = bled ? "whole" : "piece";
  frame.style.aspectRatio = `${x1 - x0} / ${y1 - y0}`;
  /** @type {(value: string | number, start: number, end: number) => string} */
  const share = (value, start, end) => `${((100 * (Number(value) - start)) / (end - start)).toFixed(3)}%`;
  const corners = box.cut.slice(1, -1).split("L").map((corner) => corner.split(" "));
  imageOf(frame).style.clipPath = bled
    ? "none"
    : `polygon(${corners.map(([x, y]) => `${share(x, x0, x1)} ${share(y, y0, y1)}`).join(",")})`;
}

/** @type {(frame: HTMLElement, id: string | undefined, dpi?: number) => boolean} */
export function show(frame, id, dpi = GLANCE) {
  const image = imageOf(frame);
  const url = id ? source(id, partOf(frame), dpi) : "";
  frame.dataset.face = id ?? "";
  if (image.getAttribute("src") === url) return false;
  if (url) image.src = url;
  else image.removeAttribute("src");
  return true;
}

// Shows a picture that was sent, in base64; the last one stays until it is loaded. For twelve, new
// images that are loaded first would take 4 ms more.
/** @type {(frame: HTMLElement, id: string, picture: string) => void} */
export function showSent(frame, id, picture) {
  const image = imageOf(frame);
  frame.dataset.face = id;
  image.loading = "eager";
  image.decoding = "sync"; // or the frame that shows it may be empty
  image.src = `data:image/jpeg;base64,${picture}`;
}

// Replaces the picture with one that is loaded.
/** @type {(frame: HTMLElement, image: HTMLImageElement, id: string) => void} */
export function swap(frame, image, id) {
  frame.dataset.face = id;
  const before = imageOf(frame);
  image.alt = "";
  image.draggable = false;
  image.style.cssText = before.style.cssText;
  before.replaceWith(image);
}

// After a pause, replaces enlarged pictures by sharper ones.
let calm = 0;
export function sharpenSoon() {
  clearTimeout(calm);
  calm = setTimeout(sharpen, 700);
}

function sharpen() {
  for (const image of /** @type {NodeListOf<HTMLImageElement>} */ (document.querySelectorAll("#faces .card img[src]"))) {
    const box = image.getBoundingClientRect();
    const isSeen = box.bottom > 0 && box.top < innerHeight && box.width > 0;
    const isCoarse = image.naturalWidth && box.width * devicePixelRatio > image.naturalWidth * 1.15;
    const frame = /** @type {HTMLElement} */ (image.parentElement);
    const sharper = source(frame.dataset.face ?? "", partOf(frame), NEAR);
    if (isSeen && isCoarse && image.getAttribute("src") !== sharper) image.src = sharper;
  }
}

// The lines of a face: trim, bleed and safe zone.
/** @param {Box} box */
export function lines(box) {
  const [width, height] = box.size;
  const paths = { trim: box.lines, bleed: box.bleed, safe: box.safe };
  /** @param {keyof typeof paths} name */
  const line = (name) => [
    draw("path", { class: `${name} under`, d: paths[name] }),
    draw("path", { class: name, d: paths[name] }),
  ];
  return draw(
    "svg",
    { class: "lines", viewBox: `0 0 ${width} ${height}`, "aria-hidden": "true" },
    ...line("bleed"), ...line("trim"), ...line("safe"),
  );
}
