// Demand tiles: how many of each are used too often or too seldom, and those that look like one that was changed.
import { each } from "./page.js";

const rowOf = (select) => select.closest(".tile-row");
// What is said of a tile besides, in a field that is sent only where it is so.
const flag = (select, name, so) => { rowOf(select).querySelector(`[name=${name}]`).disabled = !so; };
const flagged = (select, name) => !rowOf(select).querySelector(`[name=${name}]`).disabled;
const doubt = (select, doubtful) => {
  rowOf(select).classList.toggle("doubt", doubtful);
  rowOf(select).querySelector("[data-doubt]").hidden = !doubtful;
  flag(select, "unsure", doubtful);
};

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

  if (!form.dataset.told) return;
  // What a person has chosen stays, the rest is as the photo shows it to who knows that.
  const selects = [...form.querySelectorAll("select")], kept = `followed ${form.dataset.told}`;
  // Also after a reload, which puts back what had followed as if a person had chosen it.
  const before = JSON.parse(sessionStorage.getItem(kept) ?? "[]"), followed = new Set(selects.filter(({ name }) => before.includes(name)));
  let asked = 0;
  form.addEventListener("change", async ({ target }) => {
    doubt(target, false);
    followed.delete(target);
    // What was put back after a reload is a person's too.
    const byHand = (select) => select === target || !select.selectedOptions[0].defaultSelected && !followed.has(select);
    selects.filter(byHand).forEach((select) => flag(select, "told", true));
    const told = selects.filter((select) => flagged(select, "told"));
    const said = new URLSearchParams(told.map(({ name, value }) => [name, value]));
    const nth = ++asked, answer = await fetch(`${form.dataset.told}&${said}`).catch(() => null);
    if (!answer?.ok) return;
    const shown = await answer.json(), changed = [];
    if (nth !== asked) return;
    for (const select of selects) {
      if (flagged(select, "told") || !(select.name in shown)) continue;
      const [tile, doubtful] = shown[select.name], other = select.value !== tile;
      if (other) changed.push(select), followed.add(select);
      select.value = tile;
      // One that a person may have compared already is to be compared again.
      doubt(select, doubtful || other);
    }
    sessionStorage.setItem(kept, JSON.stringify([...followed].map(({ name }) => name)));
    count();
    const cities = changed.map((select) => rowOf(select).querySelector(".tile-number").textContent);
    if (cities.length) tally.textContent += ` ${tally.dataset.followed.replace("{cities}", cities.join(", "))}`;
  });
});
