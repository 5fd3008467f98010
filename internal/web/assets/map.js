// Draws the map of all states: dagre lays out the steps that lead down, and
// the others are drawn between the dots.
"use strict";
(() => {
  const make = (name, attributes, parent) => {
    const node = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
    parent.append(node);
    return node;
  };
  const lay = ({ states, steps }) => {
    const graph = new dagre.graphlib.Graph().setGraph({ ranksep: 34, nodesep: 10, edgesep: 4, marginx: 40, marginy: 16 });
    states.forEach((_, i) => graph.setNode(String(i), { width: 16, height: 16 }));
    for (const { from, to } of steps) if (states[to].depth > states[from].depth) graph.setEdge(String(from), String(to), {});
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
  const draw = () => {
    const box = document.getElementById("map");
    if (!box) return;
    const data = JSON.parse(document.getElementById("map-data").textContent), graph = lay(data);
    const { width, height } = graph.graph(), place = (i) => graph.node(String(i));
    const svg = make("svg", { width, height, viewBox: `0 0 ${width} ${height}`, role: "group", "aria-label": "States" }, box);
    for (const { from, to, kind } of data.steps) {
      const forward = data.states[to].depth > data.states[from].depth;
      make("path", { class: `step ${kind || (forward ? "" : "aside")}`, d: line(place(from), place(to), forward && graph.edge(String(from), String(to)).points) }, svg);
    }
    data.states.forEach((state, i) => {
      const { x, y } = place(i), parent = state.link ? make("a", { href: state.link, "aria-label": `${state.depth} steps: ${state.text}` }, svg) : svg;
      if (state.here) make("circle", { class: "here", cx: x, cy: y, r: 11 }, parent);
      const dot = state.kind === "bad" ? make("path", { class: "state bad", d: `M${x} ${y - 9}l9 9 -9 9 -9 -9z` }, parent) : make("circle", { class: `state ${state.kind}`, cx: x, cy: y, r: 7 }, parent);
      make("title", {}, dot).textContent = state.text;
    });
    box.scrollLeft = place(0).x - box.clientWidth / 2;
  };
  document.addEventListener("explorer-page", draw);
  draw();
})();
