// Queue: the downloads or uploads of one page, filtered by the address; select some and act on them.

import { can, get, newIdempotencyKey, post, query } from "./api.js";
import { button, confirm, element, field, fill, link, name, options, problemBox, row, swap, table } from "./dom.js";
import { announce, go, setTitle } from "./page.js";
import { follow, nameCell, progressCell, rateCell, statesFor, whyCell } from "./rows.js";
import { text } from "./text.js";
import { number, relativeTime } from "./time.js";

const words = text.queue;
const pageLength = 100;
const filters = ["state", "q", "session", "origin", "error_code", "external_id", "created_after", "created_before", "completed_after"];
const ended = statesFor.delete;
const columns = [{ label: "", head: element("span", { class: "unseen" }, words.select) },
  ...words.columns.map((label, place) => ({ label, isName: place === 0 }))];

export default async function view(main, params, signal) {
  let rows = [];
  let chosen = new Set();
  let everything = null; // How many each action would change of all that match, once somebody asked for it.
  const isUploads = () => params.get("kind") === "uploads";
  const collection = () => (isUploads() ? "v1/uploads" : "v1/downloads");

  const head = element("div", { class: "actions" });
  const states = element("nav", { "aria-label": words.states });
  const form = filterForm();
  const all = field(words.selectAll, { type: "checkbox", on: { change: () => choose(all.input.checked ? rows : []) } });
  const acts = element("div", { class: "actions" });
  const bar = element("div", { class: "actions", role: "group", "aria-label": words.selection }, all.box, acts);
  const list = table("", columns);
  const body = element("div");
  const pages = element("nav", { "aria-label": words.pages });

  async function read() {
    const asked = params;
    const members = { view: "row", limit: pageLength, order: params.get("order"), cursor: params.get("cursor") };
    const [found, overview] = await Promise.all([
      get(`${collection()}${query({ ...members, ...filterOf(params) })}`, signal), get("v1/overview", signal)]);
    if (asked !== params) return;
    rows = found.data;
    const page = Number(params.get("page")) || 1;
    setTitle(text.views.queue, page > 1 ? text.page(page) : "");
    list.caption.textContent = words.caption(rows.length, isUploads(), page);
    swap(head, [can("downloads:write") && element("a", { class: "button", href: "add" }, words.add), kinds(isUploads())]);
    swap(states, [links(statesWith(params, overview))]);
    swap(pages, [links(pagesWith(params, found.next_cursor, page))]);
    pages.hidden = !pages.firstChild;
    swap(body, rows.length ? [list] : [emptyWords(found, params)]);
    bar.hidden = rows.length === 0 || !can(isUploads() ? "uploads:write" : "downloads:write");
    showRows();
  }

  function showRows() {
    fill(list.tBodies[0], rows, (item) => row(columns, [
      element("input", { type: "checkbox", checked: chosen.has(item.id), "aria-label": words.selectOne(item.name || item.id), on: {
        change: ({ currentTarget: { checked } }) => choose(rows.filter(({ id }) => (id === item.id ? checked : chosen.has(id)))),
      } }),
      nameCell(item), whyCell(item), progressCell(item), rateCell(item), relativeTime(item.completed_at || item.created_at)]));
    showChosen();
  }

  function choose(items) {
    chosen = new Set(items.map(({ id }) => id));
    everything = null;
    for (const line of list.tBodies[0].rows) line.querySelector("input").checked = chosen.has(line.dataset.key);
    showChosen();
  }

  /** The buttons for what is chosen; each says how many it is about. */
  function showChosen() {
    const picked = rows.filter(({ id }) => chosen.has(id));
    const isAll = picked.length > 0 && picked.length === rows.length;
    if (!isAll) everything = null;
    all.input.checked = isAll;
    all.input.indeterminate = picked.length > 0 && !isAll;
    const made = Object.keys(statesFor).map((action) => {
      const ids = picked.filter(({ state }) => statesFor[action].includes(state)).map(({ id }) => id);
      const count = everything ? everything[action] : ids.length;
      const label = text.act(action, count, isUploads());
      const isFinal = action === "cancel" || action === "delete";
      return count > 0 && button(label, () => act(action, ids, label), { data: { key: action }, class: isFinal && "danger" });
    });
    const hasMore = isAll && !everything && !pages.hidden;
    swap(acts, [made, hasMore && button(words.everything, countEverything)]);
  }

  const bulk = (body, isTrial) => post(`${collection()}/bulk${isTrial ? "?dry_run=true" : ""}`, body, signal,
    isTrial ? {} : { "Idempotency-Key": newIdempotencyKey() });

    /** What the address filters by, of the states in which the action changes something. */
  function wholeFilter(action) {
    const filter = filterOf(params);
    const asked = filter.state?.split(",") || Object.keys(text.states).filter((state) => isUploads() || state !== "receiving");
    return { ...filter, state: statesFor[action].filter((state) => asked.includes(state)) };
  }

  async function countEverything() {
    everything = Object.fromEntries(await Promise.all(Object.keys(statesFor).map(async (action) => {
      const filter = wholeFilter(action);
      return [action, filter.state.length && (await bulk({ action, filter }, true)).changed];
    })));
    showChosen();
    announce(words.everythingChosen);
  }

  async function act(action, ids, label) {
    const scope = everything ? { filter: wholeFilter(action) } : { ids };
    if (words[action]) {
      const named = everything ? [] : rows.filter(({ id }) => ids.includes(id)).slice(0, 5);
      const content = [words[action], named.map((item) => element("p", {}, name(item.name || item.id))), ids.length > 5 && "…"];
      if (!(await confirm(`${label}?`, label, element("div", {}, content)))) return;
    }
    const { changed, over_quota: left } = await bulk({ action, ...scope });
    announce(text.done(action, changed, isUploads()) + (left ? words.overQuota(left) : ""));
    choose([]);
    all.input.focus();
    ask(true);
  }

  const untils = () => rows.map(({ blocker }) => blocker?.until);
  const ask = follow({ rows: () => rows, untils, show: showRows, read }, signal);
  form.show(params);
  await read();
  main.append(head, states, form.box, bar, body, pages);

  return {
    async update(next) {
      params = next;
      choose([]);
      form.show(params);
      try {
        await read();
        announce(list.caption.textContent);
      } catch (error) {
        if (!signal.aborted) swap(body, [problemBox(error)]);
      }
    },
  };
}

