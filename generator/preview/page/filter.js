// A search, as typed: `sword kind:foe cost>3 -title="Old Dragon"`. All of it must hold.

/** @import { Component, Piece } from "./told.js" */

/** @typedef {(piece: Piece, component: Component) => boolean} Holds */

const TERM = /(-?)(?:([^\s:=<>"-][^\s:=<>"]*)(>=|<=|[:=<>]))?(?:"([^"]*)"?|(\S+))/g;

// A function of a piece and its component. Without a column a word may stand in any.
/** @type {(text: string) => Holds} */
export function searched(text) {
  const terms = [...text.matchAll(TERM)].map(([, not, column, sign, quoted, plain]) => {
    const wanted = fold(quoted ?? plain);
    const holds = column ? ofColumn(fold(column), sign, wanted) : anywhere(wanted);
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

/** @type {(wanted: string) => Holds} */
const anywhere = (wanted) => (piece, component) =>
  [component.id, component.title, ...cells(piece).map(([, value]) => value)].some((value) =>
    fold(value).includes(wanted),
  );

/** @type {(column: string, sign: string, wanted: string) => Holds} */
function ofColumn(column, sign, wanted) {
  return (piece, component) =>
    [...cells(piece), ["component", component.id]].some(
      ([name, value]) => fold(name) === column && compare(fold(value), sign, wanted),
    );
}

/** @type {(value: string, sign: string, wanted: string) => boolean} */
function compare(value, sign, wanted) {
  if (sign === ":") return value.includes(wanted);
  if (sign === "=") return value === wanted;
  if (value.trim() === "" || wanted.trim() === "") return false;
  const [a, b] = [Number(value), Number(wanted)];
  return { ">": a > b, "<": a < b, ">=": a >= b, "<=": a <= b }[sign] ?? false;
}
