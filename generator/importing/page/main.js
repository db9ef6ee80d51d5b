// The page on which the cards of a PDF are shown, and moved.

import { draw, find, make } from "./dom.js";
import { gridOf, isSaid, saidGrid, usualGrid, wantedOf } from "./grid.js";
import { begin, dropHandles, isDragged, layHandles, pathOf } from "./handles.js";
import { pictureOf } from "./lens.js";
import "./numbers.js";
import { capital, say, word } from "./say.js";
import * as server from "./server.js";

/** @import { Options, Pair, Place, Told } from "./told.js" */
/** @import { Grid } from "./grid.js" */
/** @typedef {{number: number, size: Pair, figure: HTMLElement, svg: SVGSVGElement, outlines: SVGGElement, reason: HTMLElement, out: HTMLButtonElement, back: HTMLButtonElement}} Sheet */

const SOON = 120; // ms after a change, before pnp is asked
const LABEL = 15, MOST_IN_LABEL = 3; // px; numbers of the fronts of one back
const SIZES = [280, 360, 460, 600, 800, 1100, 1500]; // px: the width of a page
const FIELDS = ["width", "height", "rows", "columns", "left", "top", "across", "down", "bleed"];

/** @type {Told} */
let told;
/** @type {Options} */
let said;
/** @type {Options} */
let given;
/** @type {Sheet[]} */
const sheets = [];
/** @type {Sheet} */
let active;
let asked = 0, waiting = 0;

const form = find("form");
/** @type {(name: string) => HTMLInputElement} */
const field = (name) => /** @type {HTMLInputElement} */ (form.elements.namedItem(name));

// What pnp is asked ---------------------------------------------------------------------------

/** Takes options, and asks soon what pnp makes of them. @type {(options: Options) => void} */
function change(options) {
  said = options;
  asked++; // an answer to what was said before is late
  sessionStorage.setItem(server.key, JSON.stringify(options)); // for the same page, loaded again
  fill();
  clearTimeout(waiting);
  waiting = setTimeout(ask, SOON);
}

async function ask() {
  const turn = ++asked;
  document.body.classList.add("is-asking");
  try {
    const answer = await server.look(said ?? null);
    if (turn !== asked) return;
    if (!answer) return gone();
    told = answer;
    if (!isDragged()) said = told.said;
    show();
  } catch (error) {
    find("fault").textContent = error instanceof Error ? error.message : String(error);
  }
  document.body.classList.remove("is-asking");
}

const gone = () => find("fault").replaceChildren(say("adjust.gone"), " ", make("code", {}, `${told?.command ?? "pnp import"} --adjust`));

// The cards of a page -------------------------------------------------------------------------

/** @type {(page: number) => Place[]} */
const placesOn = (page) => told.pages.find((each) => each.number === page)?.groups.flat() ?? [];

/** The rows and columns on a page; null if nothing is there. @type {(sheet: Sheet) => Grid | null} */
function gridOn({ number: page, size }) {
  const group = told.pages.find((each) => each.number === page)?.groups[0] ?? [], cells = group.map(({ cell }) => cell);
  if (!size[0] || !told.pages.some((each) => each.number === page)) return null;
  if (isSaid(said.wanted)) return saidGrid(said.wanted, size, cells);
  return cells.length ? gridOf(cells, group[0].bleed) : null;
}

/** Says where all cards are; on the pages that have some now. @type {(grid: Grid, pages?: number[]) => void} */
function lay(grid, pages) {
  const full = told.pages.filter(({ groups }) => groups.length).map((page) => page.number);
  const isNew = !isSaid(said.wanted) && full.length > 0, chosen = pages ?? (isNew ? full : said.pages);
  change({ ...said, wanted: { ...said.wanted, ...wantedOf(grid) }, backs: isNew ? foundBacks() : said.backs, pages: chosen.length === sheets.length ? [] : chosen });
}

/** The pages that are backs now. @type {() => number[]} */
const backPages = () => [...new Set(told.cards.flatMap(({ back }) => (back ? [back.page] : [])))].sort((a, b) => a - b);

