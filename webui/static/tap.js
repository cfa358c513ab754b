// Tapping in a photo: it fits the screen, and a glass shows what lies under the finger until it is let go.
import { each } from "./page.js";

const ZOOM = 1.6; // of the photo's own pixels
const STEP = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const cross = (photo, at) => {
  const mark = document.createElement("div"), size = ["width", "height"].map((side) => Number(photo.getAttribute(side)));
  mark.className = "cross";
  [mark.style.left, mark.style.top] = at.map((place, axis) => `${100 * place / size[axis]}%`);
  photo.after(mark);
  return mark;
};
const tapping = (form) => {
  const photo = form.querySelector("input[type=image]"), frame = form.querySelector(".tap-frame"), glass = document.createElement("div");
  const size = ["width", "height"].map((side) => Number(photo.getAttribute(side)));
  // Where hexes are only chosen, a plain tap will do, and the photo can be moved under the finger.
  const exact = form.dataset.tap !== "hexes";
  glass.className = "glass";
  frame.classList.add("fits");
  const within = (point) => point.map((at, axis) => Math.min(Math.max(at, 0), size[axis] - 1));
  const place = (event) => {
    const box = photo.getBoundingClientRect();
    return within([(event.clientX - box.x) * size[0] / box.width, (event.clientY - box.y) * size[1] / box.height]);
  };
  const look = ([x, y]) => {
    if (!glass.isConnected) {
      glass.style.backgroundImage = `url("${photo.src}")`;
      document.body.append(glass);
    }
    const half = glass.clientWidth / 2, left = x > size[0] / 2;
    glass.style.backgroundSize = `${size[0] * ZOOM}px auto`;
    glass.style.backgroundPosition = `${half - x * ZOOM}px ${half - y * ZOOM}px`;
    // Beside the finger, and what is asked stays in sight.
    glass.style.top = `${document.querySelector("#ask").getBoundingClientRect().bottom + 8}px`;
    glass.style.left = left ? ".5rem" : "auto";
    glass.style.right = left ? "auto" : ".5rem";
  };
  const gone = () => glass.remove();
  // Neither a long press nor a mouse that moves has another meaning here.
  for (const other of ["contextmenu", "dragstart"]) photo.addEventListener(other, (event) => event.preventDefault());
  photo.addEventListener("pointerdown", (event) => {
    if (!exact || !event.isPrimary || event.button) return gone();
    photo.setPointerCapture(event.pointerId);
    look(place(event));
  });
  photo.addEventListener("pointermove", (event) => photo.hasPointerCapture(event.pointerId) && glass.isConnected && look(place(event)));
  photo.addEventListener("pointercancel", gone);
  photo.addEventListener("pointerup", (event) => {
    if (!glass.isConnected) return;
    gone();
    send(form, place(event));
  });
  photo.addEventListener("click", (event) => {
    event.preventDefault();
    if (!exact && event.detail) send(form, place(event));
  });
  // By keyboard a cross is moved, from the middle of the photo on, and shown in the same glass.
  let at = size.map((side) => side / 2), here;
  const put = () => { here?.remove(); gone(); };
  photo.addEventListener("blur", put);
  photo.addEventListener("keydown", (event) => {
    const step = STEP[event.key], far = event.shiftKey ? 1 : size[0] / 80;
    if (step) {
      look(at = within(at.map((place, axis) => place + step[axis] * far)));
      here?.remove();
      here = cross(photo, at);
      here.scrollIntoView({ block: "nearest" });
    } else if (event.key === "Enter" && glass.isConnected) {
      put();
      send(form, at);
    } else return;
    event.preventDefault();
  });
};
// The page that follows takes the place of this one, but for the photo, which would have to be fetched again.
const send = async (form, [x, y]) => {
  if (form.getAttribute("aria-busy") === "true") return;
  const ask = document.querySelector("#ask"), here = cross(form.querySelector("input[type=image]"), [x, y]);
  [form, ask].forEach((waiting) => waiting.setAttribute("aria-busy", "true"));
  const data = new FormData(form), refused = document.querySelector("#refused");
  data.set("at.x", x.toFixed(1));
  data.set("at.y", y.toFixed(1));
  try {
    const answer = await fetch(form.action, { method: "POST", body: data });
    if (answer.status === 403) return location.reload(); // to where the code is asked for
    const page = new DOMParser().parseFromString(await answer.text(), "text/html"), asked = page.querySelector("#ask");
    // The last tap of a copy leads to another page, which asks for something, too.
    if (answer.ok && new URL(answer.url).pathname !== location.pathname) return location.assign(answer.url);
    if (answer.ok && !asked) return location.reload();
    refused.textContent = answer.ok ? "" : page.querySelector("[role=alert]").textContent;
    if (asked) for (const part of ["#noted", "#ask", ".tap-fields", ".marks", "#instead"]) document.querySelector(part).replaceWith(page.querySelector(part));
  } catch {
    refused.textContent = document.body.dataset.away;
  }
  here.remove();
  [form, ask].forEach((waiting) => waiting.removeAttribute("aria-busy"));
};
each("form[data-tap]", tapping);
