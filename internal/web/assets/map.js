// Draws the map of all states: dagre lays out the steps that lead one layer down, and
// the others are drawn between the dots or boxes.
"use strict";
(() => {
  const make = (name, attributes, parent) => {
    const node = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
    parent.append(node);
    return node;
  };
  const wide = ({ looks, label }) => Math.max(56, looks ? 20 * looks.length + 16 : 0, label ? 7 * label.length + 16 : 0);
  const high = ({ looks, label }) => (looks ? 28 : 8) + (label ? 16 : 0);
  const lay = ({ merged, states, steps }) => {
    const graph = new dagre.graphlib.Graph().setGraph({ ranksep: merged ? 44 : 34, nodesep: merged ? 26 : 10, edgesep: 4, marginx: 40, marginy: 22 });
    states.forEach((state, i) => graph.setNode(String(i), merged ? { width: wide(state), height: high(state) + 18 } : { width: 16, height: 16 }));
    for (const { from, to } of steps) if (states[to].layer === states[from].layer + 1) graph.setEdge(String(from), String(to), {});
    dagre.layout(graph);
    return graph;
  };
  // Through the points of a line, or in a bow to the side where there are none.
  const line = (a, b, points) => {
    const at = (p) => `${p.x.toFixed(1)} ${p.y.toFixed(1)}`;
    if (points) {
      const bends = points.slice(1, -1);
      return `M${at(a)}` + bends.map((p, i) => {
        const next = bends[i + 1];
        return `Q${at(p)} ${at(next ? { x: (p.x + next.x) / 2, y: (p.y + next.y) / 2 } : b)}`;
      }).join("");
    }
    if (a === b) return `M${at(a)}c14 -14 14 14 0 0`;
    const bow = 24 + 0.15 * Math.hypot(b.x - a.x, b.y - a.y);
    return `M${at(a)}Q${at({ x: (a.x + b.x) / 2 + bow, y: (a.y + b.y) / 2 })} ${at(b)}`;
  };
  const diamond = (x, y, r) => `M${x} ${y - r}l${r} ${r} ${-r} ${r} ${-r} ${-r}z`;
  const link = (svg, href, name) => make("a", { href, "aria-label": name }, svg);
  const dot = (svg, { to }, state, { x, y }) => {
    const parent = link(svg, to + state.first, `${state.depth} steps: ${state.text}`);
    if (state.here) make("circle", { class: state.here, cx: x, cy: y, r: 11 }, parent);
    const mark = state.kind === "bad" ? make("path", { class: "state bad", d: diamond(x, y, 9) }, parent) : make("circle", { class: `state ${state.kind}`, cx: x, cy: y, r: 7 }, parent);
    make("title", {}, mark).textContent = state.text;
  };
  // A box of states leads to the first of them, its marks to the first of those, and its number
  // to all. One that only the run has been in leads nowhere.
  const box = (svg, { to, among }, state, { x, y }, i) => {
    const many = state.states.toLocaleString("en"), width = wide(state), height = high(state), top = y - height / 2 - 9, left = x - width / 2;
    const parent = state.first < 0 ? make("g", {}, svg) : link(svg, to + state.first, `${state.label ? `${state.label}: ` : ""}open the first of ${state.states} states, after ${state.depth} steps: ${state.text}`);
    if (state.here) make("rect", { class: state.here, x: left - 5, y: top - 5, width: width + 10, height: height + 10, rx: 12 }, parent);
    const frame = make("rect", { class: `state box ${state.kind}`, x: left, y: top, width, height, rx: 8 }, parent);
    make("title", {}, frame).textContent = state.text;
    (state.looks ?? []).forEach((look, k, all) => {
      const cx = x + 20 * (k - (all.length - 1) / 2), cy = top + 14, part = make("g", { class: `proc ${look}` }, parent);
      make("circle", { cx, cy, r: 8 }, part);
      if (look === "off") make("path", { d: `M${cx - 5} ${cy - 5}l10 10m0 -10l-10 10` }, part);
      if (look.includes("paused")) make("path", { d: `M${cx - 2.5} ${cy - 4}v8m5 -8v8` }, part);
    });
    if (state.label) make("text", { x, y: top + height - 6, class: "label" }, parent).textContent = state.label;
    if (state.broken !== undefined) make("path", { class: "state bad", d: diamond(left + width, top, 8) }, link(svg, to + state.broken, `Open the first in which a property breaks: ${state.text}`));
    if (state.settled !== undefined) make("circle", { class: "state settled", cx: left, cy: top, r: 6 }, link(svg, to + state.settled, `Open the first that is settled: ${state.text}`));
    if (state.first >= 0) make("text", { x, y: top + height + 14, class: "many" }, link(svg, among + i, `${many} states to list: ${state.text}`)).textContent = many;
  };
  const draw = () => {
    const map = document.getElementById("map");
    if (!map) return;
    const data = JSON.parse(document.getElementById("map-data").textContent), graph = lay(data);
    const { width, height } = graph.graph(), place = (i) => graph.node(String(i));
    const svg = make("svg", { width, height, viewBox: `0 0 ${width} ${height}`, role: "group", "aria-label": "States", class: data.merged ? "merged" : "" }, map);
    if (data.merged) {
      make("rect", { class: "paper", width, height }, svg);
      for (const kind of ["", "lit", "run"]) {
        const tip = make("marker", { id: `tip${kind}`, viewBox: "0 0 8 8", refX: 4, refY: 4, markerWidth: 8, markerHeight: 8, markerUnits: "userSpaceOnUse", orient: "auto" }, svg);
        make("path", { class: `tip ${kind}`, d: "M0 0l8 4l-8 4z" }, tip);
      }
    }
    for (const { from, to, kind, run } of data.steps) {
      const forward = data.states[to].layer === data.states[from].layer + 1;
      const drawn = make("path", { class: `step ${kind || (forward ? "" : "aside")}${run ? " run" : ""}`, d: line(place(from), place(to), forward && graph.edge(String(from), String(to)).points) }, svg);
      if (!data.merged) continue;
      // The arrow is in the middle, where no box hides it.
      const length = drawn.getTotalLength(), at = drawn.getPointAtLength(length / 2), before = drawn.getPointAtLength(length / 2 - 2);
      make("path", { class: "pointer", d: `M${before.x} ${before.y}L${at.x} ${at.y}`, "marker-end": `url(#tip${run ? "run" : kind === "lit" ? "lit" : ""})` }, svg);
    }
    data.states.forEach((state, i) => (data.merged ? box : dot)(svg, data, state, place(i), i));
    const now = svg.querySelector(".now") ?? svg.querySelector("a"), { x, y } = now.getBBox();
    map.scrollLeft = x - map.clientWidth / 2;
    if (now.classList.contains("now")) map.scrollTop = y - map.clientHeight / 2;
  };
  document.addEventListener("explorer-page", draw);
  draw();
})();
