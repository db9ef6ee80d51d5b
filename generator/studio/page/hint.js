// The hint in the search field: words that find something in this game.

import { say } from "./say.js";

/** @import { Component, Piece } from "./told.js" */

const MOST = 32; // characters
const WORD = /(?<![\p{L}\d])\p{L}{3,10}(?![\p{L}\d])/u, VALUE = /^[\p{L}\d-]{2,12}$/u, NUMBER = /^-?\d+(\.\d+)?$/;

// A word, a value of a column and a limit of a number, of one piece, so that together they find it; "" without a table.
/** @param {Component[]} components */
export function hintOf(components) {
  const [component] = [...components].sort((a, b) => b.pieces.length - a.pieces.length);
  const columns = component?.columns.filter((column) => /^[^\s:=<>"-][^\s:=<>"]*$/.test(column)) ?? [];
  if (!columns.length) return "";
  const limit = firstOf(columns, (column) => limited(component.pieces, column));
  const piece = limit?.piece ?? component.pieces[0];
  const value = firstOf(columns, (column) => shared(component.pieces, column, piece));
  /** @param {string} column */
  const variety = (column) => new Set(component.pieces.map((piece) => cell(piece, column))).size;
  const telling = columns.filter((column) => !/^(id|count)$/.test(column)).sort((a, b) => variety(b) - variety(a));
  const word = firstOf(telling, (column) => {
    const found = own(component.pieces, column, piece);
    return found === value?.split(":")[1].toLocaleLowerCase() ? null : found;
  });
  const terms = [word, value, limit?.term].filter((term) => term);
  while (terms.join(" ").length > MOST) terms.shift();
  return terms.length ? say("page.search-for", { terms: terms.join(" ") }) : say("page.search");
}

/**
 * @template Found
 * @param {string[]} columns
 * @param {(column: string) => Found | null} find
 */
function firstOf(columns, find) {
  for (const column of columns) {
    const found = find(column);
    if (found) return found;
  }
  return null;
}

/** @type {(piece: Piece, column: string) => string} */
const cell = (piece, column) => String(piece.row[column] ?? "");

// "cost>3": the largest number but one that some pieces exceed.
/** @type {(pieces: Piece[], column: string) => {term: string, piece: Piece} | null} */
function limited(pieces, column) {
  const cells = pieces.map((piece) => cell(piece, column)).filter((text) => text !== "");
  if (column === "id" || column === "count" || !cells.every((text) => NUMBER.test(text))) return null;
  const numbers = [...new Set(cells.map(Number))].sort((a, b) => a - b);
  if (numbers.length < 2) return null;
  const least = numbers[numbers.length - 2];
  const piece = pieces.find((piece) => cell(piece, column) !== "" && Number(cell(piece, column)) > least);
  return piece ? { term: `${column}>${least}`, piece } : null;
}

// "kind:foe": a value that several pieces have, not all.
/** @type {(pieces: Piece[], column: string, piece: Piece) => string | null} */
function shared(pieces, column, piece) {
  const value = cell(piece, column);
  if (!VALUE.test(value) || NUMBER.test(value)) return null;
  const number = pieces.filter((other) => cell(other, column) === value).length;
  return number > 1 && number < pieces.length ? `${column}:${value}` : null;
}

// "sword": a word that not every piece has.
/** @type {(pieces: Piece[], column: string, piece: Piece) => string | null} */
function own(pieces, column, piece) {
  const word = cell(piece, column).match(WORD)?.[0].toLocaleLowerCase();
  if (!word || cell(piece, column).includes("/")) return null;
  return pieces.every((other) => cell(other, column).toLocaleLowerCase().includes(word)) ? null : word;
}
