// The panel with the text of game.toml and of the rules. A text is saved with Ctrl-S, and by itself once
// the typing rests, if it can be read. What is not saved is kept in the browser as a draft. Another
// program's change wins, with a notice; the draft can be fetched back.

import { complete } from "./complete.js";
import { isOpen, openPanel } from "./dock.js";
import { make } from "./dom.js";
import { ask, complain, edit, fileNamed, followFiles, spec } from "./edit.js";
import { GLANCE, source } from "./picture.js";
import { say } from "./say.js";
import { loadSchema } from "./schema.js";
import { suggestIn } from "./offers.js";
import { createEditor, languages } from "./vendor/prism-code-editor.js";

/** @import { Finding, GameFile, State, Stock } from "./told.js" */
/** @import { CodeEditor } from "./vendor/prism-code-editor.js" */

/** @type {Stock} */
let stock = { icons: [], fonts: [] };

/** The game's own names, to be completed. */
const names = () => ({
  colours: Object.keys(spec().palette ?? {}),
  arts: Object.keys(spec().art ?? {}),
  fonts: stock.fonts,
  icons: stock.icons.map(({ name }) => name),
  files: known.map(({ name }) => name),
  components: now.state?.components ?? [],
});

/** @typedef {{line: number, level: string, what: string}} Note what is wrong with a line */

const REST = 600; // ms without typing, after which a text is saved

