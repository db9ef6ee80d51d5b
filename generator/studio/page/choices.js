// What is shown, and on which paper: a row of choices, the same on all pages.

import { find, make } from "./dom.js";
import { say } from "./say.js";

/** @import { Choices, Offer } from "./told.js" */
/** @typedef {"paper" | "language" | "variant" | "printer"} Name */

/** @type {{[name in Name]: string}} the word for "" */
const PLAIN = { paper: "", language: say("choice.original"), variant: say("choice.itself"), printer: say("choice.none") };
const NAMES = /** @type {Name[]} */ (Object.keys(PLAIN));
/** @type {Choices | null} */
let last = null;

export const choicesNow = () => last;

// Returns false if the pages already show these choices.
/** @param {Choices} choices */
export function showChoices(choices) {
  const isNew = last !== null && chosen(choices) !== chosen(last);
  last = choices;
  find("choices").hidden = false;
  for (const name of NAMES) showSelect(name, choices[name]);
  find("draft").checked = choices.draft.chosen === "on";
  return isNew;
}

/** @param {Choices} choices */
const chosen = (choices) => JSON.stringify(Object.values(choices).map((offer) => offer.chosen));

/** @type {(name: Name, offer: Offer) => void} */
function showSelect(name, { offered, chosen }) {
  const select = find(name);
  find(`${name}-choice`).hidden = offered.length < 2;
  const shown = [...select.options].map(({ value }) => value);
  if (String(shown) !== String(offered)) // else an open list would close
    select.replaceChildren(...offered.map((value) => make("option", { value }, nameOf(name, value))));
  if (select.value !== chosen) select.value = chosen; // else it forgets the letters just typed
}

/** @type {(name: Name, value: string) => string} */
function nameOf(name, value) {
  if (name !== "paper") return value || PLAIN[name];
  return value.split("-").map((word) => word[0].toUpperCase() + word.slice(1)).join(" ");
}

// All pages show a choice once pnp tells them; if it refuses, they stay as they are.
/** @type {(name: Name | "draft", value: string) => Promise<void>} */
async function send(name, value) {
  const answer = await fetch(`/choose?${new URLSearchParams([[name, value]])}`).catch(() => null);
  find("refused").textContent = answer && !answer.ok ? await answer.text() : "";
  if (!answer?.ok && last) showChoices(last);
}

let sent = Promise.resolve();

// One after the other, or the last letter typed might be overtaken by the first.
/** @type {(name: Name | "draft", value: string) => void} */
function choose(name, value) {
  sent = sent.then(() => send(name, value));
}

export function offerChoices() {
  for (const name of NAMES) find(name).addEventListener("change", () => choose(name, find(name).value));
  find("draft").addEventListener("change", () => choose("draft", find("draft").checked ? "on" : "off"));
}
