// Sends the visible faces and their resolution to pnp, which draws them first when a file changes.

const PAUSE = 120; // ms without a change before they are sent
const MOST = 200; // faces

export const name = crypto.randomUUID(); // of this page

/** @type {Set<string>} */
const visible = new Set(); // keys of cells
/** @type {string | null} */
let close = null; // the single face in the dialog
let dpi = 0; // that shows a pixel of a picture as one of the screen
let soon = 0;
/** @type {Promise<unknown>} */
let sent = Promise.resolve(); // the last report: a later one must not overtake it

const eyes = new IntersectionObserver((entries) => {
  for (const { isIntersecting, target } of entries) {
    const key = /** @type {string} */ (/** @type {HTMLElement} */ (target).dataset.key);
    if (isIntersecting) visible.add(key);
    else visible.delete(key);
  }
  reportSoon();
});

/** @type {(key: string) => boolean} */
export const isSeen = (key) => visible.has(key);

/** @type {(cell: HTMLElement) => void} */
export const watch = (cell) => eyes.observe(cell);

/** @param {string | null} key */
export function lookClose(key) {
  close = key;
  reportSoon();
}

/** @param {number} fine */
export function lookAt(fine) {
  if (dpi === fine) return;
  dpi = fine;
  reportSoon();
}

export function reportSoon() {
  clearTimeout(soon);
  soon = setTimeout(report, PAUSE);
}

function report() {
  const keys = [...new Set(close ? [close, ...visible] : visible)].slice(0, MOST);
  const query = new URLSearchParams([["page", name], ["dpi", String(dpi)], ...keys.map((key) => ["face", key])]);
  // the event source reports that pnp has ended
  sent = sent.then(() => fetch(`/seen?${query}`)).catch(() => {});
}
