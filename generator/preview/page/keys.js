// Keys: what each does, wherever one is.

export function listen(keys) {
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const isTyping = event.target.matches("input, select, textarea");
    const act = isTyping ? keys.typing[event.key] : keys.anywhere[event.key];
    if (act && act(event) !== false) event.preventDefault();
  });
}
