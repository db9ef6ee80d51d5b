// The sizes of the faces: pieces are to scale, and the rows of most of them fill the width.

import { find } from "./dom.js";
import { sharpenSoon } from "./picture.js";
import { lookAt } from "./sight.js";

const MM_PER_INCH = 25.4;
const CARD = 63.5, STEPS = [80, 104, 130, 158, 200, 260, 340, 440]; // mm, and px that it takes
let chosen = matchMedia("(max-width: 700px)").matches ? 104 : 158;
let width = chosen; // px of a card, as the rows fill the width

let isReal = false; // or the rows fill the width

export const isRealSize = () => isReal;

/** @param {number} by */
export function resize(by) {
  const near = STEPS.reduce((best, step) => (Math.abs(step - chosen) < Math.abs(best - chosen) ? step : best));
  isReal = false;
  choose(STEPS[Math.min(Math.max(STEPS.indexOf(near) + by, 0), STEPS.length - 1)]);
}

/** Shows pieces as large as they are. @param {number} density px of the page in a mm of the screen */
export function showReal(density) {
  isReal = true;
  choose(density * CARD);
}

/** @param {number} px of a card */
function choose(px) {
  chosen = px;
  document.documentElement.style.setProperty("--card", `${chosen}px`);
  fit();
  fitSheets();
}

// The largest grid decides: with as many in a row as come nearest to the chosen size.
export function fit() {
  /** @type {HTMLElement | null} */
  let grid = null;
  for (const shown of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("#faces .grid")))
    if (!grid || shown.childElementCount > grid.childElementCount) grid = shown;
  const next = grid ? filling(grid) : chosen;
  lookAt(Math.ceil((next / CARD) * MM_PER_INCH * devicePixelRatio));
  if (Math.abs(next - width) < 0.05) return;
  width = next;
  for (const cell of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("#faces .cell"))) size(cell);
  sharpenSoon();
}

/** @param {HTMLElement} grid */
function filling(grid) {
  const cell = /** @type {HTMLElement} */ (grid.firstElementChild);
  const across = Number(cell.dataset.across) / CARD;
  const { paddingLeft, paddingRight } = getComputedStyle(cell);
  const space = parseFloat(getComputedStyle(grid).columnGap);
  const beside = space + parseFloat(paddingLeft) + parseFloat(paddingRight);
  const { width: whole } = grid.getBoundingClientRect(); // clientWidth is rounded
  const room = whole + space;
  const number = Math.max(1, Math.round(room / (across * chosen + beside)));
  if (isReal || whole === 0 || across < 0.3 || number > grid.childElementCount) return chosen;
  return Math.floor(10 * (room / number - beside) / across) / 10;
}

/** @param {HTMLElement} cell */
export function size(cell) {
  const across = Math.max((Number(cell.dataset.across) / CARD) * width, width * 0.3);
  /** @type {(selector: string) => HTMLElement} */
  const part = (selector) => /** @type {HTMLElement} */ (cell.querySelector(selector));
  part(".shade").style.width = `min(${across.toFixed(1)}px, calc(100vw - 2.2rem))`;
  part(".name").style.maxWidth = `${Math.max(across, 44).toFixed(1)}px`;
}

// A sheet with a back takes two columns where there is room for two.
export function fitSheets() {
  const row = /** @type {HTMLElement | null} */ (document.querySelector("#sheets .row"));
  if (!row) return;
  const number = Math.max(1, Math.floor(row.clientWidth / (chosen * 2.15)));
  const isPaired = number > 1;
  const columns = isPaired && row.querySelector(".has-back") ? number - (number % 2) : number;
  row.style.setProperty("--columns", String(columns));
  row.classList.toggle("is-paired", isPaired);
}

new ResizeObserver(() => {
  fit();
  fitSheets();
}).observe(find("main"));
