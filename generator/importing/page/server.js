// What the page asks pnp. Only the address that pnp prints has the key.

/** @import { Options, Told } from "./told.js" */

export const key = location.hash.slice(1);
const EVENT = /^event: (\w+)\ndata: (.*)$/;

/** @type {(path: string, options: Options | null) => Promise<Response | null>} */
const post = (path, options) =>
  fetch(path, { method: "POST", headers: { "Content-Type": "application/json", "X-Key": key }, body: JSON.stringify(options) }).catch(() => null);

/** What pnp makes of options, or of the last; null if it has ended. Throws an Error with its refusal. @type {(options: Options | null) => Promise<Told | null>} */
export async function look(options) {
  const answer = await post("/look", options);
  if (answer && !answer.ok) throw new Error((await answer.text()).trim());
  return answer ? answer.json() : null;
}

/** Asks for the game, and hears its steps; the name of what happened last, and its lines. @type {(options: Options, hear: (step: string) => void) => Promise<[string, string[]]>} */
export async function make(options, hear) {
  const answer = await post("/make", options);
  if (!answer?.ok || !answer.body) return ["refused", answer ? [(await answer.text()).trim()] : []];
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  /** @type {[string, string[]]} */
  let last = ["refused", []];
  for (let rest = ""; ;) {
    const { value, done } = await reader.read().catch(() => ({ value: "", done: true }));
    if (done) return last[0] === "step" ? ["refused", []] : last;
    const events = (rest + value).split("\n\n");
    rest = events.pop() ?? "";
    for (const [, name, data] of events.flatMap((text) => [text.match(EVENT) ?? []])) {
      if (!name) continue;
      last = [name, JSON.parse(data)];
      if (name === "step") hear(last[1][0]);
    }
  }
}
