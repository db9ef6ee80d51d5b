// The panel with the icons that texts may name: of every game, and the game's own.

import { make } from "./dom.js";
import { ask, insert } from "./edit.js";
import { say } from "./say.js";

/** @import { Stock } from "./told.js" */

const search = make("input", { type: "search", "aria-label": say("icons.search"), placeholder: say("icons.search"), spellcheck: "false" });
const sheet = make("div", { class: "icons", role: "group", "aria-label": say("page.icons") });
/** @type {Stock["icons"]} */
let icons = [];

/** Fills the panel. @param {HTMLElement} panel */
export async function fillIcons(panel) {
  if (!panel.hasChildNodes()) {
    panel.append(make("div", { class: "bar" }, search, make("span", { class: "quiet" }, say("icons.about"))), sheet);
    search.addEventListener("input", show);
    search.addEventListener("keydown", (event) => {
      if (event.key === "Enter") buttons()[0]?.click();
      if (event.key === "ArrowDown") buttons()[0]?.focus();
      if (["Enter", "ArrowDown"].includes(event.key)) event.preventDefault();
    });
    sheet.addEventListener("keydown", move);
  }
  /** @type {Stock | null} */
  const stock = await ask("/stock");
  if (!stock || JSON.stringify(stock.icons) === JSON.stringify(icons)) return;
  icons = stock.icons;
  show();
}

const buttons = () => /** @type {HTMLButtonElement[]} */ ([...sheet.querySelectorAll("button")]);

function show() {
  const words = search.value.toLowerCase().trim();
  const found = icons.filter(({ name }) => name.includes(words)).sort((a, b) => Number(b.isOwn) - Number(a.isOwn));
  sheet.replaceChildren(...found.map(({ name, picture, isOwn }, i) =>
    make("button", { type: "button", tabindex: i ? "-1" : "0", class: isOwn ? "is-own" : "", onclick: () => insert(`:${name}:`) },
      make("img", { src: picture, alt: "", width: "32", height: "32", loading: "lazy" }), make("span", {}, name))));
  if (!found.length) sheet.append(make("p", { class: "quiet" }, say("icons.none")));
}

/** From icon to icon, by arrows. @param {KeyboardEvent} event */
function move(event) {
  const all = buttons(), at = all.indexOf(/** @type {HTMLButtonElement} */ (document.activeElement));
  const inRow = all.filter((button) => button.offsetTop === all[0].offsetTop).length;
  const to = { ArrowLeft: at - 1, ArrowRight: at + 1, ArrowUp: at - inRow, ArrowDown: at + inRow, Home: 0, End: all.length - 1 }[event.key];
  if (at < 0 || to === undefined) return;
  event.preventDefault();
  event.stopPropagation();
  if (to < 0 && event.key === "ArrowUp") return search.focus();
  const next = all[to];
  if (!next) return;
  [all[at].tabIndex, next.tabIndex] = [-1, 0];
  next.focus();
}
