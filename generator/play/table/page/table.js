// What the page knows of the table, and how it asks pnp to act.

import { find } from "./dom.js";
import { capital, say } from "./say.js";

/** @import { PieceSet, Stack, State, Supply } from "./told.js" */

/** @type {{supply: Supply | null, state: State | null, me: string}} */
const known = { supply: null, state: null, me: "" };

const KEPT = "pnp table";
const MOST_KEPT = 8; // tokens, so that a page that was closed finds its seat again

export const supply = () => /** @type {Supply} */ (known.supply);
export const state = () => /** @type {State} */ (known.state);
export const hasState = () => known.state !== null;
export const isPlayed = () => known.state?.played !== undefined;

/** @type {(number: number) => PieceSet} */
export const setOf = (number) => supply().sets[number];

/** @type {(id: number) => Stack | undefined} */
export const stackOf = (id) => state().stacks.find((stack) => stack.id === id);

/** @type {{number: number, go: () => void}[]} */
let waiting = [];

/** @param {State} now */
export function take(now) {
  known.state = now;
  const shown = waiting.filter(({ number }) => number <= now.number);
  waiting = waiting.filter(({ number }) => number > now.number);
  for (const { go } of shown) go();
}

// Becomes a visitor, or the same one as before the page was loaded again. Returns whether it is a new one.
export async function enter() {
  known.me = sessionStorage.getItem(KEPT) ?? "";
  const isKnown = known.me !== "" && (await readSupply());
  if (isKnown) return false;
  const before = (localStorage.getItem(KEPT) ?? "").split(" ").filter(Boolean);
  const entered = await post("/enter", { key: decodeURIComponent(location.hash.slice(1)), me: before });
  if (!entered.ok) throw new Error(await entered.text());
  known.me = await entered.text();
  sessionStorage.setItem(KEPT, known.me);
  localStorage.setItem(KEPT, [known.me, ...before.filter((key) => key !== known.me)].slice(0, MOST_KEPT).join(" "));
  return readSupply();
}

async function readSupply() {
  const answer = await fetch(`/supply?me=${encodeURIComponent(known.me)}`);
  if (answer.ok) known.supply = await answer.json();
  return answer.ok;
}

/** @type {() => EventSource} */
export const listen = () => new EventSource(`/events?me=${encodeURIComponent(known.me)}`);

// Asks for an action, and waits until it is shown; says why if it is refused.
/** @type {(message: {do: string, [name: string]: unknown}) => Promise<boolean>} */
export async function act(message) {
  const answer = await post("/act", message).catch(() => null);
  const why = answer === null ? say("wrong.ended") : answer.ok ? "" : (await answer.text()).trim();
  warn(why);
  if (!answer?.ok) return false;
  const number = Number(await answer.text());
  if (number > state().number) await new Promise((go) => waiting.push({ number, go: () => go(null) }));
  return true;
}

/** @type {(path: string, message: object) => Promise<Response>} */
const post = (path, message) =>
  fetch(path, {
    method: "POST",
    headers: { "Content-Type": "application/json", "X-Visitor": known.me },
    body: JSON.stringify(message),
  });

// Asks why the rules do not allow something.
/** @type {(message: {[name: string]: unknown}) => Promise<string>} */
export async function why(message) {
  const answer = await post("/act", { do: "why", ...message }).catch(() => null);
  return answer?.status === 409 ? (await answer.text()).trim() : "";
}

let calm = 0;

/** @param {string} why */
export function warn(why) {
  const wrong = find("wrong");
  wrong.textContent = capital(why);
  wrong.hidden = !why;
  clearTimeout(calm);
  if (why) calm = setTimeout(() => warn(""), 6000);
}
