(() => {
  const id = (name) => document.getElementById(name);
  const articles = [...document.querySelectorAll("article")];
  const picture = id("picture");
  // The usual drawing, and perhaps another one for phones.
  const drawings = [...picture.querySelectorAll("svg")];
  const last = articles.length - 1, bar = id("bar");
  const slider = id("time");
  let row = 0;
  slider.max = stage.end;
  const steps = articles.map((a) => Number(a.dataset.step)), name = (to) => articles[to].querySelector("h2").firstChild.textContent.trim().toLowerCase();

  function show(to, behavior = "auto", time = to) {
    row = Math.min(Math.max(to, 0), last);
    slider.value = time;
    slider.setAttribute("aria-valuetext", name(row));
    stage.draw(Math.min(Math.max(time, 0), stage.end));
    const chapter = stage.chapters.findLast((c) => c.row <= row);
    for (const item of document.querySelectorAll("#chapters li")) {
      if (chapter && Number(item.dataset.row) === chapter.row) item.setAttribute("aria-current", "true");
      else item.removeAttribute("aria-current");
    }
    articles.forEach((a, i) => a.classList.toggle("current", i === row));
    for (const r of picture.querySelectorAll("rect.row")) r.classList.toggle("selected", Number(r.dataset.row) === row);
    id("where").textContent = row === 0 ? `start of ${steps[last]} steps` : `${name(row)} of ${steps[last]}`;
    id("first").disabled = id("back").disabled = row === 0;
    id("last").disabled = id("forward").disabled = row === last;
    keep(behavior);
  }

  // Keep the row in view, without moving the page.
  function keep(behavior) {
    const chosen = drawings.find((d) => d.getClientRects().length > 0)?.querySelector("rect.row.selected");
    if (!chosen) return;
    const frame = picture.getBoundingClientRect(), box = chosen.getBoundingClientRect();
    const above = box.top - frame.top - 60, below = box.bottom - frame.bottom + 40;
    if (above < 0) picture.scrollBy({ top: above, behavior });
    else if (below > 0) picture.scrollBy({ top: below, behavior });
  }

  // A step is looked at: where the drawing or the words of the step are not in the
  // window, the page moves until the buttons are at its top.
  function reveal() {
    const top = bar.offsetHeight;
    const out = (part) => {
      const box = part.getBoundingClientRect();
      return box.top < top - 1 || box.bottom > innerHeight + 1;
    };
    if (out(picture) || out(articles[row].querySelector(".tell"))) {
      scrollTo({ top: scrollY + id("run").getBoundingClientRect().top - top, behavior: "instant" });
    }
  }

  // The step is in the address, so that a link leads to it.
  const fromAddress = () => {
    const step = Number((/^#step-(\d{1,6})$/.exec(location.hash) || [0, 0])[1]), at = steps.findIndex((s) => s >= step);
    return at < 0 ? last : at;
  };
  function go(to, time = to) {
    show(to, "auto", time);
    reveal();
    if (fromAddress() !== row) history.replaceState(null, "", `#step-${steps[row]}`);
  }

  // Play lets time flow, a step in a little more than a second; what repeats goes on.
  const still = matchMedia("(prefers-reduced-motion: reduce)");
  let playing = 0, before;
  function play(on) {
    cancelAnimationFrame(playing);
    playing = 0;
    id("play").textContent = on ? "Pause" : "Play";
    document.documentElement.classList.toggle("playing", on);
    if (!on) return;
    let time = Number(slider.value) >= stage.end ? 0 : Number(slider.value);
    before = undefined;
    const frame = (now) => {
      time = stage.pass(1.2, time, ((now - (before ?? now)) / 1000) * Number(id("speed").value));
      before = now;
      if (Math.floor(time) !== row) go(Math.floor(time), time);
      else show(row, "auto", time);
      if (time >= stage.end) play(false);
      else playing = requestAnimationFrame(frame);
    };
    if (time < 1) go(0);
    playing = requestAnimationFrame(frame);
  }
  id("play").addEventListener("click", () => play(playing === 0));
  slider.addEventListener("input", () => {
    play(false);
    go(Math.floor(Number(slider.value)), Number(slider.value));
  });
  if (stage.breaks > 0) {
    const part = 100 * stage.breaks / last;
    slider.style.background = `linear-gradient(to right, transparent ${part - 2}%, var(--bad) ${part - 2}%)`;
  }

  const jump = id("jump");
  const goals = { first: () => 0, back: () => row - 1, forward: () => row + 1, last: () => last, jump: () => Number(jump.dataset.row) };
  for (const name in goals) if (id(name)) id(name).addEventListener("click", () => { play(false); go(goals[name]()); });
  const keys = { ArrowLeft: "back", k: "back", ArrowRight: "forward", j: "forward", Home: "first", End: "last" };
  if (jump) keys.v = "jump";
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.defaultPrevented) return;
    if (event.target.closest("input, select")) return;
    if ((event.key === "p" || (event.key === " " && !event.target.closest("button, summary, a"))) && !still.matches) {
      event.preventDefault();
      play(playing === 0);
      return;
    }
    const goal = Object.hasOwn(keys, event.key) && keys[event.key];
    if (!goal) return;
    event.preventDefault();
    play(false);
    go(goals[goal]());
  });
  for (const link of picture.querySelectorAll("a.hit")) {
    link.addEventListener("click", (event) => {
      event.preventDefault();
      go(Number(link.firstElementChild.dataset.row));
    });
  }
  matchMedia("(max-width: 40rem)").addEventListener("change", () => keep());
  addEventListener("hashchange", () => { if (/^#step-/.test(location.hash)) go(fromAddress()); });

  // A part of a drawing, from one height to another, once more.
  function part(drawing, name, from, to) {
    const svg = document.createElementNS(drawing.namespaceURI, "svg"), use = document.createElementNS(drawing.namespaceURI, "use");
    const width = drawing.viewBox.baseVal.width;
    svg.setAttribute("class", name === "names" ? drawing.getAttribute("class") : "bullyproof");
    svg.setAttribute("viewBox", `0 ${from} ${width} ${to - from}`);
    svg.setAttribute("width", width);
    svg.setAttribute("height", to - from);
    svg.setAttribute("aria-hidden", "true");
    use.setAttribute("href", `#${drawing.querySelector("g").id.replace(/body$/, name)}`);
    svg.append(use);
    return svg;
  }

  // The names of the processes stay in sight.
  const names = document.createElement("div");
  names.className = "names";
  names.append(...drawings.map((drawing) => part(drawing, "names", 0, 30)));
  picture.prepend(names);

  // On paper the usual diagram is cut between rows, where a sheet may end.
  const drawing = drawings[0];
  const slices = document.createElement("div");
  slices.className = "slices";
  picture.append(slices);
  addEventListener("beforeprint", () => {
    const { width, height } = drawing.viewBox.baseVal, least = Math.max(0.45 * width, height / 40);
    const cuts = [0];
    for (const r of drawing.querySelectorAll("rect.row")) {
      const y = r.y.baseVal.value;
      if (y - cuts[cuts.length - 1] >= least) cuts.push(y);
    }
    cuts.push(height);
    slices.replaceChildren(...cuts.slice(1).map((end, i) => part(drawing, "body", cuts[i], end)));
    document.documentElement.classList.add("sliced");
  });
  addEventListener("afterprint", () => {
    slices.replaceChildren();
    document.documentElement.classList.remove("sliced");
  });

  // From here on the address chooses a step; the browser need not scroll to it.
  for (const a of articles) a.removeAttribute("id");
  for (const d of document.querySelectorAll(".after")) d.open = true;
  // In a page of somebody else's: the run and the bar alone.
  document.documentElement.classList.toggle("embed", location.search === "?embed");
  document.documentElement.classList.add("js");
  bar.hidden = id("keys").hidden = false;
  show(fromAddress(), "instant");
  if (row > 0) reveal();
})();
