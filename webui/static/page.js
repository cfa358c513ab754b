// What makes the pages pleasant; every page works without it. Sentences come from data attributes.
"use strict";

const each = (selector, work) => document.querySelectorAll(selector).forEach(work);

// A radio button's or a tick's value is what it stands for, whether it is chosen or not.
const ticks = (field) => "radio checkbox".includes(field.type);

// What is filled in goes along into another language: the same page has the same fields in the same order.
const fields = () => [...document.querySelectorAll("main :is(input, select)")].filter((field) => !["hidden", "file", "image"].includes(field.type));
each(".languages a", (link) => link.addEventListener("click", (event) => {
  const filled = fields().map(({ name, value, checked }) => ({ name, value, checked }));
  sessionStorage.setItem("filled", JSON.stringify({ path: location.pathname, filled }));
  // In the place of this page, for who goes back wants the one before.
  event.preventDefault();
  location.replace(link.href);
}));
const { path, filled } = JSON.parse(sessionStorage.getItem("filled") ?? "{}");
sessionStorage.removeItem("filled");
if (path === location.pathname && fields().every((field, n) => field.name === filled[n]?.name)) {
  fields().forEach((field, n) => {
    if (ticks(field)) field.checked = filled[n].checked;
    else field.value = filled[n].value;
  });
}

