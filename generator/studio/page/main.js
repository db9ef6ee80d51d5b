// The page: it takes events from pnp and input from the user, and updates its parts.

import { offerChoices, showChoices } from "./choices.js";
import { fillColours } from "./colours.js";
import { addPanel, isOpen, openPanel, refreshPanel, startDock } from "./dock.js";
import { startDialogs } from "./dialogs.js";
import { find, make } from "./dom.js";
import { canEdit, complain, forgetWrites, hasKey, takeFiles } from "./edit.js";
import { cellsOf, goTo, keyOf, picture, requestComing, showBadges, showFaces, showSides, step, takePictures, turnTile } from "./faces.js";
import { searched } from "./filter.js";
import { showBroken, showFindings } from "./findings.js";
import { hintOf } from "./hint.js";
import { fillIcons } from "./icons.js";
import { listen } from "./keys.js";
import * as large from "./large.js";
import "./numbers.js";
import { sharpenSoon } from "./picture.js";
import { openRow, startRows } from "./rows.js";
import { say } from "./say.js";
import { setMode, showSheets } from "./sheets.js";
import { showShelf } from "./shelf.js";
import { narrowed, refreshShrunk, startShrunk } from "./shrunk.js";
import * as sight from "./sight.js";
import { seeReal } from "./real.js";
import { resize } from "./sizes.js";
import { fillText, goToLine, show, takeGame } from "./text.js";

/** @import { Act } from "./keys.js" */
/** @import { Looker } from "./large.js" */
/** @import { Faces, Finding, Findings, Side, State } from "./told.js" */

const options = new URLSearchParams(location.search);
/** @type {{state: State | null, findings: Findings, broken: Finding[] | null, source: EventSource | null}} */
const page = { state: null, findings: { findings: [], isChecked: true, isSound: true }, broken: null, source: null };

// Events from pnp ------------------------------------------------------------------------------

function connect() {
  page.source?.close();
  const query = new URLSearchParams([["page", sight.name]]);
  const source = (page.source = new EventSource(`/events?${query}`));
  /** @type {(name: string, act: (data: any) => void) => void} */
  const on = (name, act) => source.addEventListener(name, (event) => act(JSON.parse(event.data)));
  on("choices", (choices) => {
    if (showChoices(choices)) live("busy");
  });
  on("faces", (faces) => takeFaces(faces));
  on("coming", (faces) => takeFaces(faces, true));
  on("pictures", takePictures);
  on("state", (state) => take(state));
  on("findings", (findings) => {
    page.findings = findings;
    renderFindings();
  });
  on("broken", (problems) => fall(problems));
  on("shelf", (shelf) => (showShelf(shelf), live("live")));
  on("files", (now) => (document.body.classList.contains("is-shelf") ? location.reload() : takeFiles(now)));
  source.onopen = () => {
    forgetWrites();
    live(page.broken ? "broken" : "live");
    sight.reportSoon();
    requestComing(); // what was sent meanwhile is lost
  };
  source.onerror = () => live("gone");
}

// A hidden page closes its connection: a browser has few for all its pages.
function wake() {
  if (document.hidden) page.source?.close();
  else connect();
}

// Faces that are painted before the whole game is sent.
/** @type {(faces: Faces, areComing?: boolean) => void} */
function takeFaces(faces, areComing = false) {
  if (!page.state) return;
  for (const [key, id] of Object.entries(faces)) {
    const entry = looker.at(key);
    if (!entry) continue;
    entry.piece.faces[entry.side] = id;
    picture(key, id, areComing);
    if (large.shows(key)) large.refresh();
  }
}

/** @param {State} state */
function take(state) {
  const wasBroken = page.broken;
  [page.state, page.broken] = [state, null];
  showBroken(null);
  document.body.classList.remove("is-stale");
  live("live");
  render();
  if (wasBroken) announce(say("live.again"));
}

