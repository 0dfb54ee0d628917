// One: why it does not run yet, what happened to it, its content, and all that is known of it.

import { can, get, post, query, request, service } from "./api.js";
import { button, buttonIf, confirm, element, facts, field, link, name, row, section, stateTag, swap, table } from "./dom.js";
import { announce, go, setTitle } from "./page.js";
import { progressCell, rateCell, statesFor } from "./rows.js";
import { paced, subscribe } from "./stream.js";
import { text } from "./text.js";
import { bytes, duration, everySecond, exactTime, now, number, relativeTime, withTimes } from "./time.js";

const words = text.one;
const ended = ["succeeded", "failed", "canceled"];
const mostEntries = 120; // Of the timeline: the newest.

export default async function view(main, params, signal) {
  const id = params.get("id");
  if (!id) {
    main.append(element("p", { class: "empty" }, words.noId, link("queue", words.toQueue)));
    return;
  }
  const isUpload = id.startsWith("up_");
  const path = `v1/${isUpload ? "uploads" : "downloads"}/${encodeURIComponent(id)}`;
  const writing = isUpload ? "uploads:write" : "downloads:write";
  let item = null;

  const head = element("div");
  const other = anotherAddress();
  const content = element("div");
  const timeline = element("ol", { "aria-label": words.timeline, class: "timeline" });
  const more = element("div");

  async function read() {
    const found = await get(path, signal);
    const isWaiting = found.state === "waiting" || found.state === "receiving";
    const none = () => ({ data: [] });
    const [attempts, events, explanation, deliveries] = await Promise.all([
      get(`${path}/attempts`, signal),
      get(`${path}/events?limit=200`, signal).catch(none),
      isWaiting ? get(`${path}/explain`, signal) : null,
      can("webhooks") && !isUpload ? get(`v1/webhook_deliveries${query({ download: id, limit: 50 })}`, signal).catch(none) : none(),
    ]);
    item = found;
    setTitle(nameOf(item));
    show(explanation);
    swap(timeline, entriesOf(item, attempts.data, events.data, deliveries.data, explanation));
    swap(more, detailsOf(item));
    await showContent();
  }

  function show(explanation) {
    const named = { ...item, name: nameOf(item) };
    swap(head, [
      element("p", {}, stateTag(item.state)), element("p", { class: "lead" }, withTimes(leadOf(item, explanation))),
      ended.includes(item.state) ? null : element("p", { data: { key: "progress" } }, progressCell(named), " ", rateCell(named)),
      whyOf(item, explanation), element("div", { class: "actions" }, actions()),
    ]);
    other.hidden = !(item.state === "attention_required" && !isUpload && can(writing));
  }

  async function act(action) {
    if (words[action] && !(await confirm(words[action], text.label(action), element("p", {}, name(nameOf(item)))))) return;
    if (action === "delete") await request("DELETE", path, { signal });
    else await post(`${path}/${action}`, undefined, signal);
    announce(words.done(action));
    if (action === "delete") go("queue");
    else await read();
  }

  function actions() {
    const { state, next_attempt_at: next, content: held } = item;
    const fits = (action) => statesFor[action].includes(state) || (action === "retry" && (next || held?.state === "lost"));
    return Object.keys(statesFor).filter(fits).map((action) => buttonIf(writing,
      next && action === "retry" ? words.retryNow : text.label(action), () => act(action), {
        data: { key: action }, class: words[action] && "danger" }));
  }

  /** A form that gives the download another address and goes on with it. */
  function anotherAddress() {
    const { box, input } = field(words.anotherUrl, { type: "url", autocomplete: "off", size: 40 });
    return element("form", { class: "fields", novalidate: true, on: { submit: (event) => event.preventDefault() } }, box,
      element("div", { class: "field" }, button(words.change, async () => {
        await request("PATCH", path, { body: { url: input.value.trim() }, signal });
        await act("resume");
      }, { type: "submit" })));
  }

  let shown = "";

  /** Links to the content that need no key, and a player; made anew only for other content. */
  async function showContent() {
    const isHeld = ["held", "leased"].includes(item.content?.state) && can("content:read");
    const digest = isHeld ? item.content.sha256 : "";
    if (digest === shown) return;
    shown = digest;
    if (!isHeld) return content.replaceChildren();
    const linkFor = (disposition) => post(`${path}/content/link`, { ttl_seconds: 24 * 3600, disposition }, signal);
    const here = ({ href }) => new URL(`content/${href.split("/").pop()}`, service); // Also where others know it by another name.
    const kind = /^(audio|video)\//.exec(item.response?.mime_type)?.[1];
    const file = await linkFor("attachment");
    // A player reads on its own, and a whole read ends the content of an ephemeral session: it comes when it is wanted.
    const play = async (pressed) => {
      const player = element(kind, { controls: true, src: here(await linkFor("inline")), "aria-label": nameOf(item) });
      pressed.replaceWith(player);
      player.focus();
    };
    content.replaceChildren(element("p", {}, element("a", { class: "button", href: here(file), download: "" }, words.save)),
      element("p", { class: "hint" }, words.linkHint, relativeTime(file.expires_at, "in"), "."),
      kind ? button(words.play, play) : "");
  }

  const ask = paced(read, signal);
  subscribe({
    events(list) {
      for (const { type, data } of list.filter((event) => event.data.id === id)) {
        if (!type.endsWith(".progress")) ask();
        else if (data.state === item?.state) item = { ...item, ...data };
      }
      if (item?.state === "running") show();
    },
    reset: () => ask(true),
  }, signal);
  let passed = now();
  everySecond(() => {
    const until = Date.parse(item?.blockers[0]?.until);
    if (until > passed && until <= now()) ask();
    passed = now();
  }, signal);

  await read();
  main.append(head, other, content, section(words.timeline, timeline), more);
}

