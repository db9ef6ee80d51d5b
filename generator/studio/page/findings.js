// Findings, in a list and beside their faces.

import { count, find, make } from "./dom.js";

/** @import { Finding, Findings, Level } from "./told.js" */
/** @typedef {(key: string) => void} Open opens a single face */

/** @type {Level[]} */
const LEVELS = ["error", "warning", "note"];
const MOST_NAMED = 12;

/**
 * @param {Finding} finding
 * @param {Open | null} open
 */
export function findingBox(finding, open = null) {
  const { level, where, what, hint, faces } = finding;
  const named = open ? faces.slice(0, MOST_NAMED) : [];
  /** @type {(key: string) => () => void} */
  const opening = (key) => () => open?.(key);
  return make("div", { class: `finding ${level}` },
    make("p", { class: "where" }, make("span", { class: "level" }, level), ` ${where}`),
    make("p", {}, what),
    hint ? make("p", { class: "hint" }, hint) : null,
    named.length === 0 ? null : make("p", { class: "faces" },
      ...named.map((key) => make("button", { type: "button", onclick: opening(key) }, labelOf(key))),
      faces.length > named.length ? make("span", { class: "quiet" }, `and ${faces.length - named.length} more`) : null));
}

/** @type {(key: string) => string} */
const labelOf = (key) => key.split("/").slice(1).join(" ");

/** @type {(found: Findings, open: Open) => void} */
export function showFindings({ findings, isChecked, isSound }, open) {
  const sorted = [...findings].sort((a, b) => LEVELS.indexOf(a.level) - LEVELS.indexOf(b.level));
  /** @type {(level: Level) => number} */
  const of = (level) => findings.filter((finding) => finding.level === level).length;
  const tally = LEVELS.filter(of).map((level) => count(of(level), level)).join(", ");
  const state = !isSound ? "The faces are checked for misprints once the errors are repaired."
    : isChecked ? "" : "Checking the faces for misprints …";
  const title = tally || (isChecked ? "No findings" : "Findings");
  find("findings-bar").textContent = title;
  find("findings").replaceChildren(
    make("h2", {}, title),
    ...sorted.map((finding) => findingBox(finding, open)),
    ...(state ? [make("p", { class: "quiet" }, state)] : []));
}

/** @param {Finding[] | null} problems */
export function showBroken(problems) {
  const broken = find("broken");
  broken.hidden = !problems;
  broken.replaceChildren(...(problems ? [
    make("h2", {}, "The game cannot be read. The page shows its last state."),
    ...problems.map((problem) => findingBox(problem)),
  ] : []));
}
