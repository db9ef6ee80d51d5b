// The phrases of the page, by their names: patterns of ICU's MessageFormat with fields, as far as our catalogues use it.

import { language, patterns } from "./phrases.js";

/** @typedef {{[field: string]: string | number}} Fields */

const PLURAL = /\{(\w+), plural,((?:\s*=?\w+\s*\{(?:[^{}]|\{\w+\})*\})+)\s*\}/g;
const CASE = /(=?\w+)\s*\{((?:[^{}]|\{\w+\})*)\}/g, FIELD = /\{(\w+)\}/g;
const rules = new Intl.PluralRules(language), numbers = new Intl.NumberFormat(language);

/** @type {(phrase: string, fields?: Fields) => string} */
export function say(phrase, fields = {}) {
  const pattern = patterns[phrase] ?? `{${phrase}}`;
  return pattern
    .replace(PLURAL, (_, name, cases) => choose(Number(fields[name]), cases))
    .replace(FIELD, (whole, name) => (name in fields ? String(fields[name]) : whole));
}

// The words for a number, with the number in the place of #.
/** @type {(count: number, cases: string) => string} */
function choose(count, cases) {
  const words = new Map([...cases.matchAll(CASE)].map(([, name, text]) => [name, text]));
  const chosen = words.get(`=${count}`) ?? words.get(rules.select(count)) ?? words.get("other") ?? "";
  return chosen.replaceAll("#", numbers.format(count));
}

/** A word of pnp's own, such as the kind of a part; the word itself, if the catalogue has none. @type {(name: string) => string} */
export const word = (name) => patterns[`word.${name}`] ?? name;

/** A number as the language writes it. @type {(value: number, digits?: number) => string} */
export const number = (value, digits = 1) => new Intl.NumberFormat(language, { maximumFractionDigits: digits }).format(value);

/** @type {(sentence: string) => string} */
export const capital = (sentence) => sentence.slice(0, 1).toLocaleUpperCase(language) + sentence.slice(1);
