// What pnp tells the page, as sight.py and session.py make it. Lengths are in mm.

export type Pair = [number, number];

export interface Supply {
  title: string;
  sets: PieceSet[];
  across: number; // of the hexagons to snap to, from side to side
  isPointed: boolean; // whether these have a corner at the top
  rules: string[]; // the ids of its pages
}

/** Outlines are in the box of the cut piece. */
export interface PieceSet {
  title: string;
  size: Pair;
  front: Pair[];
  back: Pair[];
  turn: number;
  anchor: Pair;
  isFolded: boolean;
  isApart: boolean; // whether unlike pieces lie on stacks of their own
}

export interface State {
  number: number; // grows with every action
  size: Pair;
  stacks: Stack[];
  dice: Die[];
  counters: Counter[];
  hand: Card[];
  seat: number | null;
  seats: Seat[];
  told: string[];
  canUndo: boolean;
  canRedo: boolean;
  played?: Played;
}

/**
 * A game by its rules: whose turn it is and what it asks, the state in notation, the moves of one's own turn. A spot is the number of
 * a look, x, y and turn.
 */
export interface Played {
  turn: string;
  text: string;
  counters: SeatCount[];
  moves: LegalMove[];
  spots: [number, number, number, number][];
  looks: Look[];
}

/** `seat`: whose it is, or null. */
export interface SeatCount {
  seat: number | null;
  label: string;
  count: number | string;
  icon?: Icon;
}

/** The side of a piece of a set, or a picture that is a square. */
export interface Icon {
  face: string | null;
  set: number | null;
  isUp: boolean;
}

/** `name` is its notation, `words` are for people: moves may be said alike. `takes` are the ids of stacks that it touches; `puts`, the numbers of the spots where it puts pieces. */
export interface LegalMove {
  name: string;
  words: string;
  takes: number[];
  puts: number[];
}

/** A side of a piece that is the stack `id`, or lies nowhere yet; without a face and a name, a place for a piece. */
export interface Look {
  id: number | null;
  set: number;
  isUp: boolean;
  face: string | null;
  name: string;
}

/** x and y are of its middle; `face` is an id, null for a blank side; `name` is "" face down. */
export interface Stack {
  id: number;
  x: number;
  y: number;
  turn: number;
  set: number;
  count: number;
  isUp: boolean;
  face: string | null;
  name: string;
}

export interface Die {
  id: number;
  x: number;
  y: number;
  sides: number;
  value: number;
}

export interface Counter {
  id: number;
  x: number;
  y: number;
  label: string;
  value: number;
}

export interface Card {
  set: number;
  face: string;
  name: string;
  held?: Held;
}

/** The picture of a card in hand whose face lies turned on it; the outline is in the box of that size. */
export interface Held {
  face: string;
  size: Pair;
  cut: Pair[];
}

export interface Seat {
  name: string;
  cards: number;
  isTaken: boolean;
}
