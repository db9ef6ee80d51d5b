// The panels below the faces, in which the game is edited, and the last saves.

import { canEdit, followFiles, step } from "./edit.js";
import { find, make } from "./dom.js";
import { say } from "./say.js";

/** A panel: fills its element when it is opened, and again when the files or the game change.
 * @typedef {(panel: HTMLElement) => void} Fill */

/** @type {Map<string, Fill>} */
const panels = new Map();
let open = "";

const tabs = () => /** @type {HTMLButtonElement[]} */ ([...document.querySelectorAll("#dock [role=tab]")]);

/** @type {(name: string, fill: Fill) => void} */
export function addPanel(name, fill) {
  panels.set(name, fill);
}

/** Opens a panel; a second time, or "", closes it. @param {string} name */
export function openPanel(name) {
  open = name === open ? "" : name;
  for (const tab of tabs()) {
    const isOpen = tab.dataset.panel === open;
    tab.ariaSelected = String(isOpen);
    /** @type {HTMLElement} */ (document.getElementById(`${tab.dataset.panel}-panel`)).hidden = !isOpen;
  }
  document.body.classList.toggle("has-dock", open !== "");
  refreshPanel();
}

export const isOpen = (/** @type {string} */ name) => open === name;

export function refreshPanel() {
  if (open && canEdit()) panels.get(open)?.(/** @type {HTMLElement} */ (document.getElementById(`${open}-panel`)));
}

/** @param {KeyboardEvent} event */
function alongTabs(event) {
  const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  if (!by) return;
  const all = tabs(), next = all[(all.indexOf(/** @type {HTMLButtonElement} */ (event.target)) + by + all.length) % all.length];
  next.focus();
  event.preventDefault();
  event.stopPropagation();
}

/** @param {PointerEvent} event */
function drag(event) {
  const edge = /** @type {HTMLElement} */ (event.target);
  edge.setPointerCapture(event.pointerId);
  edge.onpointermove = (now) => setHeight(innerHeight - now.clientY);
  edge.onlostpointercapture = () => (edge.onpointermove = null);
}

/** @param {number} height px */
function setHeight(height) {
  const px = Math.round(Math.min(Math.max(height, 120), innerHeight - 160));
  document.documentElement.style.setProperty("--dock", `${px}px`);
}

export function startDock() {
  for (const tab of tabs()) {
    tab.addEventListener("click", () => openPanel(tab.dataset.panel ?? ""));
    tab.addEventListener("keydown", alongTabs);
  }
  const dock = find("dock");
  new ResizeObserver(() => document.documentElement.style.setProperty("--dock-height", `${dock.offsetHeight}px`)).observe(dock);
  find("dock-edge").addEventListener("pointerdown", drag);
  find("dock-edge").addEventListener("keydown", ({ key }) => {
    const by = { ArrowUp: 40, ArrowDown: -40 }[key];
    if (by) setHeight(find("dock").offsetHeight + by);
  });
  for (const way of /** @type {const} */ (["undo", "redo"])) find(way).addEventListener("click", () => step(way));
  addEventListener("keydown", (event) => {
    const isTyping = /** @type {Element} */ (event.target).matches("input:not([type=checkbox]), textarea");
    if (!canEdit() || isTyping || !(event.ctrlKey || event.metaKey)) return;
    const way = { z: event.shiftKey ? "redo" : "undo", Z: "redo", y: "redo" }[event.key];
    if (!way) return;
    event.preventDefault();
    step(/** @type {"undo" | "redo"} */ (way));
  });
  followFiles(({ saves, undone }) => {
    const done = saves.slice(0, saves.length - undone), last = done.at(-1);
    find("undo").disabled = !last;
    find("undo").title = last ? say("page.undo-it", { what: last.what, file: last.file }) : say("page.no-undo");
    find("redo").disabled = !undone;
    find("redo").title = undone ? say("page.redo-it", { what: undone }) : say("page.no-redo");
    find("saves").replaceChildren(...done.toReversed().map(({ file, what, time }) =>
      make("li", {}, make("span", {}, what), make("small", { class: "quiet" }, `${file}, ${new Date(time * 1000).toLocaleTimeString(document.documentElement.lang)}`))));
    find("dock").hidden = find("edit-tools").hidden = !canEdit();
    refreshPanel();
  });
}
