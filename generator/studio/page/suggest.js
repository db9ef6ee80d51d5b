// What may stand in a cell, in a list below or above it while it is edited.

import { make } from "./dom.js";
import { say } from "./say.js";

/** @typedef {{text: string, colour?: string, picture?: string}} Suggestion */
/** `isList`: a cell may have several, between spaces. @typedef {{items: Suggestion[], hasColours: boolean, isList?: boolean}} Suggestions */

const MOST = 150; // items

let made = 0;

/**
 * A list for an input. `take` gets the text that was chosen.
 * @param {HTMLTextAreaElement} input
 * @param {(text: string) => void} take
 */
export function makeSuggester(input, take) {
  const id = `suggestions-${(made += 1)}`;
  const list = make("ul", { role: "listbox", id, "aria-label": say("rows.suggestions") });
  const colour = make("input", { type: "color", "aria-label": say("rows.another") });
  const other = make("label", { class: "other" }, colour, say("rows.another-colour"));
  const popup = make("div", { class: "suggestions", popover: "manual" }, list, other);
  colour.addEventListener("change", () => take(colour.value));
  popup.addEventListener("pointerdown", (event) => event.target !== colour && event.preventDefault());
  list.addEventListener("click", ({ target }) => {
    const text = /** @type {HTMLElement} */ (target).closest("li")?.dataset.text;
    if (text !== undefined) take(joined(text));
  });
  document.body.append(popup);
  input.setAttribute("aria-autocomplete", "list");
  /** @type {Suggestion[]} */
  let shown = [];
  let at = -1;
  /** @type {Suggestions} */
  let offered = { items: [], hasColours: false };

  /** What the last word of a list begins, or all that is typed; "" behind a word that is whole. @param {string} words */
  function begun(words) {
    const last = offered.isList ? words.split(/\s+/).at(-1) ?? "" : words.trim();
    return offered.isList && offered.items.some(({ text }) => text === last) ? "" : last;
  }

  /** The cell with a text that is chosen: of a list, instead of the word that is begun, or behind the last. @param {string} text */
  function joined(text) {
    if (!offered.isList) return text;
    const words = input.value.split(/\s+/).filter(Boolean);
    return [...(begun(input.value.trimEnd()) ? words.slice(0, -1) : words), text].join(" ");
  }

  /** @param {number} now */
  function point(now) {
    at = now;
    [...list.children].forEach((item, index) => item.setAttribute("aria-selected", String(index === at)));
    if (at >= 0) {
      input.setAttribute("aria-activedescendant", `${id}-${at}`);
      list.children[at].scrollIntoView({ block: "nearest" });
    } else input.removeAttribute("aria-activedescendant");
  }

  /** Lists what holds the words. @param {string} words */
  function filter(words) {
    const sought = begun(words).toLocaleLowerCase();
    shown = offered.items.filter(({ text }) => text.toLocaleLowerCase().includes(sought)).slice(0, MOST);
    list.replaceChildren(...shown.map(({ text, colour, picture }, index) =>
      make("li", { role: "option", id: `${id}-${index}`, "data-text": text, "aria-selected": "false" }, colour ? swatch(colour) : picture ? make("img", { src: picture, alt: "" }) : null, text)));
    list.hidden = shown.length === 0;
    point(-1);
    const isNeeded = offered.hasColours || (shown.length > 0 && !(shown.length === 1 && shown[0].text === words));
    if (isNeeded === popup.matches(":popover-open")) return;
    popup.togglePopover(isNeeded);
    if (!isNeeded) return input.removeAttribute("aria-controls");
    input.setAttribute("aria-controls", id);
    place();
  }

  function place() {
    const box = input.getBoundingClientRect();
    const isBelow = innerHeight - box.bottom > popup.offsetHeight;
    popup.style.left = `${Math.min(box.left, innerWidth - popup.offsetWidth - 8)}px`;
    popup.style.top = isBelow ? `${box.bottom + 3}px` : "auto";
    popup.style.bottom = isBelow ? "auto" : `${innerHeight - box.top + 3}px`;
  }

  return {
    /** @param {Suggestions} all */
    open(all) {
      offered = all;
      other.hidden = !all.hasColours;
      const now = all.items.find(({ text }) => text === input.value)?.colour ?? input.value;
      if (/^#[\da-f]{6}$/i.test(now)) colour.value = now;
      filter("");
    },
    filter,
    close() {
      offered = { items: [], hasColours: false };
      filter("");
    },
    /** @param {EventTarget | null} target */
    holds: (target) => target instanceof Node && popup.contains(target),
    /** What is pointed at. */
    get pointed() {
      return shown[at] && joined(shown[at].text);
    },
    /** Points at the next item; false without any. @param {number} by */
    step(by) {
      if (!shown.length) return false;
      point(at < 0 && by < 0 ? shown.length - 1 : (at + by + shown.length) % shown.length);
      return true;
    },
  };
}

/** @param {string} colour */
export function swatch(colour) {
  const sample = make("span", { class: "swatch", "aria-hidden": "true" });
  sample.style.backgroundColor = colour;
  return sample;
}