// A clause is shown where it is cited, so that nothing filled in is left behind; its link leads to the page of all.
const quote = document.createElement("dialog");
document.addEventListener("click", async (event) => {
  const link = event.target.closest("a.rule");
  if (!link || link.pathname === location.pathname && !quote.open || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  try {
    const page = new DOMParser().parseFromString(await (await fetch(link.href)).text(), "text/html");
    const clause = page.getElementById(link.hash.slice(1)), shut = page.querySelector("#shut").content.firstElementChild;
    const [close, back] = shut.querySelectorAll("button"), before = quote.open ? [...quote.children] : [];
    close.addEventListener("click", () => quote.close());
    back.addEventListener("click", () => quote.replaceChildren(...before));
    back.hidden = !before.length;
    quote.replaceChildren(clause, shut);
  } catch {
    return location.assign(link.href);
  }
  // The links to other clauses hold for the page that it was taken from.
  quote.querySelectorAll("a.rule").forEach((other) => { other.href = `${link.pathname}${other.hash}`; });
  if (!quote.isConnected) document.body.append(quote);
  if (!quote.open) quote.showModal();
  quote.querySelector("button").focus({ preventScroll: true });
  quote.scrollTop = 0;
});
quote.addEventListener("click", (event) => event.target === quote && quote.close());

// By keyboard Escape closes the sheet of a hex, and the way goes on from that hex.
document.addEventListener("keydown", (event) => {
  const close = event.key === "Escape" && !quote.open && document.querySelector(".close");
  if (close) location.assign(close.href.split("#")[0]);
});
const hexes = [...document.querySelectorAll(".map a")], href = (link) => link.getAttribute("href");
hexes.forEach((link) => link.addEventListener("click", () => sessionStorage.setItem("hex", href(link))));
if (!document.querySelector(".close")) {
  if (!location.hash) hexes.find((link) => href(link) === sessionStorage.getItem("hex"))?.focus({ preventScroll: true });
  sessionStorage.removeItem("hex");
}

// What the server would refuse is said before it is sent, for that takes a while.
const unsendable = (form) => {
  const inputs = [...form.querySelectorAll("input[type=file]")], sizes = inputs.flatMap((input) => [...input.files].map((file) => file.size));
  const { megabytes, most, tooBig, tooMany, empty } = document.body.dataset;
  if (sizes.includes(0)) return empty;
  if (inputs.some((input) => input.files.length > Number(most))) return tooMany;
  return sizes.reduce((sum, size) => sum + size, 0) > Number(megabytes) * 1e6 ? tooBig : "";
};
const silence = (form) => form.querySelector(".away")?.remove();
const refuse = (form, sentence, again) => {
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

// A length is compared with what it can be while it is typed.
each("input[data-least]", (field) => field.addEventListener("input", () => {
  const mm = Number(field.value.replace(",", ".")), { least, most, beyond } = field.dataset;
  field.setCustomValidity(mm >= Number(least) && mm <= Number(most) ? "" : beyond);
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

// Back to what was filled in, which the browser still knows.
each("a[data-back]", (link) => link.addEventListener("click", (event) => {
  if (!document.referrer.startsWith(location.origin)) return;
  event.preventDefault();
  history.back();
}));

// Maps are near enough for thumbs at first; a button shows the whole. The middle of interest is scrolled to.
each("[data-map]", (frame) => {
  const scroll = frame.querySelector(".map-scroll");
  const button = document.createElement("button");
  button.type = "button";
  button.className = "zoom";
  const name = () => { button.textContent = frame.classList.contains("near") ? frame.dataset.zoomOut : frame.dataset.zoomIn; };
  const look = () => {
    const marks = [".route, .hex.chosen", ".hex.last", ".hex.doubt", ".hex.open", ".hex.target", ".hex .train", ".hex", "svg, img"];
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

// The way chosen in the list stands out on the map.
each("form[data-routes]", (form) => {
  const show = () => {
    const radio = form.querySelector("input[name=route]:checked");
    const taken = radio ? radio.dataset.route : "0";
    each(".route", (route) => route.classList.toggle("taken", route.dataset.route === taken));
  };
  form.addEventListener("change", show);
  show();
});
each("[data-focus]", (panel) => panel.focus({ preventScroll: true }));

// None is ticked, or something else.
each("[data-or-none]", (choice) => choice.addEventListener("change", ({ target }) => {
  if (!target.checked) return;
  choice.querySelectorAll("input").forEach((tick) => { if ((tick.value === "none") !== (target.value === "none")) tick.checked = false; });
}));

// Who chooses anew what was proposed is sure of it.
each("[data-sure]", (tick) => document.getElementsByName(tick.dataset.sure)[0].addEventListener("change", () => { tick.checked = true; }));

// What was filled in and is not saved yet is there again after another part of the page was sent or tapped, or a reload.
each("form[data-keep]", (form) => {
  const kept = `kept ${form.action} ${form.dataset.keep}`;
  const own = () => [...form.elements].filter((field) => field.name && !["hidden", "file", "submit"].includes(field.type));
  const before = (field) => ticks(field) ? field.defaultChecked : field.type === "text" ? field.defaultValue : [...field.options].find((option) => option.defaultSelected)?.value ?? field.options[0].value;
  const now = (field) => ticks(field) ? field.checked : field.value;
  const which = (field) => `${field.name} ${ticks(field) ? own().filter((other) => other.name === field.name).indexOf(field) : ""}`;
  const typed = JSON.parse(sessionStorage.getItem(kept) ?? "{}");
  for (const field of own()) if (which(field) in typed) field[ticks(field) ? "checked" : "value"] = typed[which(field)];
  let sent = false;
  form.addEventListener("submit", () => { sent = true; });
  window.addEventListener("pageshow", (event) => { if (event.persisted) sent = false; });
  window.addEventListener("pagehide", () => {
    const changed = own().filter((field) => now(field) !== before(field)).map((field) => [which(field), now(field)]);
    sessionStorage.setItem(kept, JSON.stringify(sent ? {} : Object.fromEntries(changed)));
  });
});

// Another phone may have acted: say so, and let people finish what they look at.
const body = document.body.dataset;
if (body.versionUrl) {
  const ask = async () => {
    try {
      const answer = await fetch(body.versionUrl);
      if (answer.ok && (await answer.json()).version !== body.version) return tell();
    } catch { /* the server is away: ask again */ }
    window.setTimeout(ask, 4000);
  };
  const tell = () => {
    const note = document.createElement("div");
    note.className = "moved";
    note.setAttribute("role", "status");
    const link = document.createElement("a");
    link.className = "button small";
    link.href = body.url;
    link.textContent = body.reload;
    note.append(body.moved, link);
    document.body.append(note);
  };
  window.setTimeout(ask, 4000);
}

// Demand tiles: how many of each are used too often or too seldom.
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
      const answer = await (await fetch(box.dataset.status)).json();
      if (answer.done || answer.error) return location.reload();
      step.textContent = answer.sentence;
      bar.value = answer.share;
    } catch {
      step.textContent = box.dataset.failed;
    }
    window.setTimeout(ask, 500);
  };
  window.setTimeout(ask, 300);
});

// Tapping in a photo: it fits the screen, and a glass shows what lies under the finger until it is let go.
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
  photo.addEventListener("contextmenu", (event) => event.preventDefault());
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
