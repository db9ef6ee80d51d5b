// What pnp tells the page, as view.py and session.py make it. Lengths are in mm.

export type Side = "front" | "back";
export type Level = "error" | "warning" | "note";
export type Pair = [number, number];
export type Rect = [number, number, number, number]; // x0, y0, x1, y1
export type Affine = [number, number, number, number, number, number];

export interface State {
  game: { title: string; designer: string; about: string };
  components: Component[];
  sheets: Sheet[];
}

export interface Choices {
  paper: Offer;
  language: Offer;
  variant: Offer;
  printer: Offer;
  draft: Offer; // "on" or "off"
}

/** In a language, a variant or a printer, "" is the game itself, or no printer. */
export interface Offer {
  offered: string[];
  chosen: string;
}

export interface Component {
  id: string;
  title: string;
  columns: string[];
  sides: { front: Box; back?: Box };
  pieces: Piece[];
}

/** A side's lines, in its bleed box; paths as in SVG. */
export interface Box {
  size: Pair;
  trim: Rect;
  cut: string;
  lines: string;
  bleed: string;
  safe: string;
}

export interface Piece {
  id: string;
  copies: number;
  where: string;
  row: { [column: string]: string | number };
  faces: { [side in Side]?: string }; // ids
  turned: { [side in Side]?: Box }; // of faces that lie turned on the piece
}

export interface Sheet {
  title: string;
  number: number;
  total: number;
  paper: Pair;
  through: Affine | null; // places its back as it is seen through its front
  pages: Page[];
}

export interface Page {
  side: Side;
  correction: Affine | null;
  placements: Placement[];
  marks: Mark[];
  labels: Label[];
}

export interface Placement {
  face: string; // an id
  piece: string;
  size: Pair;
  affine: Affine;
  clip: string;
}

export type Mark = [number, number, number, number, number, number]; // x1, y1, x2, y2, width, halo

export interface Label {
  text: string;
  size: number;
  affine: Affine;
  bold: boolean;
}

/** `faces` are keys: component/piece/side. */
export interface Finding {
  level: Level;
  rule: string;
  where: string;
  what: string;
  hint: string;
  faces: string[];
}

export interface Findings {
  findings: Finding[];
  isChecked: boolean;
  isSound: boolean; // or no face is inspected
}

/** The ids of faces by their keys. */
export type Faces = { [key: string]: string };

/** Pictures of faces whose ids were sent before, by these: JPEGs in base64, or "" for one that has none. */
export type Pictures = { [id: string]: string };
