// A printer is measured: its sheet is made, and the eight readings are entered where their scales
// stand on it.

import { choicesNow } from "./choices.js";
import { ask } from "./edit.js";
import { make } from "./dom.js";
import { fieldBox, offerFiles, openDialog, optionsOf, run, said, show } from "./run.js";
import { say } from "./say.js";

/** @import { Command } from "./told.js" */

const READING = "[A-Ha-h][0-9]{1,2}", PIN = "[0-9]{1,2}([.,][0-9])?";
/** The scales of each corner, from left to right. @type {[corner: string, scales: [number, string][]][]} */
const CORNERS = [
  [say("printer.top-left"), [[1, "across"], [2, "down"]]], [say("printer.top-right"), [[4, "down"], [3, "across"]]],
  [say("printer.bottom-left"), [[5, "across"], [6, "down"]]], [say("printer.bottom-right"), [[8, "down"], [7, "across"]]],
];

/** The sheet, with a field at each scale. */
function sheet() {
  const fields = CORNERS.map(([corner, scales]) => make("div", { class: "corner" }, ...scales.map(([number, way]) =>
    make("label", {}, make("strong", {}, String(number)), make("span", {}, say(`printer.${way}`)),
      make("input", { name: `reading-${number}`, required: true, autocomplete: "off", spellcheck: "false", maxlength: 4, placeholder: "E0", "aria-label": say("printer.scale", { number, corner, way: say(`printer.${way}`) }) })))));
  return make("div", { class: "sheet-to-read", role: "group", "aria-label": say("printer.sheet") }, ...fields.slice(0, 2), make("p", {}, say("printer.front")), ...fields.slice(2));
}

const STEPS = [
  say("printer.step-1"),
  say("printer.step-2"),
  say("printer.step-3"),
];

export async function measurePrinter() {
  const commands = /** @type {Command[]} */ ((await ask("/commands?for=printer")) ?? []);
  /** @type {(name: string) => Command} */
  const named = (name) => /** @type {Command} */ (commands.find((command) => command.name === `printer ${name}`));
  if (!commands.length) return;
  const { form } = openDialog(say("printer.title"));
  const paper = choicesNow()?.paper, fields = named("set").fields;
  const box = (/** @type {string} */ name, more = {}) => fieldBox(/** @type {import("./told.js").Field} */ (fields.find((field) => field.name === name)), more);
  const readings = () => /** @type {HTMLInputElement[]} */ ([...form.querySelectorAll(".sheet-to-read input")])
    .sort((one, other) => one.name.localeCompare(other.name)).map(({ value }) => value.trim().toUpperCase().replace(",", "."));
  const name = make("input", { name: "printer-name", required: true, maxlength: 60, autocomplete: "off", spellcheck: "false", placeholder: "desk-a4" });
  form.replaceChildren(
    make("div", { class: "fields" }, make("div", { class: "field" }, make("label", {}, make("span", {}, say("new.name")), name), make("small", { class: "quiet" }, say("printer.name-about"))),
      box("paper", { value: paper?.chosen, offered: paper?.offered, isPlain: true }), box("flip")),
    make("ol", { class: "steps" }, ...STEPS.map((step, at) => make("li", {}, step, ...(at ? [] : [" ", make("button", { type: "button", onclick: () => makeSheet("sheet", []) }, say("printer.make-sheet"))])))),
    sheet(),
    make("details", {}, make("summary", {}, say("dialog.more")), make("div", { class: "fields" }, ...["margin", "pins", "is_default"].map((each) => box(each)))),
    make("div", { class: "said", role: "status" }),
    make("div", { class: "buttons" }, make("button", { class: "go" }, say("printer.keep")), make("button", { type: "button", onclick: () => form.closest("dialog")?.close() }, say("page.close"))));
  const check = () => {
    const pins = /** @type {HTMLInputElement} */ (form.elements.namedItem("pins")).checked;
    for (const input of form.querySelectorAll(".sheet-to-read input")) {
      input.setAttribute("pattern", pins ? PIN : READING);
      input.setAttribute("title", pins ? say("printer.millimetres") : say("printer.reading"));
    }
  };
  form.addEventListener("change", check);
  check();

  /** @type {(name: string, texts: string[]) => Promise<void>} */
  async function makeSheet(name, texts) {
    show(form, make("p", { class: "quiet" }, say("dialog.at-work")));
    const command = named(name), ran = await run(command.name, await optionsOf(form, command.fields), { texts });
    show(form, ...offerFiles(ran.files), ...said(ran.isDone ? [] : ran.lines));
  }

  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const command = named("set"), ran = await run(command.name, await optionsOf(form, command.fields), { texts: [name.value, ...readings()] });
    if (ran.isDone) fetch("/choose"); // so that all pages offer it
    const proof = make("button", { type: "button", onclick: () => makeSheet("proof", [name.value]) }, say("printer.proof"));
    show(form, ...said(ran.lines), ...(ran.isDone ? [make("p", { class: "made" }, proof, ` ${say("printer.proof-about")}`)] : []));
  });
}
