// The filter for pieces with a text that shrank, or is too long for its box.

import { find } from "./dom.js";
import { ask, hasKey } from "./edit.js";
import { isShrunk } from "./looks.js";

/** @import { Holds } from "./filter.js" */
/** @import { FaceParts, State } from "./told.js" */

/** @type {Map<string, boolean>} */
const known = new Map(); // whether a text of a face shrank, by the face's id
/** @type {Set<string> | null} */
let pieces = null; // component/piece; null while the filter is off

/** Pieces that a search finds, among those with a text that shrank if the filter is on. @type {(holds: Holds) => Holds} */
export const narrowed = (holds) => (piece, component) =>
  (!pieces || pieces.has(`${component.id}/${piece.id}`)) && holds(piece, component);

const isOn = () => find("shrunk").getAttribute("aria-pressed") === "true";

/** Starts the filter. @type {(state: () => State | null, show: () => void) => void} */
export function startShrunk(state, show) {
  const button = find("shrunk");
  button.hidden = !hasKey;
  button.addEventListener("click", async () => {
    button.setAttribute("aria-pressed", String(!isOn()));
    pieces = null;
    await refreshShrunk(state());
    show();
  });
}

/** Looks for shrunk texts on the faces that changed, if the filter is on. Returns whether it finds other pieces than before. @param {State | null} state */
export async function refreshShrunk(state) {
  if (!state || !isOn()) return false;
  const found = new Set();
  for (const component of state.components)
    for (const piece of component.pieces)
      for (const [side, id] of Object.entries(piece.faces))
        if (await hasShrunk(`${component.id}/${piece.id}/${side}`, id)) found.add(`${component.id}/${piece.id}`);
  if (!isOn()) return false; // it was turned off meanwhile
  const before = pieces;
  pieces = found;
  return !before || before.size !== found.size || [...found].some((piece) => !before.has(piece));
}

/** @type {(key: string, id: string) => Promise<boolean>} */
async function hasShrunk(key, id) {
  if (!known.has(id)) {
    const told = /** @type {Partial<FaceParts> | null} */ (await ask(`/parts?face=${encodeURIComponent(key)}`));
    if (!told) return false; // the game is at fault, and says so
    const { parts = [] } = told;
    known.set(id, parts.some(({ lettering }) => lettering && isShrunk(lettering)));
  }
  return known.get(id) === true;
}
