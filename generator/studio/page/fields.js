// A form whose fields stay while their values change, so that nobody loses what is being typed.

import { make } from "./dom.js";
import { say } from "./say.js";

/**
 * A field: its kind, its value as it is saved, why it cannot be changed, and what a new value does.
 * @typedef {object} Field
 * @property {string} label
 * @property {"number" | "text" | "words" | "choice" | "check" | "colour" | "file"} kind
 * @property {string} value
 * @property {(value: string) => void} act
 * @property {(file: File) => void} [pick] what a chosen file does
 * @property {string} [unit] of a number
 * @property {number} [step] of a number
 * @property {number} [min] of a number: less is refused
 * @property {string[]} [choices] of a choice, or of a text; the kinds of a file
 * @property {(choice: string) => string} [show] how a choice reads; else as it is
 * @property {[name: string, colour: string][]} [palette] of a colour
 * @property {string} [about]
 * @property {string} [why] it is fixed
 */
/** @typedef {{element: HTMLElement, take: (field: Field) => void}} Widget */

/** @type {WeakMap<HTMLElement, {what: string, fields: Field[], widgets: Widget[]}>} */
const forms = new WeakMap();

/** Shows fields in an element; the same fields get their values, others replace them. @type {(form: HTMLElement, what: string, fields: Field[]) => void} */
export function showFields(form, what, fields) {
  const name = JSON.stringify([what, fields.map(({ label, kind, choices, palette }) => [label, kind, choices, palette])]);
  const known = forms.get(form);
  if (known?.what === name) known.fields = fields;
  else {
    /** @type {{what: string, fields: Field[], widgets: Widget[]}} */
    const made = { what: name, fields, widgets: [] };
    made.widgets = fields.map((field, index) => widget(field, (value) => made.fields[index].act(value), (file) => made.fields[index].pick?.(file)));
    forms.set(form, made);
    form.replaceChildren(...made.widgets.map(({ element }) => element));
  }
  forms.get(form)?.widgets.forEach(({ take }, index) => take(fields[index]));
}

/** @type {(field: Field, act: (value: string) => void, pick: (file: File) => void) => Widget} */
function widget(field, act, pick) {
  if (field.kind === "colour") return colours(field, act);
  if (field.kind === "file") return picker(field, pick);
  const input = inputOf(field);
  const note = make("small", { class: "quiet why" });
  const unit = field.unit ? make("span", { class: "quiet" }, field.unit) : null;
  const element = make("label", { class: `field ${field.kind}` }, make("span", { class: "name" }, field.label), input, unit, note);
  input.addEventListener("change", () => {
    if (input.validity.rangeUnderflow) return void input.reportValidity();
    act(input.type === "checkbox" ? String(/** @type {HTMLInputElement} */ (input).checked) : input.value);
  });
  input.onkeydown = (/** @type {KeyboardEvent} */ event) => {
    if (event.key !== "Escape" || input.value === last) return;
    input.value = last;
    event.preventDefault();
    event.stopPropagation();
  };
  let last = "";
  return { element, take: (now) => {
    note.textContent = now.why ?? "";
    element.title = now.why || now.about || "";
    input.disabled = Boolean(now.why);
    if (input.type === "checkbox") /** @type {HTMLInputElement} */ (input).checked = now.value === "true";
    else if (document.activeElement !== input || input.value === last) input.value = now.value;
    last = now.value;
  } };
}

/** @type {(field: Field, pick: (file: File) => void) => Widget} */
function picker({ label, choices }, pick) {
  const input = make("input", { type: "file", accept: (choices ?? []).join() }), note = make("small", { class: "quiet why" });
  input.addEventListener("change", () => input.files?.[0] && pick(input.files[0]));
  const element = make("label", { class: "field file" }, make("span", { class: "name" }, label), input, note);
  return { element, take: (now) => {
    note.textContent = now.why || [now.value, now.about].filter(Boolean).join(", ");
    input.disabled = Boolean(now.why);
  } };
}

let lists = 0;

/** @type {(field: Field) => HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement} */
function inputOf({ kind, step, min, choices, show = String }) {
  if (kind === "choice") return make("select", {}, ...(choices ?? []).map((choice) => make("option", { value: choice }, choice ? show(choice) : "–")));
  if (kind === "words") return make("textarea", { rows: 3, spellcheck: "true" });
  if (kind === "check") return make("input", { type: "checkbox" });
  if (kind === "number") return make("input", { type: "number", step: step ?? "any", min: min ?? null });
  return make("input", { type: "text", autocomplete: "off", spellcheck: "false", ...(choices ? { list: listOf(choices) } : {}) });
}

/** A list of words that a text may have. @type {(choices: string[]) => string} */
function listOf(choices) {
  const id = `choices-${lists += 1}`;
  document.getElementById("large")?.append(make("datalist", { id }, ...choices.map((value) => make("option", { value }))));
  return id;
}

/** @type {(field: Field, act: (value: string) => void) => Widget} */
function colours({ label, palette = [] }, act) {
  const free = make("input", { type: "color", "aria-label": say("part.any-colour", { label }) });
  const note = make("small", { class: "quiet why" });
  /** @type {(name: string, colour: string) => HTMLButtonElement} */
  const swatch = (name, colour) => {
    const button = make("button", { type: "button", class: "swatch", "data-value": name, title: name, "aria-label": `${label}: ${name}`, onclick: () => act(name) });
    button.style.background = colour;
    return button;
  };
  const swatches = palette.map(([name, colour]) => swatch(name, colour));
  free.addEventListener("change", () => act(free.value));
  const element = make("div", { class: "field colour", role: "group", "aria-label": label }, make("span", { class: "name" }, label), make("span", { class: "swatches" }, ...swatches, free), note);
  return { element, take: (now) => {
    note.textContent = now.why ?? "";
    for (const button of swatches) {
      button.disabled = Boolean(now.why);
      button.setAttribute("aria-pressed", String(button.dataset.value === now.value));
    }
    free.disabled = Boolean(now.why);
    if (/^#[0-9a-f]{6}$/i.test(now.value)) free.value = now.value.toLowerCase();
  } };
}
