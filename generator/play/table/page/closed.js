// What stands over the table when nobody can play: the address has no key, or pnp has ended.

import { find } from "./dom.js";

// Says why, and lets nothing be pressed.
/** @type {(title: string, why: string) => void} */
export function close(title, why) {
  find("closed-title").textContent = title;
  find("closed-text").textContent = `${why.slice(0, 1).toUpperCase()}${why.slice(1)}.`;
  show(true);
}

export const closeAtEnd = () => close("pnp table has ended", "To go on, start it again in the terminal, and open the address that it prints");

export const reopen = () => show(false);

/** @param {boolean} isClosed */
function show(isClosed) {
  find("closed").hidden = !isClosed;
  for (const part of document.querySelectorAll("header, footer, #felt")) part.toggleAttribute("inert", isClosed);
}
