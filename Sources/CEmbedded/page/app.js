// The page of Lull: routes, the key, the head. Static modules over the public API alone; served as they are written.
//
// A view is a module with `export default async function view(main, params, signal)`. `main` is an empty element of its
// own, `params` the query of the address; `signal` is aborted when the view is left: hand it to every request and
// subscription, and what answers later is dropped. A refusal that it does not catch is shown in its place. It returns
// when there is something to see; a view with `{update(params)}` gets another query by it, instead of being made anew.

import { can, get, hasKey, keepKey, onLostKey, Problem, readRights, rights } from "./api.js";
import { element, field, options, problemBox } from "./dom.js";
import { announce, home, setRouter } from "./page.js";
import { cutSince, setPaused, start, stop, watchStatus } from "./stream.js";
import { text } from "./text.js";
import { clock, setPolicyZone } from "./time.js";

const views = {
  "": () => import("./overview.js"),
  queue: () => import("./queue.js"),
  add: () => import("./add.js"),
  download: () => import("./download.js"),
  when: () => import("./when.js"),
  policy: () => import("./policy.js"),
  webhooks: () => import("./webhooks.js"),
  sessions: () => import("./sessions.js"),
};

const root = document.documentElement;
const [main, tools, cut] = ["main", "tools", "cut"].map((id) => document.getElementById(id));
let present = null; // The view that is shown: its route, its AbortController, and what it returned.

/** The key of `views` that an address of the page belongs to. */
const route = ({ pathname }) => (pathname.startsWith(home.pathname) ? pathname.slice(home.pathname.length) : null);

function travel(address, state = null) {
  history[address.href === location.href ? "replaceState" : "pushState"](state, "", address);
  show(true);
}

function rename(name, more = "") {
  main.querySelector("h1")?.replaceChildren(element("bdi", {}, name));
  document.title = text.windowTitle(name, more);
}

/** Shows the view of the present address. After a move of the reader the heading has the focus. */
async function show(isMove) {
  const here = route(location);
  const { search } = location;
  if (present.route === here && present.handle?.update) return present.handle.update(new URLSearchParams(search));
  const mine = leave(here);
  const { signal } = mine.controller;
  for (const anchor of document.querySelectorAll("header a")) anchor.ariaCurrent = route(anchor) === here ? "page" : null;
  const heading = element("h1", { tabindex: "-1" });
  const stage = element("div", { "aria-busy": "true" });
  main.replaceChildren(heading, stage);
  rename(here in views ? text.views[here || "overview"] : text.noSuchPage);
  if (isMove) {
    heading.focus({ preventScroll: true });
    scrollTo(0, 0);
  }
  try {
    const module = await views[here]?.();
    signal.throwIfAborted();
    mine.handle = await module?.default(stage, new URLSearchParams(search), signal);
    if (mine === present && location.search !== search) mine.handle?.update?.(new URLSearchParams(location.search));
  } catch (error) {
    if (signal.aborted) return;
    if (!(error instanceof Problem)) console.error(error);
    showFault(stage, error);
  } finally {
    stage.ariaBusy = null;
  }
}

function showFault(place, error) {
  place.replaceChildren(problemBox(error), element("a", { href: location.href, target: "_self" }, text.tryAgain));
}

/** Ends the view that is shown; what it still gets is dropped. Gives the place of the next one. */
function leave(next) {
  present?.controller.abort();
  for (const dialog of document.querySelectorAll("dialog")) dialog.close();
  present = { route: next, controller: new AbortController() };
  return present;
}

/** Asks for a key in place of the view, and goes back to it with the new one. */
function showKeyForm(isRefused = hasKey()) {
  const { signal } = leave("key").controller;
  stop();
  keepKey(null);
  showTools();
  const { box, input } = field(text.key.label, { type: "password", autocomplete: "off", "aria-describedby": "key-hint" });
  const fault = element("div", {}, isRefused && problemBox({ message: text.key.lost }));
  const submit = async (event) => {
    event.preventDefault();
    keepKey(input.value.trim());
    try {
      await enter(signal);
    } catch (error) {
      if (signal.aborted) return;
      keepKey(null);
      fault.replaceChildren(problemBox(error.status === 401 ? { message: text.key.refused } : error));
      input.focus();
    }
  };
  main.replaceChildren(element("h1"), element("form", { on: { submit } }, fault, box,
    element("p", { id: "key-hint", class: "hint" }, text.key.hint), element("button", { class: "primary" }, text.key.use)));
  rename(text.key.title);
  input.focus();
}

