// The page of Lull: routes, the key, the head. Static modules over the public API alone; served as they are written.
//
// A view is a module with `export default async function view(main, params, signal)`. `main` is an empty element of its
// own; `params` is the query of the address; `signal` is aborted when the view is left: hand it to every request and
// subscription, and what answers later is dropped. A refusal that it does not catch is shown in its place. It returns
// when there is something to see; with `{update(params)}` it is told of another query, instead of being made anew.
// A view stands in `views`, in index.html's navigation, in `PageFile.all`, and its words in text.js.

import { can, hasKey, keepKey, onLostKey, readRights, get, Problem, rights } from "./api.js";
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
const main = document.getElementById("main");
const cut = document.getElementById("cut");
let present = null; // The view that is shown: its route, its AbortController, and what it returned.

/** The key of `views` that an address of the page belongs to. */
function route({ pathname }) {
  return pathname.startsWith(home.pathname) ? pathname.slice(home.pathname.length) : null;
}

function travel(address, state = null) {
  history[address.href === location.href ? "replaceState" : "pushState"](state, "", address);
  show({ isMove: true });
}

function rename(name, more = "") {
  main.querySelector("h1")?.replaceChildren(element("bdi", {}, name));
  document.title = text.windowTitle(name, more);
}

/** Shows the view of the present address. After a move of the reader the heading has the focus. */
async function show({ isMove = false } = {}) {
  const here = route(location);
  if (present?.route === here && present.handle?.update) {
    present.handle.update(new URLSearchParams(location.search));
    return;
  }
  const mine = leave(here);
  const { signal } = mine.controller;
  for (const anchor of document.querySelectorAll("header nav a")) {
    anchor.ariaCurrent = route(new URL(anchor.href)) === here ? "page" : null;
  }
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
    const { search } = location;
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
  place.replaceChildren(problemBox(error), element("p", {}, element("a", { href: location.href, target: "_self" }, text.tryAgain)));
}

/** Ends the view that is shown; what it still gets is dropped. Gives the place of the next one. */
function leave(next) {
  present?.controller.abort();
  for (const dialog of document.querySelectorAll("dialog[open]")) dialog.close();
  present = { route: next, controller: new AbortController(), handle: null };
  return present;
}

/** Asks for a key in place of the view, and goes back to it with the new one. */
function showKeyForm(isRefused = hasKey()) {
  const mine = leave("key");
  stop();
  keepKey(null);
  showTools();
  const { box, input } = field(text.key.label, { type: "password", autocomplete: "off", "aria-describedby": "key-hint" });
  const fault = element("div", {}, isRefused && problemBox({ message: text.key.lost }));
  const submit = async (event) => {
    event.preventDefault();
    keepKey(input.value.trim());
    try {
      await enter(mine.controller.signal);
    } catch (error) {
      if (mine.controller.signal.aborted) return;
      keepKey(null);
      fault.replaceChildren(problemBox(error.status === 401 ? { message: text.key.refused } : error));
      input.focus();
    }
  };
  main.replaceChildren(element("h1"), element("form", { class: "key", on: { submit } }, fault, box,
    element("p", { id: "key-hint", class: "hint" }, text.key.hint), element("button", { class: "primary" }, text.key.use)));
  rename(text.key.title);
  input.focus();
}

/** Reads the rights of the key, then shows the view of the address. */
async function enter(signal) {
  await readRights(signal);
  showTools();
  if (can("downloads:read")) {
    await start();
    get("v1/policy").then(({ document: { time_zone: zone } }) => setPolicyZone(zone), () => {});
  }
  signal.throwIfAborted();
  await show({ isMove: document.activeElement !== document.body });
}

/** A button that is on or off. */
function toggle(words, title, isOn, change) {
  const click = () => change(made.ariaPressed !== "true");
  const made = element("button", { type: "button", "aria-pressed": String(isOn), title, on: { click } }, words);
  return made;
}

const live = toggle(text.live.button, null, true, (isOn) => setPaused(!isOn));
const letters = toggle(text.letters, text.lettersDo, !localStorage.getItem("lull-no-letters"), (isOn) => {
  localStorage.setItem("lull-no-letters", isOn ? "" : "1");
  letters.ariaPressed = String(isOn);
});
const scheme = element("select", { "aria-label": text.colours, on: { change() {
  localStorage.setItem("lull-scheme", scheme.value);
  root.dataset.scheme = scheme.value;
} } }, options(text.schemes));
scheme.value = root.dataset.scheme = localStorage.getItem("lull-scheme") || "system";
const forget = element("button", { type: "button", on: { click: () => showKeyForm(false) } }, text.key.forget);

/** The head's right side: whether the page is live, letters as keys, colours, and the key. */
function showTools() {
  document.getElementById("tools").replaceChildren(...rights ? [live] : [], letters, scheme, ...rights && hasKey() ? [forget] : []);
}

/** Says when the page is not live, and marks its figures as old. */
function showStatus(status) {
  const was = root.dataset.live;
  root.dataset.live = status;
  live.ariaPressed = String(status !== "paused");
  const isOld = status === "cut" || status === "paused";
  root.toggleAttribute("data-old", isOld);
  cut.hidden = !isOld;
  cut.textContent = isOld ? text.live[status](clock(cutSince)) : "";
  if (status === "cut") announce(text.live.ended);
  if (status === "live" && was === "cut") announce(text.live.again);
}

/** Letters as keys: `/` searches, `j` and `k` go to the next row and the one before, `x` selects it. */
function press(event) {
  if (letters.ariaPressed !== "true" || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target.closest?.("input:not([type=checkbox]), textarea, select, dialog")) return;
  const names = [...main.querySelectorAll("tbody th a")];
  const at = event.target.closest?.("tr")?.querySelector("th a");
  const place = names.indexOf(at);
  const found = {
    "/": () => main.querySelector("input[type=search]"),
    j: () => names[place + 1],
    k: () => names[Math.max(0, place - 1)],
    x: () => at?.closest("tr").querySelector("input[type=checkbox]"),
  }[event.key]?.();
  if (!found) return;
  event.preventDefault();
  if (event.key === "x") found.click();
  else found.focus();
}

document.addEventListener("keydown", press);
document.addEventListener("click", (event) => {
  const anchor = event.target.closest?.("a[href]");
  if (!anchor || event.defaultPrevented || event.button !== 0 || anchor.target || anchor.hasAttribute("download")) return;
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  const address = new URL(anchor.href);
  if (address.hash) {
    event.preventDefault();
    main.focus();
    return;
  }
  if (address.origin !== location.origin || !(route(address) in views)) return;
  event.preventDefault();
  if (rights) travel(address);
});
addEventListener("popstate", () => rights && show());

setRouter({ travel, rename });
watchStatus(showStatus);
onLostKey(() => rights !== null && showKeyForm());
showTools();
enter(leave("entering").controller.signal).catch((error) => {
  if (error.name === "AbortError") return;
  if (error.status === 401) showKeyForm();
  else {
    main.replaceChildren(element("h1", {}, text.unreachable));
    showFault(main.appendChild(element("div")), error);
  }
});
