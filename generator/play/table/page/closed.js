// What stands over the table when nobody can play: the address has no key, or pnp has ended.

import { find } from "./dom.js";
import { capital, say } from "./say.js";

let isClosed = false;

// Says why, and lets nothing be pressed.
/** @type {(title: string, why: string) => void} */
export function close(title, why) {
  find("closed-title").textContent = title;
  find("closed-text").textContent = `${capital(why)}.`;
  isClosed = true;
  show();
}

export const closeAtEnd = () => close(say("wrong.ended"), say("wrong.start-again"));

export function reopen() {
  isClosed = false;
  find("closed").close();
}

function show() {
  if (isClosed && !find("closed").open) find("closed").showModal();
}

find("closed").addEventListener("close", show); // the Escape key does not open the table
