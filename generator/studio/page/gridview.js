// What a grid of cells shows: the rows in view, the active cell and the selection.
//
// Cells are updated in place: a cell made anew under the pointer would never get a double click.

import { make } from "./dom.js";
import { say, word } from "./say.js";
import { swatch } from "./suggest.js";

/** @import { Suggestions } from "./suggest.js" */
/** @typedef {{text: string, level: string}} Fault */
/** `colour` is that of a cell with this text. @typedef {{name: string, kind: "text" | "number" | "count", colour: (text: string) => string, suggestions: Suggestions}} Column */
/**
 * What a grid shows: cells by row and column.
 * @typedef {object} Table
 * @property {string} label
 * @property {Column[]} columns
 * @property {string[][]} rows
 * @property {string} locked why no cell can be changed, or ""
 * @property {boolean} canGrow whether a row may follow the last
 * @property {(row: number, column: number) => Fault | undefined} fault of a cell; column -1: of the row
 * @property {{[column: string]: number}} [widths] of columns, in rem, that were set by hand
 */
/** @typedef {{top: number, bottom: number, left: number, right: number}} Range both ends included */

export const ROW = 30; // px, as in rows.css
const BEYOND = 8; // rows drawn above and below those in view
const [LEAST, MOST] = [6, 34]; // characters across a column
const CHARACTER = 0.52; // rem
const MEASURED = 300; // rows

export class GridView {
  /** @type {Table} */
  table = { label: "", columns: [], rows: [], locked: "", canGrow: false, fault: () => undefined };
  active = { row: 0, column: 0 };
  corner = { row: 0, column: 0 }; // of the selection, opposite to the active cell
  /** @type {number[]} */
  widths = []; // of the columns, in rem
  /** @type {Map<number, HTMLTableRowElement>} */
  drawn = new Map(); // by row
  isEditing = false;
  isSettling = false; // the input moves to another cell
  head = make("thead");
  body = make("tbody");
  columns = make("colgroup");
  grid = make("table", { role: "grid", "aria-multiselectable": "true" }, this.columns, this.head, this.body);
  scroller = make("div", { class: "rows-scroller" }, this.grid);
  input = make("textarea", { class: "cell-input", rows: "1", spellcheck: "false", autocomplete: "off" });
  less = make("button", { type: "button", tabindex: "-1", "aria-label": say("rows.less") }, "−");
  more = make("button", { type: "button", tabindex: "-1", "aria-label": say("rows.more") }, "+");
  choose = make("button", { type: "button", tabindex: "-1", "aria-label": say("rows.choose") }, "▾");
  tools = make("span", { class: "cell-tools" }, this.less, this.more, this.choose);

  /**
   * @param {HTMLElement} host
   * @param {() => void} moved called when another cell is active, or selected
   */
  constructor(host, moved) {
    this.moved = moved;
    host.append(this.scroller);
    this.scroller.addEventListener("scroll", () => this.draw(), { passive: true });
    new ResizeObserver(() => this.draw()).observe(this.scroller);
  }

  /** @returns {Range} */
  get selection() {
    const { row: a, column: c } = this.active, { row: b, column: d } = this.corner;
    return { top: Math.min(a, b), bottom: Math.max(a, b), left: Math.min(c, d), right: Math.max(c, d) };
  }

  /** The rows of the selection that the table has. */
  get selectedRows() {
    const { top, bottom } = this.selection;
    const rows = [];
    for (let row = top; row <= Math.min(bottom, this.table.rows.length - 1); row++) rows.push(row);
    return rows;
  }

  /** Shows a table; the active cell, and what is typed in it, stay. @param {Table} table */
  show(table) {
    const edited = this.table.rows[this.active.row]?.[0];
    this.table = table;
    this.grid.setAttribute("aria-label", table.label);
    this.grid.setAttribute("aria-colcount", String(table.columns.length + 1));
    this.grid.setAttribute("aria-rowcount", String(this.last + 2));
    const isMoved = this.isEditing && edited !== undefined && table.rows[this.active.row]?.[0] !== edited;
    const row = isMoved ? table.rows.findIndex(([name]) => name === edited) : -1;
    this.active = this.within(row < 0 ? this.active.row : row, this.active.column);
    this.corner = this.isEditing ? this.active : this.within(this.corner.row, this.corner.column);
    this.measure();
    this.draw();
  }