/** What says where the backs are that pnp finds. @type {() => Options["backs"]} */
function foundBacks() {
  const ahead = new Set(told.cards.flatMap(({ front, back }) => (back ? [back.page - front.page] : [])));
  return said.backs || { 0: "fold", 1: "next" }[ahead.size === 1 ? [...ahead][0] : -1] || (ahead.size ? backPages() : "");
}

/** The pages that are read. @type {() => number[]} */
const read = () => (said.pages.length ? said.pages : sheets.map((sheet) => sheet.number));

/** Takes a page, or leaves it out. @type {(sheet: Sheet) => void} */
function toggle(sheet) {
  const isIn = read().includes(sheet.number), isEmpty = !placesOn(sheet.number).length;
  const others = read().filter((page) => page !== sheet.number);
  const pages = isIn && !isEmpty ? others : [...others, sheet.number].sort((a, b) => a - b);
  const grid = gridOn(active) ?? sheets.map(gridOn).find((each) => each);
  if (isIn && isEmpty && grid) return lay(grid, [...new Set([...told.pages.filter(({ groups }) => groups.length).map((page) => page.number), sheet.number])].sort((a, b) => a - b));
  change({ ...said, pages: pages.length === sheets.length ? [] : pages });
}

/** @type {(sheet: Sheet) => void} */
function toggleBack({ number: page }) {
  const now = Array.isArray(said.backs) ? said.backs : [];
  const pages = now.includes(page) ? now.filter((each) => each !== page) : [...now, page].sort((a, b) => a - b);
  change({ ...said, backs: pages.length ? pages : "none" });
}

// What is shown -------------------------------------------------------------------------------

/** @type {(page: number, size: Pair) => Sheet} */
function sheetOf(page, size) {
  const outlines = draw("g", { class: "outlines" });
  const picture = size[0] ? draw("image", { href: pictureOf(page), width: size[0], height: size[1], preserveAspectRatio: "none" }) : null;
  const [wide, high] = size[0] ? size : [210, 297];
  const svg = draw("svg", { viewBox: `0 0 ${wide} ${high}`, "aria-label": say("adjust.page", { page }) }, picture, outlines);
  const reason = make("span", { class: "quiet" });
  const out = make("button", { type: "button", onclick: () => toggle(sheet) });
  const back = make("button", { type: "button", onclick: () => toggleBack(sheet) }, say("adjust.back"));
  const figure = make("figure", {}, make("figcaption", {}, make("b", {}, say("adjust.page", { page })), reason, back, out), svg);
  const sheet = { number: page, size, figure, svg, outlines, reason, out, back };
  svg.addEventListener("pointerdown", (event) => {
    if (!activate(sheet)) return;
    begin(event);
  });
  return sheet;
}

/** Whether a page gets the handles. @type {(sheet: Sheet) => boolean} */
function activate(sheet) {
  const grid = gridOn(sheet);
  if (!grid) return false;
  active = sheet;
  if (!isDragged()) showHandles();
  return true;
}

function showHandles() {
  const grid = active && gridOn(active);
  for (const { svg } of sheets) svg.classList.toggle("is-active", Boolean(grid) && svg === active.svg);
  if (!grid) return dropHandles();
  layHandles({ page: active.number, svg: active.svg, size: active.size, grid, change: lay });
}

function show() {
  if (!sheets.length) begun();
  const cards = told.cards.length, backs = told.cards.filter(({ back }) => back).length;
  find("count").textContent = `${say("adjust.count", { count: cards })} · ${backs ? say("adjust.with-backs", { count: backs }) : say("adjust.no-backs")}`;
  find("bar").textContent = find("count").textContent;
  find("fault").textContent = told.fault || (cards ? "" : say("adjust.none"));
  find("make").disabled = !cards;
  find("command").replaceChildren(lineOf(told.command));
  for (const sheet of sheets) showSheet(sheet);
  if (!gridOn(active)) active = sheets.find(gridOn) ?? active;
  fill();
  if (!isDragged()) showHandles();
}

