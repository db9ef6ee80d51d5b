// Cells on the clipboard, as spreadsheets write and read them: tabs between cells, line breaks between rows.

/** @type {(rows: string[][]) => string} */
export const writeCells = (rows) => rows.map((cells) => cells.map(quoted).join("\t")).join("\n");

/** @type {(text: string) => string} */
const quoted = (text) => (/[\t\r\n]|^"/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

// A quotation mark opens a cell only if another closes it before a tab or a line break; else it is an inch mark.
const CELL = /"((?:[^"]|"")*)"(?=\t|\r?\n|\r|$)|[^\t\r\n]*/y;
const BREAK = /\r\n|\n|\r/y;

/** @type {(text: string) => string[][]} */
export function readCells(text) {
  /** @type {string[][]} */
  const rows = [[]];
  for (let at = 0; ; ) {
    CELL.lastIndex = at;
    const match = /** @type {RegExpExecArray} */ (CELL.exec(text)); // it may be empty
    const words = match[1] === undefined ? match[0] : match[1].replaceAll('""', '"');
    rows[rows.length - 1].push(words.replace(/\r\n?/g, "\n"));
    at += match[0].length;
    if (text[at] === "\t") {
      at += 1;
      continue;
    }
    BREAK.lastIndex = at;
    const end = BREAK.exec(text);
    if (!end || at + end[0].length === text.length) return rows; // a break at the end opens no row
    at += end[0].length;
    rows.push([]);
  }
}
