// Number fields take a comma as people type it: a browser whose language has points drops it, and 63,5 would be 635.

addEventListener("beforeinput", (event) => {
  if (event.data !== "," || !/** @type {Element} */ (event.target).matches("input[type=number]")) return;
  event.preventDefault();
  document.execCommand("insertText", false, ".");
});
