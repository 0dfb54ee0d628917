// Queue: the downloads or uploads of one page, filtered by the address; select some and act on them.

import { can, get, newIdempotencyKey, post, query } from "./api.js";
import { button, confirm, element, field, keyed, link, row, setText, table } from "./dom.js";
import { announce, go, setTitle } from "./page.js";
import { after, nameCell, progressCell, rateCell, whyCell } from "./rows.js";
import { paced, subscribe } from "./stream.js";
import { text } from "./text.js";
import { everySecond, now, number, relativeTime, setRelative } from "./time.js";

const words = text.queue;
const pageLength = 100;
const filters = ["state", "q", "session", "origin", "error_code", "external_id", "created_after", "created_before", "completed_after"];
const ended = ["succeeded", "failed", "canceled"];
const open = ["waiting", "receiving", "running", "suspended", "attention_required"];

/** The states in which an action changes something: its button counts these. */
const statesOf = {
  suspend: ["waiting", "running"],
  resume: ["suspended", "attention_required"],
  cancel: open,
  retry: ["failed", "canceled"],
  delete: ended,
};

const cameFrom = new Map(); // The cursor of the page before, by the cursor of a page.

export default async function view(main, params, signal) {
  let rows = [];
  const chosen = new Set();
  let everything = null; // What each action would change of all that match, once somebody asked for it.
  const isUploads = () => params.get("kind") === "uploads";
  const collection = () => (isUploads() ? "v1/uploads" : "v1/downloads");
  const mayChange = () => can(isUploads() ? "uploads:write" : "downloads:write");

  const states = element("ul");
  const form = filterForm(() => params);
  const bar = element("div", { class: "actions", role: "group", "aria-label": words.selection });
  const all = field(words.selectAll, { type: "checkbox", on: { change: () => chooseAll(all.input.checked) } });
  const acts = element("div", { class: "actions" });
  bar.append(all.box, acts);
  const columns = [{ label: "" }, { label: words.name, isName: true }, { label: words.state }, { label: words.progress },
    { label: words.rate, class: "number" }, { label: words.when }];
  const list = table("", columns);
  list.tHead.rows[0].cells[0].append(element("span", { class: "unseen" }, words.select));
  const body = element("div");
  const pages = element("nav", { "aria-label": words.pages });
  const set = keyed(list.tBodies[0], (item) => item.id, (item) => queueRow(item, columns, chosen, showChosen));

  async function read() {
    const asked = params;
    const address = `${collection()}${query({
      view: "row", limit: pageLength, order: params.get("order"), cursor: params.get("cursor"), ...filterOf(params),
    })}`;
    const [found, overview] = await Promise.all([get(address, signal), get("v1/overview", signal)]);
    if (asked !== params) return;
    rows = found.data;
    showStates(states, params, overview);
    show(found);
  }

  function show(found) {
    const page = Number(params.get("page")) || 1;
    setTitle(text.views.queue, page > 1 ? text.page(page) : "");
    for (const id of [...chosen]) if (!rows.some((item) => item.id === id)) chosen.delete(id);
    set(rows);
    setText(list.caption, words.caption(rows.length, isUploads(), page));
    const isEmpty = rows.length === 0;
    if (isEmpty) body.replaceChildren(emptyWords(found, params));
    else if (body.firstChild !== list) body.replaceChildren(list);
    bar.hidden = isEmpty || !mayChange();
    showPages(pages, params, found.next_cursor, page);
    showChosen();
  }

  function chooseAll(isOn) {
    for (const item of rows) isOn ? chosen.add(item.id) : chosen.delete(item.id);
    for (const box of list.querySelectorAll("input[type=checkbox]")) box.checked = isOn;
    everything = null;
    showChosen();
  }

  /** The buttons for what is chosen; each says how many it is about. */
  function showChosen() {
    const picked = rows.filter((item) => chosen.has(item.id));
    if (picked.length === 0) everything = null;
    all.input.checked = rows.length > 0 && picked.length === rows.length;
    all.input.indeterminate = picked.length > 0 && picked.length < rows.length;
    const made = [];
    for (const action of Object.keys(statesOf)) {
      const ids = picked.filter((item) => statesOf[action].includes(item.state)).map((item) => item.id);
      const count = everything ? everything[action] : ids.length;
      if (count > 0) made.push({ action, ids, label: words.act[action](count, isUploads()) });
    }
    const hasMore = picked.length === rows.length && picked.length > 0 && !everything
      && (rows.length === pageLength || params.get("cursor"));
    setButtons([...made.map(({ action, ids, label }) => [label, () => act(action, ids, label), action]),
      ...(hasMore ? [[words.everything, countEverything, "everything"]] : [])]);
  }

  const kept = new Map();
  function setButtons(wanted) {
    for (const [key, made] of kept) if (!wanted.some(([, , name]) => name === key)) made.remove();
    for (const [label, run, key] of wanted) {
      if (!kept.has(key)) {
        const made = button("", () => made.run());
        if (key === "cancel" || key === "delete") made.className = "danger";
        kept.set(key, made);
      }
      const made = kept.get(key);
      made.run = run;
      setText(made, label);
      if (!made.isConnected) acts.append(made);
    }
  }

  const bulk = (body, dryRun) => post(`${collection()}/bulk${dryRun ? "?dry_run=true" : ""}`, body, signal,
    dryRun ? {} : { "Idempotency-Key": newIdempotencyKey() });

  function wholeFilter() {
    const filter = filterOf(params);
    filter.state = filter.state ? filter.state.split(",") : Object.keys(text.states).filter((state) =>
      isUploads() || state !== "receiving");
    return filter;
  }

  async function countEverything() {
    const filter = wholeFilter();
    const counts = {};
    await Promise.all(Object.keys(statesOf).map(async (action) => {
      counts[action] = (await bulk({ action, filter }, true)).changed;
    }));
    everything = counts;
    showChosen();
    announce(words.everythingChosen);
  }

  async function act(action, ids, label) {
    const isAll = everything !== null;
    const names = rows.filter((item) => ids.includes(item.id)).slice(0, 5).map((item) =>
      element("li", {}, element("bdi", {}, item.name || item.id)));
    if (action === "cancel" || action === "delete") {
      const content = element("div", {}, element("p", {}, words.warning[action]), isAll ? null : element("ul", {}, names),
        !isAll && ids.length > 5 ? element("p", {}, words.andMore(ids.length - 5)) : null);
      if (!(await confirm(`${label}?`, label, content))) return;
    }
    const answer = await bulk(isAll ? { action, filter: wholeFilter() } : { action, filter: { ids } }, false);
    announce(words.done[action](answer.changed, isUploads(), answer.over_quota || 0));
    chosen.clear();
    everything = null;
    for (const box of list.querySelectorAll("input[type=checkbox]")) box.checked = false;
    showChosen();
    all.input.focus();
    ask(true);
  }

  const ask = paced(read, signal);
  subscribe({
    events(list) {
      let isOther = false;
      const places = new Map(rows.map((item, place) => [item.id, place]));
      for (const { type, data } of list) {
        if (!type.endsWith(".progress")) isOther = true;
        const place = places.get(data.id);
        if (place !== undefined && data.state) rows[place] = after(rows[place], data);
      }
      set(rows);
      showChosen();
      if (isOther) ask();
    },
    reset: () => ask(true),
  }, signal);
  let passed = 0;
  everySecond(() => {
    const at = now();
    if (rows.some((item) => Date.parse(item.blocker?.until ?? "") > passed && Date.parse(item.blocker.until) <= at)) ask();
    passed = at;
  }, signal);
  passed = now();

  await read();
  main.append(
    element("div", { class: "actions" }, can("downloads:write") ? link("add", words.add) : null, kinds(() => params)),
    element("nav", { "aria-label": words.states }, states), form.element, bar, body, pages);
  if (can("downloads:write")) main.querySelector("a").className = "button";

  return {
    async update(next) {
      params = next;
      chosen.clear();
      everything = null;
      for (const box of list.querySelectorAll("input[type=checkbox]")) box.checked = false;
      form.show(params);
      main.querySelector("[data-kinds]")?.replaceWith(kinds(() => params) || "");
      try {
        await read();
        announce(words.found(rows.length, Number(params.get("page")) || 1));
      } catch (error) {
        if (error.name === "AbortError") return;
        rows = [];
        set(rows);
        body.replaceChildren(element("p", { class: "problem", role: "alert" }, error.detail || String(error)));
      }
    },
  };
}

