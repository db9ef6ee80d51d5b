// A new game: a starter, or a deck of a spreadsheet or of pictures.

import { ask, post, reason } from "./edit.js";
import { make } from "./dom.js";
import { openDialog, optionsOf, run, said, show } from "./run.js";
import { say } from "./say.js";

/** @import { Command } from "./told.js" */

const NAME = "(?!(con|prn|aux|nul|com[0-9]|lpt[0-9])$)[a-z0-9][a-z0-9_\\-]*"; // none of a device of Windows
const SOURCES = { kind: say("new.starter"), table: say("new.spreadsheet"), pictures: say("new.pictures") };

/** A drawing as a picture: a bar for each text in a box, and for other words the name of their column. @param {string} drawing */
function thumbnail(drawing) {
  const svg = new DOMParser().parseFromString(drawing.replace(/\{\{\s*([^{}]*?)\s*\}\}/g, "$1"), "image/svg+xml");
  for (const text of svg.querySelectorAll("text[*|box]")) {
    const box = svg.getElementById(text.getAttribute("pnp:box") ?? "");
    const bar = svg.createElementNS("http://www.w3.org/2000/svg", "rect");
    for (const name of ["x", "y", "width"]) bar.setAttribute(name, box?.getAttribute(name) ?? "0");
    bar.setAttribute("height", String(Math.min(Number(box?.getAttribute("height")), Number(text.getAttribute("font-size"))) * 0.8));
    bar.setAttribute("opacity", "0.45");
    text.replaceWith(bar);
  }
  return make("img", { src: `data:image/svg+xml,${encodeURIComponent(new XMLSerializer().serializeToString(svg))}`, alt: "" });
}

/** Radio buttons with pictures. @type {(legend: string, name: string, choices: [value: string, label: string][], pictures: {[name: string]: string}) => HTMLElement} */
function gallery(legend, name, choices, pictures) {
  return make("fieldset", { class: "gallery", "data-of": name }, make("legend", {}, legend), ...choices.map(([value, label], at) =>
    make("label", {}, make("input", { type: "radio", name, value, checked: at === 0 }),
      pictures[value] ? thumbnail(pictures[value]) : make("span", { class: "plain" }), make("span", {}, label))));
}

/** @type {(name: string, label: string, more: {[name: string]: string | boolean}) => HTMLElement} */
const picker = (name, label, more) =>
  make("div", { class: "field file", "data-of": name }, make("label", {}, make("span", {}, label), make("input", { type: "file", name, ...more })));

/** The options of the source that is chosen. @type {(form: HTMLFormElement, command: Command) => Promise<{[name: string]: string}>} */
async function optionsNow(form, command) {
  const source = new FormData(form).get("source");
  const names = { kind: ["kind"], table: ["table", "pictures", "layout"], pictures: ["pictures", "layout"] }[String(source)] ?? [];
  return optionsOf(form, command.fields.filter(({ name }) => [...names, "has_site"].includes(name)));
}

/** @param {string} name */
export async function openGame(name) {
  const answer = await post("/open", "{}", { "Content-Type": "application/json", "X-Name": name });
  return answer?.ok ? "" : reason(answer); // if it opens, the page is told and loads anew
}

export async function newGame() {
  const [command] = /** @type {Command[]} */ ((await ask("/commands?for=new")) ?? []);
  if (!command) return;
  const { form } = openDialog(say("new.title"));
  const kinds = command.fields.find(({ name }) => name === "kind")?.values ?? [];
  const layouts = Object.keys(command.pictures).flatMap((name) => name.match(/^layout (.*)/)?.[1] ?? []);
  /** @type {(names: string[]) => [string, string][]} */
  const named = (names) => names.map((name) => [name, name.replaceAll("-", " ")]);
  const go = make("button", { class: "go" }, say("new.make"));
  form.replaceChildren(
    make("div", { class: "field" }, make("label", {}, make("span", {}, say("new.name")),
      make("input", { name: "name", required: true, pattern: NAME, maxlength: 60, autocomplete: "off", spellcheck: "false", title: "a-z, 0-9, - _", placeholder: say("new.example") }))),
    make("fieldset", { class: "parts" }, make("legend", {}, say("new.from")), ...Object.entries(SOURCES).map(([value, label], at) =>
      make("label", {}, make("input", { type: "radio", name: "source", value, checked: at === 0 }), ` ${label}`))),
    picker("table", say("new.table"), { accept: ".csv,.tsv,.txt,.xlsx,.xlsm,.ods,.json" }),
    picker("pictures", say("new.back"), { accept: ".png,.jpg,.jpeg,.svg", multiple: true }),
    gallery(say("new.kind"), "kind", named(kinds), command.pictures),
    gallery(say("new.layout"), "layout", [["", say("new.suits")], ...named(layouts)],
      Object.fromEntries(layouts.map((name) => [name, command.pictures[`layout ${name}`]]))),
    make("div", { class: "said", role: "status" }),
    make("div", { class: "buttons" }, go, make("button", { type: "button", onclick: () => form.closest("dialog")?.close() }, say("page.close"))));
  const choose = () => {
    const source = String(new FormData(form).get("source"));
    const shown = { kind: ["kind"], table: ["table", "pictures", "layout"], pictures: ["pictures", "layout"] }[source] ?? [];
    for (const part of /** @type {NodeListOf<HTMLElement>} */ (form.querySelectorAll("[data-of]")))
      part.hidden = !shown.includes(part.dataset.of ?? "");
  };
  form.addEventListener("change", choose);
  form.addEventListener("input", () => show(form)); // what was said is of another game
  choose();
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    go.disabled = true;
    const name = String(new FormData(form).get("name"));
    show(form, make("p", { class: "quiet" }, say("dialog.at-work")));
    /** @param {string} why */
    const fail = (why) => ({ isDone: false, files: [], lines: [`error: ${why}`] });
    const ran = await optionsNow(form, command).then((options) => run("new", options, { texts: [name] }), (error) => fail(error.message));
    go.disabled = false;
    const open = make("button", { type: "button", onclick: async () => show(form, ...said([(await openGame(name)) || say("new.opening", { name })])) }, say("new.open"));
    show(form, ...(ran.isDone ? [make("p", { class: "made" }, `${say("new.made", { name })} `, open)] : []),
      ...said(ran.lines.filter((line) => !ran.isDone || /^\s*(error|warning|note|hint):/.test(line))));
    if (ran.isDone) open.focus();
  });
}
