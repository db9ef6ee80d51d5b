// What pnp tells the page, as adjusting.py makes it. Lengths are in mm, from the top left.

export type Pair = [number, number];
export type Rect = [number, number, number, number]; // x0, y0, x1, y1

/** What a person says of the cards, as on a command line. */
export interface Options {
  wanted: Wanted;
  pages: number[]; // to read; none for all
  backs: string | number[];
  turns_backs: boolean;
}

export interface Wanted {
  size: Pair | null;
  grid: Pair | null; // rows, columns
  at: Pair | null;
  gap: Pair | null;
  bleed: number | null;
  shape: string;
}

/** What pnp makes of options. */
export interface Told {
  pages: Page[]; // those that are read; at first all
  cards: Card[];
  fault: string; // why there are no cards, or ""
  said: Options;
  command: string; // that imports the same
  proposed: Wanted[]; // one by pixels, where nothing else is found
  names: string[]; // of the file, and of the folder to be made
}

export interface Page {
  number: number;
  size: Pair; // 0 if it cannot be read
  groups: Place[][];
  picture: string;
  reason: string; // why it has no cards, or ""
  is_faulty: boolean;
  file: number;
}

export interface Place {
  page: number;
  number: number; // on its page
  cell: Rect;
  bleed: number;
  file: number;
}

export interface Card {
  front: Place;
  back: Place | null;
  is_turned: boolean;
}
