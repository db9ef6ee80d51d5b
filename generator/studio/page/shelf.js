// The games of the folder in which the studio was started, before one of them is open.

import { find, make } from "./dom.js";
import { complain, hasKey } from "./edit.js";
import { newGame, openGame } from "./newgame.js";

/** @import { ShelfTold } from "./told.js" */

/** @param {string} name */
async function open(name) {
  complain(await openGame(name));
}

/** @param {ShelfTold} shelf */
export function showShelf({ folder, games }) {
  document.body.classList.add("is-shelf");
  document.title = "pnp studio";
  find("title").textContent = "pnp studio";
  const start = make("button", { type: "button", class: "go", onclick: newGame }, "New game…");
  const list = make("ul", {}, ...games.map((name) => make("li", {}, make("button", { type: "button", onclick: () => open(name) }, name))));
  const lacking = make("p", {}, "Open the whole address that pnp studio prints: it ends in a key.");
  find("faces").replaceChildren(make("section", { class: "shelf", "aria-labelledby": "shelf-title" },
    make("h2", { id: "shelf-title" }, games.length ? `Games in ${folder}` : `No game in ${folder} yet`),
    ...(hasKey ? [list, make("p", {}, start, "\u2002from a starter, a spreadsheet or pictures")] : [lacking])));
  (list.querySelector("button") ?? start).focus();
}
