// The panel beside a large face: its parts, and what can be set of the one that is selected.

import { make } from "./dom.js";
import { ask, canEdit, digestWritten, edit, fileNamed, send, step } from "./edit.js";
import { showFields } from "./fields.js";
import { dropHandles, layHandles } from "./handles.js";
import { namesOf } from "./headings.js";
import { keyChange, keyParts } from "./keyparts.js";
import { columnFields, keyFields, placesOf, tableOf } from "./keysform.js";
import { isShrunk, lookFields } from "./looks.js";
import { panOf, pictureFields, putPicture } from "./pictures.js";
import { around, boxed, cornersOf, holderOf, isUpright, localBox, moved, rounded, whySized, whyStill } from "./places.js";
import { number, say, word } from "./say.js";
import { sourceOf } from "./sources.js";

/** @import { Field } from "./fields.js" */
/** @import { Values } from "./places.js" */
/** @import { Box, Component, FaceKeys, FaceParts, Part, Piece, Rect, Side } from "./told.js" */
/** @typedef {{key: string, component: Component, piece: Piece, side: Side, box: Box, view: Rect, frame: HTMLElement}} Face */

const LEAST = 0.5; // mm of a side

/** @type {Face} */
let face;
/** @type {FaceParts | FaceKeys | null} */
let found = null;
/** @type {Component | null} */
let loadedOf = null; // each state of the game has new ones
let selected = -1; // the number of a part
let message = ""; // about the last picture
let pans = false; // whether a drag moves a picture within its frame
let digest = "";
/** @type {Promise<unknown>} */
let saving = Promise.resolve();
let unsaved = 0; // edits
/** @type {string[]} */
let columns = []; // of the table, those that nothing reads included
/** @type {{key: string, names: string[]}} */
let known = { key: "", names: [] }; // the columns of the table that was asked for last
let asked = new AbortController(); // for the parts of the face
let isOfLayout = false; // whether what was found is a layout's, of which a copy may be in the game by now

const form = make("div", { class: "part-form", role: "group", "aria-label": say("part.selected") });
const list = make("ul", { class: "part-list", "aria-label": say("dialog.parts") });
const head = make("h3", {});
const notes = make("div", { class: "part-notes", role: "status" });
const undo = make("button", { type: "button", onclick: () => void step("undo"), title: "Ctrl+Z" }, say("page.undo"));
const opener = make("button", { type: "button", onclick: openFile }, say("part.open"));
const copier = make("button", { type: "button", onclick: () => void send("/copy", "{}") }, say("part.copy"));
const panel = make("div", { class: "face-edit" }, make("div", { class: "part-head" }, head, copier, opener, undo), notes, form, list);

function openFile() {
  const file = found && "file" in found ? fileNamed(found.file) : undefined;
  if (file) send("/launch", JSON.stringify(file.id));
}

/** Lets the face that is shown be edited, if the page may. Returns the panel. @type {(now: Face) => HTMLElement | null} */
export function editFace(now) {
  if (!canEdit()) return null;
  if (face?.key !== now.key) {
    [found, loadedOf, selected, message] = [null, null, -1, ""];
    dropHandles();
  }
  face = now;
  if (loadedOf !== face.component) load();
  show();
  return panel;
}

/** Asks no more for the parts of a face that is no longer shown: the game may be at fault by then. */
export function leaveFace() {
  asked.abort();
  loadedOf = null;
}

async function load() {
  const { key, component, side } = face, { layout } = tableOf(component.id, side).table;
  asked.abort();
  const { signal } = (asked = new AbortController());
  loadedOf = component;
  const [answer, names] = await Promise.all([ask(`/parts?face=${encodeURIComponent(key)}`, signal), headings(component.id)]);
  if (signal.aborted) return;
  columns = [...new Set([...component.columns, ...names])];
  const drawing = found && "parts" in found && found.file === answer?.file && fileNamed(answer.file);
  if (drawing && (unsaved || answer.digest !== drawing.digest)) return; // it is outdated: a view of the last edit follows
  [found, isOfLayout] = [answer, Boolean(layout)];
  if (answer?.parts) digest = answer.digest;
  show();
}

