// What makes the pages pleasant; every page works without it. Sentences come from data attributes.
export const each = (selector, work) => document.querySelectorAll(selector).forEach(work);

each(".languages a", (link) => link.addEventListener("click", (event) => {
  // In the place of this page, for who goes back wants the one before.
  event.preventDefault();
  location.replace(link.href);
}));

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
    quote.setAttribute("aria-label", clause.id);
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

// Back to what was filled in, which the browser still knows.
each("a[data-back]", (link) => link.addEventListener("click", (event) => {
  if (!document.referrer.startsWith(location.origin)) return;
  event.preventDefault();
  history.back();
}));

// What was refused is told to whoever only hears the page, too.
if ("refused" in document.body.dataset && !document.querySelector("[autofocus]")) each("main [role=alert]", (alert) => {
  alert.tabIndex = -1;
  if (document.activeElement === document.body) alert.focus({ preventScroll: true });
});
each("[data-focus]", (panel) => panel.focus({ preventScroll: true }));

// None is ticked, or something else.
each("[data-or-none]", (choice) => choice.addEventListener("change", ({ target }) => {
  if (!target.checked) return;
  choice.querySelectorAll("input").forEach((tick) => { if ((tick.value === "none") !== (target.value === "none")) tick.checked = false; });
}));

// Who chooses anew what was proposed is sure of it.
each("[data-sure]", (tick) => document.getElementsByName(tick.dataset.sure)[0].addEventListener("change", () => { tick.checked = true; }));

// Another phone may have acted: say so, and let people finish what they look at.
const body = document.body.dataset;
if (body.versionUrl) {
  const ask = async () => {
    try {
      const answer = await fetch(body.versionUrl);
      // Of a game that was put away the link tells.
      if (answer.status === 404 || answer.ok && (await answer.json()).version !== body.version) return tell();
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
