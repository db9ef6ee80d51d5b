// The dialogs that make something of the game: Print… and Export….

import { choicesNow } from "./choices.js";
import { ask, hasKey } from "./edit.js";
import { find, make } from "./dom.js";
import { newGame } from "./newgame.js";
import { measurePrinter } from "./printer.js";
import { fieldBox, offerFiles, openDialog, optionsOf, run, said, show } from "./run.js";
import { say } from "./say.js";

/** @import { Command, Field, State } from "./told.js" */
/** @import { How } from "./run.js" */

const PAUSE = 350; // ms without a change before the sheets are counted

/** @type {(command: Command, names: (string | undefined)[]) => Field[]} */
const chosen = (command, names) => names.flatMap((name) => command.fields.filter((field) => field.name === name));

/** The parts of the kit: all, or those that are checked. @param {State} state */
function partBoxes(state) {
  const parts = new Set([...state.components.map(({ id }) => id.split("#")[0]), ...state.sheets.map(({ part }) => part).filter((part) => ["cover", "rules"].includes(part))]);
  const boxes = [...parts].map((part) =>
    make("label", {}, make("input", { type: "checkbox", value: part, class: "part", checked: true }), ` ${part}`));
  return make("fieldset", { class: "parts" }, make("legend", {}, say("dialog.parts")), ...boxes);
}

/** `only` of a form: the parts and the pieces; "" for all. @param {HTMLFormElement} form */
function only(form) {
  const boxes = /** @type {HTMLInputElement[]} */ ([...form.querySelectorAll("input.part")]);
  const pieces = /** @type {HTMLInputElement} */ (form.elements.namedItem("only")).value.trim();
  const checked = boxes.filter((box) => box.checked).map((box) => box.value);
  if (checked.length === boxes.length) return pieces;
  return [...checked, ...(pieces ? [pieces] : [])].join(",");
}

/** How the options that the page shows, too, begin. @returns {{[name: string]: How}} */
function beginnings() {
  const now = choicesNow();
  if (!now) return {};
  const { paper, printer, language, draft } = now;
  return {
    paper: { value: paper.chosen, offered: paper.offered, isPlain: true },
    printer: { value: printer.chosen || "none", offered: ["none", ...printer.offered.filter((name) => name)] },
    language: language.offered.length > 1 ? { value: language.chosen, offered: language.offered } : {},
    draft: { value: draft.chosen },
    only: { label: say("dialog.pieces") },
  };
}

/** A form of a command: the main fields, and the others folded. @type {(form: HTMLFormElement, command: Command, main: string[], state: State) => void} */
function fill(form, command, main, state) {
  const how = beginnings();
  const hidden = ["is_plan"];
  const others = command.fields.filter(({ name }) => ![...main, ...hidden].includes(name));
  /** @param {Field} field */
  const box = (field) => fieldBox(field, how[field.name]);
  form.replaceChildren(
    make("div", { class: "fields" }, ...chosen(command, main).map(box)),
    partBoxes(state),
    make("details", {}, make("summary", {}, say("dialog.more")), make("div", { class: "fields" }, ...others.map(box))),
    make("div", { class: "said", role: "status" }),
    make("div", { class: "buttons" },
      make("button", { type: "button", class: "go" }, command.name === "build" ? say("dialog.make-pdf") : say("dialog.export")),
      make("button", {}, say("page.close"))));
}

/** Runs what the form says, shows what it says, and offers what it makes. @type {(form: HTMLFormElement, command: Command, options: {[name: string]: string}, signal: AbortSignal) => Promise<void>} */
async function go(form, command, options, signal) {
  const button = /** @type {HTMLButtonElement} */ (form.querySelector(".go"));
  button.disabled = true;
  const working = make("p", { class: "quiet" }, say("dialog.at-work"));
  show(form, working);
  const ran = await run(command.name, options, { signal, hear: (lines) => show(form, working, ...said(lines)) });
  if (signal.aborted) return;
  button.disabled = false;
  const lines = ran.isDone ? ran.lines.filter((line) => !line.startsWith("output")) : ran.lines;
  show(form, ...offerFiles(ran.files), ...said(lines));
  form.querySelector("a")?.focus();
}

/** The options of a form. @type {(form: HTMLFormElement, command: Command) => Promise<{[name: string]: string}>} */
async function optionsNow(form, command) {
  const options = await optionsOf(form, command.fields);
  delete options.only;
  const parts = only(form);
  return parts ? { ...options, only: parts } : options;
}

const MAIN = ["paper", "sides", "printer", "ink", "copies", "only", "draft"];

/** @param {State} state */
async function print(state) {
  const [command] = /** @type {Command[]} */ ((await ask("/commands?for=build")) ?? []);
  if (!command) return;
  const { dialog, form } = openDialog(say("dialog.print"));
  fill(form, command, MAIN, state);
  let running = new AbortController(), soon = 0;
  const stop = () => {
    clearTimeout(soon);
    running.abort();
    running = new AbortController();
    return running.signal;
  };
  const plan = async () => {
    const signal = stop();
    show(form, make("p", { class: "quiet" }, say("dialog.counting")));
    const options = await optionsNow(form, command).catch(() => ({}));
    const { lines } = await run("build", { ...options, is_plan: "on" }, { signal });
    if (!signal.aborted) show(form, ...said(lines));
  };
  form.addEventListener("input", () => {
    stop();
    soon = setTimeout(plan, PAUSE);
  });
  form.querySelector(".go")?.addEventListener("click", async () => {
    const signal = stop();
    await go(form, command, await optionsNow(form, command), signal).catch((error) => show(form, ...said([`error: ${error.message}`])));
  });
  dialog.addEventListener("close", stop);
  plan();
}

/** @param {State} state */
async function exportGame(state) {
  const commands = /** @type {Command[]} */ ((await ask("/commands?for=export")) ?? []);
  if (!commands.length) return;
  const { dialog, form } = openDialog(say("dialog.export"));
  const stop = new AbortController();
  const named = (/** @type {string} */ name) => /** @type {Command} */ (commands.find((command) => command.name === name));
  const select = make("select", {}, ...commands.map(({ name }) => make("option", { value: name }, name.replace("export ", ""))));
  const about = make("p", { class: "quiet" });
  dialog.insertBefore(make("div", { class: "format" }, make("div", { class: "field" }, make("label", {}, make("span", {}, say("dialog.format")), select)), about), form);
  const choose = () => {
    const command = named(select.value);
    about.textContent = command.about;
    const own = command.fields.slice(0, command.fields.findIndex(({ name }) => name === "paper")).map(({ name }) => name);
    fill(form, command, [...own, "only"], state);
    form.querySelector(".go")?.addEventListener("click", async () => {
      await go(form, command, await optionsNow(form, command), stop.signal).catch((error) => show(form, ...said([`error: ${error.message}`])));
    });
  };
  select.addEventListener("change", choose);
  choose();
  dialog.addEventListener("close", () => stop.abort());
}

/** @type {(state: () => State | null) => void} */
export function startDialogs(state) {
  find("make-tools").hidden = !hasKey;
  /** @type {(open: (state: State) => void) => () => void} */
  const opening = (open) => () => {
    const now = state();
    if (now) open(now);
  };
  find("new-button").addEventListener("click", newGame);
  find("printer-button").addEventListener("click", measurePrinter);
  find("print-button").addEventListener("click", opening(print));
  find("export-button").addEventListener("click", opening(exportGame));
}