/** The columns of the table of a component. @type {(id: string) => Promise<string[]>} */
async function headings(id) {
  const source = sourceOf(id), file = source && fileNamed(source.name);
  if (!file) return [];
  const query = String(new URLSearchParams({ file: file.id, sheet: source.sheet })), key = `${query} ${file.digest}`;
  if (known.key === key) return known.names;
  const table = await ask(`/rows?${query}`);
  known = { key, names: namesOf(table?.rows[0]?.cells ?? []) };
  return known.names;
}

/** @type {Part[]} */
let keyed = []; // the keys of a face that code draws
/** @type {() => Part[]} */
const parts = () => (found && "parts" in found ? found.parts : keyed);
const chosen = () => parts().find(({ number }) => number === selected) ?? null;

/** @param {Part | null} part */
function select(part) {
  [selected, message, pans] = [part?.number ?? -1, "", false];
  show();
}

/** What a picture's fields need. */
const row = () => ({ component: face.component, piece: face.piece, change, tell: (/** @type {string} */ what) => { message = what; show(); } });

/** @param {Part} part @param {File} file */
function drop(part, file) {
  select(part);
  putPicture(part, file, row());
}

function show() {
  const { component, side, box, view } = face;
  keyed = found && "schema" in found ? keyParts(found.schema, component.id, side, box) : [];
  const part = chosen();
  const { renderer, layout } = tableOf(component.id, side).table;
  const isDrawing = found !== null && "parts" in found;
  const pan = part && pans ? panOf(part, row()) : null;
  if (parts().length && !layout && !isOfLayout) layHandles(face.frame, { parts: parts(), selected: part, box, view, select, change, drop, pan });
  else dropHandles();
  copier.hidden = !layout;
  opener.hidden = !found || !("file" in found) || !fileNamed(found.file);
  head.textContent = part ? titleOf(part) : found && "schema" in found ? say("part.drawn-by", { renderer: renderer ?? "" }) : layout ? say("part.layout", { layout }) : found && "parts" in found ? say("dialog.parts") : "";
  const keys = found && "schema" in found ? keyFields(found.schema, found.families, component.id, side) : columnFields(columns, layout ? placesOf(parts()) : [], component.id, side);
  const about = found && "schema" in found ? [say("part.no-drawing")]
    : layout ? [say("part.of-layout"), ...(keys.length ? [say("part.of-columns")] : [])] : part ? notesOf(part) : [];
  notes.replaceChildren(...about.map((note) => make("p", { class: "quiet" }, note)));
  showFields(form, `${isDrawing ? selected : ""} ${face.key}`, part && isDrawing ? fieldsOf(part) : keys);
  form.classList.toggle("is-keys", !(part && isDrawing) && keys.length > 0);
  list.hidden = !isDrawing || parts().length === 0 || Boolean(layout);
  if (!list.hidden) showList();
}

/** @type {(part: Part) => string} */
const titleOf = ({ kind, name }) => (name ? `${word(kind)}: ${name}` : word(kind));

/** @type {(part: Part) => string[]} */
function notesOf(part) {
  const target = holderOf(parts(), part), { lettering } = part;
  const locked = found && "file" in found ? fileNamed(found.file)?.locked : "";
  return [
    message,
    locked ? say("part.locked", { why: locked }) : "",
    part.boxes.length ? "" : say("part.absent"),
    whyStill(target) && say("part.fixed", { why: whyStill(target) }),
    lettering && lettering.over > 0 ? say("part.too-long", { size: number(lettering.size), over: number(lettering.over) }) : "",
    lettering && !lettering.over && isShrunk(lettering) ? say("part.least-of", { size: number(lettering.size), least: number(lettering.least) }) : "",
  ].filter(Boolean);
}

// Saving --------------------------------------------------------------------------------------

/** Changes a part: on the page at once, then in its file. @type {(part: Part, values: Values, words?: string) => void} */
function change(part, values, words) {
  if (found && "schema" in found) return changeKey(part, values);
  if (!found || !("file" in found) || (!Object.keys(values).length && words === undefined)) return;
  const { file } = found;
  for (const [name, value] of Object.entries(values)) {
    if (name in part.places) part.places[name] = Number(value);
    else if (value === null) delete part.values[name];
    else part.values[name] = value;
  }
  const local = localBox(part);
  if (local) part.boxes = [around(cornersOf(part.matrix, local)), ...part.boxes.slice(1)];
  for (const text of parts()) if (text.frame === part.number) text.boxes = part.boxes;
  show();
  unsaved += 1;
  saving = saving.then(() => save(file, { do: "attributes", element: part.number, values, ...(words === undefined ? {} : { words }) }));
}

