// Commands of pnp that the page runs, and the forms for their options.

import { post, reason } from "./edit.js";
import { make } from "./dom.js";
import { capital, say, word } from "./say.js";

/** @import { Done, Field } from "./told.js" */
/** @typedef {Done & {lines: string[]}} Ran */
/** @typedef {HTMLInputElement | HTMLSelectElement} Control */
/** @typedef {{value?: string, offered?: string[], label?: string, isPlain?: boolean}} How how a field is shown: at first, with what else, under which name, without its words */

const EVENT = /^event: (\w+)\ndata: (.*)$/;

/** Runs a command to its end, or until the signal. @type {(command: string, options: {[name: string]: string}, more?: {texts?: string[], signal?: AbortSignal, hear?: (lines: string[]) => void}) => Promise<Ran>} */
export async function run(command, options, { texts = [], signal, hear } = {}) {
  const body = JSON.stringify({ command, options, texts });
  const answer = await post("/run", body, { "Content-Type": "application/json" }, signal);
  if (!answer?.ok || !answer.body) return { isDone: false, files: [], lines: [`error: ${await reason(answer)}`] };
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  /** @type {Ran} */
  const ran = { isDone: false, files: [], lines: [] };
  for (let rest = ""; ;) {
    const { value, done } = await reader.read().catch(() => ({ value: "", done: true }));
    if (done) return ran;
    const events = (rest + value).split("\n\n");
    rest = events.pop() ?? "";
    for (const [, name, data] of events.flatMap((text) => [text.match(EVENT) ?? []])) {
      if (name === "done") Object.assign(ran, JSON.parse(data));
      else if (name === "line") ran.lines.push(JSON.parse(data));
      hear?.(ran.lines);
    }
  }
}

/** Sends a file, and returns how an option names it; throws an Error with the reason. @type {(file: File, batch: string) => Promise<string>} */
async function sendFile(file, batch) {
  const headers = { "Content-Type": "application/octet-stream", "X-Name": encodeURIComponent(file.name), "X-Batch": batch };
  const answer = await post("/send", file, headers);
  if (!answer?.ok) throw new Error(await reason(answer));
  return (await answer.json()).path;
}

/** What was said, for an element that is read aloud when it changes. @type {(lines: string[]) => HTMLElement[]} */
export const said = (lines) => lines.map((line) => make("p", { class: line.match(/^\s*(error|warning|note|hint):/)?.[1] ?? "" }, line.trim()));

/** @type {(files: string[]) => HTMLElement[]} */
export function offerFiles(files) {
  return files.map((path) => {
    const name = path.split("/").at(-1) ?? "";
    const save = make("a", { class: "button", href: path, download: name }, say("dialog.save", { name }));
    const open = make("a", { class: "button", href: path, target: "_blank", rel: "noopener" }, say("dialog.open"));
    const isPdf = name.endsWith(".pdf"), size = make("span", {}, say("dialog.actual-size"));
    return make("p", { class: "made" }, save, ...(isPdf ? [open, size] : []));
  });
}

/** @type {(name: string) => string} */
const labelOf = (name) => {
  const plain = name.replace(/^(is|has)_/, ""), known = plain.replaceAll("_", "-"), said = word(known);
  return capital(said === known ? plain.replaceAll("_", " ") : said);
};

/** A field of a form; its control has the option's name. @type {(field: Field, how?: How) => HTMLElement} */
export function fieldBox(field, { value = field.default, offered = [], label = labelOf(field.name), isPlain = false } = {}) {
  const { name, kind, about, values } = field;
  /** @type {HTMLElement} */
  let control;
  if (kind === "switch") control = make("input", { type: "checkbox", name, checked: value === "on" });
  else if (kind === "file") control = make("input", { type: "file", name });
  else if (values.length || offered.length) {
    const all = [...new Set([...(values.includes(value) ? [] : [value]), ...offered, ...values])];
    control = make("select", { name }, ...all.map((each) => make("option", { value: each, selected: each === value }, each ? word(each) : say("dialog.usual"))));
  } else control = make("input", { name, value, autocomplete: "off", spellcheck: "false", placeholder: field.default });
  const words = isPlain || !about ? null : make("small", { class: "quiet", id: `about-${name}` }, about);
  if (words) control.setAttribute("aria-describedby", words.id);
  return make("div", { class: `field ${kind}` }, make("label", {}, make("span", {}, label), control), words);
}

/** The options that a form holds, without those that are as usual; sends its files. @type {(form: HTMLFormElement, fields: Field[]) => Promise<{[name: string]: string}>} */
export async function optionsOf(form, fields) {
  /** @type {{[name: string]: string}} */
  const options = {};
  for (const field of fields) {
    const control = /** @type {Control | null} */ (form.elements.namedItem(field.name));
    if (!control) continue;
    const files = control instanceof HTMLInputElement ? [...(control.files ?? [])] : [];
    if (field.kind === "switch") {
      const value = /** @type {HTMLInputElement} */ (control).checked ? "on" : "off";
      if (value !== (field.default || "off")) options[field.name] = value;
    } else if (files.length) {
      const batch = crypto.randomUUID();
      for (const file of files) options[field.name] = await sendFile(file, batch);
      if (/** @type {HTMLInputElement} */ (control).multiple) options[field.name] = batch;
    } else if (field.kind !== "file" && control.value !== field.default) options[field.name] = control.value;
  }
  return options;
}

/** An empty dialog with a form. @type {(title: string) => {dialog: HTMLDialogElement, form: HTMLFormElement}} */
export function openDialog(title) {
  const form = make("form", { method: "dialog" });
  const heading = make("h2", { id: "making-title" }, title);
  const dialog = make("dialog", { class: "making", "aria-labelledby": "making-title" }, heading, form);
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
  return { dialog, form };
}

/** @type {(form: HTMLFormElement, ...children: (Node | string)[]) => void} */
export const show = (form, ...children) => form.querySelector(".said")?.replaceChildren(...children);
