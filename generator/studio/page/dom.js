// Makes an element in one call: make("p", {class: "quiet", onclick}, "text", another).
// Text is never parsed as HTML.

const SVG = "http://www.w3.org/2000/svg";

/**
 * The elements of index.html that the scripts name.
 * @typedef {{
 *   live: HTMLElement, title: HTMLElement, designer: HTMLElement, "menu-button": HTMLButtonElement, "findings-bar": HTMLButtonElement,
 *   search: HTMLInputElement, values: HTMLDataListElement, column: HTMLSelectElement, view: HTMLSelectElement,
 *   choices: HTMLElement, draft: HTMLInputElement, refused: HTMLElement,
 *   "paper-choice": HTMLElement, paper: HTMLSelectElement, "language-choice": HTMLElement, language: HTMLSelectElement,
 *   "variant-choice": HTMLElement, variant: HTMLSelectElement, "printer-choice": HTMLElement, printer: HTMLSelectElement,
 *   sides: HTMLSelectElement, real: HTMLButtonElement, shrunk: HTMLButtonElement, smaller: HTMLButtonElement, larger: HTMLButtonElement, "help-button": HTMLButtonElement,
 *   broken: HTMLElement, main: HTMLElement, faces: HTMLElement, sheets: HTMLElement, findings: HTMLElement,
 *   "edit-tools": HTMLElement, undo: HTMLButtonElement, redo: HTMLButtonElement, history: HTMLElement, saves: HTMLElement,
 *   "make-tools": HTMLElement, "new-button": HTMLButtonElement, "print-button": HTMLButtonElement, "export-button": HTMLButtonElement, "printer-button": HTMLButtonElement,
 *   complaint: HTMLElement, dock: HTMLElement, "dock-edge": HTMLElement,
 *   "rows-panel": HTMLElement, "text-panel": HTMLElement, "colours-panel": HTMLElement, "icons-panel": HTMLElement,
 *   large: HTMLDialogElement, help: HTMLDialogElement, said: HTMLElement,
 * }} Elements
 */
/** @typedef {{[name: string]: string | number | boolean | null | (() => void)}} Attributes */
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
  return dressed(document.createElement(tag), attributes, children);
}

/**
 * @template {keyof SVGElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Attributes} attributes
 * @param {Child[]} children
 */
export function draw(tag, attributes = {}, ...children) {
  return dressed(document.createElementNS(SVG, tag), attributes, children);
}

/**
 * @template {Element} Kind
 * @param {Kind} element
 * @param {Attributes} attributes
 * @param {Child[]} children
 */
function dressed(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name.slice(2), value);
    else if (value !== false && value !== null) element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(...children.filter((child) => child !== null));
  return element;
}

/** @type {(values: number[]) => string} */
export const matrix = (values) => `matrix(${values.join(" ")})`;
