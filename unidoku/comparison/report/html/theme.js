// Runs before the page is drawn, so that it is never shown in the wrong colours first.
(() => {
  "use strict";
  const root = document.documentElement;
  root.classList.add("scripted");
  const stored = () => {
    try {
      return localStorage.getItem("unidoku-theme") || "";
    } catch {
      return ""; // storage is refused to some local files
    }
  };
  root.dataset.theme = stored();
})();
