// The games of the folder in which the studio was started, before one of them is open.

import { find, make } from "./dom.js";
import { complain, hasKey } from "./edit.js";
import { newGame, openGame } from "./newgame.js";
import { say } from "./say.js";

/** @import { ShelfTold } from "./told.js" */

/** @param {string} name */
async function open(name) {
  complain(await openGame(name));
}

/** @param {ShelfTold} shelf */
export function showShelf({ folder, games }) {
  document.body.classList.add("is-shelf");
  document.title = say("page.studio");
  find("title").textContent = say("page.studio");
  const start = make("button", { type: "button", class: "go", onclick: newGame }, say("new.button"));
  const list = make("ul", {}, ...games.map((name) => make("li", {}, make("button", { type: "button", onclick: () => open(name) }, name))));
  const lacking = make("p", {}, say("new.no-key"));
  find("faces").replaceChildren(make("section", { class: "shelf", "aria-labelledby": "shelf-title" },
    make("h2", { id: "shelf-title" }, games.length ? say("new.games", { folder }) : say("new.no-games", { folder })),
    ...(hasKey ? [list, make("p", {}, start, `\u2002${say("new.sources")}`)] : [lacking])));
  (list.querySelector("button") ?? start).focus();
}
