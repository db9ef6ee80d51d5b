// Makes an element in one call: make("p", {class: "quiet", onclick}, "text", another).
// Text is never parsed as HTML.

/**
 * The elements of index.html that the scripts name.
 * @typedef {{
 *   title: HTMLElement, seats: HTMLElement, undo: HTMLButtonElement, redo: HTMLButtonElement, snap: HTMLSelectElement,
 *   smaller: HTMLButtonElement, larger: HTMLButtonElement, fit: HTMLButtonElement, "more-button": HTMLButtonElement, "help-button": HTMLButtonElement, "rules-button": HTMLButtonElement, pages: HTMLElement, rules: HTMLDialogElement,
 *   room: HTMLElement, felt: HTMLElement, acts: HTMLElement, hand: HTMLElement, tray: HTMLElement,
 *   more: HTMLDialogElement, help: HTMLDialogElement, sides: HTMLInputElement, label: HTMLInputElement,
 *   "add-die": HTMLButtonElement, "add-counter": HTMLButtonElement, roll: HTMLButtonElement,
 *   save: HTMLButtonElement, load: HTMLButtonElement, restart: HTMLButtonElement,
 *   turn: HTMLElement, prompt: HTMLElement, counters: HTMLElement, notation: HTMLElement, "notation-text": HTMLElement,
 *   closed: HTMLDialogElement, "closed-title": HTMLElement, "closed-text": HTMLElement,
 *   said: HTMLElement, wrong: HTMLElement, log: HTMLButtonElement, done: HTMLDialogElement, "done-lines": HTMLElement,
 * }} Elements
 */
/** @typedef {{[name: string]: string | number | boolean | null | ((event: Event) => void)}} Attributes */
/** @typedef {Node | string | null} Child */

/**
 * @template {keyof Elements} Id
 * @param {Id} id
 */
export const find = (id) => /** @type {Elements[Id]} */ (/** @type {unknown} */ (document.getElementById(id)));

/**
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Attributes} attributes
 * @param {Child[]} children
 */
export function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name.slice(2), value);
    else if (value !== false && value !== null) element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(...children.filter((child) => child !== null));
  return element;
}
