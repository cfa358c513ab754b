// What is sent, and what is said where it cannot be.
import { each } from "./page.js";

// What the server would refuse is said before it is sent, for that takes a while.
export const unsendable = (form) => {
  const inputs = [...form.querySelectorAll("input[type=file]")], sizes = inputs.flatMap((input) => [...input.files].map((file) => file.size));
  const { megabytes, most, tooBig, tooMany, empty } = document.body.dataset;
  if (sizes.includes(0)) return empty;
  if (inputs.some((input) => input.files.length > Number(most))) return tooMany;
  return sizes.reduce((sum, size) => sum + size, 0) > Number(megabytes) * 1e6 ? tooBig : "";
};
export const silence = (form) => form.querySelector(".away")?.remove();
export const refuse = (form, sentence, again) => {
  const note = document.createElement("p");
  note.className = "alert away";
  note.setAttribute("role", "alert");
  note.textContent = sentence;
  if (again) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "button small";
    button.textContent = document.body.dataset.again;
    button.addEventListener("click", again);
    note.append(button);
  }
  silence(form);
  form.append(note);
  note.scrollIntoView({ block: "nearest" });
};

// What is no number, or no length that can be, is told while it is typed: the browser would tell it in its own language.
each("input[pattern]", (field) => field.addEventListener("input", () => {
  const number = Number(field.value.replace(",", ".")), { least, most, beyond = document.body.dataset.noNumber } = field.dataset;
  const outside = number < Number(least) || number > Number(most); // never so where no bounds are told
  field.setCustomValidity(outside || field.validity.patternMismatch ? beyond : "");
}));

// So is what was not chosen; a list may be filled in by another one, so it is looked at anew whenever something is pressed.
each("select[required]", (list) => {
  list.addEventListener("invalid", () => list.setCustomValidity(document.body.dataset.choose));
  list.form.addEventListener("click", () => list.setCustomValidity(""));
});

// Where the next question stands as soon as one is answered, a second tap was meant for the first.
const CALM_MS = 700, shown = performance.now(), answered = sessionStorage.getItem("answered");
sessionStorage.removeItem("answered");
each("form[data-calm]", (form) => form.addEventListener("submit", (event) => {
  if (!answered || performance.now() - shown > CALM_MS) return sessionStorage.setItem("answered", "yes");
  event.preventDefault();
  event.stopImmediatePropagation();
}));

// A form is sent once: a second tap would only be refused as stale.
// Without a server the browser would throw the page away, so it is asked for first.
const reached = () => fetch(document.querySelector("link[rel=icon]").href, { method: "HEAD", cache: "no-store" });
each("form[data-once]", (form) => form.addEventListener("submit", (event) => {
  if (form.dataset.reached) return delete form.dataset.reached;
  event.preventDefault();
  if (form.getAttribute("aria-busy") === "true") return;
  if (form.dataset.confirm && !window.confirm(form.dataset.confirm)) return;
  const wrong = unsendable(form);
  if (wrong) return refuse(form, wrong);
  silence(form);
  form.setAttribute("aria-busy", "true");
  reached().then(() => {
    form.dataset.reached = "yes";
    form.requestSubmit(event.submitter);
  }, () => {
    form.removeAttribute("aria-busy");
    refuse(form, document.body.dataset.away, () => form.requestSubmit(event.submitter));
  });
}));
// A page that the browser restores may have been left while one was being sent; one just loaded has sent none.
window.addEventListener("pageshow", (event) => {
  if (!event.persisted) return;
  each("[aria-busy]", (waiting) => waiting.removeAttribute("aria-busy"));
  each(".cross", (mark) => mark.remove());
});
