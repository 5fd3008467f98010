// Finds what has all words, names first. What is looked for is in the fragment of the
// address, so that a search can be linked.
"use strict";
(() => {
  const id = (name) => document.getElementById(name), most = 60;
  const all = JSON.parse(id("index").textContent).map((hit) => ({ ...hit, name: hit.title.toLowerCase(), all: `${hit.title} ${hit.kind} ${hit.text}`.toLowerCase() }));
  const find = () => {
    const text = id("words").value.trim().toLowerCase(), words = text.split(/\s+/);
    history.replaceState(null, "", text ? "#" + encodeURIComponent(text) : location.pathname);
    const rank = (hit) => (hit.name.startsWith(text) ? 0 : words.every((word) => hit.name.includes(word)) ? 1 : 2);
    const hits = text ? all.filter((hit) => words.every((word) => hit.all.includes(word))).sort((a, b) => rank(a) - rank(b)) : [];
    id("count").textContent = !text ? `${all.length} things to find` : hits.length === 0 ? "Nothing has all these words. Try fewer." : `${hits.length} found${hits.length > most ? `, the first ${most} here` : ""}`;
    id("hits").replaceChildren(...hits.slice(0, most).map((hit) => {
      const item = document.createElement("li"), link = document.createElement("a"), kind = document.createElement("span"), said = document.createElement("p");
      link.href = hit.to;
      link.textContent = hit.title;
      kind.className = "tag";
      kind.textContent = hit.kind;
      said.textContent = hit.text;
      item.append(link, " ", kind, said);
      return item;
    }));
  };
  // asked returns the words that the address has; what is no text as an address has it
  // stands for itself.
  const asked = () => {
    const text = location.hash.slice(1);
    try {
      return decodeURIComponent(text);
    } catch {
      return text;
    }
  };
  const begin = () => {
    id("words").value = asked();
    find();
  };
  id("search").addEventListener("input", find);
  id("search").addEventListener("submit", (event) => {
    event.preventDefault();
    document.querySelector("#hits a")?.click();
  });
  addEventListener("hashchange", begin);
  id("search").hidden = false;
  begin();
  id("words").focus();
})();
