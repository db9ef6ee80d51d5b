// The panel with the colours of [palette], what eyes make of them, and the fonts.

import { isOpen } from "./dock.js";
import { make } from "./dom.js";
import { ask, complain, edit, followFiles, insert, spec } from "./edit.js";
import { alike, contrast, SIGHTS } from "./eyes.js";
import { say } from "./say.js";
import { isColour, loadSchema, textsOf } from "./schema.js";

/** @import { GameFile, Path, Rows } from "./told.js" */

const SPEC = "game.toml";
const NAME = /^[a-z0-9][a-z0-9_-]{0,59}$/;
const READ = 4.5; // the least contrast of WCAG 2 for text; 3 for large text and signs
const SIGN = 3;
const MOST_COMPARED = 20; // colours in the table of contrasts

/** The colours as the page shows them, some of which are still to be saved. @type {Map<string, string>} */
const colours = new Map();
/** @type {{waiting: Map<string, string>, isSaving: boolean, schema: any}} */
const now = { waiting: new Map(), isSaving: false, schema: null };

const swatches = make("ul", { class: "swatches", "aria-label": say("colours.palette-list") });
const matrix = make("div", { class: "contrasts" });
const pairs = make("div", { "aria-live": "polite" });
const fonts = make("ul", { class: "fonts", "aria-label": say("colours.fonts") });
const added = make("input", { "aria-label": say("colours.name-of-new"), placeholder: say("colours.new-name"), spellcheck: "false", size: "12" });

/** Fills the panel. @param {HTMLElement} panel */
export function fillColours(panel) {
  if (!panel.hasChildNodes()) {
    const form = make("form", { class: "bar" }, added, make("button", {}, say("colours.add")));
    form.addEventListener("submit", (event) => (event.preventDefault(), add(added.value.trim())));
    panel.append(make("div", { class: "colours" },
      make("section", {}, make("h2", {}, say("colours.palette")), swatches, form),
      make("section", {}, make("h2", {}, say("colours.contrast")), matrix, make("h2", {}, say("colours.alike")), pairs),
      make("section", {}, make("h2", {}, say("colours.fonts")), fonts)));
    followFiles(() => isOpen("colours") && take());
    showFonts();
  }
  take();
}

