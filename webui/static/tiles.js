// Demand tiles: how many of each are used too often or too seldom.
import { each } from "./page.js";

each("form[data-tiles]", (form) => {
  const tally = form.querySelector("[data-tally]");
  const count = () => {
    const used = {}, limits = {}, names = {};
    for (const option of form.querySelector("select").options) {
      if (!option.value) continue;
      used[option.value] = 0;
      limits[option.value] = Number(option.dataset.count);
      names[option.value] = option.textContent;
    }
    let left = 0;
    for (const select of form.querySelectorAll("select")) select.value ? used[select.value] += 1 : left += 1;
    const wrong = Object.keys(used).filter((key) => used[key] > limits[key]);
    const line = (key) => form.dataset.tiles.replace("{found}", used[key]).replace("{limit}", limits[key]).replace("{tile}", names[key]);
    tally.textContent = wrong.length ? wrong.map(line).join(" · ") : left ? form.dataset.left.replace("{n}", left) : tally.dataset.good;
  };
  form.addEventListener("change", count);
  // Who comes back finds the fields as they were, but only once the page is shown.
  window.addEventListener("pageshow", count);
});
