// The form of a face that code draws: the keys of its renderer in game.toml.

import { edit, spec } from "./edit.js";
import { palette } from "./looks.js";
import { say } from "./say.js";

/** @import { Field } from "./fields.js" */
/** @import { Part, Path, Side } from "./told.js" */

const LENGTH = /^\s*([\d.]+)\s*(mm|cm|in|pt)\s*$/;

/** The index of a component in game.toml, and the table of its side. @type {(id: string, side: Side) => {index: number, table: {[key: string]: any}}} */
export function tableOf(id, side) {
  const tables = /** @type {any[]} */ (spec().component ?? []);
  const index = tables.findIndex((table) => table.id === id);
  return { index, table: tables[index]?.[side] ?? {} };
}

/** A field for each key of a JSON Schema; fonts are these families. @type {(schema: {[key: string]: any}, families: string[], id: string, side: Side) => Field[]} */
export function keyFields(schema, families, id, side) {
  const { index, table } = tableOf(id, side);
  return Object.entries(/** @type {{[key: string]: any}} */ (schema.properties ?? {})).flatMap(([key, kind]) => {
    /** @type {(value: any, at?: number) => void} */
    const set = (value, at) => {
      const path = ["component", index, side, key];
      const list = at === undefined ? value : (table[key] ?? kind.default ?? []).with(at, value);
      if (value !== null || key in table) edit("game.toml", { do: "values", values: [[path, at !== undefined && value === null ? null : list]] });
    };
    const value = table[key] ?? kind.default;
    const about = `${kind.description ?? ""}${key in table ? "" : ` ${say("part.not-set")}`}`;
    if (kind.type === "array" && kind.maxItems <= 4 && kind.items)
      return [...Array(kind.maxItems).keys()].map((at) => fieldOf(`${key} ${at + 1}`, kind.items, value?.[at], about, families, (now) => set(now, at)));
    return [fieldOf(key, kind, value, about, families, set)];
  });
}

/** @type {(label: string, kind: {[key: string]: any}, value: any, about: string, families: string[], set: (value: any) => void) => Field} */
function fieldOf(label, kind, value, about, families, set) {
  const text = value === undefined || value === null ? "" : String(value);
  /** @type {(more: Partial<Field>) => Field} */
  const field = (more) => ({ label, kind: "text", value: text, about, act: (now) => set(now || null), ...more });
  const description = kind.description ?? "";
  if (value !== undefined && typeof value === "object") return field({ value: JSON.stringify(value), why: say("part.in-text") });
  if (kind.pattern?.includes("mm|cm")) {
    const [, length = "", unit = "mm"] = text.match(LENGTH) ?? [];
    if (length || !text) return field({ kind: "number", unit, step: 0.5, value: length, act: (now) => set(now && `${Number(now)}${unit}`) });
  }
  if (description.includes("[palette]")) return field({ kind: "colour", palette: palette() });
  /** @type {(names: string[]) => Field} */
  const choice = (names) => field({ kind: "choice", choices: [...new Set([text, "", ...names])] });
  if (description.includes("name in [art]")) return choice(Object.keys(spec().art ?? {}));
  if (description.includes("family in a fonts folder")) return choice(families);
  if (kind.enum) return field({ kind: "choice", choices: kind.enum.map(String) });
  if (kind.type === "boolean") return field({ kind: "check", act: (now) => set(now === "true") });
  if (["number", "integer"].includes(kind.type)) return field({ kind: "number", act: (now) => set(now === "" ? null : Number(now)) });
  if (kind.type === "string") return field({});
  return field({ why: say("part.in-text") });
}

const USUAL = say("part.usual-heading");
const WORDS = ["if", "else", "and", "or", "not", "in", "is", "true", "false", "none", "row", "loop", "table"];

/** The columns that the drawing of a layout reads. @param {Part[]} parts */
export function placesOf(parts) {
  const said = parts.flatMap(({ words, values }) => [...`${words ?? ""} ${values.href ?? ""}`.matchAll(/\{\{(.*?)\}\}/gs)].map(([, inside]) => inside)
    .concat(["pnp:text", "pnp:if", "pnp:href"].map((name) => values[name] ?? "")));
  const names = said.flatMap((text) => text.replace(/'[^']*'|"[^"]*"|\|\s*\w+/g, " ").match(/[a-z_]\w*/gi) ?? []);
  return [...new Set(names)].filter((name) => !WORDS.includes(name) && !name.endsWith("_heading"));
}

/** A field for the column of each place of a drawing: those that game.toml says, and others. @type {(columns: string[], places: string[], id: string, side: Side) => Field[]} */
export function columnFields(columns, places, id, side) {
  const { index, table } = tableOf(id, side), said = /** @type {{[name: string]: any}} */ (table.columns ?? {});
  return [...new Set([...places, ...Object.keys(said)])].map((name) => {
    const value = name in said ? String(said[name]) : USUAL, path = ["component", index, side, "columns"];
    /** @type {(now: string) => [Path, any]} */
    const change = (now) => (table.columns ? [[...path, name], now] : [path, { [name]: now }]);
    return {
      label: name.replaceAll("_", " "), kind: "choice", value, choices: [...new Set([value, "", ...columns])], about: say("part.column-there"),
      act: (now) => void (now !== USUAL && edit("game.toml", { do: "values", values: [change(now)] })),
    };
  });
}
