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
  rules: string[]; // the ids of their pages, in order
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
  part: string; // a component, cover, rules …
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

/** The keys of an [[accept]]. */
export type Accept = { [key: string]: string | string[] };

/** `faces` are keys: component/piece/side. */
export interface Finding {
  level: Level;
  rule: string;
  where: string;
  file: string; // its path in the game's folder, or ""
  line: number; // of the file, 0 for the whole
  row: string; // where the row is
  what: string;
  hint: string;
  accepted: string; // the reason, or ""
  accepts: Accept[]; // the [[accept]] of each, without their reason; none if it needs none
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

/** The files that the game names, its game.toml as raw tables, and what was saved: the last can be undone. */
export interface Files {
  folder: string; // the game's
  writes: number; // of files, since the game was opened
  files: GameFile[];
  saves: Save[];
  undone: number; // saves that can be done again
  isReadOnly: boolean;
  spec: { [key: string]: any };
}

export interface GameFile {
  id: string;
  name: string; // its path in the game's folder
  kind: "table" | "drawing" | "text" | "picture";
  digest: string; // of its content; an edit names it
  locked: string; // why the page cannot change it, or ""
}

export interface Save {
  file: string;
  what: string;
  time: number; // s
}

/** The rows of a table, the header first. */
export interface Rows {
  digest: string;
  rows: { where: string; cells: string[] }[];
}

/** What texts may name: the icons of the house and of the game, and families of fonts. */
export interface Stock {
  icons: { name: string; picture: string; isOwn: boolean }[];
  fonts: string[];
}

export type Path = (string | number)[]; // of a value in game.toml

/** What /edit takes, without the file and its digest. */
export type Edit =
  | { do: "cells"; cells: [row: number, column: number, before: string, now: string][]; sheet?: string }
  | { do: "rows"; rows: (number | string[])[] }
  | { do: "columns"; columns: number[] }
  | { do: "values"; values: [Path, any][] }
  | { do: "tables"; path: Path; tables: (number | { [key: string]: any })[] }
  | { do: "rename"; keys: Path[]; name: string; uses?: [Path, string][] }
  | { do: "attributes"; element: number; values: { [name: string]: string | null }; words?: string }
  | { do: "text"; text: string };

/** What /parts answers: the parts of a template's face, or the keys of a renderer as a JSON Schema. */
export interface FaceParts {
  file: string;
  digest: string; // of the file; an edit names it
  families: string[];
  parts: Part[];
}

export interface FaceKeys {
  schema: { [key: string]: any };
  families: string[]; // of the fonts that keys may name
}

/** An element of a template, by its number in the file. */
export interface Part {
  number: number;
  kind: string;
  name: string;
  within: number; // the group around it, or -1
  boxes: Rect[]; // of each copy, as the row fills it; none if it is not drawn
  matrix: Affine; // from the units of its places to mm of the bleed box
  frame: number; // the box of a text, or -1
  places: { [name: string]: number };
  values: { [name: string]: string };
  fixed: { [name: string]: string }; // what cannot be set, with the reason
  words: string | null;
  lettering: null | TextSize;
}

/** The size of a text in its box, what was asked for and the least, in pt, and the mm that it is too long. */
export interface TextSize {
  size: number;
  asked: number;
  least: number;
  over: number;
}

/** An option of a command: a switch has two `values`, for off and on; others, the only texts or none. */
export interface Field {
  name: string;
  kind: "text" | "switch" | "file";
  flag: string;
  about: string;
  default: string; // "on" for a switch that is
  values: string[];
}

/** A command that the page may run, with its options. */
export interface Command {
  name: string;
  words: string[];
  fields: Field[];
  about: string;
  is_of_game: boolean;
  pictures: { [name: string]: string }; // SVGs of what it may make
}

/** What the event `done` of /run says: the addresses of the files that were made. */
export interface Done {
  isDone: boolean;
  files: string[];
}

/** The games in the folder of a studio in which none is open. */
export interface ShelfTold {
  folder: string;
  games: string[];
}
