// Elements, made in one call: make("p", {class: "quiet", onclick}, "text", another).
// Text is only ever put in as text.

const SVG = "http://www.w3.org/2000/svg";

export const find = (id) => document.getElementById(id);

export function make(tag, attributes = {}, ...children) {
  return dressed(document.createElement(tag), attributes, children);
}

export function draw(tag, attributes = {}, ...children) {
  return dressed(document.createElementNS(SVG, tag), attributes, children);
}

function dressed(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value !== false && value !== null) element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.filter((child) => child !== null));
  return element;
}

export const count = (number, what) => `${number} ${what}${number === 1 ? "" : "s"}`;

export const matrix = (values) => `matrix(${values.join(" ")})`;
