// The JSON Schema of game.toml: what a key means, and which values there are colours.

import { ask } from "./edit.js";

/** @import { Path } from "./told.js" */
/** @typedef {any} Node a part of the schema */

/** @type {Node} */
let root = null;

/** Asks for the schema once. */
export async function loadSchema() {
  root ??= await ask("/schema");
  return root;
}

/** A node without references and alternatives: those that suit a value. @type {(node: Node, value: any) => Node[]} */
export function resolved(node, value) {
  if (!node || typeof node !== "object") return [];
  if (node.$ref) return resolved(root.$defs[node.$ref.split("/").at(-1)], value);
  const alternatives = node.anyOf ?? node.oneOf;
  if (!alternatives) return [node];
  const all = alternatives.flatMap((/** @type {Node} */ each) => resolved(each, value)).map((/** @type {Node} */ each) => ({ description: node.description, ...each }));
  const suiting = all.filter((/** @type {Node} */ each) => suits(each, value));
  return suiting.length ? suiting : all;
}

/** Whether the value says that it is of this kind: a renderer, a rule. @type {(node: Node, value: any) => boolean} */
function suits(node, value) {
  if (!node.properties || !value || typeof value !== "object") return false;
  const tag = Object.keys(node.properties).find((key) => "const" in node.properties[key]);
  return tag ? value[tag] === node.properties[tag].const : (node.required ?? []).some((/** @type {string} */ key) => key in value);
}

/** @type {(node: Node, key: string | number) => Node} */
export const childOf = (node, key) => (typeof key === "number" ? node.items && { description: node.description, ...node.items } : node.properties?.[key] ?? (typeof node.additionalProperties === "object" ? node.additionalProperties : null));

/** The whole document. @returns {Node[]} */
export const documentNodes = () => (root ? resolved(root, {}) : []);

/** What the schema says of a path, for these tables. @type {(path: Path, raw: any) => Node[]} */
export function nodesAt(path, raw) {
  let [nodes, value] = [resolved(root, raw), raw];
  for (const key of path) {
    value = value?.[key];
    nodes = nodes.flatMap((node) => resolved(childOf(node, key), value));
  }
  return nodes;
}

/** Every text in the tables, with its path. @type {(value: any, path?: Path) => [Path, string][]} */
export function textsOf(value, path = []) {
  if (typeof value === "string") return [[path, value]];
  if (Array.isArray(value)) return value.flatMap((item, i) => textsOf(item, [...path, i]));
  return value && typeof value === "object" ? Object.entries(value).flatMap(([key, item]) => textsOf(item, [...path, key])) : [];
}

/** Whether the value at a path is a colour. @type {(path: Path, raw: any) => boolean} */
export const isColour = (path, raw) => nodesAt(path, raw).some(({ description = "" }) => /colour/.test(description) && !/^the column/.test(description));