/** @param {Finding[]} problems */
function fall(problems) {
  page.broken = problems;
  showBroken(problems);
  showFindings({ findings: [], isChecked: false, isSound: false }, openFinding);
  document.body.classList.add("is-stale");
  if (!page.state) find("faces").replaceChildren();
  if (large.isOpen()) complain(`${problems[0].where}: ${problems[0].what}`); // it covers the rest
  takeGame(page.state, problems);
  live("broken");
  refreshPanel();
}

const LIVE = { live: say("live.live"), busy: say("live.busy"), broken: say("live.broken"), gone: say("live.gone") };

/** @param {keyof typeof LIVE} state */
function live(state) {
  const dot = find("live");
  dot.dataset.state = state;
  dot.title = LIVE[state];
  /** @type {Element} */ (dot.firstElementChild).textContent = LIVE[state];
}

/** @param {string} text */
const announce = (text) => (find("said").textContent = text);

// The parts of the page ------------------------------------------------------------------------

const state = () => /** @type {State} */ (page.state);

function render() {
  const { game } = state();
  document.title = `${game.title}: ${say(hasKey ? "page.studio" : "page.preview")}`;
  find("title").textContent = game.title;
  find("designer").textContent = game.designer;
  fillColumns();
  find("search").placeholder = hintOf(state().components);
  renderFaces();
  renderSheets();
  renderFindings();
  large.refresh();
  refreshShrunk(page.state).then((isOther) => isOther && search());
}

const shown = () => narrowed(searched(find("search").value));
const renderFaces = () => showFaces(state(), shown(), openFace);

function renderSheets() {
  if (find("sheets").hidden) return;
  const keys = new Map(cellsOf(state(), () => true).map((cell) => [cell.pieces[0].faces[cell.side], keyOf(cell)]));
  showSheets(state(), { opens: (id) => keys.has(id), open: (id) => openFace(keys.get(id) ?? "") });
}

function renderFindings() {
  showFindings(page.findings, openFinding);
  showBadges(page.findings.findings);
  takeGame(page.state, page.broken ?? page.findings.findings);
  large.refresh();
  refreshPanel();
}

function fillColumns() {
  const names = new Set(state().components.flatMap((component) => component.columns));
  const options = [...names].map((name) => make("option", { value: name }, name));
  find("column").replaceChildren(make("option", { value: "" }, say("page.column")), ...options);
}

const MOST_VALUES = 60;

function fillValues() {
  const column = find("search").value.match(/([^\s:=<>"-][^\s:=<>"]*)[:=][^\s]*$/)?.[1];
  const before = find("search").value.replace(/[^\s]*$/, "");
  const pieces = column ? state().components.flatMap((component) => component.pieces) : [];
  const values = new Set(pieces.map((piece) => piece.row[column ?? ""]).filter((value) => value !== undefined));
  /** @type {(value: string | number) => string | number} */
  const quoted = (value) => (/\s/.test(String(value)) ? `"${value}"` : value);
  find("values").replaceChildren(...[...values].slice(0, MOST_VALUES)
    .map((value) => make("option", { value: `${before}${column}=${quoted(value)}` })));
}

function search() {
  if (!page.state) return;
  remember("q", find("search").value);
  fillValues();
  renderFaces();
  showBadges(page.findings.findings);
  const left = document.querySelectorAll("#faces .cell").length;
  announce(say("face.shown", { count: left }));
}

// A single face --------------------------------------------------------------------------------

/** @type {Looker} */
const looker = {
  at(key) {
    const [componentId, ...rest] = key.split("/");
    const pieceId = rest.slice(0, -1).join("/");
    const side = /** @type {Side} */ (rest.at(-1));
    const component = state().components.find(
      ({ id, pieces }) => id === componentId && pieces.some((piece) => piece.id === pieceId),
    );
    const piece = component?.pieces.find(({ id }) => id === pieceId);
    if (!component || !piece || !component.sides[side]) return null;
    const findings = page.findings.findings.filter(({ faces }) => faces.includes(key));
    return { component, piece, side, id: piece.faces[side], findings };
  },
  beside(key, by) {
    const cells = cellsOf(state(), shown());
    const own = key.slice(0, key.lastIndexOf("/"));
    const at = cells.findIndex((cell) => keyOf(cell) === key);
    const near = at >= 0 ? at : cells.findIndex((cell) => keyOf(cell).startsWith(`${own}/`));
    const next = cells[near + by];
    return next ? keyOf(next) : null;
  },
};

