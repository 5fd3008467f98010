// A stage on its own: play and pause, a step, and time on a slider.
(() => {
  const id = (name) => document.getElementById(name);
  const slider = id("time"), last = stage.told.length - 1;
  let playing = 0, before;
  const show = (time) => {
    slider.value = time;
    stage.draw(time);
    id("told").textContent = `${Math.floor(time) || "Start"}: ${stage.told[Math.floor(time)]}`;
  };
  const play = (on) => {
    cancelAnimationFrame(playing);
    playing = 0;
    id("play").textContent = on ? "Pause" : "Play";
    if (!on) return;
    let time = Number(slider.value) >= last ? 0 : Number(slider.value);
    before = undefined;
    const frame = (now) => {
      time = Math.min(last, time + (now - (before ?? now)) / 1500);
      before = now;
      show(time);
      if (time >= last) play(false);
      else playing = requestAnimationFrame(frame);
    };
    playing = requestAnimationFrame(frame);
  };
  id("play").addEventListener("click", () => play(playing === 0));
  id("next").addEventListener("click", () => {
    play(false);
    const now = Number(slider.value);
    show(now >= last ? 0 : Math.floor(now) + 1);
  });
  slider.max = last;
  slider.addEventListener("input", () => {
    play(false);
    show(Number(slider.value));
  });
  id("plays").hidden = false;
  document.documentElement.classList.add("js");
  show(0);
})();
