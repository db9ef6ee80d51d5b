// What may stand at a place of game.toml or of the rules: tables, keys and values of the schema, for the
// renderer or kind at hand, and the game's own names.

import { say } from "./say.js";
import { childOf, documentNodes, resolved } from "./schema.js";

/** @import { Path } from "./told.js" */

/** An offer: what it is called, what it puts in, and how far the cursor then goes back.
 * @typedef {{label: string, text: string, back: number, about: string}} Offer */
/** @typedef {{from: number, to: number, offers: Offer[]}} Completion what replaces the text between two places */
/** The game's own names. @typedef {{colours: string[], arts: string[], fonts: string[], icons: string[], files: string[],
 *   components: {id: string, columns: string[]}[]}} Known */

const MOST_LINES = 60; // of an array that goes over several lines
const STRINGS = /"""(?:\\[^]|(?!""")[^\\])*(?:"""|$)|'''(?:(?!''')[^])*(?:'''|$)|"(?:\\.|[^"\\\n])*(?:"|$|(?=\n))|'[^'\n]*(?:'|$|(?=\n))|#[^\n]*/g;
const HEADER = /^[ \t]*\[\[?([^\]\n]+)\]\]?[ \t]*(?:#.*)?$/;
const PAIR = /^[ \t]*([\w.-]+)[ \t]*=[ \t]*(?:"([^"]*)"|'([^']*)'|(.*))$/;

/** Whether a description asks for names of the game, and for which.
 * @type {[RegExp, (known: Known, component: string) => string[]][]} */
const NAMES = [
  [/\[palette\]|colour/, ({ colours }) => colours],
  [/in \[art\]|= art\b|names art/, ({ arts }) => arts],
  [/fonts folder|font family|^families/, ({ fonts }) => fonts],
  [/\bcolumns?\b/, ({ components }, component) => components.find(({ id }) => id === component)?.columns ?? components.flatMap(({ columns }) => columns)],
  [/\bfile\b|an SVG/, ({ files }) => files],
  [/the component\b/, ({ components }) => components.map(({ id }) => id)],
];

/** @type {(text: string, at: number, known: Known, isSpec: boolean) => Completion | null} */
export function complete(text, at, known, isSpec) {
  const before = text.slice(0, at);
  const mark = /(?:^|[^\w:]):([a-z][\w-]*)$|\]\{([\w-]*)$/.exec(before);
  const quote = isSpec ? openQuote(before) : -1;
  if (mark && (!isSpec || quote >= 0)) {
    const [, icon, colour] = mark;
    const names = colour === undefined ? known.icons : known.colours;
    return offered(at - (icon ?? colour).length, at, (icon ?? colour), names.map((name) => offer(name, `${name}${colour === undefined ? ":" : "}"}`)));
  }
  if (!isSpec || isComment(before)) return null;
  const typed = quote < 0 ? /** @type {string[]} */ (/[\w-]*$/.exec(before))[0] : before.slice(quote + 1);
  const from = at - typed.length;
  const head = before.slice(0, quote < 0 ? from : quote);
  const line = head.slice(head.lastIndexOf("\n") + 1);
  const to = at + (/** @type {string[]} */ (/^[\w-]*/.exec(quote < 0 ? text.slice(at) : ""))[0].length);
  const header = /^[ \t]*(\[\[?)[ \t]*((?:[\w-]+\.)*)$/.exec(line);
  if (header) return tables(from, to, typed, header, text.slice(to), blocksOf(text, at));
  const place = placeIn(head, blocksOf(text, at));
  if (!place) return null;
  if (place.isKey) return offered(from, to, typed, keys(place, text.slice(to)));
  return offered(from, to, typed, values(place, known, quote < 0 ? "" : before[quote], text[to] ?? ""));
}

/** @type {(label: string, text?: string, about?: string, back?: number) => Offer} */
const offer = (label, text = label, about = "", back = 0) => ({ label, text, about, back });

/** The offers that begin with what is typed, then those that hold it. @type {(from: number, to: number, typed: string, offers: Offer[]) => Completion | null} */
function offered(from, to, typed, offers) {
  const words = typed.toLowerCase();
  const all = [...new Map(offers.map((each) => [each.label, each])).values()];
  const fit = all.filter(({ label }) => label.toLowerCase().startsWith(words));
  const others = all.filter((each) => !fit.includes(each) && each.label.toLowerCase().includes(words));
  const found = [...fit, ...others];
  return found.length && !(found.length === 1 && found[0].text === typed) ? { from, to, offers: found } : null;
}

// Where the cursor is ------------------------------------------------------------------------------

/** Where a text on one line or on several begins that is still open; or -1. @param {string} before */
function openQuote(before) {
  const last = [...before.matchAll(STRINGS)].at(-1);
  if (!last || last.index + last[0].length < before.length || last[0][0] === "#") return -1;
  const mark = /** @type {string[]} */ (/^("""|'''|"|')/.exec(last[0]))[0];
  const isClosed = last[0].length >= 2 * mark.length && last[0].endsWith(mark);
  return isClosed ? -1 : last.index + mark.length - 1;
}

/** @param {string} before */
function isComment(before) {
  const last = [...before.matchAll(STRINGS)].at(-1);
  return Boolean(last?.[0].startsWith("#") && last.index + last[0].length === before.length);
}

/** The tables up to a place, the last of each name, with their plain values; "" is the one at hand.
 * @typedef {{names: string[], values: {[key: string]: any}, all: Map<string, {[key: string]: any}>}} Blocks */

/** @type {(text: string, at: number) => Blocks} */
function blocksOf(text, at) {
  /** @type {Blocks} */
  const blocks = { names: [], values: {}, all: new Map() };
  let end = 0;
  for (const line of text.split("\n")) {
    const header = HEADER.exec(line);
    if (header && end >= at) break;
    const start = end;
    end += line.length + 1;
    if (header && !(start <= at && at < end)) {
      blocks.names = header[1].split(".").map((name) => name.trim().replace(/^["']|["']$/g, ""));
      blocks.values = {};
      if (line.trimStart().startsWith("[[")) for (const name of [...blocks.all.keys()]) if (name.startsWith(`${blocks.names.join(".")}.`)) blocks.all.delete(name);
      blocks.all.set(blocks.names.join("."), blocks.values);
    }
    const [, key, double, single, bare] = PAIR.exec(line) ?? [];
    if (!key) continue;
    const parts = key.split("."), last = /** @type {string} */ (parts.pop());
    parts.reduce((table, part) => (table[part] ??= {}), blocks.values)[last] = double ?? single ?? bare;
  }
  return blocks;
}

/** What the schema says of a table. @type {(names: string[], blocks: Blocks) => any[]} */
function nodesOf(names, blocks) {
  let nodes = documentNodes();
  /** @type {any} */
  let value = {};
  for (let i = 0; i < names.length; i++) {
    value = blocks.all.get(names.slice(0, i + 1).join(".")) ?? value?.[names[i]] ?? {};
    nodes = nodes.flatMap((node) => resolved(childOf(node, names[i]), value)).flatMap((node) => (node.items ? resolved(node.items, value) : [node]));
  }
  return nodes;
}

/** @typedef {{nodes: any[], isKey: boolean, taken: string[], component: string}} Spot */

/** The key or value that is typed behind `head`. @type {(head: string, blocks: Blocks) => Spot | null} */
function placeIn(head, blocks) {
  const component = blocks.all.get("component")?.id ?? "";
  const lines = head.split("\n").slice(-MOST_LINES);
  for (let i = lines.length - 1; i >= 0; i--) {
    if (HEADER.test(lines[i])) break;
    const pair = /^[ \t]*([\w.-]+)[ \t]*=(.*)$/.exec(lines[i]);
    if (!pair) continue;
    const frames = framesOf([pair[2], ...lines.slice(i + 1)].join("\n"));
    if (i < lines.length - 1 && !frames.length) break;
    const inner = frames.map(({ key, index }) => key ?? index).filter((part) => part !== null);
    let [nodes, value] = [nodesOf(blocks.names, blocks), /** @type {any} */ (blocks.values)];
    for (const part of /** @type {Path} */ ([...pair[1].split("."), ...inner])) {
      value = value?.[part];
      nodes = nodes.flatMap((node) => resolved(childOf(node, part), value));
    }
    const last = frames.at(-1);
    return { nodes, isKey: Boolean(last?.isTable && last.key === null), taken: [], component };
  }
  const dotted = /^[ \t]*((?:[\w-]+\.)*)$/.exec(lines.at(-1) ?? "");
  if (!dotted) return null;
  const names = dotted[1].split(".").filter(Boolean);
  return { nodes: nodesOf([...blocks.names, ...names], blocks), isKey: true, taken: names.length ? [] : Object.keys(blocks.values), component };
}

/** The lists and tables that are open behind the equals sign of a pair. @param {string} rest */
function framesOf(rest) {
  /** @type {{isTable: boolean, key: string | null, index: number | null}[]} */
  const frames = [];
  for (const [sign, key] of rest.replace(STRINGS, (text) => (text[0] === "#" ? "" : '""')).matchAll(/[[\]{},]|([\w-]+)[ \t]*=/g)) {
    const last = frames.at(-1);
    if (sign === "[" || sign === "{") frames.push({ isTable: sign === "{", key: null, index: sign === "[" ? 0 : null });
    else if (sign === "]" || sign === "}") frames.pop();
    else if (sign === "," && last) [last.key, last.index] = [null, last.index === null ? null : last.index + 1];
    else if (last) last.key = key;
  }
  return frames;
}

// What is offered there ----------------------------------------------------------------------------

/** @type {(from: number, to: number, typed: string, header: RegExpExecArray, behind: string, blocks: Blocks) => Completion | null} */
function tables(from, to, typed, header, behind, blocks) {
  const outer = header[2].split(".").filter(Boolean);
  const start = from - header[2].length - header[1].length;
  const end = to + (/** @type {string[]} */ (/^[ \t]*\]{0,2}/.exec(behind))[0].length);
  const offers = nodesOf(outer, blocks).flatMap((node) => Object.entries(node.properties ?? {}).flatMap(([name, child]) => {
    const kinds = resolved(child, {});
    const isList = kinds.some(({ items }) => items && resolved(items, {}).some(({ type }) => type === "object"));
    if (!isList && !kinds.some(({ type, properties, additionalProperties }) => type === "object" && (properties || additionalProperties))) return [];
    const full = `${header[2]}${name}`;
    return [{ ...offer(name, isList ? `[[${full}]]` : `[${full}]`, aboutOf(child, kinds)) }];
  }));
  const found = offered(from, to, typed, offers);
  return found && { from: start, to: end, offers: found.offers };
}

/** @type {(spot: Spot, behind: string) => Offer[]} */
function keys({ nodes, taken }, behind) {
  const isNew = !/^[ \t]*=/.test(behind);
  return nodes.flatMap((node) => Object.entries(node.properties ?? {})).filter(([key]) => !taken.includes(key)).map(([key, child]) => {
    const kinds = resolved(child, {});
    const isText = kinds.every(({ type, enum: values, const: only }) => type === "string" || typeof (only ?? values?.[0]) === "string");
    return offer(key, isNew ? `${key} = ${isText ? '""' : ""}` : key, aboutOf(child, kinds), isNew && isText ? 1 : 0);
  });
}

/** @type {(node: any, kinds: any[]) => string} */
function aboutOf(node, kinds) {
  const usual = kinds.map((kind) => kind.default).find((value) => ["string", "number", "boolean"].includes(typeof value) && value !== "");
  return `${node.description ?? kinds[0]?.description ?? ""}${usual === undefined ? "" : ` ${say("editor.else", { usual: String(usual) })}`}`;
}

/** @type {(spot: Spot, known: Known, mark: string, next: string) => Offer[]} */
function values({ nodes, component }, known, mark, next) {
  /** @type {(value: unknown, about?: string) => Offer} */
  const value = (each, about) => {
    if (typeof each !== "string") return offer(String(each), String(each), about);
    return offer(each, mark ? each + (next === mark ? "" : mark) : JSON.stringify(each), about, 0);
  };
  return nodes.flatMap((node) => {
    const { description = "", type } = node;
    if (type === "array" || type === "object") return [];
    const fixed = "const" in node ? [value(node.const, description)] : (node.enum ?? []).map((/** @type {unknown} */ each) => value(each));
    const switches = type === "boolean" ? [value(true, description), value(false, description)] : [];
    const names = type === "string" ? NAMES.filter(([asks]) => asks.test(description)).flatMap(([, list]) => list(known, component)) : [];
    const usual = ["string", "number"].includes(typeof node.default) && node.default !== "" ? [value(node.default, say("editor.usual"))] : [];
    return [...fixed, ...switches, ...names.map((name) => value(name, description)), ...usual];
  });
}