/** A colour as "#rrggbb". @param {string} value */
function hex(value) {
  if (/^#[0-9a-f]{6}$/i.test(value)) return value.toLowerCase();
  const pen = /** @type {CanvasRenderingContext2D} */ (document.createElement("canvas").getContext("2d"));
  pen.fillStyle = value;
  return String(pen.fillStyle).startsWith("#") ? String(pen.fillStyle) : "#000000";
}

// The palette --------------------------------------------------------------------------------------

function take() {
  const palette = Object.entries(spec().palette ?? {}).filter(([, value]) => typeof value === "string");
  const names = palette.map(([name]) => name);
  const isSame = names.join() === [...colours.keys()].join();
  if (!isSame) colours.clear();
  for (const [name, value] of palette) if (!now.waiting.has(name)) colours.set(name, value);
  if (!isSame) swatches.replaceChildren(...names.map(swatch));
  loadSchema().then((schema) => {
    now.schema = schema;
    show();
  });
}

/** @param {string} name */
function swatch(name) {
  const picker = make("input", { type: "color", "aria-label": say("colours.colour", { name }) });
  picker.addEventListener("input", () => change(name, picker.value));
  const text = make("input", { class: "value", "aria-label": say("colours.value", { name }), spellcheck: "false", size: "9" });
  text.addEventListener("change", () => change(name, text.value.trim()));
  const title = make("input", { class: "name", "aria-label": say("colours.name", { name }), spellcheck: "false", size: "10", value: name });
  title.addEventListener("change", () => rename(name, title.value.trim()).then((isDone) => isDone || (title.value = name)));
  const uses = make("small", { class: "quiet" });
  const gone = make("button", { type: "button", "aria-label": say("colours.remove-it", { name }), title: say("colours.remove"), onclick: () => remove(name) }, "×");
  return make("li", { "data-name": name }, picker, make("div", {}, title, text, uses), gone);
}

/** Shows what there is now: values, contrasts and pairs. */
function show() {
  for (const item of /** @type {NodeListOf<HTMLElement>} */ (swatches.querySelectorAll("li"))) {
    const name = item.dataset.name ?? "";
    const [picker, , text] = item.querySelectorAll("input");
    const value = colours.get(name) ?? "";
    if (document.activeElement !== picker) picker.value = hex(value);
    if (document.activeElement !== text) text.value = value;
    const number = usesOf(name).length;
    /** @type {HTMLElement} */ (item.querySelector("small")).textContent = number ? say("colours.used", { count: number }) : say("colours.unused");
  }
  const palette = /** @type {[string, string][]} */ ([...colours].map(([name, value]) => [name, hex(value)]));
  showContrasts(palette);
  const lost = alike(palette);
  pairs.replaceChildren(...(lost.length ? SIGHTS.filter((sight) => lost.some((pair) => pair.sight === sight)).map((sight) =>
    make("p", {}, make("strong", {}, say(`sight.${sight}`)), ...lost.filter((pair) => pair.sight === sight).flatMap(({ names: [one, other], usual, filtered }) =>
      [make("br"), chip(hex(colours.get(one) ?? ""), hex(colours.get(other) ?? "")), say(sight === "grey" ? "colours.alike-grey" : "colours.alike-eyes", { one, other, usual: usual.toFixed(0), filtered: filtered.toFixed(0) })])))
    : [make("p", { class: "quiet" }, say("choice.none"))]));
}

/** A colour on another. @type {(ink: string, ground: string) => HTMLElement} */
function chip(ink, ground) {
  const sign = make("i", { class: "chip" });
  [sign.style.background, sign.style.borderColor] = [ink, ground];
  return sign;
}

/** Each colour on each other: how well one is read on the other. @param {[string, string][]} palette */
function showContrasts(palette) {
  const own = palette.slice(0, MOST_COMPARED);
  const grounds = /** @type {[string, string][]} */ ([["white", "#ffffff"], ["black", "#000000"], ...own]);
  const head = make("tr", {}, make("td"), ...grounds.slice(0, -1).map(([name]) => make("th", { scope: "col" }, make("span", {}, name))));
  const rows = own.map(([name, ink], i) => make("tr", {}, make("th", { scope: "row" }, name),
    ...grounds.slice(0, i + 2).map(([, ground]) => {
      const ratio = contrast(ink, ground);
      const means = ratio >= READ ? say("colours.readable") : ratio >= SIGN ? say("colours.large-only") : say("colours.too-little");
      return make("td", { title: means, class: ratio >= READ ? "is-good" : ratio >= SIGN ? "" : "is-poor" }, chip(ink, ground), ratio.toFixed(1));
    })));
  matrix.replaceChildren(make("table", {}, head, ...rows));
}

/** Changes a colour here at once, and in the file as fast as pnp takes it. @type {(name: string, value: string) => void} */
function change(name, value) {
  if (!value || colours.get(name) === value) return;
  colours.set(name, value);
  now.waiting.set(name, value);
  show();
  saveWaiting();
}

async function saveWaiting() {
  if (now.isSaving) return;
  now.isSaving = true;
  for (let next; (next = now.waiting.entries().next().value); ) {
    const [name, value] = next;
    const why = await edit(SPEC, { do: "values", values: [[["palette", name], value]] });
    if (now.waiting.get(name) === value) now.waiting.delete(name);
    if (why) break;
  }
  now.isSaving = false;
  take();
}

/** @param {string} name */
function isFree(name) {
  if (!NAME.test(name)) return !complain(say("colours.no-name", { name }));
  return !(colours.has(name) && complain(say("colours.taken", { name })));
}

/** @param {string} name */
async function add(name) {
  if (!isFree(name)) return;
  if (await edit(SPEC, { do: "values", values: [[["palette", name], "#808080"]] })) return;
  added.value = "";
}

// Where a colour is named --------------------------------------------------------------------------

/** @param {string} name */
const inText = (name) => new RegExp(`(\\]|==)\\{${name}\\}`, "g");

/** The values of game.toml that name a colour. @type {(name: string) => [Path, string][]} */
const usesOf = (name) => now.schema ? textsOf(spec()).filter(([path, text]) => path[0] !== "palette" && (text === name ? isColour(path, spec()) : inText(name).test(text))) : [];

/** The tables under whose name the palette has its colours again. @type {(name: string) => Path[]} */
const keysOf = (name) => [["palette"], ["ink", "low", "palette"]]
  .filter((path) => name in (path.reduce((table, key) => table?.[key], spec()) ?? {})).map((path) => [...path, name]);

/** The files of the game, but game.toml. @type {GameFile[]} */
let files = [];
followFiles((told) => (files = told.files.filter(({ name, digest }) => name !== SPEC && digest)));

/** Other files that name a colour. @param {string} name */
async function filesNaming(name) {
  const found = [];
  const named = new RegExp(`(^|["'{\\s,;\t])${name}($|["'}\\s,;\t])`, "m");
  for (const file of files) {
    if (file.kind === "table" && (await cellsNaming(file, name)).length) found.push(file.name);
    if (file.kind === "drawing" || file.kind === "text") {
      const told = await ask(`/text?file=${file.id}`);
      if (told && (file.kind === "text" ? inText(name) : named).test(told.text)) found.push(file.name);
    }
  }
  return found;
}

/** The cells of a table that name a colour, in a column of colours or with a mark: row, column, text.
 * @type {(file: GameFile, name: string) => Promise<[number, number, string][]>} */
async function cellsNaming(file, name) {
  /** @type {Rows | null} */
  const told = await ask(`/rows?file=${file.id}`);
  const [head, ...rows] = told?.rows.map(({ cells }) => cells) ?? [[]];
  return head.flatMap((_, column) => {
    const isOfColours = rows.every((cells) => !cells[column] || colours.has(cells[column]) || CSS.supports("color", cells[column]));
    return rows.flatMap((cells, row) => /** @type {[number, number, string][]} */
      ((cells[column] === name && isOfColours) || inText(name).test(cells[column] ?? "") ? [[row + 1, column, cells[column]]] : []));
  });
}

/** Renames a colour, with all that name it in game.toml, tables and rules. @type {(name: string, other: string) => Promise<boolean>} */
async function rename(name, other) {
  if (other === name || !isFree(other)) return false;
  now.schema = await loadSchema();
  /** @param {string} text */
  const renamed = (text) => (text === name ? other : text.replace(inText(name), `$1{${other}}`));
  const uses = usesOf(name).map(([path, text]) => /** @type {[Path, string]} */ ([path, renamed(text)]));
  const elsewhere = await filesNaming(name);
  const others = files.filter((file) => elsewhere.includes(file.name));
  const cells = await Promise.all(others.map((file) => (file.kind === "table" ? cellsNaming(file, name) : [])));
  if (await edit(SPEC, { do: "rename", keys: keysOf(name), name: other, uses })) return false;
  const left = [];
  for (const [i, file] of others.entries()) {
    if (file.locked || file.kind === "drawing") left.push(file.name);
    else if (file.kind === "table") await edit(file.name, { do: "cells", cells: cells[i].map(([row, column, text]) => [row, column, text, renamed(text)]) });
    else {
      const told = await ask(`/text?file=${file.id}`);
      await edit(file.name, { do: "text", text: renamed(told.text) }, told.digest);
    }
  }
  if (left.length) complain(say("colours.renamed", { name, other, files: left.join(", ") }));
  return true;
}

/** @param {string} name */
async function remove(name) {
  now.schema = await loadSchema();
  const uses = usesOf(name).map(([path]) => path.join("."));
  const elsewhere = await filesNaming(name);
  if (uses.length || elsewhere.length) complain(say("colours.in-use", { name, places: [...uses, ...elsewhere].join(", ") }));
  else await edit(SPEC, { do: "values", values: [[["palette", name], null]] });
}

// Fonts --------------------------------------------------------------------------------------------

async function showFonts() {
  const stock = await ask("/stock");
  if (!stock) return;
  fonts.replaceChildren(...stock.fonts.map((/** @type {string} */ family, /** @type {number} */ i) => {
    const sample = make("span", {}, "Sphinx of black quartz 0123456789");
    sample.style.fontFamily = `"sample ${i}"`;
    seen.observe(sample);
    sampled.set(sample, [family, `sample ${i}`]);
    return make("li", {}, make("button", { type: "button", title: say("colours.insert"), onclick: () => insert(family) }, family), sample);
  }));
}

/** @type {WeakMap<Element, [family: string, name: string]>} */
const sampled = new WeakMap();

// A font is loaded once its sample is seen.
const seen = new IntersectionObserver((entries) => {
  for (const { isIntersecting, target } of entries) {
    const [family, name] = sampled.get(target) ?? [];
    if (!isIntersecting || !family || !name) continue;
    seen.unobserve(target);
    load(family, name);
  }
});

/** @type {(family: string, name: string) => Promise<void>} */
async function load(family, name) {
  const bytes = await ask(`/font?family=${encodeURIComponent(family)}`);
  if (bytes) document.fonts.add(await new FontFace(name, bytes, { weight: "100 900" }).load());
}
