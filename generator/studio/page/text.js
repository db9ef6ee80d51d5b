// The panel with the text of game.toml and of the rules. A text is saved with Ctrl-S, and by itself once
// the typing rests, if it can be read. What is not saved is kept in the browser as a draft. Another
// program's change wins, with a notice; the draft can be fetched back.

import { complete } from "./complete.js";
import { isOpen, openPanel } from "./dock.js";
import { make } from "./dom.js";
import { ask, complain, edit, fileNamed, followFiles, spec } from "./edit.js";
import { loadSchema } from "./schema.js";
import { suggestIn } from "./suggest.js";
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

/** The file that is shown: its text as pnp has it, and what pnp was sent last. */
const shown = { name: "", digest: "", text: "", sent: "" };
/** @type {{state: State | null, findings: Finding[], refusal: Note | null, resting: number, isSaving: boolean}} */
const now = { state: null, findings: [], refusal: null, resting: 0, isSaving: false };
/** @type {CodeEditor} */
let editor;

const picker = make("select", { "aria-label": "File" });
picker.addEventListener("change", () => show(picker.value));
const status = make("span", { class: "quiet", role: "status" });
const notice = make("p", { class: "notice", role: "status" });
const notes = make("ul", { class: "notes", "aria-label": "Messages" });
const pages = make("div", { class: "pages", role: "group", "aria-label": "Pages of the rules", tabindex: "0" });
const place = make("div", { class: "code" });
const save = make("button", { type: "button", "aria-keyshortcuts": "Control+S", onclick: () => saveNow(true) }, "Save");

/** Fills the panel. @param {HTMLElement} panel */
export function fillText(panel) {
  if (!editor) {
    panel.append(make("div", { class: "text" }, make("div", { class: "bar" }, picker, save, status), place, make("div", { class: "beside" }, notice, notes, pages)));
    editor = createEditor(place, { language: "toml", value: "", onUpdate: note, onSelectionChange: () => {} });
    editor.textarea.addEventListener("keydown", onKey);
    panel.addEventListener("insert", putIn);
    suggestIn(editor, (text, at) => complete(text, at, names(), shown.name.endsWith(".toml")));
    loadSchema();
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
  if (!names.includes(shown.name)) show(names.includes("game.toml") ? "game.toml" : names[0]);
  else if (fileNamed(shown.name)?.digest !== shown.digest) renew();
}

const draftKey = () => `draft ${shown.name} ${shown.digest}`;
const isChanged = () => editor.value !== shown.text;

/** Shows a file, and what was typed into it before. @param {string} name */
export async function show(name) {
  if (isChanged()) await saveNow(false);
  const file = fileNamed(name);
  if (!file) return;
  picker.value = name;
  const told = await ask(`/text?file=${file.id}`);
  if (!told) return;
  Object.assign(shown, { name, digest: told.digest, text: plain(told.text), sent: "" });
  [now.refusal, notice.textContent] = [null, ""];
  editor.setOptions({ language: name.endsWith(".toml") ? "toml" : "rules", wordWrap: name.endsWith(".md"), readOnly: file.locked !== "" });
  editor.textarea.setAttribute("aria-label", name);
  put(localStorage.getItem(draftKey()) ?? shown.text);
}

/** Takes what another program saved, unless it is what the page itself did. */
async function renew() {
  const file = fileNamed(shown.name);
  if (!file || now.isSaving) return;
  const told = await ask(`/text?file=${file.id}`);
  if (!told || told.digest === shown.digest) return;
  const [text, draft, wasChanged] = [plain(told.text), editor.value, isChanged()];
  localStorage.removeItem(draftKey());
  Object.assign(shown, { digest: told.digest, text });
  if (text === shown.sent || text === draft) return note();
  put(text);
  if (wasChanged) offer(draft);
}

/** Offers what was typed before another program changed the file. @param {string} draft */
function offer(draft) {
  localStorage.setItem(draftKey(), draft);
  const button = make("button", { type: "button", onclick: () => (notice.replaceChildren(), put(draft), editor.textarea.focus()) }, "Show what I typed");
  notice.replaceChildren(`${shown.name} was changed elsewhere, and is shown as it is now. `, button);
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
  note();
}

// After each change: keeps the draft, and saves once the typing rests.
function note() {
  if (!editor || !shown.name) return;
  const { readOnly } = editor.options;
  clearTimeout(now.resting);
  now.refusal = null;
  if (isChanged() && !readOnly) {
    localStorage.setItem(draftKey(), editor.value);
    now.resting = setTimeout(() => saveNow(false), REST);
  } else localStorage.removeItem(draftKey());
  save.disabled = !isChanged() || Boolean(readOnly);
  status.textContent = readOnly ? fileNamed(shown.name)?.locked ?? "" : isChanged() ? "not saved yet" : "saved";
  mark();
}

/** @param {boolean} isAsked by hand, so that a refusal is told aloud */
async function saveNow(isAsked) {
  clearTimeout(now.resting);
  if (!isChanged() || now.isSaving) return;
  const text = editor.value;
  [now.isSaving, shown.sent] = [true, text];
  const why = await edit(shown.name, { do: "text", text }, shown.digest);
  now.isSaving = false;
  if (!why) {
    localStorage.removeItem(draftKey());
    status.textContent = "saved";
    return renew();
  }
  complain(isAsked ? why : "");
  const line = Number(/\(at line (\d+)/.exec(why)?.[1] ?? (/at end of document/.test(why) ? editor.lines.length - 1 : 0));
  if (!line) return renew();
  now.refusal = { line, level: "error", what: why.replace(/^.*? not saved: | \(.*$/g, "") };
  status.textContent = "not saved: it cannot be read";
  mark();
}

// What is wrong, at its lines ---------------------------------------------------------------------

/** What the page knows of the game. @type {(state: State | null, findings: Finding[]) => void} */
export function takeGame(state, findings) {
  now.state = state;
  now.findings = findings;
  if (editor && isOpen("text")) mark();
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
    make("li", { class: level }, make("button", { type: "button", onclick: () => goToLine(line) }, `Line ${line}`), ` ${what}`)));
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
