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
    const among = holding() ? Array.from($("hand").querySelectorAll("button")) : actions;
    if (among.length === 0) return false;
    const now = among.indexOf(document.activeElement);
    const next = now < 0 ? (by > 0 ? 0 : among.length - 1) : now + by;
    among[Math.max(0, Math.min(among.length - 1, next))].focus();
    return true;
  };

  // A part of the stage takes what can happen to it: the one thing that can, or what is
  // chosen from a list beside it. Whatever it is, its button in the list of choices is
  // pressed.
  const holding = () => $("hand") !== null && $("hand").matches(":popover-open");
  let held = ""; // the id of the part
  const choices = (part) => part.dataset.do.split(" ").map((code) => $(`do-${code}`));
  const take1 = (part, button) => {
    held = part.id;
    press(button);
    held = "";
  };
  const hold = (part) => {
    const hand = $("hand"), list = choices(part);
    if (list.length === 1) {
      take1(part, list[0]);
      return;
    }
    $("hand-title").textContent = part.getAttribute("aria-label").replace(/: \d+ choices.*/, "");
    hand.querySelector("ul").replaceChildren(...list.map((choice) => {
      const item = document.createElement("li"), button = document.createElement("button");
      button.type = "button";
      button.className = choice.className.replace("action", "action held");
      button.append(...Array.from(choice.querySelectorAll(".title, .note.breaks, .note.ahead"), (line) => line.cloneNode(true)));
      button.dataset.of = choice.id;
      button.addEventListener("click", () => take1(part, choice));
      item.append(button);
      return item;
    }));
    hand.showPopover();
    part.classList.add("held");
    hand.addEventListener("toggle", () => {
      part.classList.remove("held");
      haunt(null);
      if (document.activeElement === document.body) part.focus();
    }, { once: true });
    const box = part.getBoundingClientRect(), width = hand.offsetWidth, height = hand.offsetHeight;
    hand.style.left = `${Math.max(8, Math.min(innerWidth - width - 8, box.left + box.width / 2 - width / 2))}px`;
    hand.style.top = `${Math.max(8, box.bottom + height + 8 < innerHeight ? box.bottom + 6 : Math.min(box.top - height - 6, innerHeight - height - 8))}px`;
    hand.querySelector("button").focus();
  };

  // The ghost of a choice: how the processes would look, and what would break.
  const haunt = (choice) => {
    const stage = $("stage"), matter = $("matter");
    if (!stage) return;
    for (const old of stage.querySelectorAll(".ghost")) old.remove();
    for (const old of stage.querySelectorAll(".haunted")) old.classList.remove("haunted");
    matter.dataset.now ??= matter.textContent;
    matter.textContent = matter.dataset.now;
    if (!choice) return;
    for (const [id, look, belief] of JSON.parse(choice.dataset.ghost ?? "[]")) {
      const part = $(`on-P${id}`), ghost = document.createElementNS("http://www.w3.org/2000/svg", "g");
      const disc = part.querySelector(".actor").cloneNode(), said = part.querySelector(".said").cloneNode();
      disc.setAttribute("class", `actor ${look}`);
      said.setAttribute("class", "belief");
      said.textContent = belief;
      ghost.setAttribute("class", "ghost");
      const name = part.querySelector(".name").cloneNode(true);
      name.setAttribute("class", look.startsWith("leads") ? `name ${look}` : "name");
      ghost.append(disc, name, said);
      part.classList.add("haunted");
      part.append(ghost);
    }
    const broken = Array.from(choice.querySelectorAll(".note.breaks"), (line) => line.textContent);
    if (broken.length > 0) matter.textContent = `It ${broken.join("; it ")}`;
  };
  const choiceOf = (target) => {
    const button = target.closest("button.action");
    if (button) return button.dataset.of ? $(button.dataset.of) : button;
    const part = target.closest(".hold");
    if (!part) return null;
    const list = choices(part);
    return list.find((choice) => choice.classList.contains("fatal")) ?? (list.length === 1 ? list[0] : null);
  };
  for (const kind of ["pointerover", "focusin"]) document.addEventListener(kind, (event) => haunt(event.target.closest ? choiceOf(event.target) : null));

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
    w: () => press($("pass")),
    p: () => press($("auto")),
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
    if (holding() && !event.key.startsWith("Arrow")) return;
    if (take(event.key)) event.preventDefault();
  });

  // A run without faults goes on by itself, until somebody touches it, it is over, or
  // something breaks.
  const auto = "bullyproof-auto", pace = 900;
  let going = 0; // until the next step
  const goes = (on) => {
    clearTimeout(going);
    going = 0;
    try {
      if (on) sessionStorage.setItem(auto, location.pathname);
      else sessionStorage.removeItem(auto);
    } catch {
      return; // without a memory it is one step
    }
    if ($("auto")) $("auto").setAttribute("aria-pressed", String(on));
  };
  const goOn = () => {
    const next = $("next") ?? actions.find((action) => !action.closest(".faults"));
    const over = !next || document.querySelector("#now .broken, #now .round");
    goes(!over);
    if (!over) going = setTimeout(() => press(next), pace);
  };
  for (const kind of ["pointerdown", "keydown", "wheel"]) {
    document.addEventListener(kind, (event) => {
      if (going === 0 || !event.isTrusted) return;
      goes(false);
      if (event.target.closest?.("#auto") || event.key === "p") stopped = true;
    }, { capture: true, passive: true });
  }
  let stopped = false; // by what else would start it

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
    if (!kept || (kept.page !== "" && kept.page !== location.pathname)) return;
    scrollTo({ top: kept.top, behavior: "instant" });
    const again = answered() || (kept.id && $(kept.id)) || actions[0];
    if (again && !again.disabled) again.focus({ preventScroll: true });
    if (answered()) $("answered").scrollIntoView({ block: "center", behavior: "instant" });
  };
  document.addEventListener("submit", (event) => {
    const switched = event.target.closest("#compose") !== null; // which leads to another variant
    if (event.target.id !== "go" && event.target.id !== "ask" && !switched) return;
    leaving = !event.defaultPrevented;
    try {
      const id = switched ? document.activeElement.id : held || (event.submitter ? event.submitter.id : "");
      sessionStorage.setItem(place, JSON.stringify({ page: switched ? "" : location.pathname, top: scrollY, id }));
    } catch {
      // Without a memory the page begins at its top.
    }
  });
  // A check that goes on is asked how far it is, until it has ended. What is the same stays,
  // so that nothing goes away under a pointer.
  self.explorerAnswer = async (address) => (await fetch(address)).text();
  const watch = async () => {
    for (let live = $("live"); live !== null && live.dataset.again;) {
      let text;
      try {
        text = await self.explorerAnswer(live.dataset.again);
      } catch {
        live.textContent = "The explorer does not answer any more.";
        return;
      }
      if ($("live") !== live) return; // another page
      const made = new DOMParser().parseFromString(text, "text/html"), now = made.getElementById("live");
      if (now === null) {
        $("main").replaceWith(made.getElementById("main"));
        document.dispatchEvent(new Event("explorer-page"));
        return;
      }
      for (const part of made.querySelectorAll(now.dataset.again ? ".part" : ".part, .whole")) {
        const old = $(part.id);
        if (old !== null && old.outerHTML !== part.outerHTML) old.replaceWith(part);
      }
      live = $("live");
    }
  };

  // Begin does what a page needs once it is there. A page that shows several, one
  // after the other, says so by an event.
  const begin = () => {
    help = $("help");
    actions = Array.from(document.querySelectorAll("button.action"));
    if ($("main") === null) return;
    watch();

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

    for (const part of document.querySelectorAll("#stage .hold")) {
      // The key is used up: what gets the keyboard now is not pressed by it.
      for (const kind of ["click", "keydown"]) part.addEventListener(kind, (event) => {
        if (kind === "keydown" && event.key !== "Enter") return;
        event.preventDefault();
        event.stopPropagation();
        hold(part);
      });
    }

    // Where verdicts are shown they follow a switch of a rule.
    const rules = document.querySelector("#compose form");
    if (rules) rules.addEventListener("change", () => rules.requestSubmit(rules.querySelector("[formaction]")));

    // By hand a word of the setting is changed in the line to copy, which is then sent.
    for (const form of document.querySelectorAll("form.hand")) {
      const line = form.parentElement.querySelector("#setting-text");
      form.querySelector(".still").hidden = true;
      form.addEventListener("submit", (event) => {
        event.preventDefault();
        line.form.requestSubmit();
      });
      for (const step of form.querySelectorAll("[data-by]")) {
        step.hidden = false;
        step.addEventListener("click", () => {
          const input = step.parentElement.querySelector("input"), was = input.value;
          if (step.dataset.by === "1") input.stepUp();
          else input.stepDown();
          if (input.value !== was) input.dispatchEvent(new Event("change", { bubbles: true }));
        });
      }
      form.addEventListener("change", ({ target }) => {
        const key = target.name.replace("hand-", "") + "=", words = line.value.split(/\s+/).filter((word) => word !== "");
        const at = words.findIndex((word) => word.startsWith(key)), word = key + target.value;
        if (at >= 0) words.splice(at, 1, ...(target.value === "0" ? [] : [word]));
        else if (target.value !== "0") words.push(word);
        line.value = words.join(" ");
      });
    }

    if ($("auto")) {
      $("auto").hidden = false;
      $("auto").addEventListener("click", () => {
        if (!stopped) goOn();
        stopped = false;
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
      const picture = actions.length > 0 && box(diagram).top >= box(actions[0]).bottom ? $("stage") : diagram;
      const parts = [$("happened"), picture, ...actions.slice(0, 1)];
      const hidden = () => Math.max(...parts.map((part) => box(part).bottom)) - innerHeight;
      const head = document.querySelector(".bar"), bar = getComputedStyle(head).position === "sticky" ? head.offsetHeight : 0;
      if (hidden() <= 0 && box(now).top >= bar) return;
      const least = 150, room = () => {
        const below = actions.length > 0 && box(actions[0]).top >= box(diagram).bottom ? box(actions[0]).bottom : 0;
        return box(diagram).height - Math.max(box(diagram).bottom, below) + innerHeight - 12;
      };
      scrollTo({ top: scrollY + box(now).top - bar - 8, behavior: "instant" });
      if (picture === diagram) diagram.style.maxHeight = `${Math.max(least, Math.floor(room()))}px`;
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
    let goingOn = false;
    try {
      goingOn = sessionStorage.getItem(auto) === location.pathname;
    } catch {
      // Without a memory it does not go on.
    }
    if (goingOn) goOn();
  };
  document.addEventListener("explorer-page", begin);
  addEventListener("pageshow", () => { leaving = false; });
  begin();
  for (let key; !leaving && (key = queued((list) => list.shift())) !== undefined;) take(key);
})();
