// What is filled in and not sent yet is there again after a reload, in another language and after a refusal, and in a form
// with data-keep also after other pages. Only what a person changed is put back, for others may have changed the rest.
import { each } from "./page.js";

const answers = (form) => [...form.querySelectorAll("select, input:not([type=hidden], [type=file], [type=image], [type=password])")];
// The value of a radio button or a tick is what it stands for, whether it is chosen or not.
const ticks = (field) => "radio checkbox".includes(field.type);
const proposed = (list) => ([...list.options].find((option) => option.defaultSelected) ?? list.options[0]).value;
const before = (field) => ticks(field) ? field.defaultChecked : field.defaultValue ?? proposed(field);
const now = (field) => ticks(field) ? field.checked : field.value;

// By its place a tick would be another once the list is shorter; that something is so was said of what stood there then.
const called = (field) => ticks(field) ? `${field.name} ${field.value}` : field.name;
const which = (field) => {
  const same = answers(field.form).filter((other) => called(other) === called(field));
  return [called(field), same.indexOf(field), document.getElementsByName(field.dataset.sure ?? "")[0]?.value].join(" ");
};

// Without data-keep it is the same form only where it asks the very same, which its hidden fields tell.
const identity = (form) => {
  const hidden = [...form.querySelectorAll("input[type=hidden]")].map(({ name, value }) => `${name}=${value}`);
  return [new URL(form.action).pathname, form.dataset.keep ?? hidden.join("&")].join(" ");
};

const recall = () => Object.entries(JSON.parse(sessionStorage.getItem("typed") ?? "{}"));
const remember = (forms) => sessionStorage.setItem("typed", JSON.stringify(Object.fromEntries(forms)));

// What was sent has been accepted, unless the page that follows says that it was not.
const refused = "refused" in document.body.dataset, known = recall().filter(([, { sent }]) => refused || !sent);
const putBack = new Set();
each("main form", (form) => {
  const { filled = {} } = new Map(known).get(identity(form)) ?? {};
  for (const field of answers(form)) {
    if (!(which(field) in filled)) continue;
    const [value, instead] = filled[which(field)];
    // Where somebody else has changed it meanwhile, the server asks once more whether it is so, as of who has not seen it.
    const meanwhile = ![value, instead].some((known) => `${known}`.trim() === `${before(field)}`.trim());
    for (const hidden of [form.elements.seen, form.elements.was]) if (meanwhile && hidden) hidden.value = "";
    field[ticks(field) ? "checked" : "value"] = value;
    putBack.add(field);
  }
});
remember(known.filter(([, { lasts }]) => lasts).map(([form, was]) => [form, { ...was, sent: false }]));

let sent;
document.addEventListener("submit", (event) => { if (!event.defaultPrevented) sent = event.target; });
window.addEventListener("pageshow", (event) => { if (event.persisted) sent = undefined; });
window.addEventListener("pagehide", () => {
  // On a page that refused it what was filled in is proposed again. Nothing but another choice undoes a radio button.
  const changed = (field) => (now(field) !== before(field) || refused && putBack.has(field)) && (field.type !== "radio" || field.checked);
  const asking = [...document.querySelectorAll("main form")].filter((form) => answers(form).length);
  const own = asking.map((form) => {
    const filled = Object.fromEntries(answers(form).filter(changed).map((field) => [which(field), [now(field), before(field)]]));
    return [identity(form), { filled, sent: form === sent, lasts: "keep" in form.dataset }];
  });
  remember([...recall(), ...own]);
});