/** @param {string} key */
function openFace(key) {
  if (looker.at(key)) large.open(key, looker);
}

// Opens the face of a finding, and leaves the grid there.
/** @param {string} key */
function openFinding(key) {
  const own = looker.at(key)?.piece;
  const cell = cellsOf(state(), shown())
    .find((cell) => own && cell.pieces.includes(own) && key.endsWith(`/${cell.side}`));
  if (cell) goTo(keyOf(cell));
  openFace(key);
}

// Opens the table at the row of the face that is large, or has the focus.
function toRow() {
  const piece = looker.at(large.isOpen() ? large.key() : document.activeElement?.getAttribute("data-key") ?? "")?.piece;
  if (!piece || !canEdit()) return false;
  find("large").close();
  return openRow(piece.where);
}

// Input from the user --------------------------------------------------------------------------

/** @type {(name: string, value: string) => void} */
function remember(name, value) {
  if (value) options.set(name, value);
  else options.delete(name);
  history.replaceState(null, "", `${location.pathname}${options.size ? `?${options}` : ""}${location.hash}`);
}

/** @type {() => NodeListOf<HTMLElement>} */
const tabs = () => document.querySelectorAll("nav button");

/** @param {string} tab */
function showTab(tab) {
  document.body.dataset.tab = tab;
  remember("tab", tab === "faces" ? "" : tab);
  for (const button of tabs())
    if (button.dataset.tab === tab) button.setAttribute("aria-current", "page");
    else button.removeAttribute("aria-current");
  find("faces").hidden = tab === "sheets";
  find("sheets").hidden = tab === "faces";
  if (page.state) renderSheets();
}

/** @param {string} view */
function see(view) {
  find("view").value = document.body.dataset.view = view;
  remember("view", view === "colour" ? "" : view);
  announce(find("view").selectedOptions[0].textContent);
}

function seeNext() {
  const views = [...find("view").options].map((option) => option.value);
  see(views[(views.indexOf(document.body.dataset.view ?? "") + 1) % views.length]);
}

/** @type {(name: "menu-button" | "findings-bar", is?: boolean) => void} */
function expand(name, is = find(name).ariaExpanded !== "true") {
  find(name).ariaExpanded = String(is);
}

function toSearch() {
  expand("menu-button", true);
  find("search").select();
}

function toFindings() {
  expand("findings-bar", true);
  find("findings").focus();
}

function turnFocused() {
  const key = document.activeElement?.getAttribute("data-key");
  if (!key) return false;
  const other = turnTile(key);
  renderFaces();
  showBadges(page.findings.findings);
  /** @type {HTMLElement | null} */ (document.querySelector(`[data-key="${CSS.escape(other)}"]`))?.focus();
  return true;
}

/** @param {string} sides */
function seeSides(sides) {
  find("sides").value = sides;
  remember("sides", sides === "both" ? "" : sides);
  showSides(sides);
  if (!page.state) return;
  renderFaces();
  showBadges(page.findings.findings);
}

const inSheets = () => document.body.dataset.tab === "sheets";
/** @type {(act: () => unknown) => Act} */
const unlessLarge = (act) => () => (large.isOpen() ? false : act());

/** @type {Act} */
function arrow(event) {
  if (find("help").open) return false;
  const isAcross = ["ArrowLeft", "ArrowRight"].includes(event.key);
  if (large.isOpen()) return isAcross ? large.move(event.key === "ArrowRight" ? 1 : -1) : false;
  const isElsewhere = /** @type {Element} */ (event.target).closest("aside, header, #dock"); // where arrows scroll
  return inSheets() || isElsewhere ? false : step(event.key);
}

