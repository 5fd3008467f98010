// Keys, and the place on the page. Whatever this does is done by pressing the
// page's own buttons, so that everything works without it too.
"use strict";
(() => {
  const $ = (id) => document.getElementById(id);
  let help, actions; // of the page that is shown

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
    "/": () => {
      if (!$("expression")) return false;
      $("expression").select();
      $("expression").focus();
      return true;
    },
    "?": showHelp,
  };

  const typing = (target) => target.closest("input, textarea, select, [contenteditable]") !== null;

  // A key that is pressed while the next page is on its way is for that page.
  const queue = "bullyproof-pressed";
  let leaving = false;
  const queued = (change) => {
    try {
      const list = JSON.parse(sessionStorage.getItem(queue)) ?? [], result = change(list);
      sessionStorage.setItem(queue, JSON.stringify(list));
      return result;
    } catch {
      return undefined; // without a memory the key is lost
    }
  };
  const take = (key) => {
    if (/^[1-9a-m]$/.test(key)) return press(document.querySelector(`button[data-key="${key}"]`));
    return Object.hasOwn(keys, key) && keys[key]();
  };

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || typing(event.target)) return;
    if (leaving) {
      if (event.key === "Escape") leaving = false; // nor does the browser go on
      else if (event.key.length === 1 || Object.hasOwn(keys, event.key)) queued((list) => list.push(event.key));
      return;
    }
    if (help && help.open && event.key !== "?") return;
    // In what scrolls, the keys scroll.
    if (event.key.startsWith("Arrow") && event.target.closest("[role=region], summary")) return;
    if (take(event.key)) event.preventDefault();
  });

  // The field of which the page says something.
  const answered = () => document.querySelector("[aria-describedby=answered]");

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
    const again = answered() || (kept.id ? $(kept.id) : actions[0]);
    if (again && !again.disabled) again.focus({ preventScroll: true });
    if (answered()) $("answered").scrollIntoView({ block: "center", behavior: "instant" });
  };
  document.addEventListener("submit", (event) => {
    if (event.target.id !== "go" && event.target.id !== "ask") return;
    leaving = !event.defaultPrevented;
    try {
      const id = event.submitter ? event.submitter.id : "";
      sessionStorage.setItem(place, JSON.stringify({ page: location.pathname, top: scrollY, id }));
    } catch {
      // Without a memory the page begins at its top.
    }
  });
  // Begin does what a page needs once it is there. A page that shows several, one
  // after the other, says so by an event.
  const begin = () => {
    help = $("help");
    actions = Array.from(document.querySelectorAll("button.action"));
    if ($("main") === null) return;

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

    const drawing = document.querySelector("#diagram svg");
    if (drawing) {
      // The names of the processes stay in sight.
      const make = (name) => document.createElementNS(drawing.namespaceURI, name);
      const top = make("svg"), use = make("use"), names = document.createElement("div");
      const width = drawing.viewBox.baseVal.width, height = 30;
      top.setAttribute("class", "bullyproof");
      top.setAttribute("viewBox", `0 0 ${width} ${height}`);
      top.setAttribute("width", drawing.width.baseVal.value);
      top.setAttribute("height", height * drawing.width.baseVal.value / width);
      top.setAttribute("aria-hidden", "true");
      use.setAttribute("href", "#diagram-names");
      top.append(use);
      names.className = "names";
      names.append(top);
      drawing.before(names);
    }

    // A step is looked at: what happened, its row and what can happen next are in the
    // window, for which the page moves to where the run is told, and the diagram is no
    // higher than there is room.
    const now = $("now"), diagram = $("diagram");
    const look = () => {
      if (!now || now.dataset.at === "0" || answered()) return;
      const box = (part) => part.getBoundingClientRect();
      const parts = [$("happened"), diagram, ...actions.slice(0, 1)];
      const hidden = () => Math.max(...parts.map((part) => box(part).bottom)) - innerHeight;
      const head = document.querySelector(".bar"), bar = getComputedStyle(head).position === "sticky" ? head.offsetHeight : 0;
      if (hidden() <= 0 && box(now).top >= bar) return;
      const least = 150, room = () => {
        const below = actions.length > 0 && box(actions[0]).top >= box(diagram).bottom ? box(actions[0]).bottom : 0;
        return box(diagram).height - Math.max(box(diagram).bottom, below) + innerHeight - 12;
      };
      scrollTo({ top: scrollY + box(now).top - bar - 8, behavior: "instant" });
      diagram.style.maxHeight = `${Math.max(least, Math.floor(room()))}px`;
    };

    // What scrolls shows the moment that the page is about.
    const reveal = (box, part, along = "top", long = "height") => {
      if (!box || !part) return;
      const outer = box.getBoundingClientRect(), inner = part.getBoundingClientRect();
      box[along === "top" ? "scrollTop" : "scrollLeft"] += inner[along] + inner[long] / 2 - outer[along] - outer[long] * 0.7;
    };
    recall();
    look();
    reveal(diagram, document.querySelector("#diagram .row.selected"));
    reveal($("telling"), document.querySelector("#telling [aria-current]"));
    reveal(document.querySelector(".steps"), document.querySelector(".steps [aria-current]"), "left", "width");
  };
  document.addEventListener("explorer-page", begin);
  addEventListener("pageshow", () => { leaving = false; });
  begin();
  for (let key; !leaving && (key = queued((list) => list.shift())) !== undefined;) take(key);
})();
