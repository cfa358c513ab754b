// Maps and photos of them: how near they are, what is in sight, what the keyboard does.
import { each } from "./page.js";

// Maps are near enough for thumbs at first; a button shows the whole. The middle of interest is scrolled to.
each("[data-map]", (frame) => {
  const scroll = frame.querySelector(".map-scroll");
  const button = document.createElement("button");
  button.type = "button";
  button.className = "zoom";
  const name = () => { button.textContent = frame.classList.contains("near") ? frame.dataset.zoomOut : frame.dataset.zoomIn; };
  const look = () => {
    const marks = [".route, .hex.chosen", ".hex.last", ".hex.doubt", ".hex.open", ".hex.target", ".hex .train", ".hex", ".marks polygon", "svg, img"];
    const found = marks.map((mark) => [...scroll.querySelectorAll(mark)]).find((list) => list.length);
    const boxes = found.map((element) => element.getBoundingClientRect());
    const middle = (low, high) => (Math.min(...boxes.map((b) => b[low])) + Math.max(...boxes.map((b) => b[high]))) / 2;
    const frameBox = scroll.getBoundingClientRect();
    scroll.scrollBy(middle("left", "right") - frameBox.x - frameBox.width / 2, middle("top", "bottom") - frameBox.y - frameBox.height / 2);
  };
  button.addEventListener("click", () => {
    frame.classList.toggle("near");
    sessionStorage.setItem("map", frame.classList.contains("near") ? "near" : "whole");
    name();
    look();
  });
  frame.classList.toggle("near", sessionStorage.getItem("map") !== "whole");
  name();
  frame.append(button);
  look();
  // A photo has no height before it has come.
  scroll.querySelectorAll("img").forEach((photo) => photo.addEventListener("load", look));
});
// Where the sheet of a hex lies over the page, its hex is in sight above it.
const sheet = document.querySelector(".choice-panel");
if (sheet && getComputedStyle(sheet).position === "fixed") document.querySelector(".hex.chosen")?.closest("[data-map]").scrollIntoView();

// By keyboard Escape closes the sheet of a hex, and the way goes on from that hex.
document.addEventListener("keydown", (event) => {
  const close = event.key === "Escape" && !document.querySelector("dialog[open]") && document.querySelector(".close");
  if (close) location.assign(close.href.split("#")[0]);
});
const hexes = [...document.querySelectorAll(".map a")], href = (link) => link.getAttribute("href");
hexes.forEach((link) => link.addEventListener("click", () => sessionStorage.setItem("hex", href(link))));
if (!document.querySelector(".close")) {
  if (!location.hash) hexes.find((link) => href(link) === sessionStorage.getItem("hex"))?.focus({ preventScroll: true });
  sessionStorage.removeItem("hex");
}

// The way chosen in the list stands out on the map.
each("form[data-routes]", (form) => {
  const show = () => {
    const radio = form.querySelector("input[name=notation]:checked");
    const taken = radio ? radio.dataset.route : "0";
    each(".route", (route) => route.classList.toggle("taken", route.dataset.route === taken));
  };
  form.addEventListener("change", show);
  show();
});
