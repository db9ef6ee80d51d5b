// What the columns of a table hold, by their names and their cells: it chooses how a cell is edited.

/** @import { Column } from "./gridview.js" */
/** @import { Suggestion } from "./suggest.js" */

const NUMBER = /^-?\d{1,9}([.,]\d{1,6})?$/, HEX = /^#([\da-f]{3}|[\da-f]{6})$/i, PICTURE = /\.(svg|png|jpe?g)$/i;
const YES = ["yes", "no"];
const IS_YES = /^(yes|no|true|false)$/i;
const [MOST_CHOICES, LONGEST] = [24, 40]; // values of a column that are offered, and their characters

/**
 * The columns of a table in the order in which they are shown, a translation beside its original: the index of each in the file.
 * @type {(header: string[]) => number[]}
 */
export function orderOf(header) {
  const all = header.map((name, index) => ({ name, index }));
  /** @type {(name: string) => string | undefined} */
  const original = (name) => {
    const own = name.match(/^(.+)\.[a-z]{2,3}(-\w+)?$/i)?.[1];
    return own !== undefined && header.includes(own) ? own : undefined;
  };
  return all.filter(({ name }) => original(name) === undefined)
    .flatMap((column) => [column, ...all.filter(({ name }) => original(name) === column.name)])
    .map(({ index }) => index);
}

/**
 * @param {string} name of the column
 * @param {string[]} cells
 * @param {{[name: string]: any}} spec
 * @param {Map<string, string>} icons their pictures by their names
 * @returns {Column}
 */
export function describeColumn(name, cells, spec, icons) {
  const filled = cells.filter(Boolean), distinct = [...new Set(filled)];
  const palette = plain(spec.palette), arts = Object.keys(plain(spec.art));
  /** @type {(test: (text: string) => boolean) => boolean} */
  const all = (test) => distinct.length > 0 && distinct.every(test);
  const isColour = all((text) => text in palette || HEX.test(text));
  const isArt = all((text) => arts.includes(text) || PICTURE.test(text));
  const isIcons = all((text) => text.split(/\s+/).every((word) => icons.has(word)));
  /** @type {Suggestion[]} */
  const items = isIcons ? [...new Set([...distinct.flatMap((text) => text.split(/\s+/)).sort(), ...icons.keys()])].map((text) => ({ text, picture: icons.get(text) })) : isColour ? Object.entries(palette).map(([text, colour]) => ({ text, colour }))
    : isArt ? [...new Set([...arts, ...distinct])].map((text) => ({ text }))
    : name === "enabled" || all((text) => IS_YES.test(text)) ? YES.map((text) => ({ text }))
    : isChoice(filled, distinct) ? distinct.sort().map((text) => ({ text })) : [];
  const kind = name === "count" ? "count" : all((text) => NUMBER.test(text)) ? "number" : "text";
  const suggestions = { items: kind === "text" ? items : [], hasColours: isColour, isList: isIcons && distinct.some((text) => /\s/.test(text)) };
  return { name, kind, colour: (text) => (isColour ? palette[text] ?? (HEX.test(text) ? text : "") : ""), suggestions };
}

/** Whether a column repeats a few words. @type {(filled: string[], distinct: string[]) => boolean} */
const isChoice = (filled, distinct) =>
  distinct.length <= MOST_CHOICES && distinct.length * 1.5 <= filled.length && distinct.every((text) => text.length <= LONGEST && !text.includes("\n"));

/** @type {(table: unknown) => {[name: string]: string}} */
const plain = (table) => Object.fromEntries(Object.entries(table ?? {}).filter(([, value]) => typeof value === "string"));

/** A text that no cell has: "dragon-2". @type {(text: string, taken: Set<string>) => string} */
export function newName(text, taken) {
  const [, stem] = /** @type {RegExpMatchArray} */ (text.match(/^(.*?)(?:-\d+)?$/s));
  for (let number = 2; ; number++) if (!taken.has(`${stem}-${number}`)) return `${stem}-${number}`;
}
