"use strict";
(() => {
  const id = (name) => document.getElementById(name);
  const form = id("filter");
  if (!form) return;
  const rows = [...id("table").tBodies[0].rows];
  const texts = rows.map((row) => row.textContent.toLowerCase());

  function filter() {
    const outcome = id("outcome").value, kind = id("kind").value;
    const words = id("text").value.toLowerCase().split(/\s+/);
    let shown = 0;
    rows.forEach((row, i) => {
      const fits = (!outcome || row.dataset.outcome === outcome) && (!kind || row.dataset.kind === kind) &&
        words.every((word) => texts[i].includes(word));
      row.hidden = !fits;
      if (fits) shown++;
    });
    id("shown").textContent = shown === 0 ? `0 of ${rows.length}: no claim fits. Choose less.` : `${shown} of ${rows.length}`;
    const asked = new URLSearchParams([["outcome", outcome], ["kind", kind], ["text", id("text").value]].filter(([, value]) => value)).toString();
    history.replaceState(null, "", `${asked ? `?${asked}` : location.pathname}${location.hash}`);
  }

  // A link to a claim shows it, whatever was filtered.
  function seek() {
    const row = location.hash && document.getElementById(location.hash.slice(1));
    if (!row || !row.hidden) return;
    form.reset();
    filter();
    row.scrollIntoView();
  }

  form.addEventListener("input", filter);
  form.addEventListener("submit", (event) => event.preventDefault());
  addEventListener("hashchange", seek);
  form.hidden = false;
  for (const [key, value] of new URLSearchParams(location.search)) if (["outcome", "kind", "text"].includes(key)) id(key).value = value;
  filter();
  seek();
})();
