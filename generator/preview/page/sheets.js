// The sheets as they print. Every position comes from the plan of the PDF.

import { draw, find, make, matrix } from "./dom.js";
import { GLANCE, source } from "./picture.js";

/** @import { Affine, Mark, Page, Sheet, Side, State } from "./told.js" */
/** @import { Open } from "./findings.js" */

const MODES = { front: "Front", back: "Back", light: "Light table" };
/** @type {keyof typeof MODES} */
let mode = "front";
let light = 0.5, numbers = 0;
/** @type {[State, Open] | null} */
let last = null;
/** @type {WeakMap<Element, () => void>} */
const fills = new WeakMap(); // functions that draw a sheet once it is near the window

const waiting = new IntersectionObserver((entries) => {
  for (const { isIntersecting, target } of entries)
    if (isIntersecting) {
      waiting.unobserve(target);
      fills.get(target)?.();
    }
}, { rootMargin: "600px" });

/** @type {(state: State, open: Open) => void} */
export function showSheets(state, open) {
  last = [state, open];
  const holder = find("sheets");
  waiting.disconnect();
  if (!state.sheets.length) {
    holder.replaceChildren(make("p", { class: "quiet" }, "There are no sheets while there are errors: see the findings."));
    return;
  }
  const hasBacks = state.sheets.some((sheet) => sheet.pages.length > 1);
  if (!hasBacks) mode = "front";
  const figures = state.sheets.map((sheet) => figure(sheet, open)).filter((one) => one !== null);
  const focused = document.activeElement?.closest("#sheets .bar [data-name]")?.getAttribute("data-name");
  holder.replaceChildren(hasBacks ? bar() : "", make("div", { class: "row" }, ...figures));
  if (focused) /** @type {HTMLElement | null} */ (holder.querySelector(`[data-name="${focused}"]`))?.focus();
}

/** @param {keyof typeof MODES} name */
export function setMode(name) {
  mode = name;
  if (last) showSheets(...last);
}

export const turnSheet = () => setMode(mode === "front" ? "back" : "front");

function bar() {
  const modes = /** @type {[keyof typeof MODES, string][]} */ (Object.entries(MODES));
  const buttons = modes.map(([name, label]) =>
    make("button", { type: "button", "data-name": name, "aria-pressed": String(mode === name), onclick: () => setMode(name) }, label));
  /** @type {HTMLInputElement} */
  const slider = make("input", { type: "range", min: "0", max: "1", step: "0.02", value: light, "data-name": "light-range",
    oninput: () => shine(Number(slider.value)) });
  const range = mode === "light" ? make("label", {}, "front ", slider, " back") : null;
  shine(light);
  return make("div", { class: "bar" }, ...buttons, range,
    mode === "light" ? make("span", { class: "quiet" }, "The back shines through the front, as on a light table.") : null);
}

/** @param {number} value */
function shine(value) {
  light = value;
  const style = document.documentElement.style;
  style.setProperty("--front", String(Math.min(1, 2 * (1 - value))));
  style.setProperty("--back", String(value)); // paper dims its back
}

/** @type {(sheet: Sheet, open: Open) => HTMLElement | null} */
function figure(sheet, open) {
  const pages = /** @type {{[side in Side]: Page}} */ (Object.fromEntries(sheet.pages.map((page) => [page.side, page])));
  if (mode !== "front" && !pages.back) return null;
  if (mode === "front" && !pages.front) return null;
  if (mode === "light" && !sheet.through) return null;
  const [width, height] = sheet.paper;
  const name = `${sheet.title}: sheet ${sheet.number} of ${sheet.total}, ${MODES[mode].toLowerCase()}`;
  const svg = draw("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": name });
  fills.set(svg, () => svg.replaceChildren(...content(sheet, pages, open)));
  waiting.observe(svg);
  const paper = `${Math.round(width * 10) / 10} × ${Math.round(height * 10) / 10} mm`;
  return make("figure", { class: "sheet" }, svg, make("figcaption", {}, `${name}. ${paper}`));
}

/** @type {(sheet: Sheet, pages: {[side in Side]: Page}, open: Open) => SVGElement[]} */
function content(sheet, pages, open) {
  if (mode !== "light") return [printed(pages[mode], pages[mode].correction, open)];
  // The correction cancels the printer's error: on paper, both sides are in their places.
  const front = draw("g", { class: "front" }, printed(pages.front, null, open));
  const back = draw("g", { class: "back", transform: matrix(/** @type {Affine} */ (sheet.through)) }, printed(pages.back, null, open));
  front.style.opacity = "var(--front)";
  back.style.opacity = "var(--back)";
  return [front, back];
}

/** @type {(page: Page, correction: Affine | null, open: Open) => SVGElement} */
function printed(page, correction, open) {
  const group = draw("g", correction ? { transform: matrix(correction) } : {});
  for (const { face, affine, size: [width, height], clip } of page.placements) {
    const id = `clip-${(numbers += 1)}`;
    group.append(
      draw("clipPath", { id }, draw("path", { d: clip })),
      draw("g", { "clip-path": `url(#${id})` },
        draw("image", { href: source(face, "whole", GLANCE), width, height, transform: matrix(affine),
          preserveAspectRatio: "none", onclick: () => open(face) })));
  }
  /** @type {(mark: Mark) => {[name: string]: number}} */
  const ends = ([x1, y1, x2, y2]) => ({ x1, y1, x2, y2 });
  for (const mark of page.marks.filter((mark) => mark[5]))
    group.append(draw("line", { class: "halo", ...ends(mark), "stroke-width": mark[5] }));
  for (const mark of page.marks) group.append(draw("line", { ...ends(mark), "stroke-width": mark[4] }));
  for (const { text, size, affine, bold } of page.labels)
    group.append(draw("text", { "font-size": size, transform: matrix(affine), class: bold ? "bold" : false }, text));
  return group;
}