/** The filters of an address. */
const filterOf = (params) => Object.fromEntries([...params].filter(([key, value]) => filters.includes(key) && value));

const isEnded = (states) => (states || "").split(",").every((state) => ended.includes(state));

/** An address of the queue with other filters; it begins at the first page. */
function addressWith(params, changes) {
  const members = { kind: params.get("kind"), ...filterOf(params), order: params.get("order"), ...changes };
  const { order, state } = members;
  if ((order === "next" && state !== "waiting") || (/completed/.test(order) && !isEnded(state))) members.order = null;
  return `queue${query(members)}`;
}

/** A list of links: `[address, words, isHere]`. */
function links(items) {
  return items.length ? element("ul", {}, items.map(([href, label, isHere]) =>
    element("li", {}, element("a", { href, "aria-current": isHere ? "true" : null }, label)))) : null;
}

function kinds(isUploads) {
  return can("uploads:read") ? element("nav", { "aria-label": words.kinds }, links([
    ["queue", words.downloads, !isUploads], ["queue?kind=uploads", words.uploads, isUploads]])) : null;
}

/** Links to the states with their counts, such as "Suspended 500". */
function statesWith(params, { states, uploads, states_are_complete: areComplete }) {
  const counts = params.get("kind") === "uploads" ? uploads || {} : states;
  const link = (state, label) => [addressWith(params, { state }), label, (params.get("state") || "") === state];
  return [link("", words.all), ...Object.keys(text.states).filter((state) => state in counts).map((state) => {
    const isCut = ended.includes(state) && counts[state] >= 10_000 && !areComplete;
    return link(state, `${text.states[state]} ${number(counts[state])}${isCut ? "+" : ""}`);
  })];
}

/** Links to the next page and to the first; the browser goes back to the one before. */
function pagesWith(params, cursor, page) {
  return [page > 1 && [addressWith(params, {}), words.first],
    cursor && [addressWith(params, { cursor, page: page + 1 }), text.next]].filter(Boolean);
}

function filterForm() {
  let params;
  const search = field(words.search, { type: "search", autocomplete: "off" });
  const session = field(words.session, { autocomplete: "off" });
  const submit = (event) => {
    event.preventDefault();
    go(addressWith(params, { q: search.input.value.trim(), session: session.input.value.trim(), order: order.input.value }));
  };
  const order = field(words.order, { on: { change: submit } }, "select");
  const more = element("p", { class: "hint" });
  const box = element("form", { role: "search", on: { submit } }, element("div", { class: "fields" },
    search.box, session.box, order.box, element("div", { class: "field" }, element("button", {}, words.filter))), more);
  function show(shown) {
    params = shown;
    const { state, q, session: only, ...others } = filterOf(params);
    search.input.value = q || "";
    session.input.value = only || "";
    const choices = ["", "created_at", ...(state === "waiting" ? ["next"] : []), ...(isEnded(state) ? ["-completed_at", "completed_at"] : [])];
    order.input.replaceChildren(...options(choices.map((value) => [value, words.orders[value]])));
    order.input.value = choices.includes(params.get("order")) ? params.get("order") : "";
    const given = Object.entries(others);
    more.hidden = !given.length && !q && !only;
    swap(more, [...given.map(([key, value]) => element("span", {}, words.only(key), name(value), " ")),
      link(`queue${query({ kind: params.get("kind"), state })}`, words.clear)]);
  }
  return { box, show };
}

function emptyWords({ truncated }, params) {
  const kind = params.get("kind");
  const isFiltered = Object.keys(filterOf(params)).length > 0 || params.get("cursor");
  return element("p", { class: "empty" }, truncated ? words.truncated
    : isFiltered ? [words.nothingFits, link(`queue${query({ kind })}`, words.clear)] : kind ? words.noUploads : words.empty);
}
