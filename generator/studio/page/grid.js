// A grid of cells as in a spreadsheet: click a cell and type. It draws only the rows in view.
//
// The active cell holds a focused, empty textarea: what is typed, composed or pasted begins there.

import { GridView, ROW } from "./gridview.js";
import { say } from "./say.js";
import { makeSuggester } from "./suggest.js";
import { readCells, writeCells } from "./tsv.js";

/** @typedef {[row: number, column: number, text: string]} Write */
/**
 * What a grid does elsewhere. A key that it does not know is an act of its row: "Control+Enter".
 * @typedef {object} Acts
 * @property {(cells: Write[]) => void} write
 * @property {(text: string) => void} tell
 * @property {() => void} moved
 * @property {(key: string) => boolean} key whether it did something
 * @property {() => void} leave
 * @property {(column: number, rem: number | null) => void} [resize] keeps a width; null: as wide as its words
 */

const [THIN, WIDE] = [2, 60]; // rem across a column

export class Grid extends GridView {
  suggester = makeSuggester(this.input, (text) => {
    this.input.value = text;
    this.save();
    this.input.focus({ preventScroll: true });
  });
  isDragging = false;

  /**
   * @param {HTMLElement} host
   * @param {Acts} acts
   */
  constructor(host, acts) {
    super(host, acts.moved);
    this.acts = acts;
    this.grid.addEventListener("pointerdown", (event) => this.press(event));
    this.grid.addEventListener("pointerover", (event) => event.buttons === 1 && this.isDragging && this.drag(event));
    addEventListener("pointerup", () => (this.isDragging = false));
    this.grid.addEventListener("dblclick", (event) => this.at(event) && !this.isEditing && this.edit());
    this.head.addEventListener("pointerdown", (event) => this.pressHead(event));
    this.head.addEventListener("dblclick", ({ target }) => this.openHead(/** @type {HTMLElement} */ (target)));
    this.less.addEventListener("click", () => this.step(-1));
    this.more.addEventListener("click", () => this.step(1));
    this.choose.addEventListener("click", () => this.edit());
    this.tools.addEventListener("pointerdown", (event) => event.preventDefault()); // the input keeps the focus
    const input = this.input;
    input.addEventListener("keydown", (event) => this.key(event));
    input.addEventListener("beforeinput", (event) => this.begin(event));
    input.addEventListener("compositionstart", () => this.start());
    input.addEventListener("input", () => this.isEditing && this.suggester.filter(input.value));
    input.addEventListener("blur", ({ relatedTarget }) => this.isEditing && !this.isSettling && !this.suggester.holds(relatedTarget) && document.hasFocus() && this.save());
    for (const name of /** @type {const} */ (["copy", "cut", "paste"])) input.addEventListener(name, (event) => this.clip(event));
  }

  // Editing -------------------------------------------------------------------------------------

  /** What is typed replaces the cell. @param {InputEvent} event */
  begin(event) {
    if (this.isEditing) return;
    if (event.inputType.startsWith("insert") && event.inputType !== "insertFromPaste") this.start();
    else event.preventDefault();
  }

  start() {
    if (this.isEditing || this.table.locked) return;
    this.isEditing = true;
    this.corner = this.active;
    this.input.classList.add("is-editing");
    this.scrollTo();
    this.refresh();
    this.suggester.open(this.table.columns[this.active.column].suggestions);
  }

  /** Edits what stands in the cell. */
  edit() {
    if (this.table.locked) return this.acts.tell(this.table.locked);
    this.input.value = this.text;
    this.start();
    this.input.focus({ preventScroll: true });
    this.input.setSelectionRange(this.input.value.length, this.input.value.length);
  }

  /** Puts words behind what stands in the cell, and saves it. @param {string} words */
  insert(words) {
    this.edit();
    if (!this.isEditing) return;
    this.input.value += words;
    this.save();
  }

  /** Opens a cell with words that are not saved. @type {(row: number, column: number, words: string) => void} */
  open(row, column, words) {
    this.go(row, column);
    this.edit();
    this.input.value = words;
  }

  get text() {
    return this.table.rows[this.active.row]?.[this.active.column] ?? "";
  }

  /** Ends editing; returns what was typed. */
  end() {
    const words = this.input.value.replaceAll("\r\n", "\n").trim();
    this.isEditing = false;
    this.input.value = "";
    this.input.classList.remove("is-editing");
    this.suggester.close();
    return words;
  }

  save() {
    if (!this.isEditing) return;
    const words = this.end();
    this.write([[this.active.row, this.active.column, words]]);
    this.refresh();
  }

  /** @param {Write[]} cells */
  write(cells) {
    if (this.table.locked) return this.acts.tell(this.table.locked);
    const { rows } = this.table;
    const changed = cells.filter(([row, column, text]) => text !== (rows[row]?.[column] ?? ""));
    if (changed.length) this.acts.write(changed);
  }