  /** Shows cells and faults as they are now. */
  refresh() {
    for (const [row, line] of this.drawn) this.fill(line, row);
  }

  /** Makes a cell active. @type {(row: number, column?: number, hasFocus?: boolean) => void} */
  go(row, column = this.active.column, hasFocus = true) {
    this.active = this.corner = this.within(row, column);
    this.scrollTo();
    this.draw();
    if (hasFocus) this.input.focus({ preventScroll: true });
    this.moved();
  }

  /** Selects whole rows. @type {(top: number, bottom: number) => void} */
  goRows(top, bottom) {
    this.go(top, 0);
    this.corner = this.within(bottom, this.table.columns.length - 1);
    this.refresh();
    this.moved();
  }

  /** The index of the last row, the one that may follow them included. */
  get last() {
    return this.table.rows.length - (this.table.canGrow && !this.table.locked ? 0 : 1);
  }

  /** @type {(row: number, column: number) => {row: number, column: number}} */
  within(row, column) {
    return {
      row: Math.max(0, Math.min(row, this.last)),
      column: Math.max(0, Math.min(column, this.table.columns.length - 1)),
    };
  }

  measure() {
    const { columns, rows, widths = {} } = this.table;
    this.widths = columns.map(({ name, kind, suggestions }, column) => {
      const lengths = rows.slice(0, MEASURED).map((cells) => cells[column]?.length ?? 0).sort((a, b) => a - b);
      const common = lengths[Math.floor(lengths.length * 0.9)] ?? 0;
      const tools = kind !== "text" ? 8 : suggestions.items.length ? 6 : 3;
      return widths[name] ?? Math.min(Math.max(name.length + 2, common + tools, LEAST), MOST) * CHARACTER;
    });
    this.layWidths();
    const names = JSON.stringify(columns.map(({ name }) => name));
    if (this.head.dataset.names === names) return; // an edge may be under the pointer
    this.head.dataset.names = names;
    this.head.replaceChildren(make("tr", { "aria-rowindex": "1" }, make("th", { scope: "col" }, make("span", { class: "unseen" }, say("rows.row"))),
      ...columns.map(({ name }, column) => make("th", { scope: "col", title: name, "data-head": String(column) }, name, make("span", { class: "edge" })))));
  }

  layWidths() {
    const widths = [4 * CHARACTER, ...this.widths];
    this.columns.replaceChildren(...widths.map((width) => {
      const column = make("col");
      column.style.width = `${width}rem`;
      return column;
    }));
    this.grid.style.width = `${widths.reduce((sum, width) => sum + width, 0)}rem`;
  }

  draw() {
    const first = Math.max(0, Math.floor(this.scroller.scrollTop / ROW) - BEYOND);
    const end = Math.min(this.last, first + Math.ceil(this.scroller.clientHeight / ROW) + 2 * BEYOND);
    const wanted = new Set([this.active.row]); // it has the focus
    for (let row = first; row <= end; row++) wanted.add(row);
    for (const [row, line] of this.drawn)
      if (!wanted.has(row) || row > this.last) {
        line.remove();
        this.drawn.delete(row);
      }
    for (const spacer of this.body.querySelectorAll(".spacer")) spacer.remove();
    let next = /** @type {ChildNode | null} */ (this.body.firstChild);
    let above = -1;
    for (const row of [...wanted].sort((a, b) => a - b)) {
      if (row > this.last) continue;
      this.space(row - above - 1, next);
      const line = this.drawn.get(row) ?? this.line(row);
      if (next === line) next = line.nextSibling;
      else this.body.insertBefore(line, next);
      this.fill(line, row);
      above = row;
    }
    this.space(this.last - above, null);
  }

  /** @type {(rows: number, before: ChildNode | null) => void} */
  space(rows, before) {
    if (!rows) return;
    const spacer = make("tr", { class: "spacer", "aria-hidden": "true" });
    spacer.style.height = `${rows * ROW}px`;
    this.body.insertBefore(spacer, before);
  }

