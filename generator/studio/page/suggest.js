import { make } from "./dom.js";
// What may stand in a cell, in a list below or above it while it is edited.

/** @typedef {{text: string, colour?: string}} Suggestion */
/** @typedef {{items: Suggestion[], hasColours: boolean}} Suggestions */
const MOST = 60; // items
/**
 * A list for an input. `take` gets the text that was chosen.
 * @param {HTMLTextAreaElement} input
 * @param {(text: string) => void} take
 */
export function makeSuggester(input, take) {
  const list = make("ul", { role: "listbox", id: "suggestions", "aria-label": "Suggestions" });
  const colour = make("input", { type: "color", "aria-label": "Another colour" });
  const other = make("label", { class: "other" }, colour, "another colour");
  const popup = make("div", { class: "suggestions", popover: "manual" }, list, other);
  colour.addEventListener("change", () => take(colour.value));
  popup.addEventListener("pointerdown", (event) => event.target !== colour && event.preventDefault());
  list.addEventListener("click", ({ target }) => {
    const text = /** @type {HTMLElement} */ (target).closest("li")?.dataset.text;
    if (text !== undefined) take(text);
  });
  document.body.append(popup);
  input.setAttribute("aria-autocomplete", "list");
  /** @type {Suggestion[]} */
  let shown = [];
  let at = -1;
  /** @type {Suggestions} */
  let offered = { items: [], hasColours: false };
  /** @param {number} now */
  function point(now) {
    at = now;
    [...list.children].forEach((item, index) => item.setAttribute("aria-selected", String(index === at)));
    if (at >= 0) {
      input.setAttribute("aria-activedescendant", `suggestion-${at}`);
      list.children[at].scrollIntoView({ block: "nearest" });
    } else input.removeAttribute("aria-activedescendant");
  }
  /** Lists what holds the words. @param {string} words */
  function filter(words) {
    const sought = words.trim().toLocaleLowerCase();
    shown = offered.items.filter(({ text }) => text.toLocaleLowerCase().includes(sought)).slice(0, MOST);
    list.replaceChildren(...shown.map(({ text, colour }, index) =>
      make("li", { role: "option", id: `suggestion-${index}`, "data-text": text, "aria-selected": "false" }, colour ? swatch(colour) : null, text)));
    list.hidden = shown.length === 0;
    point(-1);
    const isNeeded = offered.hasColours || (shown.length > 0 && !(shown.length === 1 && shown[0].text === words));
    if (isNeeded === popup.matches(":popover-open")) return;
    popup.togglePopover(isNeeded);
    if (!isNeeded) return input.removeAttribute("aria-controls");
    input.setAttribute("aria-controls", "suggestions");
    place();
  function place() {
    const box = input.getBoundingClientRect();
    const isBelow = innerHeight - box.bottom > popup.offsetHeight;
// The list of what may stand at the cursor of the editor: it opens while typing and by Ctrl-Space.
/** @import { Completion } from "./complete.js" */
/** @import { CodeEditor } from "./vendor/prism-code-editor.js" */
const MOST = 60; // offers
const ROOM = 230; // px below the line, or the list is above it
/** Attaches the list to an editor. @type {(editor: CodeEditor, ask: (text: string, at: number) => Completion | null) => void} */
export function suggestIn(editor, ask) {
  const { textarea } = editor;
  const list = make("ul", { role: "listbox", id: "offers", tabindex: "0", "aria-label": "What may stand here" });
  const about = make("p", { class: "quiet", id: "offer-about" });
  const popup = make("div", { class: "offers", popover: "manual" }, list, about);
  editor.container.parentElement?.append(popup);
  for (const [name, value] of [["autocomplete", "list"], ["controls", "offers"], ["describedby", "offer-about"]]) textarea.setAttribute(`aria-${name}`, value);
  /** @type {{completion: Completion | null, at: number, isOurs: boolean}} */
  const now = { completion: null, at: 0, isOurs: false };
  const isOpen = () => now.completion !== null;
  function close() {
    now.completion = null;
    textarea.removeAttribute("aria-activedescendant");
    if (popup.matches(":popover-open")) popup.hidePopover();
  function open() {
    const at = textarea.selectionStart;
    now.completion = at === textarea.selectionEnd ? ask(textarea.value, at) : null;
    if (!now.completion) return close();
    list.replaceChildren(...now.completion.offers.slice(0, MOST).map(({ label }, i) => {
      const item = make("li", { role: "option", id: `offer-${i}` }, label);
      item.addEventListener("pointerdown", (event) => (event.preventDefault(), put(i)));
      return item;
    }));
    popup.showPopover();
    choose(0);
  /** @param {number} i */
  function choose(i) {
    const items = /** @type {HTMLElement[]} */ ([...list.children]);
    now.at = (i + items.length) % items.length;
    items.forEach((item, n) => (item.ariaSelected = String(n === now.at)));
    items[now.at].scrollIntoView({ block: "nearest" });
    textarea.setAttribute("aria-activedescendant", items[now.at].id);
    about.textContent = now.completion?.offers[now.at].about ?? "";
    const box = caretBox(editor, now.completion?.from ?? 0);
    const isBelow = innerHeight - box.bottom > ROOM;
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
    /** @param {EventTarget | null} target */
    holds: (target) => target instanceof Node && popup.contains(target),
    /** What is pointed at. */
    get pointed() {
      return shown[at]?.text;
    /** Points at the next item; false without any. @param {number} by */
    step(by) {
      if (!shown.length) return false;
      point(at < 0 && by < 0 ? shown.length - 1 : (at + by + shown.length) % shown.length);
      return true;
  };
}

/** @param {string} colour */
export function swatch(colour) {
  const sample = make("span", { class: "swatch", "aria-hidden": "true" });
  sample.style.backgroundColor = colour;
  return sample;
  /** @param {number} i */
  function put(i) {
    if (!now.completion) return;
    const { from, to, offers } = now.completion;
    const { text, back } = offers[i];
    close();
    now.isOurs = true;
    textarea.setSelectionRange(from, to);
    document.execCommand("insertText", false, text); // it can be undone
    now.isOurs = false;
    const end = textarea.selectionStart - back;
    textarea.setSelectionRange(end, end);
    if (back) open();
  }
  /** @type {{[key: string]: () => void}} */
  const keys = { ArrowDown: () => choose(now.at + 1), ArrowUp: () => choose(now.at - 1), Enter: () => put(now.at), Tab: () => put(now.at), Escape: close };
  // before the editor's own keys
  editor.container.addEventListener("keydown", (event) => {
    const isAsked = event.key === " " && event.ctrlKey;
    if (isAsked) open();
    else if (isOpen() && keys[event.key] && !event.ctrlKey && !event.shiftKey) keys[event.key]();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }, true);
  textarea.addEventListener("input", (event) => {
    if (now.isOurs) return;
    const { data, inputType } = /** @type {InputEvent} */ (event);
    const isTyping = inputType === "insertText" && /[\w"'[.:{-]/.test(data ?? "");
    if (isTyping || (isOpen() && inputType === "deleteContentBackward")) open();
    else close();
  });
  textarea.addEventListener("blur", close);
  textarea.addEventListener("pointerdown", close);
  textarea.addEventListener("keyup", ({ key }) => {
    if (/^(Arrow(Left|Right)|Home|End|Page)/.test(key)) close();
  editor.container.addEventListener("scroll", close);
/** Where a character is on the page. @type {(editor: CodeEditor, at: number) => DOMRect} */
function caretBox(editor, at) {
  const before = editor.value.slice(0, at).split("\n");
  const line = editor.lines[before.length];
  const walker = document.createTreeWalker(line, NodeFilter.SHOW_TEXT);
  let left = /** @type {string} */ (before.at(-1)).length;
  const range = document.createRange();
  for (let node; (node = walker.nextNode()); left -= node.textContent?.length ?? 0)
    if (left <= (node.textContent?.length ?? 0)) {
      range.setStart(node, left);
      return range.getBoundingClientRect();
    }
  return line.getBoundingClientRect();
}
