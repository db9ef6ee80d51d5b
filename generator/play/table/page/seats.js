// The seats, the hand of one's own, and what was done last.

import { find, make } from "./dom.js";
import { cardSide } from "./felt.js";
import { say } from "./say.js";
import { act, setOf, state } from "./table.js";

export function showSeats() {
  const { seats, seat } = state();
  const buttons = seats.map(({ name, cards, isTaken }, number) => {
    const isMine = number === seat;
    const held = cards ? ` · ${cards}` : "";
    const who = say(isMine ? "seat.yours" : isTaken ? "seat.taken" : "seat.free");
    return make(
      "button",
      {
        type: "button", class: "seat", "data-seat": number, "aria-pressed": String(isMine),
        "aria-label": say("seat.label", { seat: name, state: who, count: cards }), title: say(isMine ? "seat.get-up" : isTaken ? "seat.is-taken" : "seat.sit"),
        disabled: isTaken && !isMine, onclick: () => act({ do: "sit", seat: isMine ? null : number }),
      },
      name + held,
    );
  });
  replace(find("seats"), buttons, "seat");
}

export function showHand() {
  const { hand, seat, seats } = state();
  const cards = hand.map((card, index) => {
    const [width, height] = card.held?.size ?? setOf(card.set).size;
    const button = make("button", { type: "button", class: "card", "data-index": index, "aria-label": say("thing.in-hand", { what: card.name }) }, cardSide(card));
    button.style.setProperty("--shape", String(width / height));
    return button;
  });
  const why = seat === null ? say("seat.hand-of-none") : say("seat.hand-is-empty", { seat: seats[seat].name });
  replace(find("hand"), cards.length ? cards : [make("p", { class: "quiet" }, why)], "index");
}

// Replaces elements that changed; the focus stays on the one with the same number.
/** @type {(parent: HTMLElement, children: HTMLElement[], key: string) => void} */
function replace(parent, children, key) {
  if (parent.innerHTML === children.map((child) => child.outerHTML).join("")) return;
  const active = /** @type {HTMLElement | null} */ (document.activeElement);
  const number = active && parent.contains(active) ? active.dataset[key] : undefined;
  parent.replaceChildren(...children);
  if (number !== undefined) (children.find((child) => child.dataset[key] === number) ?? children.at(-1))?.focus();
}

export function showLog() {
  const { told } = state();
  find("log").hidden = !told.length;
  find("log").replaceChildren(make("span", { class: "unseen" }, say("page.done")), ...told.slice(-4).map((line) => make("span", { class: "line" }, line)));
  find("done-lines").replaceChildren(...told.map((line) => make("li", {}, line)));
  const last = told.at(-1) ?? "";
  if (find("said").textContent !== last) find("said").textContent = last;
}
