// What is looked at is told to pnp: when a file changes, it makes that first.

const PAUSE = 120; // ms that sight rests before it is told
const MOST = 200; // faces

export const name = crypto.randomUUID(); // of this page

const seen = new Set(); // keys of cells
let close = null; // the face that is shown by itself
let soon = 0;

const eyes = new IntersectionObserver((entries) => {
  for (const { isIntersecting, target } of entries)
    if (isIntersecting) seen.add(target.dataset.key);
    else seen.delete(target.dataset.key);
  tellSoon();
});

export const isSeen = (key) => seen.has(key);

export const watch = (cell) => eyes.observe(cell);

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
