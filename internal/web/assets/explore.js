// Keys, and the place on the page. Whatever this does is done by pressing the
// page's own buttons, so that everything works without it too.
"use strict";
(() => {
  const $ = (id) => document.getElementById(id);
  const help = $("help");
  const actions = Array.from(document.querySelectorAll("button.action"));

  const press = (button) => {
    if (!button || button.disabled) return false;
    button.click();
    return true;
  };

  const choose = (by) => {
    if (actions.length === 0) return false;
    const now = actions.indexOf(document.activeElement);
    const next = now < 0 ? (by > 0 ? 0 : actions.length - 1) : now + by;
    const button = actions[Math.max(0, Math.min(actions.length - 1, next))];
    button.focus();
    return true;
  };

  const showHelp = () => {
    if (!help) return false;
    if (help.open) help.close();
    else help.showModal();
    return true;
  };

  const keys = {
    ArrowDown: () => choose(1),
    ArrowUp: () => choose(-1),
    ArrowLeft: () => press($("back")),
    ArrowRight: () => press($("forward")) || press($("next")),
    Backspace: () => press($("back")),
    u: () => press($("back")),
    n: () => press($("next")) || press($("forward")),
    Home: () => press($("first")),
    End: () => press($("last")),
    "?": showHelp,
  };

  const typing = (target) => target.closest("input, textarea, select, [contenteditable]") !== null;

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || typing(event.target)) return;
    if (help && help.open && event.key !== "?") return;
    // In what scrolls, the keys scroll.
    if (event.key.startsWith("Arrow") && event.target.closest("[role=region], summary")) return;
    let done = false;
    if (/^[1-9]$/.test(event.key)) done = press(document.querySelector(`button[data-key="${event.key}"]`));
    else if (Object.hasOwn(keys, event.key)) done = keys[event.key]();
    if (done) event.preventDefault();
  });

  // What only a script can do appears with it.
  for (const id of ["copy", "help-open"]) if ($(id)) $(id).hidden = false;
  if ($("help-open")) $("help-open").addEventListener("click", showHelp);
  if ($("copy")) {
    $("copy").addEventListener("click", async () => {
      let said = "Copied";
      try {
        await navigator.clipboard.writeText(location.href);
      } catch {
        said = "The address of this page is the link";
      }
      $("copy").textContent = said;
    });
  }

  // After a step the page stays where it was, and the keyboard with it.
  const place = "bullyproof-place";
  const recall = () => {
    let kept = null;
    try {
      kept = JSON.parse(sessionStorage.getItem(place));
      sessionStorage.removeItem(place);
    } catch {
      return;
    }
    if (!kept || kept.page !== location.pathname) return;
    scrollTo({ top: kept.top, behavior: "instant" });
    const again = kept.id ? $(kept.id) : actions[0];
    if (again && !again.disabled) again.focus({ preventScroll: true });
  };
  document.addEventListener("submit", (event) => {
    if (event.target.id !== "go") return;
    try {
      const id = event.submitter ? event.submitter.id : "";
      sessionStorage.setItem(place, JSON.stringify({ page: location.pathname, top: scrollY, id }));
    } catch {
      // Without a memory the page begins at its top.
    }
  });
  // A drawing that is a little too wide is made smaller rather than cut.
  const drawing = document.querySelector("#diagram svg");
  const fit = (svg) => {
    svg.style.maxWidth = "100%";
    svg.style.minWidth = `${0.75 * svg.width.baseVal.value}px`;
    svg.style.height = "auto";
  };
  if (drawing) {
    fit(drawing);
    // The names of the processes stay in sight.
    const make = (name) => document.createElementNS(drawing.namespaceURI, name);
    const top = make("svg"), use = make("use"), names = document.createElement("div");
    const width = drawing.viewBox.baseVal.width, height = 30;
    top.setAttribute("viewBox", `0 0 ${width} ${height}`);
    top.setAttribute("width", drawing.width.baseVal.value);
    top.setAttribute("height", height * drawing.width.baseVal.value / width);
    top.setAttribute("aria-hidden", "true");
    use.setAttribute("href", "#diagram-names");
    top.append(use);
    fit(top);
    names.className = "names";
    names.append(top);
    drawing.before(names);
  }

  // What scrolls shows the moment that the page is about.
  const reveal = (box, part) => {
    if (!box || !part) return;
    const outer = box.getBoundingClientRect();
    const inner = part.getBoundingClientRect();
    box.scrollTop += inner.top + inner.height / 2 - outer.top - outer.height * 0.7;
  };
  reveal($("diagram"), document.querySelector("#diagram .row.selected"));
  reveal($("telling"), document.querySelector("#telling [aria-current]"));
  reveal(document.querySelector(".steps"), document.querySelector(".steps [aria-current]"));
  recall();
})();
