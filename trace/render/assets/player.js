// A stage on its own: play and pause, a step, and time on a slider.
(() => {
  const id = (name) => document.getElementById(name);
  const slider = id("time"), last = stage.told.length - 1;
  let playing = 0, before;
  const show = (time) => {
    slider.value = time;
    stage.draw(time);
    const row = Math.floor(time);
    id("told").textContent = `${row === 0 ? "Start" : stage.steps?.[row] ?? row}: ${stage.told[row]}`;
  };
  const play = (on) => {
    cancelAnimationFrame(playing);
    playing = 0;
    id("play").textContent = on ? "Pause" : "Play";
    if (!on) return;
    let time = Number(slider.value) >= stage.end ? 0 : Number(slider.value);
    before = undefined;
    const frame = (now) => {
      const seconds = ((now - (before ?? now)) / 1000) * Number(id("speed").value), next = stage.pass(1.5, time, seconds);
      const over = next >= stage.end || next < time;
      time = over ? stage.end : next;
      before = now;
      show(time);
      if (over) play(false);
      else playing = requestAnimationFrame(frame);
    };
    playing = requestAnimationFrame(frame);
  };
  id("play").addEventListener("click", () => play(playing === 0));
  id("next").addEventListener("click", () => {
    play(false);
    const now = Number(slider.value);
    show(Math.floor(now) >= last ? 0 : Math.floor(now) + 1);
  });
  slider.max = stage.end;
  slider.addEventListener("input", () => {
    play(false);
    show(Number(slider.value));
  });
  id("plays").hidden = false;
  document.documentElement.classList.add("js");
  show(0);
})();
