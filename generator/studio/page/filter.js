// A search, as typed: `sword kind:foe cost>3 -title="Old Dragon"`. All terms must match.

/** @import { Component, Piece } from "./told.js" */

/** @typedef {(piece: Piece, component: Component) => boolean} Holds */

const TERM = /(-?)(?:([^\s:=<>"-][^\s:=<>"]*)(>=|<=|[:=<>]))?(?:"([^"]*)"?|(\S+))/g;

// A function of a piece and its component. A word without a column matches any column.
/** @type {(text: string) => Holds} */
export function searched(text) {
  const terms = [...text.matchAll(TERM)].map(([, not, column, sign, quoted, plain]) => {
    const term = fold(quoted ?? plain);
    const holds = column ? ofColumn(fold(column), sign, term) : anywhere(term);
    return not ? opposite(holds) : holds;
  });
  return (piece, component) => terms.every((holds) => holds(piece, component));
}

/** @type {(holds: Holds) => Holds} */
const opposite = (holds) => (piece, component) => !holds(piece, component);

/** @type {(value: string | number) => string} */
const fold = (value) => String(value).toLocaleLowerCase();

/** @type {(piece: Piece) => [name: string, value: string | number][]} */
const cells = (piece) => [["id", piece.id], ["count", piece.copies], ...Object.entries(piece.row)];

/** @type {(term: string) => Holds} */
const anywhere = (term) => (piece, component) =>
  [component.id, component.title, ...cells(piece).map(([, value]) => value)].some((value) =>
    fold(value).includes(term),
  );

/** @type {(column: string, sign: string, term: string) => Holds} */
function ofColumn(column, sign, term) {
  return (piece, component) =>
    [...cells(piece), ["component", component.id]].some(
      ([name, value]) => fold(name) === column && compare(fold(value), sign, term),
    );
}

/** @type {(value: string, sign: string, term: string) => boolean} */
function compare(value, sign, term) {
  if (sign === ":") return value.includes(term);
  if (sign === "=") return value === term;
  if (value.trim() === "" || term.trim() === "") return false;
  const [a, b] = [Number(value), Number(term)];
  return { ">": a > b, "<": a < b, ">=": a >= b, "<=": a <= b }[sign] ?? false;
}