/** @type {(part: Part, values: Values) => void} */
function changeKey(part, values) {
  const change = keyChange(part, values, face.component.id, face.side);
  show();
  if (change) saving = saving.then(() => edit("game.toml", { do: "values", values: [change] }));
}

/** @type {(file: string, what: import("./told.js").Edit) => Promise<void>} */
async function save(file, what) {
  const refused = await edit(file, what, digest);
  unsaved -= 1;
  if (!refused) digest = digestWritten();
  else if (!asked.signal.aborted) load();
}

// What can be set -----------------------------------------------------------------------------

/** @type {(part: Part) => Field[]} */
const fieldsOf = (part) => [
  ...placeFields(part),
  ...(part.kind === "picture" ? pictureFields(part, row()) : []),
  ...(panOf(part, row()) ? [panField()] : []),
  ...lookFields(part, { columns, families: found && "families" in found ? found.families : [], change }),
];

/** @type {() => Field} */
const panField = () => ({ label: say("part.drag"), kind: "check", value: String(pans), about: say("part.drag-about"), act: (now) => { pans = now === "true"; show(); } });

/** @type {(part: Part) => Field[]} */
function placeFields(part) {
  const target = holderOf(parts(), part), local = localBox(target);
  const box = local ? around(cornersOf(target.matrix, local)) : target.boxes[0];
  if (!box) return [];
  const scale = target.matrix[0], why = whyStill(target);
  const turned = isUpright(target.matrix) ? "" : say("part.turned");
  /** @type {(label: string, value: number, act: (value: number) => Values, why: string, min?: number) => Field} */
  const field = (label, value, act, why, min) => ({ label, kind: "number", unit: "mm", step: 0.5, min, value: rounded(value), why, act: (now) => now !== "" && change(target, act(Number(now))) });
  const places = [
    field("x", box[0], (x) => moved(target, [x - box[0], 0]), why),
    field("y", box[1], (y) => moved(target, [0, y - box[1]]), why),
  ];
  if (!local) return places;
  const [x0, y0, x1, y1] = local, fixed = whySized(target) || turned;
  return [...places,
    field(say("part.width"), box[2] - box[0], (width) => boxed(target, [x0, y0, x0 + width / scale, "r" in target.places ? y0 + width / scale : y1]), fixed, LEAST),
    field(say("part.height"), box[3] - box[1], (height) => boxed(target, [x0, y0, "r" in target.places ? x0 + height / scale : x1, y0 + height / scale]), fixed, LEAST)];
}

// The list ------------------------------------------------------------------------------------

/** How many groups are around a part. @type {(part: Part) => number} */
function depthOf({ within }) {
  const holder = parts().find(({ number }) => number === within);
  return holder ? 1 + depthOf(holder) : 0;
}

function showList() {
  const focused = document.activeElement?.closest(".part-list button")?.getAttribute("data-part");
  list.replaceChildren(...parts().map((part) => {
    const isHidden = part.values.display === "none";
    const name = make("button", { type: "button", "data-part": `${part.number}`, "aria-current": String(part.number === selected), onclick: () => select(part) }, titleOf(part));
    const eye = make("button", { type: "button", "data-part": `${part.number} eye`, "aria-pressed": String(!isHidden), "aria-label": say("part.show", { part: titleOf(part) }), onclick: () => change(part, { display: isHidden ? null : "none" }) }, isHidden ? say("part.hidden") : say("part.shown"));
    return make("li", { class: part.boxes.length ? "" : "is-absent", "data-depth": `${depthOf(part)}` }, name, eye);
  }));
  if (focused) /** @type {HTMLElement | null} */ (list.querySelector(`[data-part="${focused}"]`))?.focus();
  else list.querySelector("[aria-current=true]")?.scrollIntoView({ block: "nearest" });
}