/** The filters of an address, without what is empty. */
function filterOf(params) {
  return Object.fromEntries(filters.map((key) => [key, params.get(key)]).filter(([, value]) => value));
}

/** An address of the queue with other filters; it begins at the first page. */
function addressWith(params, changes) {
  const members = { kind: params.get("kind"), ...filterOf(params), order: params.get("order"), ...changes };
  if (members.order === "next" && members.state !== "waiting") members.order = null;
  const isEnded = (members.state || "").split(",").every((state) => ended.includes(state));
  if (/completed/.test(members.order || "") && !isEnded) members.order = null;
  return `queue${query(members)}`;
}

function kinds(params) {
  if (!can("uploads:read")) return null;
  const isUploads = params().get("kind") === "uploads";
  const one = (kind, label, isHere) => element("li", {}, element("a", {
    href: `queue${query({ kind })}`, "aria-current": isHere ? "true" : null }, label));
  return element("nav", { "aria-label": words.kinds, data: { kinds: "" } }, element("ul", {},
    one("", words.downloads, !isUploads), one("uploads", words.uploads, isUploads)));
}

/** Links to the states with their counts, such as "Suspended 500". */
function showStates(list, params, overview) {
  const isUploads = params.get("kind") === "uploads";
  const counts = isUploads ? overview.uploads || {} : overview.states;
  const present = params.get("state") || "";
  const made = [["", words.all], ...Object.entries(text.states).filter(([state]) => state in counts).map(([state, label]) => {
    const isCut = ended.includes(state) && counts[state] >= 10000 && !overview.states_are_complete;
    return [state, `${label} ${number(counts[state])}${isCut ? "+" : ""}`];
  })];
  made.forEach(([state, label], place) => {
    const anchor = list.children[place]?.firstChild
      || list.appendChild(element("li", {}, element("a"))).firstChild;
    setText(anchor, label);
    anchor.setAttribute("href", addressWith(params, { state }));
    if (state === present) anchor.setAttribute("aria-current", "true");
    else anchor.removeAttribute("aria-current");
  });
  while (list.children.length > made.length) list.lastElementChild.remove();
}

