// Edits of the game's files: what the page knows of them, and what it asks pnp to change.
// Only a page whose address holds the key of the studio may edit.

import { find, make } from "./dom.js";
import { say } from "./say.js";

/** @import { Edit, Files, GameFile } from "./told.js" */

const key = location.hash.slice(1);
/** @type {Files} */
let files = { folder: "", writes: 0, files: [], saves: [], undone: 0, isReadOnly: true, spec: {} };
/** @type {((files: Files) => void)[]} */
const followers = [];

/** Calls a function now, and whenever files or saves change. @type {(follow: (files: Files) => void) => void} */
export function followFiles(follow) {
  followers.push(follow);
  follow(files);
}

/** @param {Files} now */
export function takeFiles(now) {
  if (files.folder && now.folder !== files.folder) location.reload(); // the studio shows another game
  if (now.writes < files.writes) return; // it was on its way while an edit was answered
  files = now;
  document.body.classList.toggle("is-editor", canEdit());
  for (const follow of followers) follow(files);
}

/** Takes whatever pnp tells next: it may have been started again. */
export const forgetWrites = () => (files.writes = 0);

export const hasKey = key !== "";
export const canEdit = () => key !== "" && !files.isReadOnly;

/** The raw tables of game.toml. */
export const spec = () => files.spec;

export const filesNow = () => files.files;

/** @type {(name: string) => GameFile | undefined} */
export const fileNamed = (name) => files.files.find((file) => file.name === name);

/** Changes a file, as it is now. Returns why it could not, or "". @type {(name: string, edit: Edit, digest?: string) => Promise<string>} */
export async function edit(name, edit, digest) {
  const file = fileNamed(name);
  if (!file) return complain(say("wrong.no-file", { name }));
  const message = { ...edit, file: file.id, digest: digest ?? file.digest };
  const answer = await post("/edit", JSON.stringify(message), JSON_TYPE);
  if (!answer?.ok) return complain(await reason(answer));
  const { digest: now, writes } = await answer.json();
  const same = fileNamed(name);
  if (same && files.writes < writes) same.digest = now; // before pnp tells of it, for the next edit
  files.writes = Math.max(files.writes, writes);
  written = now;
  return complain("");
}

let written = "";
/** The digest of the file after the last edit, whatever another program has made of it since. */
export const digestWritten = () => written;

/** @param {"undo" | "redo"} way */
export const step = (way) => send("/edit", JSON.stringify({ do: "step", way }), { "Content-Type": "application/json" });

/** Puts a picture into the game's art. Returns its path, or "" if it could not. @param {File} picture */
export async function addPicture(picture) {
  const answer = await post("/picture", picture, { "Content-Type": picture.type, "X-Name": encodeURIComponent(picture.name) });
  if (answer?.ok) return /** @type {string} */ ((await answer.json()).path);
  complain(await reason(answer));
  return "";
}

/** JSON, or the bytes of a font, that only a page with the key gets; null if it is refused, or no longer wanted. @type {(path: string, signal?: AbortSignal) => Promise<any>} */
export async function ask(path, signal) {
  try {
    const answer = await fetch(path, { headers: { "X-Key": key }, signal });
    if (answer.ok) return await (answer.headers.get("Content-Type") === "application/json" ? answer.json() : answer.arrayBuffer());
    complain(await reason(answer));
  } catch {
    if (!signal?.aborted) complain(await reason(null));
  }
  return null;
}

const JSON_TYPE = { "Content-Type": "application/json" };

/** Posts to pnp, and returns why it refused, or "". @type {(path: string, body: string, headers?: {[name: string]: string}) => Promise<string>} */
export async function send(path, body, headers = JSON_TYPE) {
  const answer = await post(path, body, headers);
  return complain(answer?.ok ? "" : await reason(answer));
}

/** Offers a text, as ":sword:", to the panel in which the user typed last: the event "insert" at the panel's
 * element, with the text as its detail. A panel that puts it in prevents its default; else it is copied.
 * @param {string} text */
export function insert(text) {
  const panel = document.getElementById(typedIn);
  const isPut = panel && !panel.dispatchEvent(new CustomEvent("insert", { detail: text, cancelable: true }));
  if (isPut) return;
  navigator.clipboard?.writeText(text).catch(() => {});
  find("said").textContent = say("page.copied", { text });
}

/** The panel in which the user typed last: its id. */
let typedIn = "";
addEventListener("focusin", ({ target }) => {
  const panel = target instanceof Element && target.closest("#rows-panel, #text-panel");
  if (panel) typedIn = panel.id;
});

/** Posts to pnp, and returns its answer. @type {(path: string, body: string | Blob, headers?: {[name: string]: string}, signal?: AbortSignal) => Promise<Response | null>} */
export const post = (path, body, headers = JSON_TYPE, signal) => fetch(path, { method: "POST", body, headers: { ...headers, "X-Key": key }, signal }).catch(() => null);

/** @type {(answer: Response | null) => Promise<string>} */
export const reason = async (answer) => (answer ? (await answer.text()).trim() : say("wrong.ended"));

/** Shows why something could not be done, above what is open; "" clears it. @param {string} why */
export function complain(why) {
  (document.querySelector("dialog[open]") ?? document.body).append(find("complaint"));
  find("complaint").replaceChildren(...(why ? [make("span", {}, why), make("button", { type: "button", "aria-label": say("page.close"), onclick: () => complain("") }, "×")] : []));
  return why;
}
