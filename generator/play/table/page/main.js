// The page: it shows the table that pnp keeps, and sends what people do.

import { choose, COUNTER_ROOM, deeds, DIE_ROOM, freeSpot, many, roomOf, showActs } from "./acts.js";
import { close, closeAtEnd, reopen } from "./closed.js";
import { find, make } from "./dom.js";
import { watchPointers } from "./drag.js";
import { elementOf, showFelt } from "./felt.js";
import { check, wanted } from "./hold.js";
import { watchKeys } from "./keys.js";
import { showRules, watchRules } from "./rules.js";
import { say } from "./say.js";
import { fit, onScale, refit, zoom } from "./scale.js";
import { showHand, showLog, showSeats } from "./seats.js";
import { act, enter, hasState, isPlayed, listen, state, supply, take } from "./table.js";
import { showTurn } from "./turn.js";

/** @import { State } from "./told.js" */

/** @type {EventSource | null} */
let source = null;

async function connect() {
  source?.close();
  let isNew = false;
  try {
    isNew = await enter();
  } catch (error) {
    if (error instanceof TypeError) closeAtEnd();
    else close(say("wrong.cannot-open"), /** @type {Error} */ (error).message.trim());
    return;
  }
  find("title").textContent = supply().title;
  document.title = `${supply().title}: ${say("page.name")}`;
  offerRules();
  source = listen();
  source.addEventListener("state", (event) => {
    show(JSON.parse(event.data));
    if (isNew) sitDown();
    isNew = false;
  });
  source.onopen = reopen;
  source.onerror = () => {
    closeAtEnd();
    if (source?.readyState === EventSource.CLOSED) setTimeout(connect, 3000);
  };
}

function offerRules() {
  const { rules } = supply();
  find("rules-button").hidden = rules.length === 0;
  find("pages").replaceChildren(...rules.map((face, at) =>
    make("img", { src: `/face/${face}/piece-192.jpg`, alt: say("page.rule-page", { number: at + 1 }), loading: "lazy" })));
}

/** @param {State} now */
function show(now) {
  const isFirst = !hasState();
  find("felt").hidden = false;
  take(now);
  document.body.classList.toggle("is-played", isPlayed());
  if (isFirst) fit();
  check();
  render();
  if (isPlayed()) refit();
  const spot = wanted();
  if (spot) chooseAt(spot);
}

function render() {
  if (!hasState()) return;
  showFelt();
  showSeats();
  showLog();
  if (isPlayed()) {
    showTurn();
    showRules();
  } else {
    showHand();
    showActs();
  }
  find("undo").disabled = !state().canUndo;
  find("redo").disabled = !state().canRedo;
}

/** @param {[number, number]} spot */
function chooseAt([x, y]) {
  const things = [...state().stacks, ...state().dice, ...state().counters];
  const found = things.findLast((thing) => Math.hypot(thing.x - x, thing.y - y) < 0.1);
  if (found) choose(elementOf(found.id) ?? null);
}

// Takes the first free seat, unless it has one.
function sitDown() {
  if (state().seat !== null) return;
  const free = state().seats.findIndex(({ isTaken }) => !isTaken);
  if (free >= 0) act({ do: "sit", seat: free });
}

/** @type {(id: "undo" | "redo" | "save" | "load" | "restart" | "roll") => void} */
const command = (id) => find(id).addEventListener("click", () => act({ do: id }));

for (const id of /** @type {const} */ (["undo", "redo", "save", "load", "restart", "roll"])) command(id);
for (const id of /** @type {const} */ (["save", "load", "restart", "roll"])) find(id).addEventListener("click", () => find("more").close());
find("add-die").addEventListener("click", () => {
  act({ do: "add-die", sides: Math.round(Number(find("sides").value)) || 6, ...freeSpot(roomOf(DIE_ROOM)) });
  find("more").close();
});
find("add-counter").addEventListener("click", () => {
  act({ do: "add-counter", label: find("label").value.trim(), ...freeSpot(roomOf(COUNTER_ROOM)) });
  find("more").close();
});
find("smaller").addEventListener("click", () => zoom(-1));
find("larger").addEventListener("click", () => zoom(1));
find("fit").addEventListener("click", () => fit());
find("more-button").addEventListener("click", () => find("more").showModal());
find("log").addEventListener("click", () => {
  find("done").showModal();
  find("done-lines").scrollTop = find("done-lines").scrollHeight;
});
find("rules-button").addEventListener("click", () => find("rules").showModal());
find("help-button").addEventListener("click", () => find("help").showModal());
find("felt").addEventListener("dblclick", (event) => {
  if (/** @type {Element} */ (event.target).closest(".thing")) deeds().find(({ key }) => key === "f")?.run();
});
find("snap").value = sessionStorage.getItem("snap") ?? "off";
find("snap").addEventListener("change", () => sessionStorage.setItem("snap", find("snap").value));
addEventListener("resize", refit);
addEventListener("hashchange", connect);
onScale(render);
watchPointers(choose, many);
watchRules();
watchKeys();
connect();