function filterForm(params) {
  const search = field(words.search, { type: "search", autocomplete: "off", spellcheck: "false", maxlength: 1024 });
  const session = field(words.session, { autocomplete: "off", spellcheck: "false", maxlength: 128 });
  const order = field(words.order, {}, "select");
  const more = element("p", { class: "hint" });
  const submit = () => go(addressWith(params(), {
    q: search.input.value.trim(), session: session.input.value.trim(), order: order.input.value }));
  const form = element("form", { role: "search" },
    element("div", { class: "fields" }, search.box, session.box, order.box,
      element("div", { class: "field" }, element("button", {}, words.filter))), more);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    submit();
  });
  order.input.addEventListener("change", submit);
  function show(now) {
    search.input.value = now.get("q") || "";
    session.input.value = now.get("session") || "";
    const state = now.get("state") || "";
    const isEnded = state && state.split(",").every((one) => ended.includes(one));
    const choices = ["", "created_at", ...(state === "waiting" ? ["next"] : []), ...(isEnded ? ["-completed_at", "completed_at"] : [])];
    order.input.replaceChildren(...choices.map((value) => element("option", { value }, words.orders[value])));
    order.input.value = now.get("order") || "";
    if (order.input.selectedIndex < 0) order.input.value = "";
    const others = filters.filter((key) => !["state", "q", "session"].includes(key) && now.get(key));
    const isFiltered = others.length || now.get("q") || now.get("session");
    more.hidden = !isFiltered;
    more.replaceChildren(...others.map((key) => element("span", {}, `${words.only[key] || key}: `,
      element("bdi", {}, now.get(key)), ". ")), link(`queue${query({ kind: now.get("kind"), state })}`, words.clear));
  }
  show(params());
  return { element: form, show };
}

function queueRow(first, columns, chosen, changed) {
  const select = element("input", { type: "checkbox", on: { change: () => {
    if (select.checked) chosen.add(first.id);
    else chosen.delete(first.id);
    changed();
  } } });
  const cells = [nameCell(), whyCell(), progressCell(), rateCell()];
  const when = relativeTime(first.created_at);
  return {
    element: row(columns, [select, ...cells.map((cell) => cell.nodes), when]),
    update(item) {
      if (this.shown === item) return;
      this.shown = item;
      select.setAttribute("aria-label", words.selectOne(item.name || item.id));
      for (const cell of cells) cell.update(item);
      setRelative(when, item.completed_at || item.created_at);
    },
  };
}

function emptyWords(found, params) {
  const isFiltered = Object.keys(filterOf(params)).length > 0 || params.get("cursor");
  if (found.truncated) return element("p", { class: "empty" }, words.truncated);
  if (isFiltered) return element("p", { class: "empty" }, words.nothingFits, " ", link(`queue${query({ kind: params.get("kind") })}`, words.clear));
  if (params.get("kind") === "uploads") return element("p", { class: "empty" }, words.noUploads);
  return element("p", { class: "empty" }, words.empty, " ", can("downloads:write") ? link("add", words.add) : null);
}

/** Links to the page before, if this tab has seen it, and to the next one. */
function showPages(nav, params, nextCursor, page) {
  const cursor = params.get("cursor") || "";
  const made = [];
  if (page > 1) {
    const before = cameFrom.get(cursor);
    made.push(before === undefined ? link(addressWith(params, {}), words.firstPage)
      : link(addressWith(params, { cursor: before, page: page > 2 ? page - 1 : "" }), text.previous));
  }
  if (nextCursor) {
    cameFrom.set(nextCursor, cursor);
    made.push(link(addressWith(params, { cursor: nextCursor, page: page + 1 }), text.next));
  }
  nav.hidden = made.length === 0;
  const list = nav.firstChild || nav.appendChild(element("ul"));
  made.forEach((anchor, place) => {
    const item = list.children[place] || list.appendChild(element("li"));
    if (item.firstChild) {
      setText(item.firstChild, anchor.textContent);
      item.firstChild.setAttribute("href", anchor.getAttribute("href"));
    } else item.append(anchor);
  });
  while (list.children.length > made.length) list.lastElementChild.remove();
}
