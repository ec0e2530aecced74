// Runs before the page is drawn, so that it is never shown in the wrong colours first.
(() => {
  "use strict";
  try {
    document.documentElement.dataset.theme = localStorage.getItem("unidoku-theme") || "";
  } catch {
    // storage is refused to some local files
  }
})();
