// The page of Lull: routes, the key, the head. Static modules over the public API alone; served as they are written.
//
// How to add a view:
// 1. Write `name.js` with `export default async function view(main, params, signal)`. `main` is an empty element of
//    yours; `params` is the URLSearchParams of the address; `signal` is aborted when the view is left. Hand the signal to
//    every request and subscription: what answers later is dropped. A refusal that you do not catch is shown in place of
//    the view. Return when there is something to see. A view that returns `{update(params)}` is told of another query of
//    its own address, instead of being made anew.
// 2. Enter it in `views` below, in the navigation of index.html, in the table of files that the service serves, and
//    its words in text.js: no other file has any.
// 3. Make elements with dom.js, times with time.js, requests with api.js; live data come from stream.js
//    (`subscribe`, `paced`), names and announcements go through page.js.

import { can, hasKey, keepKey, onLostKey, readRights, get, Problem, rights } from "./api.js";
import { element, field, problemBox } from "./dom.js";
import { announce, home, setRouter } from "./page.js";
import { cutSince, setPaused, start, stop, watchStatus } from "./stream.js";
import { text } from "./text.js";
import { clock, setPolicyZone } from "./time.js";

const views = {
  "": { name: text.views.overview, load: () => import("./overview.js") },
  queue: { name: text.views.queue, load: () => import("./queue.js") },
  add: { name: text.views.add, load: () => import("./add.js") },
  download: { name: text.views.download, load: () => import("./download.js") },
  when: { name: text.views.when, load: () => import("./when.js") },
  policy: { name: text.views.policy, load: () => import("./policy.js") },
  webhooks: { name: text.views.webhooks, load: () => import("./webhooks.js") },
  sessions: { name: text.views.sessions, load: () => import("./sessions.js") },
};

const main = document.getElementById("main");
const tools = document.getElementById("tools");
let present = null; // The view that is shown: its route, its AbortController, and what it returned.

/** The key of `views` that an address of the page belongs to. */
function route(address) {
  return address.pathname.startsWith(home.pathname) ? address.pathname.slice(home.pathname.length) : null;
}

function travel(address, { replace = false, state = null } = {}) {
  const isSame = route(address) === present?.route && address.search === location.search;
  history[replace || isSame ? "replaceState" : "pushState"](state, "", address);
  show({ isMove: !replace });
}

function rename(name, more = "") {
  const heading = main.querySelector("h1");
  if (heading) heading.replaceChildren(element("bdi", {}, name));
  document.title = text.windowTitle(name, more);
}

/** Shows the view of the present address. After a move of the reader the heading has the focus. */
async function show({ isMove = false } = {}) {
  const address = new URL(location.href);
  const here = route(address);
  const params = address.searchParams;
  if (present?.route === here && present.handle?.update) {
    present.handle.update(params);
    return;
  }
  const mine = leave(here);
  const view = views[here];
  for (const anchor of document.querySelectorAll("header nav a")) {
    const isHere = route(new URL(anchor.href)) === here;
    if (isHere) anchor.setAttribute("aria-current", "page");
    else anchor.removeAttribute("aria-current");
  }
  const heading = element("h1", { tabindex: "-1" }, view ? view.name : text.noSuchPage);
  const stage = element("div", { class: "view", data: { view: here || "overview" } });
  main.replaceChildren(heading, stage);
  document.title = text.windowTitle(heading.textContent);
  if (isMove) {
    heading.focus({ preventScroll: true });
    scrollTo(0, 0);
  }
  if (!view) return;
  stage.setAttribute("aria-busy", "true");
  try {
    const module = await view.load();
    if (mine.controller.signal.aborted) return;
    mine.handle = await module.default(stage, params, mine.controller.signal);
    if (mine === present && location.search !== address.search && mine.handle?.update) {
      mine.handle.update(new URLSearchParams(location.search));
    }
  } catch (error) {
    if (error.name === "AbortError" || mine.controller.signal.aborted) return;
    if (!(error instanceof Problem)) console.error(error);
    stage.replaceChildren(problemBox(error), element("p", {}, element("a", { href: address.href }, text.tryAgain)));
  } finally {
    stage.removeAttribute("aria-busy");
  }
}