/** Reads the rights of the key, then shows the view of the address. */
async function enter(signal) {
  await readRights(signal);
  showTools();
  if (can("downloads:read")) {
    const policy = get("v1/policy", signal).then(({ document }) => setPolicyZone(document.time_zone), () => {});
    await Promise.all([start(), policy]);
  }
  signal.throwIfAborted();
  await show(document.activeElement !== document.body);
}

/** A button that is on or off. */
function toggle(words, isOn, change) {
  const click = () => change(made.ariaPressed !== "true");
  const made = element("button", { type: "button", "aria-pressed": String(isOn), on: { click } }, words);
  return made;
}

const live = toggle(text.live.button, true, (isOn) => setPaused(!isOn));
const letters = toggle(text.letters, !localStorage.getItem("lull-no-letters"), (isOn) => {
  localStorage.setItem("lull-no-letters", isOn ? "" : "1");
  letters.ariaPressed = String(isOn);
});
letters.title = text.lettersDo;
const scheme = element("select", { "aria-label": text.colours, on: { change() {
  localStorage.setItem("lull-scheme", scheme.value);
  root.dataset.scheme = scheme.value;
} } }, options(text.schemes));
scheme.value = root.dataset.scheme = localStorage.getItem("lull-scheme") || "system";
const forget = element("button", { type: "button", on: { click: () => showKeyForm(false) } }, text.key.forget);

/** The head's right side: whether the page is live, letters as keys, colours, and the key. */
const showTools = () => tools.replaceChildren(...rights ? [live] : [], letters, scheme, ...rights && hasKey() ? [forget] : []);

/** Says when the page is not live, and marks its figures as old. */
function showStatus(status) {
  const wasOld = "old" in root.dataset;
  const words = text.live[status]?.(clock(cutSince)) || "";
  root.toggleAttribute("data-old", words !== "");
  live.ariaPressed = String(status !== "paused");
  cut.hidden = !words;
  cut.textContent = words;
  if (status === "cut" && !wasOld) announce(text.live.isOld);
  if (status === "live" && wasOld) announce(text.live.again);
}

/** Letters as keys: `/` searches, `j` and `k` go to the next row and the one before, `x` selects it. */
function press(event) {
  if (letters.ariaPressed !== "true" || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target.closest("input:not([type=checkbox]), textarea, select, dialog")) return;
  const rows = [...main.querySelectorAll("tbody tr")];
  const at = rows.indexOf(event.target.closest("tr"));
  const found = {
    "/": () => main.querySelector("[type=search]"),
    j: () => rows[at + 1]?.querySelector("th a"),
    k: () => rows[at - 1]?.querySelector("th a"),
    x: () => rows[at]?.querySelector("[type=checkbox]"),
  }[event.key]?.();
  if (!found) return;
  event.preventDefault();
  if (event.key === "x") found.click();
  else found.focus();
}

function follow(event) {
  const anchor = event.target.closest("a[href]");
  if (!anchor || event.button !== 0 || anchor.target || anchor.hasAttribute("download")) return;
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  if (anchor.origin !== location.origin || !(route(anchor) in views)) return;
  event.preventDefault();
  if (anchor.hash) main.focus();
  else if (rights) travel(new URL(anchor.href));
}

document.addEventListener("keydown", press);
document.addEventListener("click", follow);
addEventListener("popstate", () => rights && show(false));
setRouter({ travel, rename });
watchStatus(showStatus);
onLostKey(() => rights && showKeyForm());
showTools();
enter(leave("entering").controller.signal).catch((error) => {
  if (error.status === 401) return showKeyForm();
  main.replaceChildren(element("h1", {}, text.unreachable), element("div"));
  showFault(main.lastChild, error);
});
