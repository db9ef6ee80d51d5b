// Real size on the screen: measured once, by a bank card that is held to it.

import { make } from "./dom.js";
import { openDialog } from "./run.js";
import { say } from "./say.js";
import { isRealSize, showReal } from "./sizes.js";

const BANK_CARD = [85.6, 53.98]; // mm, ISO/IEC 7810 ID-1
const USUAL = 96 / 25.4, LEAST = 2, MOST = 12; // px of the page in a mm
const KEY = "px-per-mm";

/** What was measured on this screen; 0 if nothing was. */
function measured() {
  try {
    return Number(localStorage.getItem(KEY)) || 0;
  } catch {
    return 0; // the browser keeps nothing
  }
}

/** Shows pieces at their size. Asks for the measure of the screen if there is none, or if they are shown so. */
export function seeReal() {
  const density = measured();
  if (density && !isRealSize()) showReal(density);
  else measure(density || USUAL);
}

/** @param {number} density */
function measure(density) {
  const { dialog, form } = openDialog(say("real.title"));
  const card = make("div", { class: "card-to-hold" });
  const slider = make("input", { type: "range", min: LEAST, max: MOST, step: 0.005, value: density });
  const draw = () => {
    [card.style.width, card.style.height] = BANK_CARD.map((side) => `${side * Number(slider.value)}px`);
  };
  slider.addEventListener("input", draw);
  draw();
  const use = make("button", { class: "go" }, say("real.use"));
  use.addEventListener("click", () => {
    try {
      localStorage.setItem(KEY, slider.value);
    } catch { /* then it is asked for again */ }
    showReal(Number(slider.value));
  });
  form.append(
    make("p", {}, say("real.about")),
    make("div", { class: "field" }, make("label", {}, make("span", {}, say("real.width")), slider)), card,
    make("div", { class: "buttons" }, use, make("button", { type: "button", onclick: () => dialog.close() }, say("page.close"))));
  slider.focus();
}
