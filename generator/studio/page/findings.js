// Findings, in a list and beside their faces.

import { find, make } from "./dom.js";
import { canEdit, edit, fileNamed, spec } from "./edit.js";
import { say, word } from "./say.js";

/** @import { Finding, Findings, Level, Path } from "./told.js" */
/** @typedef {(key: string) => void} Open opens a single face */

/** @type {Level[]} */
const LEVELS = ["error", "warning", "note"];
const MOST_NAMED = 12;
const SPEC = "game.toml";

/**
 * @param {Finding} finding
 * @param {Open | null} open
 */
export function findingBox(finding, open = null) {
  const { level, what, hint, faces, accepted } = finding;
  const named = open ? faces.slice(0, MOST_NAMED) : [];
  /** @type {(key: string) => () => void} */
  const opening = (key) => () => open?.(key);
  /** @type {HTMLElement} */
  const box = make("div", { class: `finding ${level}` },
    make("p", { class: "where" }, make("span", { class: "level" }, word(level)), " ", place(finding)),
    make("p", {}, what),
    hint && !accepted ? make("p", { class: "hint" }, hint) : null,
    accepted ? make("p", { class: "reason" }, say("finding.reason", { reason: accepted })) : null,
    named.length === 0 ? null : make("p", { class: "faces" },
      ...named.map((key) => make("button", { type: "button", onclick: opening(key) }, labelOf(key))),
      faces.length > named.length ? make("span", { class: "quiet" }, say("finding.more", { count: faces.length - named.length })) : null),
    canEdit() && finding.accepts.length ? make("button", { type: "button", class: "accept", onclick: () => accept(box, finding) }, say("finding.accept-button")) : null);
  return box;
}

/** The place of a finding; where the page can edit it, a button that leads there. @param {Finding} finding */
function place({ where, file, line, row }) {
  const kind = canEdit() ? fileNamed(file)?.kind : undefined;
  if (kind !== "table" && kind !== "text") return where;
  const go = () => {
    /** @type {HTMLDialogElement} */ (find("large")).close();
    const [name, detail] = kind === "table" ? ["open-row", { where: row, full: where, file }] : ["open-text", { file, line }];
    document.dispatchEvent(new CustomEvent(String(name), { detail, bubbles: true }));
  };
  return make("button", { type: "button", class: "place", onclick: go }, where);
}

/** Asks for the reason, and writes an [[accept]] for each of the findings. @type {(box: HTMLElement, finding: Finding) => void} */
function accept(box, { accepts }) {
  const reason = make("input", { required: true, maxlength: 500, "aria-label": say("finding.why"), placeholder: say("finding.why") });
  const close = () => {
    form.remove();
    /** @type {HTMLElement | null} */ (box.querySelector(".accept"))?.focus();
  };
  const form = make("form", { class: "accepting" }, reason, make("button", {}, say("finding.accept")), make("button", { type: "button", onclick: close }, say("finding.cancel")));
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const number = spec().accept?.length ?? 0;
    /** @type {[Path, any][]} */
    const values = accepts.map((keys, at) => [["accept", number + at], { ...keys, reason: reason.value.trim() }]);
    if (!(await edit(SPEC, { do: "values", values }))) form.remove();
  });
  form.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    event.stopPropagation();
    event.preventDefault();
    close();
  });
  box.querySelector(".accepting")?.remove();
  box.append(form);
  reason.focus();
}

/** @type {(key: string) => string} */
const labelOf = (key) => key.split("/").slice(1).join(" ");

/** @type {(found: Findings, open: Open) => void} */
export function showFindings({ findings, isChecked, isSound }, open) {
  const isOpen = find("findings").querySelector("details")?.open ?? false;
  const accepted = findings.filter((finding) => finding.accepted);
  const sorted = findings.filter((finding) => !finding.accepted).sort((a, b) => LEVELS.indexOf(a.level) - LEVELS.indexOf(b.level));
  /** @type {(level: Level) => number} */
  const of = (level) => sorted.filter((finding) => finding.level === level).length;
  const tally = LEVELS.filter(of).map((level) => say(`finding.${level}`, { count: of(level) })).join(", ");
  const state = !isSound ? say("finding.later")
    : isChecked ? "" : say("finding.checking");
  const title = tally || (isChecked ? say("finding.none") : say("page.findings"));
  find("findings-bar").textContent = title;
  find("findings").replaceChildren(
    make("h2", {}, title),
    ...sorted.map((finding) => findingBox(finding, open)),
    ...(accepted.length ? [make("details", { open: isOpen }, make("summary", {}, say("finding.accepted", { count: accepted.length })),
      ...accepted.map((finding) => findingBox(finding, open)))] : []),
    ...(state ? [make("p", { class: "quiet" }, state)] : []));
}

/** @param {Finding[] | null} problems */
export function showBroken(problems) {
  const broken = find("broken");
  broken.hidden = !problems;
  broken.replaceChildren(...(problems ? [
    make("h2", {}, say("finding.broken")),
    ...problems.map((problem) => findingBox(problem)),
  ] : []));
}
