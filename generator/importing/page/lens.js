// An enlarged part of a page, beside the pointer: a tenth of a millimetre can be seen on it.

import { draw, find } from "./dom.js";
import { key } from "./server.js";

/** @import { Pair } from "./told.js" */
/** @typedef {{page: number, size: Pair, spot: Pair, outlines: string, near: Pair}} Sight what of a page, and beside which place of the window (px) */

const ACROSS = 10, SIDE = 200; // mm, px
const PART = 24; // mm, as pnp enlarges them
const AWAY = 36, EDGE = 8; // px

const lens = find("lens"), parts = draw("g"), outlines = ["casing", "ghost"].map((name) => draw("path", { class: name }));
const whole = draw("image", { preserveAspectRatio: "none" });
const svg = draw("svg", { width: SIDE, height: SIDE }, whole, parts, ...outlines);
lens.append(svg);
let shown = 0;
let hiding = 0;

/** @type {(page: number, part?: string) => string} */
export const pictureOf = (page, part = "") => `/${key}/page${page}${part}.png`;

/** @type {(sight: Sight) => void} */
export function showLens({ page, size, spot, outlines: path, near }) {
  clearTimeout(hiding);
  if (page !== shown) {
    shown = page;
    parts.replaceChildren();
    whole.setAttribute("href", pictureOf(page));
    whole.setAttribute("width", String(size[0]));
    whole.setAttribute("height", String(size[1]));
  }
  const [x, y] = spot.map((side) => side - ACROSS / 2);
  svg.setAttribute("viewBox", `${x} ${y} ${ACROSS} ${ACROSS}`);
  for (const line of outlines) line.setAttribute("d", path);
  for (const left of [x, x + ACROSS])
    for (const top of [y, y + ACROSS]) enlarge(page, Math.floor(left / PART), Math.floor(top / PART), size);
  lens.hidden = false;
  const room = [document.documentElement.clientWidth, innerHeight];
  const left = near[0] + AWAY + SIDE > room[0] - EDGE ? near[0] - AWAY - SIDE : near[0] + AWAY;
  const top = near[1] - AWAY - SIDE < EDGE ? near[1] + AWAY : near[1] - AWAY - SIDE;
  lens.style.translate = `${Math.min(Math.max(left, EDGE), room[0] - SIDE - EDGE)}px ${Math.min(Math.max(top, EDGE), room[1] - SIDE - EDGE)}px`;
}

/** @type {(page: number, across: number, down: number, size: Pair) => void} */
function enlarge(page, across, down, size) {
  const part = `-${across}-${down}`;
  if (Math.min(across, down) < 0 || across * PART >= size[0] || down * PART >= size[1]) return;
  if ([...parts.children].some((child) => child.getAttribute("data-part") === part)) return;
  parts.append(draw("image", { "data-part": part, href: pictureOf(page, part), x: across * PART, y: down * PART, width: PART, height: PART, preserveAspectRatio: "none" }));
}

export function hideLens() {
  hiding = setTimeout(() => (lens.hidden = true));
}