languages.rules = {
  title: { pattern: /^#+ .*/m, alias: "class-name" },
  icon: { pattern: /:[a-z][a-z0-9_-]*(?:\([^():\s]{1,6}\))?(?:@\d{1,5}%?)?:/, alias: "number" },
  bold: /\*\*[^*\n]+\*\*|__[^_\n]+__/,
  italic: /\*[^*\n]+\*/,
  picture: { pattern: /!?\[[^\]\n]*\](?:\([^)\n]*\)|\{[^}\n]*\})?/, alias: "property" },
  code: { pattern: /`[^`\n]+`/, alias: "string" },
  tag: { pattern: /<[^<>\n]+>/, alias: "comment" },
  list: { pattern: /^[ \t]*(?:[-*]|\d+\.)(?= )/m, alias: "punctuation" },
};

/** @typedef {{name: string, digest: string, text: string}} Shown a file, and its text as pnp has it */

/** @type {Shown} */
let shown = { name: "", digest: "", text: "" };
/** @type {{wanted: string, state: State | null, findings: Finding[], refusal: Note | null, resting: number, saving: Promise<void> | null, pages: string[]}} */
const now = { wanted: "", state: null, findings: [], refusal: null, resting: 0, saving: null, pages: [] };
/** @type {CodeEditor} */
let editor;

const picker = make("select", { "aria-label": say("editor.file") });
picker.addEventListener("change", () => show(picker.value));
const status = make("span", { class: "quiet", role: "status" });
const notice = make("p", { class: "notice", role: "status" });
const notes = make("ul", { class: "notes", "aria-label": say("editor.messages") });
const pages = make("div", { class: "pages", role: "group", "aria-label": say("editor.pages"), tabindex: "0" });
const place = make("div", { class: "code" });
const holder = make("div", { class: "text" });
const save = make("button", { type: "button", "aria-keyshortcuts": "Control+S", onclick: () => saveNow(true) }, say("editor.save"));

/** Fills the panel. @param {HTMLElement} panel */
export function fillText(panel) {
  if (!editor) {
    holder.append(make("div", { class: "bar" }, picker, save, status), place, make("div", { class: "beside" }, notice, notes, pages));
    panel.append(holder);
    editor = createEditor(place, { language: "toml", value: "" });
    editor.textarea.addEventListener("input", note); // not if the page itself puts a text in
    editor.textarea.addEventListener("keydown", onKey);
    panel.addEventListener("insert", putIn);
    loadSchema().then(() => suggestIn(editor, (text, at) => complete(text, at, names(), shown.name.endsWith(".toml"))));
    ask("/stock").then((told) => (stock = told ?? stock));
    followFiles(follow);
  }
  showFiles();
}

const texts = (/** @type {GameFile[]} */ files) => files.filter(({ kind, digest }) => kind === "text" && digest);

/** The files of the game. @type {GameFile[]} */
let known = [];

/** @param {{files: GameFile[]}} files */
function follow({ files }) {
  known = files;
  if (!editor || !isOpen("text")) return;
  showFiles();
}

function showFiles() {
  const names = texts(known).map(({ name }) => name);
  if ([...picker.options].map(({ value }) => value).join("\n") !== names.join("\n"))
    picker.replaceChildren(...names.map((name) => make("option", { value: name, selected: name === shown.name }, name)));
  if (!names.includes(now.wanted)) show(names.includes("game.toml") ? "game.toml" : names[0]);
  else if (shown.name && fileNamed(shown.name)?.digest !== shown.digest && !now.saving) renew();
}

/** @param {Shown} file */
const draftKey = ({ name, digest }) => `draft ${name} ${digest}`;
const isChanged = () => editor.value !== shown.text;

/** Shows a file, and what was typed into it before. @param {string} name */
export async function show(name) {
  now.wanted = name;
  await saveNow(false);
  const file = fileNamed(name);
  const told = file && (await ask(`/text?file=${file.id}`));
  if (!told || now.wanted !== name) return;
  shown = { name, digest: told.digest, text: plain(told.text) };
  picker.value = name;
  [now.refusal, notice.textContent] = [null, ""];
  const value = localStorage.getItem(draftKey(shown)) ?? shown.text;
  editor.setOptions({ value, language: name.endsWith(".toml") ? "toml" : "rules", wordWrap: name.endsWith(".md"), readOnly: file.locked !== "" });
  editor.textarea.setAttribute("aria-label", name);
  editor.textarea.setSelectionRange(0, 0);
  editor.container.scrollTop = 0;
  showPages();
  note();
}

/** Takes what is in the file now: the text that the page itself sent, or another program's.
 * @param {string | null} sent */
async function renew(sent = null) {
  const [file, before] = [fileNamed(shown.name), shown];
  const told = file && (await ask(`/text?file=${file.id}`));
  if (!told || shown !== before || told.digest === shown.digest) return;
  const [text, draft, wasChanged] = [plain(told.text), editor.value, isChanged()];
  localStorage.removeItem(draftKey(shown));
  shown = { name: shown.name, digest: told.digest, text };
  if (text !== sent && text !== draft) {
    put(text);
    if (wasChanged) offer(draft);
  }
  note();
}

/** Offers what was typed before another program changed the file. @param {string} draft */
function offer(draft) {
  const button = make("button", { type: "button" }, say("editor.show-mine"));
  button.addEventListener("click", () => {
    notice.replaceChildren();
    put(draft);
    note();
    editor.textarea.focus();
  });
  notice.replaceChildren(`${say("editor.changed", { name: shown.name })} `, button);
}

/** @param {string} text */
const plain = (text) => text.replaceAll("\r\n", "\n");

/** Puts another text in, and leaves the cursor where it was. @param {string} text */
function put(text) {
  const { textarea } = editor;
  const [at, top] = [textarea.selectionStart, editor.container.scrollTop];
  editor.setOptions({ value: text });
  textarea.setSelectionRange(at, at);
  editor.container.scrollTop = top;
}

// After each change: keeps the draft, and saves once the typing rests.
function note() {
  const isLocked = Boolean(editor.options.readOnly);
  clearTimeout(now.resting);
  now.refusal = null;
  if (isChanged() && !isLocked) {
    localStorage.setItem(draftKey(shown), editor.value);
    now.resting = setTimeout(() => saveNow(false), REST);
  } else localStorage.removeItem(draftKey(shown));
  save.disabled = !isChanged() || isLocked;
  status.textContent = isLocked ? fileNamed(shown.name)?.locked ?? "" : isChanged() ? say("editor.not-yet") : say("editor.saved");
  mark();
}

/** Saves what is typed. A text typed meanwhile is saved after it. @param {boolean} isAsked by hand, so that a refusal is told aloud */
async function saveNow(isAsked) {
  clearTimeout(now.resting);
  while (now.saving) await now.saving;
  if (!isChanged()) return;
  now.saving = saveText(isAsked).finally(() => (now.saving = null));
  await now.saving;
}

/** @param {boolean} isAsked */
async function saveText(isAsked) {
  const [text, saved] = [editor.value, shown];
  const why = await edit(saved.name, { do: "text", text }, saved.digest);
  if (!why) return renew(text);
  complain(isAsked ? why : "");
  const line = Number(/\(at line (\d+)/.exec(why)?.[1] ?? (/at end of document/.test(why) ? editor.lines.length - 1 : 0));
  if (!line) return renew();
  now.refusal = { line, level: "error", what: why.replace(/^.*? not saved: | \(.*$/g, "") };
  status.textContent = say("editor.not-saved");
  mark();
}

// What is wrong, at its lines ---------------------------------------------------------------------

/** What the page knows of the game. @type {(state: State | null, findings: Finding[]) => void} */
export function takeGame(state, findings) {
  now.state = state;
  now.findings = findings;
  if (!editor || !isOpen("text")) return;
  mark();
  showPages();
}

/** The pages of the rules, as they print, beside their text. */
function showPages() {
  const isRules = shown.name.endsWith(".md");
  holder.classList.toggle("is-rules", isRules);
  pages.hidden = !isRules;
  const ids = isRules ? now.state?.rules ?? [] : [];
  now.pages = ids; // what is loaded for others ends
  while (pages.children.length > Math.max(ids.length, 1)) pages.lastChild?.remove();
  if (!ids.length) return pages.replaceChildren(make("p", { class: "quiet" }, say("editor.no-pages")));
  if (!(pages.firstChild instanceof HTMLImageElement)) pages.replaceChildren();
  while (pages.children.length < ids.length) pages.append(make("img", { alt: say("editor.page", { number: pages.children.length + 1 }) }));
  loadPages(ids);
}

/** Loads the pages one after the other: a picture that is not painted yet holds one of the few connections
 * of a browser, and texts are to be saved. @param {string[]} ids */
async function loadPages(ids) {
  for (const [i, id] of ids.entries()) {
    const image = /** @type {HTMLImageElement} */ (pages.children[i]);
    if (image.getAttribute("src") === source(id, "whole", GLANCE)) continue;
    image.src = source(id, "whole", GLANCE);
    await image.decode().catch(() => {});
    if (now.pages !== ids) return;
  }
}

/** @returns {Note[]} */
function notesOfFile() {
  const found = now.findings.flatMap(({ where, level, what, hint }) => {
    const [, file, line] = /^[^/]+\/(.*?):(\d+)/.exec(where) ?? [];
    return file === shown.name ? [{ line: Number(line), level, what: hint ? `${what} (${hint})` : what }] : [];
  });
  return [...(now.refusal ? [now.refusal] : []), ...(isChanged() ? [] : found)].sort((a, b) => a.line - b.line);
}

function mark() {
  for (const line of place.querySelectorAll(".pce-line[data-level]")) line.removeAttribute("data-level");
  const own = notesOfFile();
  for (const { line, level } of own) editor.lines[line]?.setAttribute("data-level", level);
  notes.replaceChildren(...own.map(({ line, level, what }) =>
    make("li", { class: level }, make("button", { type: "button", onclick: () => goToLine(line) }, say("editor.line", { number: line })), ` ${what}`)));
}

/** @param {number} line */
export function goToLine(line) {
  const at = editor.value.split("\n").slice(0, line - 1).join("\n").length + (line > 1 ? 1 : 0);
  editor.textarea.focus();
  editor.textarea.setSelectionRange(at, at);
  editor.lines[line]?.scrollIntoView({ block: "center" });
}

/** Puts in what another panel offers. @param {Event} event */
function putIn(event) {
  event.preventDefault();
  if (!isOpen("text")) openPanel("text");
  editor.textarea.focus();
  document.execCommand("insertText", false, /** @type {CustomEvent<string>} */ (event).detail); // it can be undone
}

/** @param {KeyboardEvent} event */
function onKey(event) {
  if ((event.ctrlKey || event.metaKey) && event.key === "s") {
    event.preventDefault();
    saveNow(true);
  }
}
