// The actions of keys.

/** @typedef {(event: KeyboardEvent) => unknown} Act the action of a key; false if it does nothing here */

/** @param {{anywhere: {[key: string]: Act}, typing: {[key: string]: Act}}} keys */
export function listen(keys) {
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector(".making[open]")) return;
    const isTyping = /** @type {Element} */ (event.target).matches("input, select, textarea");
    const act = isTyping ? keys.typing[event.key] : keys.anywhere[event.key];
    if (act && act(event) !== false) event.preventDefault();
  });
}
