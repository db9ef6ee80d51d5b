// The headings of a table: their names, and the widths of columns that were set by hand.

import { make } from "./dom.js";
import { ask, filesNow, spec } from "./edit.js";
import { openDialog } from "./run.js";
import { say } from "./say.js";
import { SPEC } from "./sources.js";

/** @typedef {{[column: string]: number}} Widths in rem */

/** How drawings call a column. @type {(heading: string) => string} */
export const folded = (heading) => heading.trim().toLowerCase().replace(/\s+/g, "_");

/** The other names of a column, of its translations: "title.de". @type {(name: string, header: string[]) => string[]} */
export const translationsOf = (name, header) => header.filter((each) => each.startsWith(`${name}.`) && /^\.[a-z]{2,3}(-\w+)?$/i.test(each.slice(name.length)));

/** Asks for the name of a column; "" for a new one. @type {(before: string, header: string[], act: (name: string) => void) => void} */
export function askName(before, header, act) {
  const { dialog, form } = openDialog(before ? say("heading.rename", { name: before }) : say("heading.new"));
  const input = make("input", { name: "column", value: before, required: true, maxlength: 60, autocomplete: "off", spellcheck: "false", "aria-describedby": "column-use" });
  const use = make("small", { class: "quiet", id: "column-use", role: "status" });
  const tongues = before ? translationsOf(before, header) : [];
  const others = new Set(header.filter((name) => name !== before).map(folded));
  const tell = () => {
    const name = folded(input.value);
    input.setCustomValidity(others.has(name) ? say("heading.not-free") : "");
    use.textContent = others.has(name) ? say("heading.taken", { name }) : name ? say("heading.use", { text: `{{ ${name} }}` }) : say("heading.example");
  };
  const places = make("p", {});
  if (before) placesOf(before).then((found) => (places.textContent = found.length ? say("heading.places", { files: found.join(", ") }) : ""));
  input.addEventListener("input", tell);
  form.append(
    make("div", { class: "field" }, make("label", {}, make("span", {}, say("new.name")), input), use),
    tongues.length ? make("p", {}, say("heading.translations", { names: tongues.join(", ") })) : "", places,
    buttons(dialog, say(before ? "rows.rename" : "colours.add")));
  form.addEventListener("submit", () => input.value.trim() !== before && act(input.value.trim()));
  tell();
  input.select();
}

/** Asks whether a column may go, and its translations with it. @type {(name: string, header: string[], act: () => void) => void} */
export function askRemoval(name, header, act) {
  const { dialog, form } = openDialog(say("heading.delete", { name }));
  const tongues = translationsOf(name, header), places = make("p", { role: "status" });
  placesOf(name).then((found) => (places.textContent = found.length ? say("heading.still", { files: found.join(", ") }) : ""));
  form.append(make("p", {}, tongues.length ? say("heading.deleted-too", { names: tongues.join(", ") }) : say("heading.delete-about")), places, buttons(dialog, say("rows.delete")));
  form.addEventListener("submit", act);
  /** @type {HTMLElement} */ (form.querySelector(".go")).focus();
}

/** @type {(dialog: HTMLDialogElement, label: string) => HTMLElement} */
const buttons = (dialog, label) => make("div", { class: "buttons" }, make("button", { class: "go" }, label),
  make("button", { type: "button", onclick: () => dialog.close() }, say("page.close")));

/** The columns that drawings may name, of the headings of a table. @type {(header: string[]) => string[]} */
export const namesOf = (header) => header.filter((name) => name && !name.startsWith("#") && !header.some((each) => translationsOf(each, header).includes(name))).map(folded);

/** The files that name a column: drawings, and game.toml but for its rows. @type {(column: string) => Promise<string[]>} */
async function placesOf(column) {
  const word = `(?<![\\w.-])${folded(column).replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}(?![\\w-])`;
  const isNamed = new RegExp(`\\{\\{[^{}]*${word}[^{}]*\\}\\}|pnp:[\\w-]+="[^"]*${word}[^"]*"`, "i");
  const drawings = filesNow().filter(({ kind }) => kind === "drawing");
  const texts = await Promise.all(drawings.map(async ({ id }) => String((await ask(`/text?file=${id}`))?.text ?? "")));
  const found = drawings.filter((_, at) => isNamed.test(texts[at])).map(({ name }) => name);
  const isSaid = new RegExp(word, "i"), unsaid = ["id", "title", "about", "table", "row"];
  /** @type {(value: unknown, depth: number) => boolean} */
  const says = (value, depth) => typeof value === "string" ? isSaid.test(value)
    : Object.entries(value ?? {}).some(([key, inner]) => !(depth === 1 && unsaid.includes(key)) && says(inner, depth + 1));
  return says(spec().component, 0) ? [...found, SPEC] : found;
}

/** The widths that were set of a table's columns. @type {(table: string) => Widths} */
export function widthsOf(table) {
  try {
    return JSON.parse(sessionStorage.getItem(`widths ${table}`) ?? "{}");
  } catch {
    return {}; // the browser keeps nothing
  }
}

/** Keeps a width as long as the tab of the browser; null forgets it. @type {(table: string, column: string, rem: number | null) => void} */
export function keepWidth(table, column, rem) {
  const { [column]: _, ...others } = widthsOf(table);
  try {
    sessionStorage.setItem(`widths ${table}`, JSON.stringify(rem === null ? others : { ...others, [column]: rem }));
  } catch { /* then it is as wide as its words again */ }
}
