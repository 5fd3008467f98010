// The explorer in the page: what a server would answer, a module of WebAssembly
// answers, in a worker. The address of a page of the explorer is the fragment of the
// address of this page, and all there is to know of its state. So Back and Forward lead to
// that state. Browsers keep the page with its worker meanwhile, and nothing starts again. Where
// they do not, as often for a page from a file, the explorer starts again at that state.
"use strict";
(() => {
  const $ = (id) => document.getElementById(id);
  const shell = $("shell"), said = $("said"), bar = $("bar"), page = $("page"), still = $("still");
  const say = (text, part) => {
    said.textContent = text;
    bar.hidden = part === undefined;
    if (part !== undefined && part >= 0) bar.value = part;
    else bar.removeAttribute("value");
    shell.hidden = text === "";
  };

  // The module. A server gives it compressed. From a file a browser fetches nothing,
  // and a script has it.
  const byScript = () => new Promise((done, failed) => {
    const script = document.createElement("script");
    script.src = "explorer/module.js";
    script.onload = () => done(Uint8Array.from(atob(self.bullyproofModule), (c) => c.charCodeAt(0)).buffer);
    script.onerror = () => failed(new Error("explorer/module.js is missing"));
    document.head.append(script);
  });
  const byFetch = async () => {
    const answer = await fetch("explorer/module.wasm.gz");
    if (!answer.ok) throw new Error(`explorer/module.wasm.gz: ${answer.status} ${answer.statusText}`);
    const parts = [], all = Number(page.dataset.size);
    let size = 0;
    for (const reader = answer.body.getReader(); ;) {
      const { done, value } = await reader.read();
      if (done) return new Blob(parts).arrayBuffer();
      parts.push(value);
      size += value.length;
      say(`Loading the explorer: ${(size / 1e6).toFixed(1)} of ${(all / 1e6).toFixed(1)} MB`, Math.min(1, size / all));
    }
  };

  // Requests to the worker, by their numbers.
  const waiting = new Map();
  let worker, number = 0;
  const start = async () => {
    if (typeof WebAssembly !== "object" || typeof DecompressionStream !== "function") {
      throw new Error("this browser has no WebAssembly, or cannot decompress it");
    }
    say("Loading the explorer", -1);
    const module = await (location.protocol === "file:" ? byScript() : byFetch());
    say("Starting the explorer", -1);
    const source = new Blob([$("worker").textContent], { type: "text/javascript" });
    worker = new Worker(URL.createObjectURL(source));
    await new Promise((ready, failed) => {
      worker.onerror = (event) => failed(new Error(event.message || "its worker does not start"));
      worker.onmessage = ({ data }) => {
        if (data.ready) ready();
        else if (data.failed) failed(new Error(data.failed));
        else {
          waiting.get(data.number)(data.answer);
          waiting.delete(data.number);
        }
      };
      worker.postMessage({ module }, [module]);
    });
    say("");
  };
  const ask = (method, address, type = "", body = new ArrayBuffer(0)) => new Promise((done) => {
    waiting.set(++number, done);
    worker.postMessage({ number, method, address, type, body });
  });
  // The answer to which others lead, and its address.
  const last = async (method, address, type, body) => {
    let answer = await ask(method, address, type, body);
    while (answer.status === 303) {
      address = answer.location;
      answer = await ask("GET", address);
    }
    return { answer, address };
  };

  // One page after the other. What is pressed while one is made is pressed on it.
  let ready = false, shown = "", busy = false, moved = false, pressed = [];
  const text = (answer) => new TextDecoder().decode(answer.body);
  const go = async (method, address, type, body) => {
    if (busy) return;
    busy = true;
    const at = shown === "" || (method === "GET" && address === here()) ? here() : undefined;
    if (address === "/open") keep(type, body);
    const late = setTimeout(() => say("Working", -1), 600);
    const { answer, address: to } = await last(method, address, type, body);
    clearTimeout(late);
    say("");
    show(to, new DOMParser().parseFromString(text(answer), "text/html"), at);
    busy = false;
    if (moved) {
      moved = false;
      go("GET", here());
      return;
    }
    const next = pressed.shift();
    if (next) document.body.dispatchEvent(new KeyboardEvent("keydown", { key: next, bubbles: true }));
  };
  self.explorerAnswer = async (address) => text((await last("GET", address)).answer);
  const show = (address, made, at) => {
    still.remove(); // an empty one would be a step of the history
    page.hidden = false;
    const banner = made.querySelector("header.bar"); // the site has one
    if (banner) {
      banner.setAttribute("role", "none");
      banner.querySelector(".brand").textContent = "All algorithms";
    }
    if (address !== shown) scrollTo({ top: 0, behavior: "instant" });
    shown = address;
    if (!moved && at !== address && at === here()) history.replaceState(null, "", "#" + address); // it led there
    else if (!moved && here() !== address) history.pushState(null, "", "#" + address);
    document.title = titled = made.title;
    page.replaceChildren(...made.body.children);
    document.dispatchEvent(new Event("explorer-page"));
  };
  const here = () => (location.hash.startsWith("#/") ? location.hash.slice(1) : "/");
  const save = async (link) => {
    const answer = await ask("GET", link.getAttribute("href"));
    const file = document.createElement("a");
    file.href = URL.createObjectURL(new Blob([answer.body], { type: answer.type }));
    file.download = link.download;
    file.click();
    URL.revokeObjectURL(file.href);
  };

  // Runs that were opened from files are opened again when the explorer starts again.
  const opened = "explorer-opened", mostKept = 1 << 20;
  const kept = () => {
    try {
      return JSON.parse(sessionStorage.getItem(opened)) ?? [];
    } catch {
      return []; // where nothing may be kept
    }
  };
  const keep = (type, body) => {
    const text = btoa(Array.from(new Uint8Array(body), (byte) => String.fromCharCode(byte)).join(""));
    try {
      if (text.length < mostKept) sessionStorage.setItem(opened, JSON.stringify([...kept(), { type, text }]));
    } catch {
      // it is not kept
    }
  };
  const reopen = async () => {
    for (const { type, text } of kept()) await ask("POST", "/open", type, Uint8Array.from(atob(text), (c) => c.charCodeAt(0)).buffer);
  };

  // While the module loads, the page of the run is there to be stepped through, if the site
  // has one. The explorer begins at the step to which its reader has come.
  const waitWith = () => {
    const { pathname, searchParams } = new URL(here(), "http://explorer/"), trace = searchParams.get("trace");
    const name = trace ?? (searchParams.has("path") ? "" : `election-${pathname.split("/")[2]}`);
    if (!pathname.startsWith("/explore/") || !page.dataset.runs.split(" ").includes(name)) return;
    const path = searchParams.get("path"), at = searchParams.get("at") ?? (path ? path.split("~").length : 0);
    still.src = `runs/${name}.html?embed#step-${at}`;
    still.hidden = false;
    page.hidden = true;
  };
  const reached = () => {
    try {
      const step = /^#step-(\d+)$/.exec(still.contentWindow.location.hash), to = new URL(here(), "http://explorer/");
      if (!still.hidden && step && step[1] !== "0" && to.searchParams.has("trace") && !to.searchParams.has("path")) return `${here()}&go=${step[1]}`;
    } catch {
      // A page from a file does not say where it is.
    }
    return here();
  };

  // Pages of the site are read in a frame, where a server gives them: so the explorer stays as
  // it is until somebody comes back to it. The address is then "#=" and that of the page.
  const home = new URL(".", location.href).href;
  const inside = (to) => ready && location.protocol !== "file:" && to.startsWith(home) && !to.endsWith("#main");
  const isExplorer = (to) => new URL(to).pathname === location.pathname;
  const visit = (to, push = true) => {
    const away = document.createElement("iframe");
    away.id = "away";
    away.title = "A page of the site";
    away.src = to;
    away.addEventListener("load", () => arrived(away, to));
    leave();
    document.body.append(away);
    document.body.classList.add("away");
    if (push) history.pushState(null, "", "#=" + to.slice(home.length));
  };
  const arrived = (away, to) => {
    let of;
    try {
      of = away.contentWindow;
      if (!of.document.querySelector("main")) throw new Error("no page of ours");
    } catch {
      location.href = to; // a server that has no page be framed, or none of ours
      return;
    }
    if (isExplorer(of.location.href)) {
      back(of.location.hash);
      return;
    }
    document.title = of.document.title;
    const keep = () => history.replaceState(null, "", "#=" + of.location.href.slice(home.length));
    keep();
    of.addEventListener("hashchange", keep);
    of.document.addEventListener("click", (event) => {
      const link = event.target.closest("a");
      if (!link || event.defaultPrevented || event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || link.target || link.download) return;
      if (isExplorer(link.href)) back(new URL(link.href).hash);
      else if (!link.href.startsWith(home)) location.href = link.href;
      else return;
      event.preventDefault();
    });
    of.document.addEventListener("keydown", (event) => { // a browser would print the frame around it
      if (event.key !== "p" || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      of.print();
    });
    of.focus();
  };
  const leave = () => {
    $("away")?.remove();
    document.body.classList.remove("away");
  };
  const back = (hash) => {
    leave();
    history.pushState(null, "", hash.startsWith("#/") ? hash : "#" + shown);
    if (here() === shown) document.title = titled;
    else go("GET", here());
  };
  let titled = document.title;

  document.addEventListener("click", (event) => {
    const link = event.target.closest("a");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const to = link.getAttribute("href");
    if (!page.contains(link)) {
      if (!inside(link.href)) return;
      if (isExplorer(link.href)) go("GET", "/");
      else visit(link.href);
    } else if (to.startsWith("#")) {
      $(to.slice(1)).focus();
    } else if (link.hasAttribute("download")) {
      save(link);
    } else if (to.startsWith("/")) {
      go("GET", to);
    } else {
      return;
    }
    event.preventDefault();
  });
  page.addEventListener("submit", async (event) => {
    const form = event.target, by = event.submitter;
    if (form.method === "dialog") return;
    event.preventDefault();
    const fields = new FormData(form, by), action = by?.getAttribute("formaction") || form.getAttribute("action");
    if (form.method === "post") {
      const body = new Response(fields);
      go("POST", action, body.headers.get("Content-Type"), await body.arrayBuffer());
    } else {
      go("GET", `${action}?${new URLSearchParams(fields)}`.replace(/%(3A|2C|2F|3D)/g, decodeURIComponent));
    }
  });
  addEventListener("keydown", (event) => {
    if (!busy || !event.isTrusted || event.ctrlKey || event.metaKey || event.altKey || event.key === "Tab") return;
    pressed.push(event.key);
    event.preventDefault();
    event.stopImmediatePropagation();
  }, true);
  addEventListener("popstate", () => {
    if (location.hash.startsWith("#=")) {
      if (ready) visit(home + location.hash.slice(2), false);
      return;
    }
    if ($("away")) {
      leave();
      document.title = titled;
    }
    if (busy) moved = true;
    else if (ready && here() !== shown) go("GET", here());
  });

  if (location.hash.startsWith("#=")) {
    location.replace(home + location.hash.slice(2)); // nothing waits here
    return;
  }
  waitWith();
  start().then(reopen).then(() => {
    ready = true;
    go("GET", reached());
  }, (error) => {
    say("");
    page.hidden = false;
    $("failed").textContent = `The explorer does not start: ${error.message}.`;
    $("failed").hidden = false;
  });
})();
