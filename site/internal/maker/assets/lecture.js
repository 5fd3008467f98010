// A lecture counts predictions: the first choice of each question counts. The right one opens what
// comes next.
for (const fork of document.querySelectorAll(".fork")) {
  const choices = [...fork.querySelectorAll(":scope > .choices > .choice")];
  const next = fork.querySelector(":scope > .goes-on") || document.getElementById("ending");
  for (const choice of choices) choice.querySelector("summary").addEventListener("click", () => {
    if (choice.open) return; // it closes
    const right = choice.classList.contains("right");
    if (!fork.dataset.first) fork.dataset.first = right ? "right" : "not";
    if (right) next.open = true;
    const asked = document.querySelectorAll(".fork").length, all = [...document.querySelectorAll(".fork[data-first]")];
    document.getElementById("score").textContent = all.length + " of " + asked + " predicted, " +
      all.filter((f) => f.dataset.first === "right").length + " right at once.";
  });
}
// A link into the part that is folded opens it.
function unfold() {
  const to = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
  for (let d = to && to.closest("details"); d; d = d.parentElement.closest("details")) d.open = true;
}
addEventListener("hashchange", unfold);
unfold();
