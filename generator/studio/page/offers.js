// The list of what may stand at the cursor of the editor: it opens while typing and by Ctrl-Space.

import { make } from "./dom.js";
import { say } from "./say.js";

/** @import { Completion } from "./complete.js" */
/** @import { CodeEditor } from "./vendor/prism-code-editor.js" */

const MOST = 60; // offers
const ROOM = 230; // px below the line, or the list is above it

/** Attaches the list to an editor. @type {(editor: CodeEditor, ask: (text: string, at: number) => Completion | null) => void} */
export function suggestIn(editor, ask) {
  const { textarea } = editor;
  const list = make("ul", { role: "listbox", id: "offers", tabindex: "0", "aria-label": say("editor.offers") });
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
  }

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
    place();
  }

  /** @param {number} i */
  function choose(i) {
    const items = /** @type {HTMLElement[]} */ ([...list.children]);
    now.at = (i + items.length) % items.length;
    items.forEach((item, n) => (item.ariaSelected = String(n === now.at)));
    items[now.at].scrollIntoView({ block: "nearest" });
    textarea.setAttribute("aria-activedescendant", items[now.at].id);
    about.textContent = now.completion?.offers[now.at].about ?? "";
  }

  function place() {
    const box = caretBox(editor, now.completion?.from ?? 0);
    const isBelow = innerHeight - box.bottom > ROOM;
    popup.style.left = `${Math.min(box.left, innerWidth - popup.offsetWidth - 8)}px`;
    popup.style.top = isBelow ? `${box.bottom + 3}px` : "auto";
    popup.style.bottom = isBelow ? "auto" : `${innerHeight - box.top + 3}px`;
  }

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
  });
  // Typing at the end of a long line scrolls, too: the list follows its line until that is out of sight.
  editor.container.addEventListener("scroll", () => {
    if (!now.completion) return;
    const room = editor.container.getBoundingClientRect(), line = caretBox(editor, now.completion.from);
    if (line.bottom < room.top || line.top > room.bottom) close();
    else place();
  });
}

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
