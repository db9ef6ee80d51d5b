// What is looked at is told to pnp: when a file changes, it makes that first.

const PAUSE = 120; // ms that sight rests before it is told
const MOST = 200; // faces

export const name = crypto.randomUUID(); // of this page

/** @type {Set<string>} */
const seen = new Set(); // keys of cells
/** @type {string | null} */
let close = null; // the face that is shown by itself
let soon = 0;

const eyes = new IntersectionObserver((entries) => {
  for (const { isIntersecting, target } of entries) {
    const key = /** @type {string} */ (/** @type {HTMLElement} */ (target).dataset.key);
    if (isIntersecting) seen.add(key);
    else seen.delete(key);
  }
  tellSoon();
});

/** @type {(key: string) => boolean} */
export const isSeen = (key) => seen.has(key);

/** @type {(cell: HTMLElement) => void} */
export const watch = (cell) => eyes.observe(cell);

/** @param {string | null} key */
export function lookClose(key) {
  close = key;
  tellSoon();
}

export function tellSoon() {
  clearTimeout(soon);
  soon = setTimeout(tell, PAUSE);
}

function tell() {
  const keys = [...new Set(close ? [close, ...seen] : seen)].slice(0, MOST);
  const said = new URLSearchParams([["page", name], ...keys.map((key) => ["face", key])]);
  fetch(`/seen?${said}`).catch(() => {}); // that pnp has ended is said elsewhere
}
