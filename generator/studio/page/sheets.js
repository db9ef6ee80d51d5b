// The sheets as they print. Every position comes from the plan of the PDF.

import { draw, find, make, matrix } from "./dom.js";
import { GLANCE, source } from "./picture.js";
import { number, say, word } from "./say.js";
import { fitSheets } from "./sizes.js";

/** @import { Affine, Mark, Page, Sheet, Side, State } from "./told.js" */
/**
 * Which faces can be opened by a click, and how.
 * @typedef {{opens: (id: string) => boolean, open: (id: string) => void}} Opener
 */

const MODES = { print: say("sheets.printed"), light: say("sheets.light") };
const SIDES = { front: say("sheets.front"), back: say("sheets.back") };
/** @type {keyof typeof MODES} */
let mode = "print";
let light = 0.5, numbers = 0;
/** @type {[State, Opener] | null} */
let last = null;
/** @type {Map<Element, () => SVGElement[]>} */
const undrawn = new Map(); // pages, in order, and what draws them
/** @type {Set<Element>} */
const near = new Set(); // pages near the window
/** @type {Set<Element>} */
const coming = new Set(); // pictures that are not loaded yet

// Pages in the window are drawn at once, those near it when the pictures in it are loaded.
const eyes = new IntersectionObserver((entries) => {
  for (const { isIntersecting, target } of entries) if (isIntersecting) fill(target);
});
const waiting = new IntersectionObserver((entries) => {
  for (const { isIntersecting, target } of entries)
    if (isIntersecting) near.add(target);
    else near.delete(target);
  fillNear();
}, { rootMargin: "600px" });

function fillNear() {
  const next = coming.size ? undefined : [...undrawn.keys()].find((page) => near.has(page));
  if (next) fill(next);
}

/** @param {Element} page */
function fill(page) {
  const drawn = undrawn.get(page);
  if (!drawn) return;
  undrawn.delete(page);
  near.delete(page);
  eyes.unobserve(page);
  waiting.unobserve(page);
  page.replaceChildren(...drawn());
  for (const image of page.querySelectorAll("image")) {
    coming.add(image);
    for (const end of ["load", "error"])
      image.addEventListener(end, () => {
        coming.delete(image);
        fillNear();
      });
  }
}

/** @type {(state: State, opener: Opener) => void} */
export function showSheets(state, opener) {
  last = [state, opener];
  const holder = find("sheets");
  for (const observer of [eyes, waiting]) observer.disconnect();
  for (const pages of [undrawn, near, coming]) pages.clear();
  if (!state.sheets.length) {
    holder.replaceChildren(make("p", { class: "quiet" }, say("sheets.none")));
    return;
  }
  const hasBacks = state.sheets.some((sheet) => sheet.through);
  if (!hasBacks) mode = "print";
  const figures = state.sheets.filter((sheet) => mode === "print" || sheet.through).map((sheet) => figure(sheet, opener));
  const focused = document.activeElement?.closest("#sheets .bar [data-name]")?.getAttribute("data-name");
  holder.replaceChildren(hasBacks ? bar() : "", make("div", { class: "row" }, ...figures));
  fitSheets();
  for (const page of undrawn.keys()) for (const observer of [eyes, waiting]) observer.observe(page);
  if (focused) /** @type {HTMLElement | null} */ (holder.querySelector(`[data-name="${focused}"]`))?.focus();
}

/** @param {keyof typeof MODES} name */
export function setMode(name) {
  mode = name;
  if (last) showSheets(...last);
}

function bar() {
  const modes = /** @type {[keyof typeof MODES, string][]} */ (Object.entries(MODES));
  const buttons = modes.map(([name, label]) =>
    make("button", { type: "button", "data-name": name, "aria-pressed": String(mode === name), onclick: () => setMode(name) }, label));
  /** @type {HTMLInputElement} */
  const slider = make("input", { type: "range", min: "0", max: "1", step: "0.02", value: light, "data-name": "light-range",
    oninput: () => shine(Number(slider.value)) });
  const range = mode === "light" ? make("label", {}, `${word("front")} `, slider, ` ${word("back")}`) : null;
  shine(light);
  return make("div", { class: "bar" }, ...buttons, range,
    mode === "light" ? make("span", { class: "quiet" }, say("sheets.light-about")) : null);
}

/** @param {number} value */
function shine(value) {
  light = value;
  const style = document.documentElement.style;
  style.setProperty("--front", String(Math.min(1, 2 * (1 - value))));
  style.setProperty("--back", String(value)); // paper dims its back
}

/** @param {Page} page */
const isPrinted = ({ placements, marks, labels }) => placements.length + marks.length + labels.length > 0;

/** @type {(sheet: Sheet, opener: Opener) => HTMLElement} */
function figure(sheet, opener) {
  const [width, height] = sheet.paper;
  const name = say("sheets.name", { title: sheet.title, number: sheet.number, total: sheet.total });
  /** @type {(what: string, drawn: () => SVGElement[]) => SVGElement} */
  const paper = (what, drawn) => {
    const svg = draw("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": `${name}, ${what}` });
    undrawn.set(svg, drawn);
    return svg;
  };
  const pages = mode === "light"
    ? [paper(say("sheets.light"), () => onLightTable(sheet, opener))]
    : sheet.pages.filter(isPrinted).map((page) => make("div", { class: "page" },
      make("span", { class: "side", "aria-hidden": "true" }, SIDES[page.side]),
      paper(word(page.side), () => [printed(page, page.correction, opener)])));
  return make("figure", { class: pages.length > 1 ? "sheet has-back" : "sheet" },
    make("div", { class: "pages" }, ...pages), make("figcaption", {}, `${name}. ${number(width)} × ${number(height)} mm`));
}

/** @type {(sheet: Sheet, opener: Opener) => SVGElement[]} */
function onLightTable(sheet, opener) {
  const pages = /** @type {{[side in Side]: Page}} */ (Object.fromEntries(sheet.pages.map((page) => [page.side, page])));
  // The correction cancels the printer's error: on paper, both sides are in their places.
  const front = draw("g", { class: "front" }, printed(pages.front, null, opener));
  const back = draw("g", { class: "back", transform: matrix(/** @type {Affine} */ (sheet.through)) }, printed(pages.back, null, opener));
  front.style.opacity = "var(--front)";
  back.style.opacity = "var(--back)";
  return [front, back];
}

/** @type {(page: Page, correction: Affine | null, opener: Opener) => SVGElement} */
function printed(page, correction, { opens, open }) {
  const group = draw("g", correction ? { transform: matrix(correction) } : {});
  for (const { face, affine, size: [width, height], clip } of page.placements) {
    const id = `clip-${(numbers += 1)}`;
    group.append(
      draw("clipPath", { id }, draw("path", { d: clip })),
      draw("g", { "clip-path": `url(#${id})` },
        draw("image", { href: source(face, "whole", GLANCE), width, height, transform: matrix(affine),
          preserveAspectRatio: "none", ...(opens(face) ? { class: "opens", onclick: () => open(face) } : {}) })));
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
