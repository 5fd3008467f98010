"use strict";
// The stage: the processes in a circle, the messages on their way between them, and
// time, which flows. A step is at a whole number of it.
const stage = (() => {
  const data = JSON.parse(document.getElementById("moves").textContent);
  const space = "http://www.w3.org/2000/svg", n = data.names.length, half = 34;
  const room = 80 + 8 * n;
  const make = (name, attributes, parent, text) => {
    const part = document.createElementNS(space, name);
    for (const key in attributes) part.setAttribute(key, attributes[key]);
    if (text !== undefined) part.textContent = text;
    if (parent) parent.append(part);
    return part;
  };
  const at = (k) => {
    const angle = Math.PI * (0.5 + (1 + 2 * k) / n); // the first at the left
    return { x: 1.2 * room * Math.cos(angle), y: 0.9 * room * Math.sin(angle) };
  };
  const heights = data.names.map((_, k) => at(k).y), top = Math.min(...heights) - half - 26, bottom = Math.max(...heights) + half + 30;
  const width = 2.4 * room + 2 * half + 80;
  const svg = make("svg", { class: "bullyproof", viewBox: `${-width / 2} ${top} ${width} ${bottom - top}`, "aria-hidden": "true" });
  make("rect", { class: "page", x: -width / 2, y: top, width, height: bottom - top }, svg);
  const actors = data.names.map((name, k) => {
    const { x, y } = at(k), group = make("g", {}, svg);
    return {
      ring: make("rect", { class: "electing", x: x - half - 6, y: y - half - 6, width: 2 * half + 12, height: 2 * half + 12, rx: half + 6 }, group),
      disc: make("rect", { x: x - half, y: y - half, width: 2 * half, height: 2 * half, rx: half }, group),
      crown: make("path", { class: "crown", d: `M${x - 13} ${y - half - 4}l-4 -16 9 7 8 -12 8 12 9 -7 -4 16z` }, group),
      name: make("text", { x, y: data.roles ? y - 2 : y + 5 }, group, name),
      role: make("text", { class: "belief", x, y: y + 14 }, group, data.roles?.[k]),
      belief: make("text", { class: "belief", x, y: y + half + 20 }, group),
    };
  });
  const dots = data.arrows.map((arrow) => {
    const group = make("g", { class: "dot" }, svg);
    make("circle", { r: 7 }, group);
    make("text", { class: "mono", y: -12 }, group, arrow.text);
    make("path", { class: "cross", d: "M-7 -7l14 14M7 -7l-14 14" }, group);
    return group;
  });

  // What has been sent after step i travels until it arrives, or half of the way.
  const move = (arrow, dot, time) => {
    const part = (time - arrow.sent) / (arrow.end - arrow.sent), last = data.rows.length - 1;
    const gone = !arrow.arrives && time >= arrow.end;
    const there = time >= arrow.sent && (part < 1 || (gone && time < arrow.end + 0.6)) && !(time >= last && arrow.end <= last);
    dot.classList.toggle("there", there);
    dot.classList.toggle("lost", gone);
    if (!there) return;
    const a = at(arrow.from), b = at(arrow.to), reach = Math.hypot(b.x - a.x, b.y - a.y) || 1;
    const way = Math.min(1, part) * (arrow.arrives ? 1 : 0.6), bend = 0.13 * Math.sin(Math.PI * way);
    const from = (half / reach) * (1 - way) - (half / reach) * way;
    const x = a.x + (b.x - a.x) * (way + from) + (b.y - a.y) * bend, y = a.y + (b.y - a.y) * (way + from) - (b.x - a.x) * bend;
    dot.setAttribute("transform", `translate(${x.toFixed(1)} ${y.toFixed(1)})`);
  };
  const draw = (time) => {
    const row = data.rows[Math.floor(time)];
    row.forEach((actor, k) => {
      const { ring, disc, crown, name, belief } = actors[k];
      disc.setAttribute("class", `actor ${actor.c}`);
      name.setAttribute("class", actor.c.startsWith("leads") ? `name ${actor.c}` : "name");
      ring.classList.toggle("there", actor.e === true);
      crown.classList.toggle("there", actor.c.startsWith("leads"));
      belief.textContent = actor.b;
    });
    data.arrows.forEach((arrow, i) => move(arrow, dots[i], time));
    const broken = data.breaks >= 0 && time >= data.breaks;
    document.getElementById("stage").classList.toggle("broken", broken);
    document.getElementById("matter").textContent = broken ? data.broken : "";
  };
  document.getElementById("stage").prepend(svg);
  return { draw, lasso: data.lasso, breaks: data.breaks, told: data.told };
})();