  /** @param {number} row */
  line(row) {
    const line = make("tr", { "aria-rowindex": String(row + 2), "data-row": String(row) }, make("th", { scope: "row", "data-column": "-1" }));
    this.drawn.set(row, line);
    return line;
  }

  /** @type {(line: HTMLTableRowElement, row: number) => void} */
  fill(line, row) {
    const { columns, rows, fault } = this.table;
    const { top, bottom, left, right } = this.selection;
    const head = line.cells[0], isNew = row === rows.length;
    const rowFault = isNew ? undefined : fault(row, -1);
    head.className = rowFault?.level ?? "";
    head.textContent = isNew ? "+" : String(row + 1);
    head.title = rowFault?.text ?? (isNew ? say("rows.type-here") : "");
    while (line.cells.length > columns.length + 1) line.deleteCell(-1);
    while (line.cells.length <= columns.length)
      line.append(make("td", { "data-column": String(line.cells.length - 1), "aria-colindex": String(line.cells.length + 1) }, make("span", { class: "words" })));
    columns.forEach(({ kind, colour }, column) => {
      const cell = line.cells[column + 1], text = rows[row]?.[column] ?? "";
      const flaw = isNew ? undefined : fault(row, column);
      const isSelected = top <= row && row <= bottom && left <= column && column <= right;
      const isActive = this.active.row === row && this.active.column === column;
      cell.className = [kind, flaw?.level, isSelected && "is-selected", isActive && "is-active"].filter(Boolean).join(" ");
      cell.ariaSelected = String(isSelected);
      cell.ariaInvalid = flaw?.level === "error" ? "true" : null;
      cell.title = flaw?.text ?? (text.length > MOST || text.includes("\n") ? text : "");
      write(/** @type {HTMLElement} */ (cell.firstChild), text, colour(text));
      if (isActive) this.settle(cell, column, text, flaw);
    });
  }

  /** Puts the input into the active cell. @type {(cell: HTMLTableCellElement, column: number, text: string, flaw: Fault | undefined) => void} */
  settle(cell, column, text, flaw) {
    const { name, kind, suggestions } = this.table.columns[column];
    const row = this.table.rows[this.active.row]?.[0] ?? say("rows.new-row");
    const input = this.input, isFree = !this.table.locked;
    if (input.parentNode !== cell) {
      const hadFocus = document.activeElement === input;
      this.isSettling = true; // it loses the focus for a moment, which saves nothing
      cell.append(input, this.tools);
      if (hadFocus) input.focus({ preventScroll: true });
      this.isSettling = false;
    }
    input.setAttribute("aria-label", say("rows.cell", { column: name, row, text: text || say("rows.empty") }) + (flaw ? `. ${word(flaw.level)}: ${flaw.text}` : ""));
    input.readOnly = !isFree;
    const isNumber = kind !== "text";
    this.less.hidden = this.more.hidden = !isFree || !isNumber;
    this.choose.hidden = !isFree || isNumber || (!suggestions.items.length && !suggestions.hasColours);
  }

  scrollTo() {
    const { row, column } = this.active, box = this.scroller;
    const head = this.head.offsetHeight, top = row * ROW;
    if (top < box.scrollTop) box.scrollTop = top;
    else if (top + ROW + head > box.scrollTop + box.clientHeight) box.scrollTop = top + ROW + head - box.clientHeight;
    const cell = /** @type {HTMLTableRowElement} */ (this.head.firstChild)?.cells[column + 1];
    const side = /** @type {HTMLTableRowElement} */ (this.head.firstChild)?.cells[0].offsetWidth ?? 0;
    if (!cell) return;
    if (cell.offsetLeft - side < box.scrollLeft) box.scrollLeft = cell.offsetLeft - side;
    else if (cell.offsetLeft + cell.offsetWidth > box.scrollLeft + box.clientWidth) box.scrollLeft = cell.offsetLeft + cell.offsetWidth - box.clientWidth;
  }
}

/** @type {(words: HTMLElement, text: string, colour: string) => void} */
function write(words, text, colour) {
  const line = text.replaceAll("\n", " ↵ ");
  if (words.textContent !== line || words.dataset.colour !== colour) words.replaceChildren(...(colour ? [swatch(colour)] : []), line);
  words.dataset.colour = colour;
}