  /** @returns {Write[]} */
  cells() {
    const { left, right } = this.selection;
    return this.selectedRows.flatMap((row) => Array.from({ length: right - left + 1 }, (_, index) =>
      /** @type {Write} */ ([row, left + index, this.table.rows[row][left + index] ?? ""])));
  }

  /** Adds to the numbers that are selected. @param {number} by */
  step(by) {
    if (this.isEditing) {
      const typed = Number(this.input.value.replace(",", "."));
      if (!Number.isNaN(typed)) this.input.value = String(typed + by);
      return;
    }
    const cells = this.cells().filter(([, column, text]) => this.table.columns[column].kind !== "text" && /^-?\d*$/.test(text));
    this.write(cells.map(([row, column, text]) => {
      const isCount = this.table.columns[column].kind === "count";
      const now = (text === "" && isCount ? 1 : Number(text)) + by; // a row without a count is printed once
      return [row, column, String(isCount ? Math.max(0, now) : now)];
    }));
  }

  fillDown() {
    const { top, bottom } = this.selection;
    const from = top === bottom ? top - 1 : top;
    const source = this.table.rows[from];
    if (source) this.write(this.cells().filter(([row]) => row > from).map(([row, column]) => [row, column, source[column] ?? ""]));
  }

  /** @param {ClipboardEvent} event */
  clip(event) {
    if (this.isEditing || !event.clipboardData) return;
    event.preventDefault();
    if (event.type === "paste") return this.paste(readCells(event.clipboardData.getData("text/plain")));
    const { left, right } = this.selection;
    const rows = this.selectedRows.map((row) => this.table.rows[row].slice(left, right + 1));
    event.clipboardData.setData("text/plain", writeCells(rows));
    if (event.type === "cut") this.clear();
  }

  clear() {
    this.write(this.cells().map(([row, column]) => [row, column, ""]));
  }

  /** One text fills the selection; a block lies at its first cell. @param {string[][]} block */
  paste(block) {
    const { top, left } = this.selection;
    if (block.length === 1 && block[0].length === 1 && this.cells().length > 1)
      return this.write(this.cells().map(([row, column]) => [row, column, block[0][0].trim()]));
    const across = Math.max(...block.map((cells) => cells.length));
    const columns = Math.min(across, this.table.columns.length - left);
    const rows = Math.min(block.length, this.last === this.table.rows.length ? Infinity : this.last + 1 - top);
    this.write(block.slice(0, rows).flatMap((cells, down) => cells.slice(0, columns).map((text, along) =>
      /** @type {Write} */ ([top + down, left + along, text.trim()]))));
    const lost = [rows < block.length && say("rows.rows", { count: block.length - rows }), columns < across && say("rows.columns", { count: across - columns })].filter(Boolean);
    if (lost.length) this.acts.tell(say("rows.no-room", { lost: lost.join(", ") }));
    this.go(top, left);
    this.corner = this.within(top + rows - 1, left + columns - 1);
    this.refresh();
  }

  // Keys and the pointer ------------------------------------------------------------------------

  /** @param {KeyboardEvent} event */
  key(event) {
    if (event.isComposing) return;
    if (this.isEditing ? this.keyEditing(event) : this.keyIdle(event)) event.preventDefault();
    event.stopPropagation();
  }

  /** @type {(event: KeyboardEvent) => boolean} */
  keyEditing({ key, altKey, shiftKey, ctrlKey, metaKey }) {
    const { row, column } = this.active;
    if (key === "Enter" && (altKey || ctrlKey || metaKey)) {
      this.input.setRangeText("\n", this.input.selectionStart, this.input.selectionEnd, "end");
      return true;
    }
    if (key === "Enter" || key === "Tab") {
      if (this.suggester.pointed !== undefined) this.input.value = this.suggester.pointed;
      this.save();
      if (key === "Enter") this.go(row + (shiftKey ? -1 : 1), column);
      else this.along(shiftKey ? -1 : 1);
      return true;
    }
    if (key === "Escape") {
      this.end();
      this.refresh();
      return true;
    }
    const by = { ArrowUp: -1, ArrowDown: 1 }[key];
    if (!by || altKey || this.input.value.includes("\n")) return false;
    if (this.table.columns[column].kind === "text") return this.suggester.step(by);
    this.step(-by);
    return true;
  }

