// What can be set of a part of a face beside its place: words, letters, colours, pictures.

import { spec } from "./edit.js";
import { rounded } from "./places.js";
import { say, word } from "./say.js";

/** @import { Field } from "./fields.js" */
/** @import { Values } from "./places.js" */
/** @import { Part, TextSize } from "./told.js" */

/**
 * What the fields of a part need to know.
 * @typedef {object} Around
 * @property {string[]} columns of the table
 * @property {string[]} families of fonts
 * @property {(part: Part, values: Values, words?: string) => void} change
 */

const MM_PER_PT = 25.4 / 72;
const ALIGNS = { left: ["start", "start"], centre: ["middle", "center"], right: ["end", "end"], justified: ["start", "justify"] };

/** The colours of the game's palette. @type {() => [string, string][]} */
export const palette = () => Object.entries(/** @type {{[name: string]: string}} */ (spec().palette ?? {}));

/** @type {(size: number) => string} */
const sized = (size) => String(Math.round(size * 10) / 10);

/** Whether a text is smaller than it was asked to be, or too long for its box. @type {(text: TextSize) => boolean} */
export const isShrunk = ({ size, asked, over }) => over > 0 || size < asked - 0.05;

/** @type {(part: Part, around: Around) => Field[]} */
export function lookFields(part, around) {
  const { kind } = part;
  /** @type {Field[]} */
  const fields = kind === "text" ? [...wordFields(part, around), ...letterFields(part, around), colourField(part, say("part.colour"), "fill", around)] : [];
  if (kind === "shape") fields.push(colourField(part, say("part.fill"), "fill", around), colourField(part, say("part.line"), "stroke", around));
  return [...fields, directive(part, say("part.shown-if"), "if", around, say("part.shown-if-about"))];
}

/** A pnp: attribute of a part. @type {(part: Part, label: string, name: string, around: Around, about: string) => Field} */
const directive = (part, label, name, { change, columns }, about) => ({
  label, kind: "text", value: part.values[`pnp:${name}`] ?? "", about, choices: columns,
  act: (value) => change(part, { [`pnp:${name}`]: value.trim() || null }),
});

/** @type {(part: Part, around: Around) => Field[]} */
function wordFields(part, around) {
  if (part.values["pnp:text"]) return [directive(part, say("part.says"), "text", around, say("part.says-about"))];
  const why = part.words === null ? say("part.own-lines") : "", words = part.words ?? "";
  return [
    { label: say("part.words"), kind: "words", value: words, why, act: (value) => around.change(part, {}, value) },
    { label: say("part.column"), kind: "choice", value: "", why, choices: ["", ...around.columns], about: say("part.column-about"),
      act: (column) => column && around.change(part, {}, `${words} {{ ${column} }}`.trim()) },
  ];
}

/** @type {(part: Part, around: Around) => Field[]} */
function letterFields(part, { families, change }) {
  const { values, fixed, frame, matrix: [a, b, c, d] } = part, isBoxed = frame >= 0;
  const scale = Math.sqrt(Math.abs(a * d - b * c)) / MM_PER_PT; // pt of a user unit
  const size = part.lettering?.asked ?? parseFloat(values["font-size"] ?? "0") * scale;
  const family = (values["font-family"] ?? "").split(",")[0].replace(/["']/g, "").trim();
  const align = values["text-align"] ?? "", anchor = values["text-anchor"] ?? "start";
  const aligned = Object.entries(ALIGNS).find(([, [own, long]]) => (align ? align === long : anchor === own))?.[0] ?? "left";
  /** @type {(name: string, value: string | null) => void} */
  const set = (name, value) => change(part, { [name]: value });
  /** @type {Field[]} */
  const fields = [
    { label: say("part.font"), kind: "choice", value: family, why: fixed["font-family"], choices: [...new Set([family, ...families])], act: (now) => set("font-family", now) },
    { label: say("part.size"), kind: "number", unit: "pt", step: 0.5, value: sized(size), why: fixed["font-size"],
      act: (now) => Number(now) > 0 && set("font-size", rounded(Number(now) / scale) + (/px$/.test(values["font-size"] ?? "") ? "px" : "")) },
    { label: say("part.bold"), kind: "check", value: String(/^(bold|[6-9]00)$/.test(values["font-weight"] ?? "")), why: fixed["font-weight"], act: (now) => set("font-weight", now === "true" ? "700" : "400") },
    { label: say("part.align"), kind: "choice", value: aligned, why: fixed["text-anchor"], choices: Object.keys(ALIGNS).slice(0, isBoxed ? 4 : 3), show: word,
      act(now) {
        const [own, long] = ALIGNS[/** @type {keyof typeof ALIGNS} */ (now)];
        change(part, { "text-anchor": own, ...(align || now === "justified" ? { "text-align": long } : {}) });
      } },
  ];
  if (!isBoxed) return fields;
  const least = part.lettering?.least ? sized(part.lettering.least) : "";
  fields.splice(2, 0, { label: say("part.least"), kind: "number", unit: "pt", step: 0.5, value: least, about: say("part.least-about"), act: (now) => set("pnp:least", now && `${now}pt`) });
  fields.push(
    { label: say("part.vertical"), kind: "choice", value: values["pnp:valign"] ?? "top", choices: ["top", "middle", "bottom"], show: word, about: say("part.vertical-about"), act: (now) => set("pnp:valign", now) },
    { label: say("part.one-size"), kind: "check", value: String(values["pnp:size"] === "deck"), about: say("part.one-size-about"), act: (now) => set("pnp:size", now === "true" ? "deck" : null) });
  return fields;
}

/** A colour of the palette is a name that the template looks up; the file has its present value too. @type {(part: Part, label: string, name: "fill" | "stroke", around: Around) => Field} */
function colourField(part, label, name, { change }) {
  const own = part.values[`pnp:${name}`], named = own?.match(/^'([\w -]+)'$/)?.[1];
  return {
    label, kind: "colour", palette: [...palette(), [word("none"), "none"]], value: named ?? part.values[name] ?? "", why: named ? "" : part.fixed[name],
    act(value) {
      const colour = palette().find(([each]) => each === value)?.[1];
      change(part, { [name]: colour ?? value, ...(colour ? { [`pnp:${name}`]: `'${value}'` } : own ? { [`pnp:${name}`]: null } : {}) });
    },
  };
}