/** @type {(sheet: Sheet) => void} */
function showSheet({ number: page, figure, svg, outlines, reason, out, back, size }) {
  const found = told.pages.find((each) => each.number === page), places = found?.groups.flat() ?? [];
  const why = found ? found.reason : reason.dataset.why ?? "";
  reason.dataset.why = why;
  reason.textContent = found && places.length ? "" : [say("adjust.left-out"), word(why)].filter(Boolean).join(": ");
  figure.classList.toggle("is-out", !places.length);
  out.textContent = found && places.length ? say("adjust.leave-out") : say("adjust.take");
  out.disabled = !size[0] || (Boolean(places.length) && told.pages.filter(({ groups }) => groups.length).length < 2);
  back.hidden = !Array.isArray(said.backs) || !places.length;
  back.setAttribute("aria-pressed", String(Array.isArray(said.backs) && said.backs.includes(page)));
  if (!isDragged()) svg.classList.remove("is-dragged");
  const pixel = (size[0] || 210) / (svg.clientWidth || 1);
  outlines.replaceChildren(...(found?.groups ?? []).flatMap((group, index) => group.flatMap((place) => outlineOf(place, index, pixel))));
}

/** @type {(place: Place, other: Place | null) => boolean} */
const isSame = (place, other) => other !== null && place.page === other.page && place.number === other.number;

/** A card in its outline, with its number; a back has that of its front. @type {(place: Place, group: number, pixel: number) => SVGElement[]} */
function outlineOf(place, group, pixel) {
  const [x0, y0, x1, y1] = place.cell;
  const ofBack = told.cards.flatMap(({ back }, index) => (isSame(place, back) ? [index + 1] : []));
  const numbers = ofBack.length ? ofBack : told.cards.flatMap(({ front }, index) => (isSame(place, front) ? [index + 1] : []));
  const kind = ofBack.length ? "back" : `front group-${group % 4}`;
  const text = numbers.length > MOST_IN_LABEL ? `${numbers[0]} – ${numbers[numbers.length - 1]}` : numbers.join(", ");
  const wide = (text.length * 0.58 * LABEL + 12) * pixel, high = LABEL * 1.5 * pixel;
  const bleed = place.bleed ? draw("path", { class: `bleed ${kind}`, d: pathOf([[x0 - place.bleed, y0 - place.bleed, x1 + place.bleed, y1 + place.bleed]]) }) : null;
  const label = draw("text", { x: x0 + wide / 2, y: y0 + high / 2, "font-size": LABEL * pixel }, text);
  const shown = [bleed, draw("path", { class: `cut ${kind}`, d: pathOf([place.cell]) }), ...(text ? [draw("rect", { class: `chip ${kind}`, x: x0, y: y0, width: wide, height: high }), label] : [])];
  return shown.flatMap((element) => element ?? []);
}

/** The fields as the cards are, but for the one that is typed in. */
function fill() {
  const grid = active && gridOn(active);
  const values = grid ? [...grid.size, grid.rows, grid.columns, ...grid.at, ...grid.gap, grid.bleed] : [];
  FIELDS.forEach((name, index) => {
    const input = field(name);
    input.disabled = !grid;
    if (input !== document.activeElement || !input.matches(":user-invalid") && Number(input.value) !== values[index]) input.value = grid ? String(values[index]) : "";
  });
  /** @type {HTMLSelectElement} */ (/** @type {unknown} */ (field("backs"))).value = Array.isArray(said.backs) ? "pages" : said.backs;
  field("turns").checked = said.turns_backs;
}

/** A command, to be copied. @type {(command: string) => HTMLElement} */
function lineOf(command) {
  const copy = make("button", { type: "button", onclick: async () => {
    await navigator.clipboard.writeText(command);
    copy.textContent = say("adjust.copied");
    setTimeout(() => (copy.textContent = say("adjust.copy")), 2000);
  } }, say("adjust.copy"));
  const [first, ...options] = command.split(/ (?=--)/), whole = options.flatMap((option) => [" ", make("span", {}, option)]);
  return make("p", { class: "command" }, make("code", {}, first, ...whole), copy);
}