  /** @type {(event: KeyboardEvent) => boolean} */
  keyIdle(event) {
    const { key, altKey, shiftKey } = event, isCommand = event.ctrlKey || event.metaKey;
    const name = `${isCommand ? "Control+" : ""}${altKey ? "Alt+" : ""}${shiftKey ? "Shift+" : ""}${key.length === 1 ? key.toLowerCase() : key}`;
    if (this.acts.key(name)) return true;
    const by = { "Alt+ArrowLeft": -1, "Alt+ArrowRight": 1 }[name];
    if (by) this.resize(this.active.column, this.widths[this.active.column] + by);
    if (altKey) return Boolean(by);
    const { row, column } = shiftKey ? this.corner : this.active, last = this.table.columns.length - 1;
    const page = Math.max(1, Math.floor(this.scroller.clientHeight / ROW) - 2);
    const far = isCommand ? Infinity : 1;
    /** @type {{[key: string]: [number, number]}} */
    const moves = {
      ArrowUp: [row - far, column], ArrowDown: [row + far, column], ArrowLeft: [row, column - far], ArrowRight: [row, column + far],
      PageUp: [row - page, column], PageDown: [row + page, column],
      Home: [isCommand ? 0 : row, 0], End: [isCommand ? this.table.rows.length - 1 : row, last],
    };
    if (moves[key]) {
      this.move(...moves[key], shiftKey);
      return true;
    }
    if (key === "Tab") return this.along(shiftKey ? -1 : 1);
    if (isCommand && key === "a") this.selectAll();
    else if (isCommand && key === "d") this.fillDown();
    else if (key === " " && shiftKey) this.goRows(this.selection.top, this.selection.bottom);
    else if (key === "F2" || (key === "Enter" && !isCommand)) this.edit();
    else if (key === "Delete" || key === "Backspace") this.clear();
    else if (key === "Escape") this.acts.leave();
    else if ("+-".includes(key) && !isCommand && this.table.columns[this.active.column].kind === "count") this.step(key === "+" ? 1 : -1);
    else return false;
    return true;
  }

  /** The next cell of the row; false behind the last, where the focus leaves the grid. @param {number} by */
  along(by) {
    const column = this.active.column + by;
    if (column < 0 || column >= this.table.columns.length) return false;
    this.go(this.active.row, column);
    return true;
  }

  /** @type {(row: number, column: number, extend: boolean) => void} */
  move(row, column, extend) {
    if (!extend) return this.go(row, column);
    this.corner = this.within(row, column);
    this.draw();
    this.refresh();
    this.moved();
  }

  selectAll() {
    this.active = { row: 0, column: 0 };
    this.corner = this.within(this.table.rows.length - 1, Infinity);
    this.draw();
    this.moved();
  }

  /** The row and column of an event. @param {Event} event */
  at(event) {
    const cell = /** @type {HTMLElement} */ (event.target).closest("[data-column]");
    const line = /** @type {HTMLElement | null} */ (cell?.closest("[data-row]"));
    return cell instanceof HTMLElement && line ? { row: Number(line.dataset.row), column: Number(cell.dataset.column) } : null;
  }

  /** @param {PointerEvent} event */
  press(event) {
    const at = this.at(event);
    if (!at || event.button !== 0 || this.tools.contains(/** @type {Node} */ (event.target))) return;
    if (event.target === this.input && this.isEditing) return;
    event.preventDefault(); // the input keeps the focus
    this.save();
    this.isDragging = true;
    if (event.shiftKey) this.move(at.row, at.column < 0 ? Infinity : at.column, true);
    else if (at.column < 0) this.goRows(at.row, at.row);
    else this.go(at.row, at.column);
    this.input.focus({ preventScroll: true });
  }

  /** @param {PointerEvent} event */
  drag(event) {
    const at = this.at(event);
    if (at) this.move(at.row, at.column < 0 ? Infinity : at.column, true);
  }

  // Headings ------------------------------------------------------------------------------------

  /** Sets the width of a column; null makes it as wide as its words. @type {(column: number, rem: number | null, isKept?: boolean) => void} */
  resize(column, rem, isKept = true) {
    if (rem !== null) this.widths[column] = rem = Math.round(Math.max(THIN, Math.min(WIDE, rem)) * 100) / 100;
    this.layWidths();
    if (isKept) this.acts.resize?.(column, rem);
  }

  /** Its edge resizes a column; elsewhere, a press selects the column. @param {PointerEvent} event */
  pressHead(event) {
    const part = /** @type {HTMLElement} */ (event.target), head = /** @type {HTMLElement | null} */ (part.closest("[data-head]"));
    if (!head || event.button !== 0) return;
    event.preventDefault(); // the input keeps the focus
    const column = Number(head.dataset.head), rem = parseFloat(getComputedStyle(document.documentElement).fontSize);
    if (part.className !== "edge") {
      this.save();
      this.go(0, column);
      this.corner = this.within(this.table.rows.length - 1, column);
      this.refresh();
      return this.moved();
    }
    const from = this.widths[column] * rem - event.clientX;
    let width = this.widths[column]; // a table that is shown meanwhile has its kept widths
    part.setPointerCapture(event.pointerId);
    part.onpointermove = (now) => this.resize(column, (width = (from + now.clientX) / rem), false);
    part.onlostpointercapture = () => {
      part.onpointermove = part.onlostpointercapture = null;
      this.resize(column, width);
    };
  }

  /** @param {HTMLElement} part */
  openHead(part) {
    const head = /** @type {HTMLElement | null} */ (part.closest("[data-head]"));
    if (head && part.className === "edge") this.resize(Number(head.dataset.head), null);
    else if (head) this.acts.key("Shift+F2");
  }
}