/** What the client or the origin calls the file, or the end of its address. */
function nameOf(item) {
  const address = item.url || item.destination?.url || "";
  return item.filename || item.response?.suggested_filename || address.split(/[?#]/)[0].split("/").pop() || item.id;
}

/** One sentence: why it waits, how it goes, or how it ended. */
function leadOf({ state, error, content }, explanation) {
  if (explanation) return explanation.summary;
  if (state === "succeeded" && content) return words.arrived(bytes(content.length), content.state);
  return error && state !== "succeeded" ? words.because(error.detail) : words.lead[state] || "";
}

/** The reasons of a wait, the forecast, and what would let it begin sooner. */
function whyOf(item, explanation) {
  const { blockers, expected, sooner = [] } = explanation || item;
  if (!blockers?.length) return null;
  const columns = words.columns.map((label, place) => ({ label, isName: place === 0 }));
  const both = (instant) => [exactTime(instant), " (", relativeTime(instant, "in"), ")"];
  return element("div", {},
    table(words.why, columns, blockers.slice(0, 30).map(({ detail, since, until, rule }) => row(columns, [
      withTimes(detail), since && relativeTime(since), until ? both(until) : words.notKnown, rule && name(rule)]))),
    expected?.begin && element("p", {}, words.expected, both(expected.begin.p50), "."),
    sooner.length > 0 && [element("p", {}, words.sooner), element("ul", {}, sooner.slice(0, 10).map(({ change, begins }) =>
      element("li", {}, element("code", {}, change), ": ", exactTime(begins))))]);
}

/** Events, waits by cause, attempts and webhooks, in their order. */
function entriesOf(item, attempts, events, deliveries, explanation) {
  const entries = [];
  const add = (instant, title, lines = [], rank = 1) =>
    instant && entries.push({ instant, at: Date.parse(instant), rank, title, lines: lines.filter(Boolean) });
  const waited = (times) => {
    const causes = Object.entries(times || {}).sort((a, b) => b[1] - a[1]).slice(0, 12);
    const length = duration(1000 * causes.reduce((sum, [, seconds]) => sum + seconds, 0));
    return [length, causes.map(([code, seconds]) => words.cause(text.blocker(code), duration(seconds * 1000)))];
  };
  const ends = (name) => events.some(({ type }) => type.endsWith(name));
  if (!ends(".created")) add(item.created_at, text.label("created"), [], 0);
  for (const { type, timestamp } of events) {
    if (!type.endsWith(".progress")) add(timestamp, text.label(type.split(".")[1]), [], /(created|started)$/.test(type) ? 0 : 2);
  }
  for (const one of attempts) {
    const [length, causes] = waited(one.time_blocked);
    if (causes.length) add(one.started_at, words.waited(length), causes);
    const took = one.started_at && one.ended_at ? duration(Date.parse(one.ended_at) - Date.parse(one.started_at)) : "";
    add(one.started_at || one.ended_at, words.attempt(one.attempt, one.outcome || "running", took), attemptLines(one, item));
  }
  const [length, causes] = waited(explanation?.time_blocked);
  if (causes.length) add(new Date(now()).toISOString(), words.waited(length), causes);
  if (item.completed_at && !ends(`.${item.state}`)) add(item.completed_at, text.label(item.state), [], 2);
  for (const one of deliveries) add(one.completed_at || one.event_at, words.webhook(one.type, one.state, one.attempt_count), [one.error], 3);
  // At one instant: what begins, waits and attempts, what ends, webhooks.
  entries.sort((a, b) => a.at - b.at || a.rank - b.rank);
  return entries.slice(-mostEntries).map(({ instant, at, title, lines }, place, all) => {
    const gap = place > 0 ? at - all[place - 1].at : 0;
    return element("li", {}, gap >= 60_000 && element("p", { class: "quiet" }, words.later(duration(gap))),
      element("div", { class: "quiet" }, exactTime(instant)), element("div", {}, title),
      lines.length > 0 && element("ul", { class: "quiet" }, lines.map((line) => element("li", {}, line))));
  });
}

function attemptLines(one, item) {
  let before = 0;
  const phases = Object.keys(words.phases).flatMap((phase) => {
    const at = one[`${phase}_us`];
    const spent = at - before;
    if (!(spent > 0)) return [];
    before = at;
    return `${words.phases[phase]} ${spent < 1e6 ? `${Math.round(spent / 1000)} ms` : `${(spent / 1e6).toFixed(1)} s`}`;
  });
  return [
    one.error?.detail, one.transport_error,
    item.urls?.length && one.url ? [words.from, name(one.url)] : null,
    one.resumed_from ? words.resumed(bytes(one.resumed_from)) : null,
    one.bytes_discarded ? words.discarded(bytes(one.bytes_discarded), one.discard_reason || "") : null,
    phases.join(", "),
    one.excerpt?.text && element("details", {}, element("summary", {}, words.excerpt), element("pre", {}, one.excerpt.text)),
  ];
}

const hidden = ["state", "filename", "sequence", "bytes_per_second", "completes_at", "mirror_url"];

/** The plain members of an object, for people. */
function factsOf(object) {
  const isShown = ([member, value]) => value !== "" && typeof value !== "object" && !hidden.includes(member);
  return Object.entries(object || {}).filter(isShown).map(([member, value]) => [
    text.label(member.replace(/^(is|count_of)_/, "")), valueOf(member, value)]);
}

function valueOf(member, value) {
  if (typeof value === "boolean") return value ? words.yes : words.no;
  if (/(_at|_date|_by|_deadline)$/.test(member)) return exactTime(value);
  if (/timeout|retention/.test(member)) return duration(1000 * value);
  return /^length$|bytes/.test(member) ? `${bytes(value)} (${number(value)})` : name(String(value));
}

function detailsOf(item) {
  const { destination: to, urls } = item;
  return [
    section(words.details, facts([
      ...factsOf(item), ...factsOf(item.content), ...Object.entries(item.metadata || {}).map((pair) => pair.map(name)),
      [text.label("destination"), to && name(to.url || [to.name, to.path].filter(Boolean).join("/"))],
    ])),
    urls?.length > 0 && section(words.mirrors, element("ul", {}, [item.url, ...urls].map((one) =>
      element("li", {}, name(one), one === item.mirror_url && element("strong", {}, words.inUse))))),
    item.url && section(words.curl, element("pre", { tabindex: "0", role: "group", "aria-label": words.curl }, commandOf(item)),
      element("p", { class: "hint" }, words.curlHint)),
  ];
}

/** A word for a POSIX shell. */
const quoted = (word) => `'${word.replaceAll("'", "'\\''")}'`;

/** The request of the download itself, without the values that Lull keeps secret. */
function commandOf({ url, method, headers, authorization, proxy, body_bytes: body }) {
  const flags = { bearer: "--oauth2-bearer …", digest: "--digest -u …", aws_sigv4: "--aws-sigv4 … -u …" };
  return ["curl -L -O", method && method !== "GET" && `-X ${method}`,
    ...Object.keys(headers || {}).map((key) => `-H ${quoted(`${key}: …`)}`),
    authorization && (flags[authorization.type] || "-u …"), proxy?.url && `-x ${quoted(proxy.url)}`,
    body && "--data-binary @…", "--", quoted(url)].filter(Boolean).join(" ");
}
