// Photos are sent, and shown to be read.
import { each } from "./page.js";
import { refuse, silence, unsendable } from "./sending.js";

// A photo is sent as soon as it is taken or chosen, beside the page: one that does not arrive stays, to be sent again.
const photoFields = (form) => [...form.querySelectorAll("input[type=file]")];
const ready = (form) => {
  form.querySelector(".sending").textContent = "";
  photoFields(form).forEach((input) => { input.disabled = false; input.value = ""; });
};
const deliver = async (form, data) => {
  const again = () => deliver(form, data);
  silence(form);
  form.querySelector(".sending").textContent = form.dataset.sending;
  photoFields(form).forEach((input) => { input.disabled = true; });
  try {
    const answer = await fetch(form.action, { method: "POST", body: data });
    if (answer.ok) return location.assign(answer.url);
    if (answer.status === 403) return location.reload(); // to where the code is asked for
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    refuse(form, page.querySelector("[role=alert]")?.textContent ?? form.dataset.failed, answer.status >= 500 && again);
  } catch {
    refuse(form, form.dataset.failed, again);
  }
  ready(form);
};
each("form[data-photo]", (form) => {
  for (const input of photoFields(form)) {
    input.addEventListener("change", () => {
      if (!input.files.length) return;
      const wrong = unsendable(form);
      if (wrong) {
        ready(form); // so that the same photo can be chosen again
        return refuse(form, wrong);
      }
      deliver(form, new FormData(form));
    });
  }
});
window.addEventListener("pageshow", () => each("form[data-photo]", ready));

// Which photo was chosen, on the button that chose it.
each("[data-chosen]", (input) => input.addEventListener("change", () => {
  const label = input.closest("label");
  label.classList.toggle("chosen", input.files.length > 0);
  if (input.files.length) label.firstChild.textContent = `✓ ${input.files[0].name.slice(0, 24)}`;
}));

// While a photo is read, its progress.
each("[data-status]", (box) => {
  const step = box.querySelector("[data-step]"), bar = box.querySelector("progress");
  const ask = async () => {
    try {
      const answer = await fetch(box.dataset.status);
      if (answer.status === 403) return location.reload(); // to where the code is asked for
      const { done, error, sentence, share } = await answer.json();
      if (done || error) return location.reload();
      step.textContent = sentence;
      bar.value = share;
    } catch {
      step.textContent = box.dataset.failed;
    }
    window.setTimeout(ask, 500);
  };
  window.setTimeout(ask, 300);
});
