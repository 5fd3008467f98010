"use strict";
(() => {
  const id = (name) => document.getElementById(name);
  const articles = [...document.querySelectorAll("article")];
  const picture = id("picture"), drawing = picture.querySelector("svg");
  const last = articles.length - 1;
  let row = 0;

  function show(to) {
    row = Math.min(Math.max(to, 0), last);
    articles.forEach((a, i) => a.classList.toggle("current", i === row));
    for (const r of drawing.querySelectorAll("rect.row")) r.classList.toggle("selected", Number(r.dataset.row) === row);
    id("where").textContent = row === 0 ? `start of ${last} steps` : `step ${row} of ${last}`;
    id("first").disabled = id("back").disabled = row === 0;
    id("last").disabled = id("forward").disabled = row === last;
    const chosen = drawing.querySelector(`rect.row[data-row="${row}"]`);
    if (!chosen) return;
    // Keep the row in view, without moving the page.
    const frame = picture.getBoundingClientRect(), box = chosen.getBoundingClientRect();
    const above = box.top - frame.top - 60, below = box.bottom - frame.bottom + 40;
    if (above < 0) picture.scrollBy(0, above);
    else if (below > 0) picture.scrollBy(0, below);
  }

  // The step is in the address, so that a link leads to it.
  const fromAddress = () => Number((/^#step-(\d{1,6})$/.exec(location.hash) || [0, 0])[1]);
  function go(to) {
    show(to);
    if (fromAddress() !== row) history.replaceState(null, "", `#step-${row}`);
  }

  const jump = id("jump");
  const goals = { first: () => 0, back: () => row - 1, forward: () => row + 1, last: () => last, jump: () => Number(jump.dataset.row) };
  for (const name in goals) if (id(name)) id(name).addEventListener("click", () => go(goals[name]()));
  const keys = { ArrowLeft: "back", k: "back", ArrowRight: "forward", j: "forward", Home: "first", End: "last" };
  if (jump) keys.v = "jump";
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.defaultPrevented) return;
    const goal = Object.hasOwn(keys, event.key) && keys[event.key];
    if (!goal) return;
    event.preventDefault();
    go(goals[goal]());
  });
  for (const link of drawing.querySelectorAll("a.hit")) {
    link.addEventListener("click", (event) => {
      event.preventDefault();
      go(Number(link.firstElementChild.dataset.row));
    });
  }
  addEventListener("hashchange", () => { if (/^#step-/.test(location.hash)) show(fromAddress()); });

  // A part of the drawing, from one height to another, once more.
  function part(name, from, to) {
    const svg = document.createElementNS(drawing.namespaceURI, "svg"), use = document.createElementNS(drawing.namespaceURI, "use");
    const width = drawing.viewBox.baseVal.width;
    svg.setAttribute("viewBox", `0 ${from} ${width} ${to - from}`);
    svg.setAttribute("width", width);
    svg.setAttribute("height", to - from);
    svg.setAttribute("aria-hidden", "true");
    use.setAttribute("href", `#diagram-${name}`);
    svg.append(use);
    return svg;
  }

  // The names of the processes stay in sight.
  const names = document.createElement("div");
  names.className = "names";
  names.append(part("names", 0, 30));
  picture.prepend(names);

  // On paper the diagram is cut between rows, where a sheet may end.
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
    slices.replaceChildren(...cuts.slice(1).map((end, i) => part("body", cuts[i], end)));
    document.documentElement.classList.add("sliced");
  });
  addEventListener("afterprint", () => {
    slices.replaceChildren();
    document.documentElement.classList.remove("sliced");
  });

  // From here on the address chooses a step; the browser need not scroll to it.
  for (const a of articles) a.removeAttribute("id");
  document.documentElement.classList.add("js");
  id("bar").hidden = id("keys").hidden = false;
  show(fromAddress());
})();
