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
  const ground = make("g", {}, svg);
  // A clock that is not right has a sign on the outer side of its process.
  const pace = (parent, x, y) => {
    const side = x < 0 ? -1 : 1, group = make("g", { class: "pace", transform: `translate(${x + side * (half - 4)} ${y - half + 4})` }, parent);
    make("circle", { r: 9 }, group);
    make("path", { d: "M0 -6V0l4 3" }, group);
    return make("text", { class: `belief ${side < 0 ? "end" : "start"}`, x: 12 * side, y: 4 }, group);
  };
  const actors = data.names.map((name, k) => {
    const { x, y } = at(k), group = make("g", {}, svg);
    return {
      ring: make("rect", { class: "electing", x: x - half - 6, y: y - half - 6, width: 2 * half + 12, height: 2 * half + 12, rx: half + 6 }, group),
      disc: make("rect", { x: x - half, y: y - half, width: 2 * half, height: 2 * half, rx: half }, group),
      crown: make("path", { class: "crown", d: `M${x - 13} ${y - half - 4}l-4 -16 9 7 8 -12 8 12 9 -7 -4 16z` }, group),
      name: make("text", { x, y: data.roles ? y - 2 : y + 5 }, group, name),
      role: make("text", { class: "belief role", x, y: y + 14 }, group, data.roles?.[k]),
      belief: make("text", { class: "belief", x, y: y + half + 20 }, group),
      pace: pace(group, x, y),
      timers: [0, 1, 2].map(() => make("path", { class: "timer" }, group)),
      x,
      y,
    };
  });
  // A link that is cut has a gap with a cross.
  const cuts = (data.cuts ?? []).map((cut) => {
    const a = at(cut.one), b = at(cut.other), part = half / Math.hypot(b.x - a.x, b.y - a.y);
    const x = b.x - a.x, y = b.y - a.y;
    return {
      ...cut,
      parts: [
        make("path", { class: "cut", d: `M${a.x + x * part} ${a.y + y * part}L${a.x + x * 0.45} ${a.y + y * 0.45}M${a.x + x * 0.55} ${a.y + y * 0.55}L${b.x - x * part} ${b.y - y * part}` }, ground),
        make("path", { class: "cut cross", d: `M${(a.x + b.x) / 2 - 7} ${(a.y + b.y) / 2 - 7}l14 14m0 -14l-14 14` }, ground),
      ],
    };
  });
  // A timer is a ring that runs down; those that are set later are farther inside.
  const run = ({ timers, x, y }, left, next, part) => {
    timers.forEach((ring, i) => {
      const full = left[i] ?? 0, then = next[i] ?? 0, r = half - 6 - 5 * i;
      const angle = 2 * Math.PI * Math.min(0.999, (then < full ? full + (then - full) * part : full) / 100);
      const d = angle > 0 ? `M${x} ${y - r}A${r} ${r} 0 ${angle > Math.PI ? 1 : 0} 1 ${x + r * Math.sin(angle)} ${y - r * Math.cos(angle)}` : "";
      ring.setAttribute("d", d);
    });
  };
  const dots = data.arrows.map((arrow) => {
    const group = make("g", { class: "dot" }, svg);
    make("circle", { r: 7 }, group);
    const { x = 0, y, a = "" } = arrow.label;
    make("text", { class: `mono ${a}`, x, y }, group, arrow.text);
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
    dot.classList.toggle("mute", arrow.label.hidden?.some(([from, to]) => from <= time && time < to) === true);
    const a = at(arrow.from), b = at(arrow.to), reach = Math.hypot(b.x - a.x, b.y - a.y) || 1;
    const way = Math.min(1, part) * (arrow.arrives ? 1 : 0.6), bend = 0.13 * Math.sin(Math.PI * way) + (16 * (arrow.beside ?? 0)) / reach;
    const from = (half / reach) * (1 - way) - (half / reach) * way;
    const x = a.x + (b.x - a.x) * (way + from) + (b.y - a.y) * bend, y = a.y + (b.y - a.y) * (way + from) - (b.x - a.x) * bend;
    dot.setAttribute("transform", `translate(${x.toFixed(1)} ${y.toFixed(1)})`);
  };
  const chapter = document.getElementById("chapter");
  let told;
  const draw = (time) => {
    const row = data.rows[Math.min(data.rows.length - 1, Math.floor(time))];
    row.forEach((actor, k) => {
      const { ring, disc, crown, name, belief, pace } = actors[k];
      disc.setAttribute("class", `actor ${actor.c}`);
      name.setAttribute("class", actor.c.startsWith("leads") ? `name ${actor.c}` : "name");
      ring.classList.toggle("there", actor.e === true);
      crown.classList.toggle("there", actor.c.startsWith("leads"));
      belief.textContent = actor.b;
      pace.textContent = actor.k ?? "";
      pace.parentNode.classList.toggle("there", actor.k !== undefined);
      const i = data.rows.indexOf(row);
      if (data.timers) run(actors[k], data.timers[i][k], data.timers[i + 1]?.[k] ?? data.timers[i][k], time - i);
    });
    for (const cut of cuts) for (const part of cut.parts) part.classList.toggle("there", cut.from <= time && time < cut.to);
    data.arrows.forEach((arrow, i) => move(arrow, dots[i], time));
    if (data.chapters && chapter) {
      const now = data.chapters.findLast((c) => c.row <= time);
      if (now && now !== told) {
        told = now;
        const title = document.createElement("b");
        title.textContent = now.title;
        chapter.replaceChildren(title, ` ${now.text}`);
        chapter.hidden = false;
      }
    }
    const broken = data.breaks >= 0 && time >= data.breaks;
    document.getElementById("stage").classList.toggle("broken", broken);
    document.getElementById("matter").textContent = broken ? data.broken : "";
  };
  document.getElementById("stage").prepend(svg);

  // Rows take as long as the run says, or all as long as the page does. Behind the last
  // row there is time where it stands for several steps.
  const last = data.rows.length - 1, end = data.begins && data.steps[last].includes("-") ? last + 0.99 : last;
  const clock = (usual) => {
    const begins = data.begins ?? [...data.rows.keys(), data.rows.length].map((row) => row * usual);
    return {
      seconds: (time) => {
        const row = Math.min(last, Math.floor(time));
        return begins[row] + (time - row) * (begins[row + 1] - begins[row]);
      },
      time: (seconds) => {
        const row = Math.min(last, Math.max(0, begins.findLastIndex((begin) => begin <= seconds)));
        return Math.min(end, row + (seconds - begins[row]) / (begins[row + 1] - begins[row]));
      },
    };
  };
  // Time goes on by some seconds; behind the end it is in the loop, if there is one.
  const pass = (usual, time, seconds) => {
    const { seconds: at, time: then } = clock(usual), next = then(at(time) + seconds);
    if (next < end || data.lasso === 0) return next;
    return end > last ? data.lasso : data.lasso - 1;
  };
  return { draw, pass, end, chapters: data.chapters ?? [], steps: data.steps, breaks: data.breaks, told: data.told };
})();