// What a person does --------------------------------------------------------------------------

function begun() {
  find("title").textContent = told.names[0].split("/").at(-1) ?? "";
  document.title = told.names[0];
  find("folder").textContent = told.names[1];
  for (const { number, size } of told.pages) sheets.push(sheetOf(number, size));
  find("pages").replaceChildren(...sheets.map(({ figure }) => figure));
  active = sheets.find(gridOn) ?? sheets[0];
  given = told.said;
  const before = sessionStorage.getItem(server.key);
  if (before) change(JSON.parse(before));
  else if (!told.cards.length && !isSaid(said.wanted) && active.size[0]) told.proposed.length ? change({ ...said, wanted: told.proposed[0] }) : lay(usualGrid(active.size));
  let seen = 0;
  new ResizeObserver(() => {
    if (seen !== sheets[0].svg.clientWidth) show();
    seen = sheets[0].svg.clientWidth;
  }).observe(find("pages"));
}

form.addEventListener("submit", (event) => event.preventDefault());
form.addEventListener("input", (event) => {
  const input = /** @type {HTMLInputElement} */ (event.target), grid = gridOn(active);
  if (input.name === "backs") return change({ ...said, backs: input.value === "pages" ? pagesOfBacks() : input.value });
  if (input.name === "turns") return change({ ...said, turns_backs: input.checked });
  if (!grid || !input.validity.valid || input.value === "") return;
  const [width, height, rows, columns, left, top, across, down, bleed] = FIELDS.map((name) => Number(field(name).value));
  lay({ rows, columns, size: [width, height], at: [left, top], gap: [across, down], bleed });
});

/** The pages that are backs now, or the last one. @type {() => number[]} */
const pagesOfBacks = () => (backPages().length ? backPages() : told.pages.filter(({ groups }) => groups.length).map((page) => page.number).slice(-1));

find("reset").addEventListener("click", () => change(given));
find("bar").addEventListener("click", () => find("bar").setAttribute("aria-expanded", String(find("bar").getAttribute("aria-expanded") !== "true")));
for (const [id, by] of /** @type {["smaller" | "larger", number][]} */ ([["smaller", -1], ["larger", 1]]))
  find(id).addEventListener("click", () => {
    const now = sheets[0].svg.clientWidth, next = by > 0 ? SIZES.find((size) => size > now + 1) : SIZES.findLast((size) => size < now - 1);
    if (next) find("pages").style.setProperty("--page", `${next}px`);
  });

find("make").addEventListener("click", async () => {
  const panel = find("form");
  panel.inert = find("make").disabled = true;
  find("pages").inert = true;
  find("fault").textContent = "";
  find("progress").textContent = say("adjust.making");
  const [event, lines] = await server.make(said, (step) => (find("progress").textContent = `${say("adjust.making")} ${step}`));
  find("progress").textContent = "";
  if (event === "made") return made(lines);
  find("fault").replaceChildren(...(lines.length ? [lines.join("\n").replace(/^error: /, "")] : []));
  if (!lines.length) gone();
  panel.inert = find("make").disabled = find("pages").inert = false;
});

/** @type {(notes: string[]) => void} */
function made(notes) {
  const folder = told.names[1], place = /[/\\]/.test(folder) ? folder : `./${folder}`;
  const title = make("h2", { id: "made-title", tabindex: -1 }, say("adjust.made", { folder }));
  find("made").replaceChildren(
    title, ...notes.map((note) => make("p", { class: "quiet" }, capital(note.replace(/^note: /, "")))),
    make("h3", {}, say("adjust.see")), lineOf(`pnp preview ${place}`),
    make("h3", {}, say("adjust.print")), lineOf(`pnp build ${place}`),
    make("h3", {}, say("adjust.command")), lineOf(told.command),
    make("p", { class: "quiet" }, say("adjust.over")),
  );
  for (const id of /** @type {const} */ (["form", "again", "ending", "hint"])) find(id).hidden = true;
  find("made").hidden = false;
  find("bar").setAttribute("aria-expanded", "true");
  dropHandles();
  title.focus();
}

ask();