function escape() {
  if (large.isOpen() || find("help").open) return false; // the dialog closes by itself
  expand("menu-button", false);
  expand("findings-bar", false);
  find("search").value = "";
  search();
  return true;
}

/** @type {(name: string) => Act} */
const line = (name) => () => (large.isOpen() ? large.toggle(name) : false);

listen({
  anywhere: {
    ArrowLeft: arrow, ArrowRight: arrow, ArrowUp: arrow, ArrowDown: arrow,
    "/": () => (large.isOpen() ? false : toSearch()),
    "?": () => (find("help").open ? find("help").close() : find("help").showModal()),
    1: () => showTab("faces"), 2: () => showTab("sheets"), 3: unlessLarge(toFindings), 4: () => showTab("both"),
    v: seeNext, "+": unlessLarge(() => resize(1)), "=": unlessLarge(() => resize(1)), "-": unlessLarge(() => resize(-1)),
    t: line("trim"), b: line("bleed"), s: line("safe"),
    r: toRow,
    f: () => (large.isOpen() ? large.turnOver() : turnFocused()),
    l: () => (large.isOpen() ? false : (showTab("sheets"), setMode("light"))),
    Escape: escape,
  },
  typing: {
    Escape: (event) => {
      if (event.target !== find("search")) return false;
      escape();
      find("search").blur();
      return true;
    },
    Enter: (event) => (event.target === find("search") ? step("first") : false),
    ArrowDown: (event) => (event.target === find("search") && !find("search").value.match(/[:=]\S*$/) ? step("first") : false),
  },
});

/** What a finding leads to. */
document.addEventListener("open-row", (event) => openRow(/** @type {CustomEvent} */ (event).detail.full));
document.addEventListener("open-text", async (event) => {
  const { file, line } = /** @type {CustomEvent} */ (event).detail;
  if (!isOpen("text")) openPanel("text");
  await show(file);
  goToLine(line || 1);
});
find("search").addEventListener("input", search);
find("view").addEventListener("change", () => see(find("view").value));
offerChoices();
addPanel("text", fillText);
addPanel("colours", fillColours);
addPanel("icons", fillIcons);
startDock();
startRows({
  components: () => page.state?.components ?? [],
  findings: () => page.broken ?? page.findings.findings,
  showFace: (key) => (inSheets() && showTab("faces"), goTo(key)),
});
startDialogs(() => page.state);
startShrunk(() => page.state, search);
find("column").addEventListener("change", () => {
  const { value } = find("column");
  find("column").value = "";
  const words = find("search").value.trim();
  find("search").value = `${words}${words ? " " : ""}${value}:`;
  find("search").focus();
  search();
});
find("sides").addEventListener("change", () => seeSides(find("sides").value));
find("real").addEventListener("click", seeReal);
find("smaller").addEventListener("click", () => resize(-1));
find("larger").addEventListener("click", () => resize(1));
find("help-button").addEventListener("click", () => find("help").showModal());
find("menu-button").addEventListener("click", () => expand("menu-button"));
find("findings-bar").addEventListener("click", () => expand("findings-bar"));
for (const button of tabs())
  button.addEventListener("click", () => showTab(button.dataset.tab ?? ""));
for (const name of ["scroll", "resize"]) addEventListener(name, sharpenSoon, { passive: true });

find("search").value = options.get("q") ?? "";
resize(0);
seeSides([...find("sides").options].map(({ value }) => value).find((value) => value === options.get("sides")) ?? "both");
see([...find("view").options].map(({ value }) => value).find((value) => value === options.get("view")) ?? "colour");
showTab(["sheets", "both"].find((tab) => tab === options.get("tab")) ?? "faces");
new ResizeObserver(([{ target }]) =>
  document.documentElement.style.setProperty("--header", `${/** @type {HTMLElement} */ (target).offsetHeight}px`),
).observe(/** @type {Element} */ (document.querySelector("header")));
addEventListener("visibilitychange", wake);
wake();
