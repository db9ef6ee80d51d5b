// Cards in rows and columns, as a person drags them. Lengths are mm, rounded to what a command says.

/** @import { Pair, Rect, Wanted } from "./told.js" */
/** @typedef {{rows: number, columns: number, size: Pair, at: Pair, gap: Pair, bleed: number}} Grid */

const SAME = 1, EXACT = 0.06; // mm by which places are the same
const LEAST = 5; // mm: a side of a card
const USUAL = /** @type {Pair} */ ([63.5, 88.9]);

/** @type {(value: number) => number} */
const rounded = (value) => Math.round(value * 100) / 100;
/** @type {(value: number) => number} */
const tenth = (value) => Math.round(value * 10) / 10;
/** @type {(values: number[]) => number} */
const middle = (values) => values.toSorted((a, b) => a - b)[values.length >> 1];

/** The different places, the least first. @type {(values: number[]) => number[]} */
const placesOf = (values) => values.toSorted((a, b) => a - b).filter((value, index, all) => !index || value - all[index - 1] > SAME);

/** @type {(grid: Grid) => Rect[]} */
export const cellsOf = ({ rows, columns, size, at, gap }) =>
  Array.from({ length: rows * columns }, (_, index) => {
    const x = at[0] + (index % columns) * (size[0] + gap[0]), y = at[1] + Math.floor(index / columns) * (size[1] + gap[1]);
    return [x, y, x + size[0], y + size[1]];
  });

/** The rows and columns in which cards lie. @type {(cells: Rect[], bleed: number) => Grid} */
export function gridOf(cells, bleed) {
  const places = [0, 1].map((axis) => placesOf(cells.map((cell) => cell[axis])));
  const size = /** @type {Pair} */ ([0, 1].map((axis) => rounded(middle(cells.map((cell) => cell[axis + 2] - cell[axis])))));
  const gap = /** @type {Pair} */ (places.map((all, axis) => {
    const pitch = all.length > 1 ? (all[all.length - 1] - all[0]) / (all.length - 1) : size[axis];
    return Math.max(rounded(pitch - size[axis]), 0);
  }));
  const at = /** @type {Pair} */ (places.map(([first]) => Math.max(rounded(first), 0)));
  return { rows: places[1].length, columns: places[0].length, size, at, gap, bleed };
}

/** Whether a person says where all cards are. @type {(wanted: Wanted) => boolean} */
export const isSaid = ({ size, grid }) => Boolean(size && grid);

/** The grid that is said, as it lies on a page with these cells: a back has it at its mirror image. @type {(wanted: Wanted, page: Pair, cells: Rect[]) => Grid} */
export function saidGrid({ size, grid, at, gap, bleed }, page, cells) {
  const [rows, columns] = grid ?? [1, 1], sides = size ?? USUAL, between = gap ?? [0, 0];
  const whole = [columns, rows].map((count, axis) => count * (sides[axis] + between[axis]) - between[axis]);
  const here = at ?? /** @type {Pair} */ (page.map((side, axis) => rounded((side - whole[axis]) / 2)));
  const [x, y] = here.map((start, axis) => rounded(page[axis] - start - whole[axis]));
  /** @type {Grid[]} */
  const ways = /** @type {Pair[]} */ ([here, [x, here[1]], [here[0], y]]).map((start) => ({ rows, columns, size: sides, at: start, gap: between, bleed: bleed ?? 0 }));
  return ways.find((way) => cells.every(([x0, y0]) => cellsOf(way).some(([x1, y1]) => Math.max(Math.abs(x0 - x1), Math.abs(y0 - y1)) < EXACT))) ?? ways[0];
}

/** Usual cards in the middle of a page, as many as have room. @type {(page: Pair) => Grid} */
export function usualGrid(page) {
  const [columns, rows] = page.map((side, axis) => Math.min(Math.max(Math.floor(side / USUAL[axis]), 1), 3));
  const size = /** @type {Pair} */ (USUAL.map((side, axis) => Math.min(side, page[axis])));
  const at = /** @type {Pair} */ ([columns, rows].map((count, axis) => rounded((page[axis] - count * size[axis]) / 2)));
  return { rows, columns, size, at, gap: [0, 0], bleed: 0 };
}

/** @type {(grid: Grid) => Partial<Wanted>} */
export const wantedOf = ({ rows, columns, size, at, gap, bleed }) => ({ grid: [rows, columns], size, at, gap: gap[0] || gap[1] ? gap : null, bleed: bleed || null });

// What is dragged -----------------------------------------------------------------------------

/** Moves all cards. @type {(grid: Grid, by: Pair) => Grid} */
export const moved = (grid, by) => ({ ...grid, at: each(grid.at, (start, axis) => by[axis] ? Math.max(tenth(start + by[axis]), 0) : start) });

/** Moves edges of each card: -1 is the left or upper one, 1 the other, 0 none. @type {(grid: Grid, edges: Pair, by: Pair) => Grid} */
export function resized(grid, edges, by) {
  const size = each(grid.size, (side, axis) => {
    if (!edges[axis] || !by[axis]) return side;
    return edges[axis] > 0 ? tenth(Math.max(side + by[axis], LEAST)) : rounded(grid.at[axis] + side - startOf(grid, axis, by[axis]));
  });
  return { ...grid, size, at: each(grid.at, (start, axis) => (edges[axis] < 0 && by[axis] ? startOf(grid, axis, by[axis]) : start)) };
}

/** @type {({ at, size }: Grid, axis: number, by: number) => number} */
const startOf = ({ at, size }, axis, by) => Math.min(Math.max(tenth(at[axis] + by), 0), rounded(at[axis] + size[axis] - LEAST));

/** Moves the last corner of all: each card takes its share. @type {(grid: Grid, by: Pair) => Grid} */
export const stretched = (grid, by) => ({ ...grid, size: each(grid.size, (side, axis) => by[axis] ? Math.max(rounded(side + by[axis] / (axis ? grid.rows : grid.columns)), LEAST) : side) });

/** Moves the second card away from the first. @type {(grid: Grid, by: Pair) => Grid} */
export const spread = (grid, by) => ({ ...grid, gap: each(grid.gap, (gap, axis) => by[axis] ? Math.max(tenth(gap + by[axis]), 0) : gap) });

/** @type {(pair: Pair, change: (value: number, axis: number) => number) => Pair} */
const each = (pair, change) => /** @type {Pair} */ (pair.map(change));
