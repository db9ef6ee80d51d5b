// Makes an element in one call: make("p", {class: "quiet", onclick}, "text", another).
// Text is never parsed as HTML.

const SVG = "http://www.w3.org/2000/svg";

/**
 * The elements of index.html that the scripts name.
 * @typedef {{
 *   title: HTMLElement, count: HTMLElement, smaller: HTMLButtonElement, larger: HTMLButtonElement, pages: HTMLElement, panel: HTMLElement,
 *   bar: HTMLButtonElement, "panel-body": HTMLElement, hint: HTMLElement, fault: HTMLElement, form: HTMLFormElement, reset: HTMLButtonElement,
 *   again: HTMLElement, ending: HTMLElement, folder: HTMLElement, make: HTMLButtonElement, progress: HTMLElement, command: HTMLElement, made: HTMLElement, lens: HTMLElement,
 * }} Elements
 */
/** @typedef {{[name: string]: string | number | boolean | null | ((event: any) => void)}} Attributes */
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
  const element = dressed(document.createElement(tag), attributes);
  element.append(...children.filter((child) => child !== null));
  return element;
}

/**
 * @template {keyof SVGElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Attributes} attributes
 * @param {Child[]} children
 */
export function draw(tag, attributes = {}, ...children) {
  const element = dressed(document.createElementNS(SVG, tag), attributes);
  element.append(...children.filter((child) => child !== null));
  return element;
}

/** Sets attributes, and hears events.
 * @template {Element} Kind
 * @param {Kind} element
 * @param {Attributes} attributes
 */
export function dressed(element, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name.slice(2), value);
    else if (value !== false && value !== null) element.setAttribute(name, value === true ? "" : String(value));
  }
  return element;
}
