// Pictures of a face: put in from a file, and moved in their frames by the row.

import { addPicture, ask, complain, edit, fileNamed } from "./edit.js";
import { folded } from "./headings.js";
import { say, word } from "./say.js";
import { SPEC, sourceOf, specCells } from "./sources.js";

/** @import { Field } from "./fields.js" */
/** @import { Values } from "./places.js" */
/** @import { Component, Part, Piece, Rows } from "./told.js" */
/** @typedef {{component: Component, piece: Piece, change: (part: Part, values: Values) => void, tell: (what: string) => void}} Row */

const SHARP = 300; // dpi
const KINDS = "image/svg+xml,image/png,image/jpeg";

/** The column that alone says a value, or "". @type {(text: string | undefined, columns: string[]) => string} */
function columnOf(text, columns) {
  const name = (text ?? "").trim().replace(/^\{\{\s*(.*?)\s*\}\}$/, "$1");
  return columns.includes(name) ? name : "";
}

/** @type {(part: Part, row: Row) => Field[]} */
export function pictureFields(part, row) {
  const { values } = part, { columns } = row.component;
  const said = values["pnp:href"] ?? (values.href?.includes("{{") ? values.href : "");
  const why = said && !columnOf(said, columns) ? say("part.row-says", { said }) : "";
  /** @type {Field[]} */
  const fields = [{ label: word("picture"), kind: "file", choices: [KINDS], value: values.href ?? "", why, about: say("part.drop"), act: () => {}, pick: (file) => putPicture(part, file, row) }];
  const focus = columnOf(values["pnp:focus"], columns), zoom = columnOf(values["pnp:zoom"], columns);
  const [across, down] = focusOf(row.piece, focus);
  if (focus)
    fields.push(
      { label: say("part.focus-x"), kind: "number", unit: "%", step: 5, value: String(across), about: say("part.focus-x-about"), act: (now) => setCell(row, focus, `${Number(now)} ${down}`) },
      { label: say("part.focus-y"), kind: "number", unit: "%", step: 5, value: String(down), about: say("part.focus-y-about"), act: (now) => setCell(row, focus, `${across} ${Number(now)}`) });
  if (zoom) fields.push({ label: say("part.zoom"), kind: "number", step: 0.1, value: String(row.piece.row[zoom] ?? ""), act: (now) => setCell(row, zoom, now) });
  return fields;
}

/** @type {(piece: Piece, column: string) => [number, number]} */
function focusOf({ row }, column) {
  const [across = 50, down = 50] = String(row[column] ?? "").match(/\d+(\.\d+)?/g)?.map(Number) ?? [];
  return [across, down];
}

/** What drags a picture within its frame, if a column has its focus: it returns the new focus, and
 * saves it at the end. The picture counts as large as its frame. @type {(part: Part, row: Row) => ((by: [number, number], isDone: boolean) => string) | null} */
export function panOf(part, row) {
  const column = columnOf(part.values["pnp:focus"], row.component.columns), [box] = part.boxes;
  if (!column || !box) return null;
  const zoom = Number(row.piece.row[columnOf(part.values["pnp:zoom"], row.component.columns)]) || 1;
  const start = focusOf(row.piece, column), sizes = [box[2] - box[0], box[3] - box[1]];
  return (by, isDone) => {
    const now = start.map((share, axis) => Math.round(Math.min(100, Math.max(0, share - by[axis] / (sizes[axis] * zoom) * 100)))).join(" ");
    if (isDone) setCell(row, column, now);
    return say("part.focus", { at: now });
  };
}

/** Puts a picture into the game, and where the part or its row names one. @type {(part: Part, file: File, row: Row) => Promise<void>} */
export async function putPicture(part, file, row) {
  const said = part.values["pnp:href"] ?? (part.values.href?.includes("{{") ? part.values.href : "");
  const column = columnOf(said, row.component.columns);
  if (said && !column) return void complain(say("part.row-picture", { said }));
  const path = await addPicture(file);
  if (!path) return;
  row.tell(await sharpness(part, file));
  if (column) await setCell(row, column, path);
  else row.change(part, { href: path });
}

/** Whether a picture is too coarse for its size on paper. @type {(part: Part, file: File) => Promise<string>} */
async function sharpness(part, file) {
  const bitmap = file.type === "image/svg+xml" ? null : await createImageBitmap(file).catch(() => null), [box] = part.boxes;
  if (!bitmap || !box) return "";
  const dpi = Math.round(Math.min(bitmap.width / (box[2] - box[0]), bitmap.height / (box[3] - box[1])) * 25.4);
  return dpi < SHARP ? say("part.coarse", { file: file.name, dpi, sharp: SHARP }) : "";
}

/** Writes a cell of the row of a piece. @type {(row: Row, column: string, value: string) => Promise<void>} */
async function setCell({ component, piece }, column, value) {
  const source = sourceOf(component.id), { name = "", sheet = "" } = source ?? {}, file = fileNamed(name);
  if (!source || !file) return void complain(say("part.no-table"));
  /** @type {Rows | null} */
  const answer = await ask(`/rows?file=${file.id}&sheet=${encodeURIComponent(sheet)}`);
  const row = answer?.rows.findIndex(({ where }) => where === piece.where || piece.where.endsWith(`/${where}`)) ?? -1;
  const at = answer?.rows[0]?.cells.findIndex((heading) => folded(heading) === folded(column)) ?? -1;
  if (!answer || row < 1 || at < 0) return void complain(say("part.not-found", { column, piece: piece.id, file: name }));
  await edit(name, name === SPEC ? specCells(source, answer.rows[0].cells, answer.rows.length - 1, [[row, at, value]])
    : { do: "cells", cells: [[row, at, answer.rows[row].cells[at] ?? "", value]], sheet }, answer.digest);
}
