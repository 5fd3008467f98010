// Filters a list by the facets of its entries and by words. The choice is in the
// address, and in the links to other lists with the same bar.
"use strict";
(() => {
  const form = document.getElementById("filter");
  if (!form) return;
  const list = document.getElementById(form.dataset.of);
  const entries = [...list.querySelectorAll(".entry")], groups = [...list.querySelectorAll(".group")];
  const texts = entries.map((entry) => entry.textContent.toLowerCase());
  const choices = [...form.querySelectorAll("select")], text = document.getElementById("text"), shown = document.getElementById("shown");
  const others = [...form.querySelectorAll("a")].map((link) => [link, link.getAttribute("href")]);

  function filter() {
    const words = text.value.toLowerCase().split(/\s+/);
    let count = 0;
    entries.forEach((entry, i) => {
      const fits = choices.every(({ id, value }) => !value || (entry.getAttribute(`data-${id}`) ?? "").includes(`|${value}|`)) &&
        words.every((word) => texts[i].includes(word));
      entry.hidden = !fits;
      if (fits) count++;
    });
    for (const group of groups) group.hidden = !group.querySelector(".entry:not([hidden])");
    shown.textContent = `${count} of ${entries.length} ${form.dataset.things}${count ? "" : ": nothing fits. Choose less."}`;
    const chosen = [...choices, text].map(({ id, value }) => [id, value]).filter(([, value]) => value);
    const asked = chosen.length ? `?${new URLSearchParams(chosen)}` : "";
    history.replaceState(null, "", `${asked || location.pathname}${location.hash}`);
    for (const [link, to] of others) link.setAttribute("href", to + asked);
  }

  // A link to an entry shows it, whatever was filtered.
  function seek() {
    const entry = location.hash && document.getElementById(location.hash.slice(1));
    if (!entry || !entry.hidden) return;
    form.reset();
    filter();
    entry.scrollIntoView();
  }

  form.addEventListener("input", filter);
  form.addEventListener("submit", (event) => event.preventDefault());
  addEventListener("hashchange", seek);
  form.hidden = false;
  for (const [key, value] of new URLSearchParams(location.search)) {
    const choice = [...choices, text].find(({ id }) => id === key);
    if (choice && (choice === text || [...choice.options].some((option) => option.value === value))) choice.value = value;
  }
  filter();
  seek();
})();