/** Ends the view that is shown; what it still gets is dropped. Gives the place of the next one. */
function leave(next) {
  present?.controller.abort(new DOMException("left", "AbortError"));
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
  const { box, input } = field(text.key.label, {
    type: "password", autocomplete: "off", spellcheck: "false", required: true, "aria-describedby": "key-hint",
  });
  const fault = element("div", {});
  const form = element("form", { class: "key" }, box, element("p", { id: "key-hint", class: "hint" }, text.key.hint),
    element("button", { class: "primary" }, text.key.use), fault);
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const key = input.value.trim();
    if (!/^[!-~]+$/.test(key)) return;
    keepKey(key);
    try {
      await enter(mine.controller.signal);
    } catch (error) {
      if (error.name === "AbortError") return;
      keepKey(null);
      const words = error.status === 401 ? new Problem(401, { detail: text.key.refused }) : error;
      fault.replaceChildren(problemBox(words));
      input.focus();
    }
  });
  main.replaceChildren(element("h1", { tabindex: "-1" }, text.key.title),
    isRefused ? element("p", { class: "problem", role: "alert" }, text.key.lost) : "", form);
  document.title = text.windowTitle(text.key.title);
  input.focus();
}

/** Reads the rights of the key, then shows the view of the address. */
async function enter(signal) {
  await readRights(signal);
  if (can("downloads:read")) {
    readPolicyZone();
    start();
  }
  showTools();
  present = null;
  await show({ isMove: document.activeElement !== document.body });
}

async function readPolicyZone() {
  try {
    setPolicyZone((await get("v1/policy")).document?.time_zone);
  } catch {
    // Times are shown in the browser's zone alone.
  }
}

/** The head's right side: whether the page is live, colours, and the key. */
function showTools() {
  const live = element("button", { type: "button", "aria-pressed": "true", id: "live" }, text.live.button);
  live.addEventListener("click", () => setPaused(live.getAttribute("aria-pressed") === "true"));
  const scheme = element("select", { id: "scheme" }, Object.entries(text.schemes).map(([value, words]) =>
    element("option", { value }, words)));
  scheme.value = localStorage.getItem("lull-scheme") || "system";
  scheme.addEventListener("change", () => {
    localStorage.setItem("lull-scheme", scheme.value);
    setScheme();
  });
  const leaveKey = hasKey() && rights ? element("button", { type: "button" }, text.key.forget) : null;
  leaveKey?.addEventListener("click", () => {
    keepKey(null);
    showKeyForm(false);
  });
  tools.replaceChildren(...[
    rights ? live : null,
    element("label", { for: "scheme", class: "quiet" }, text.colours), scheme,
    leaveKey,
  ].filter(Boolean));
  showStatus(document.documentElement.dataset.live);
}

function setScheme() {
  const chosen = localStorage.getItem("lull-scheme") || "system";
  document.documentElement.dataset.scheme = chosen;
}

/** Says when the page is not live, and marks its figures as old. */
function showStatus(status) {
  const was = document.documentElement.dataset.live;
  document.documentElement.dataset.live = status;
  document.getElementById("live")?.setAttribute("aria-pressed", String(status !== "paused"));
  const line = document.getElementById("cut");
  const isOld = status === "cut" || status === "paused";
  line.hidden = !isOld;
  line.textContent = isOld ? text.live[status](clock(cutSince)) : "";
  if (status === "cut" && was !== "cut") announce(text.live.cutShort);
  if (status === "live" && was === "cut") announce(text.live.again);
}

document.addEventListener("click", (event) => {
  const anchor = event.target.closest?.("a[href]");
  if (!anchor || event.defaultPrevented || event.button !== 0) return;
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  if (anchor.target || anchor.hasAttribute("download") || anchor.getAttribute("href").startsWith("#")) return;
  const address = new URL(anchor.href);
  if (address.origin !== location.origin || !(route(address) in views)) return;
  event.preventDefault();
  if (rights) travel(address);
});

addEventListener("popstate", () => rights && show());

setRouter(travel, rename);
setScheme();
watchStatus(showStatus);
onLostKey(() => rights !== null && showKeyForm());
showTools();
const entering = leave("entering");
enter(entering.controller.signal).catch((error) => {
  if (error.name === "AbortError") return;
  if (error.status === 401) showKeyForm();
  else main.replaceChildren(element("h1", {}, text.unreachable), problemBox(error),
    element("p", {}, element("a", { href: location.href, target: "_self" }, text.tryAgain)));
});
