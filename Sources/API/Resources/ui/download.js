// One: why it does not run yet, what happened to it, its content, and all that is known of it.

import { can, get, post, query, request, service } from "./api.js";
import { button, buttonIf, confirm, element, facts, field, link, name, progressBar, row, section, stateTag, swap, table } from "./dom.js";
import { announce, go, setTitle } from "./page.js";
import { addressOf } from "./rows.js";
import { paced, subscribe } from "./stream.js";
import { text } from "./text.js";
import { bytes, bytesOf, duration, everySecond, exactTime, now, number, rate, relativeTime } from "./time.js";

const words = text.one;
const ended = ["succeeded", "failed", "canceled"];
const mostEntries = 120; // Of the timeline: the newest.
const live = ["bytes_per_second", "completes_at", "count_of_bytes_received", "count_of_bytes_sent"]; // What progress changes.

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
  const shown = element("div");
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
    signal.throwIfAborted();
    item = found;
    setTitle(nameOf(item));
    show(explanation);
    swap(timeline, entriesOf(item, attempts.data, events.data, deliveries.data, explanation));
    swap(more, detailsOf(item));
  }

  function show(explanation) {
    swap(head, [
      element("p", {}, stateTag(item.state)), element("p", { class: "lead" }, leadOf(item, explanation)), progress(),
      whyOf(item, explanation), element("div", { class: "actions" }, actions()),
    ]);
    other.hidden = !(item.state === "attention_required" && !isUpload && can(writing));
    const isHeld = ["held", "leased"].includes(item.content?.state) && item.state === "succeeded" && can("content:read");
    swap(content, isHeld && !isUpload ? [contentActions()] : []);
    if (!isHeld) shown.replaceChildren();
  }

  function progress() {
    const { state, bytes_per_second: speed, completes_at: end } = item;
    const done = (isUpload || item.direction === "send" ? item.count_of_bytes_sent : item.count_of_bytes_received) || 0;
    const whole = isUpload ? item.length : item.count_of_bytes_expected_to_receive;
    const isRunning = state === "running";
    if (ended.includes(state) || (!done && !isRunning)) return null;
    return element("p", { data: { key: "progress" } }, progressBar(nameOf(item), done, whole), " ", element("span", { class: "figure" },
      bytesOf(done, whole), isRunning && [speed !== null && ` · ${rate(speed)}`, end && [" · ", relativeTime(end, "left")]]));
  }

  async function act(action) {
    if (words[action] && !(await confirm(words[action], text.verb(action), element("p", {}, name(nameOf(item)))))) return;
    if (action === "delete") await request("DELETE", path, { signal });
    else await post(`${path}/${action}`, undefined, signal);
    announce(words.done(action));
    if (action === "delete") go("queue");
    else await read();
  }

  function actions() {
    const again = item.content?.state === "lost" ? ["retry", "delete"] : ["delete"];
    return ({
      waiting: [item.next_attempt_at ? "retry" : "", "suspend", "cancel"], receiving: ["cancel"], running: ["suspend", "cancel"],
      suspended: ["resume", "cancel"], attention_required: ["resume", "cancel"], succeeded: again,
      failed: ["retry", "delete"], canceled: ["retry", "delete"],
    }[item.state] || []).filter(Boolean).map((action) => buttonIf(writing,
      action === "retry" && item.state === "waiting" ? words.retryNow : text.verb(action), () => act(action),
      { data: { key: action }, class: words[action] ? "danger" : null }));
  }

  /** A form that gives the download another address and goes on with it. */
  function anotherAddress() {
    const { box, input } = field(words.anotherUrl, { type: "url", autocomplete: "off", size: 40 });
    const change = button(words.change, async () => {
      await request("PATCH", path, { body: { url: input.value.trim() }, signal });
      await act("resume");
    }, { type: "submit" });
    return element("form", { class: "fields", novalidate: true, on: { submit: (event) => event.preventDefault() } }, box,
      element("div", { class: "field" }, change));
  }

  /** A link to the content that needs no key: `href` below this page's own host, `shared` for others. */
  async function made(seconds, disposition) {
    const answer = await post(`${path}/content/link`, { ttl_seconds: seconds, disposition }, signal);
    const shared = new URL(answer.href, service).href;
    return { href: new URL(`content/${shared.split("/").pop()}`, service).href, shared, ends: answer.expires_at };
  }

  function contentActions() {
    const kind = /^(audio|video)\//.exec(item.response?.mime_type)?.[1];
    return element("div", { class: "actions" },
      button(words.save, async () => {
        element("a", { href: (await made(60, "attachment")).href, download: "" }).click();
      }, { class: "primary" }),
      button(words.makeLink, async () => {
        const { shared, ends } = await made(3600, "attachment");
        const { box, input } = field(words.link, { readonly: true, value: shared, size: 60 });
        shown.replaceChildren(box, element("p", { class: "hint" }, words.linkHint, " ", relativeTime(ends, "in"), "."));
        input.select();
      }),
      kind && button(words.play, async () => {
        const { href } = await made(6 * 3600, "inline");
        const player = element(kind, { controls: true, src: href, "aria-label": nameOf(item), preload: "metadata" });
        shown.replaceChildren(player);
        player.focus();
      }));
  }

  const ask = paced(read, signal);
  subscribe({
    events(list) {
      for (const { type, data } of list.filter((event) => event.data.id === id)) {
        if (!type.endsWith(".progress") || data.state !== item.state) ask();
        else for (const member of live) item[member] = data[member];
      }
      if (item.state === "running") show(null);
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
  main.append(head, other, content, shown, section(words.timeline, timeline), more);
}

/** The name for people: what the client or the origin calls the file, or the end of its address. */
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

/** A row for each reason of a wait: since, until, rule; then the forecast, and what would let it begin sooner. */
function whyOf(item, explanation) {
  const { blockers, expected, sooner = [] } = explanation || item;
  if (!blockers?.length) return null;
  const columns = words.columns.map((label, place) => ({ label, isName: place === 0 }));
  const both = (instant) => [exactTime(instant), " (", relativeTime(instant, "in"), ")"];
  return element("div", {},
    table(words.why, columns, blockers.slice(0, 30).map(({ detail, since, until, rule }) => row(columns, [
      detail, since && relativeTime(since), until ? both(until) : words.notKnown, rule && name(rule)]))),
    expected?.begin && element("p", {}, words.expected, both(expected.begin.p50), "."),
    sooner.length > 0 && [element("p", {}, words.sooner), element("ul", {}, sooner.slice(0, 10).map(({ change, begins }) =>
      element("li", {}, element("code", {}, change), ": ", exactTime(begins))))]);
}

/** All that happened, in its order: events, attempts with their phases, waits by cause, webhooks. */
function entriesOf(item, attempts, events, deliveries, explanation) {
  const entries = [];
  const add = (instant, title, lines = []) => instant && entries.push({ instant, at: Date.parse(instant), title, lines: lines.filter(Boolean) });
  const waited = (times) => {
    const causes = Object.entries(times || {}).sort((a, b) => b[1] - a[1]).slice(0, 12);
    const length = duration(1000 * causes.reduce((sum, [, seconds]) => sum + seconds, 0));
    return [length, causes.map(([code, seconds]) => words.cause(text.blocker(code), duration(seconds * 1000)))];
  };
  const ends = (name) => events.some(({ type }) => type.endsWith(name));
  if (!ends(".created")) add(item.created_at, text.label("created"));
  for (const { type, timestamp } of events) if (!type.endsWith(".progress")) add(timestamp, text.label(type.split(".")[1]));
  for (const one of attempts) {
    const [length, causes] = waited(one.time_blocked);
    if (causes.length) add(one.started_at, words.waited(length), causes);
    const took = one.started_at && one.ended_at ? duration(Date.parse(one.ended_at) - Date.parse(one.started_at)) : "";
    add(one.started_at || one.ended_at, words.attempt(one.attempt, one.outcome || "running", took), attemptLines(one, item));
  }
  const [length, causes] = waited(explanation?.time_blocked);
  if (causes.length) add(new Date(now()).toISOString(), words.waitedSoFar(length), causes);
  if (item.completed_at && !ends(`.${item.state}`)) add(item.completed_at, text.label(item.state));
  for (const { type, state, error, attempt_count: tries, completed_at: end, event_at: at } of deliveries) {
    add(end || at, words.webhook(type, state, tries), [error]);
  }
  entries.sort((a, b) => a.at - b.at);
  return entries.slice(-mostEntries).map(({ instant, at, title, lines }, place, all) => {
    const gap = place > 0 ? at - all[place - 1].at : 0;
    return element("li", {}, gap >= 60_000 && element("p", { class: "quiet gap" }, words.later(duration(gap))),
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

/** The members of an object that are words, figures, instants or truths, for people. */
function factsOf(object) {
  return Object.entries(object || {})
    .filter(([member, value]) => value !== "" && typeof value !== "object" && !hidden.includes(member)).map(([member, value]) => [text.label(member.replace(/^is_|count_of_/g, "")), valueOf(member, value)]);
}

function valueOf(member, value) {
  if (typeof value === "boolean") return value ? words.yes : words.no;
  if (/(_at|_date|_by|_deadline)$/.test(member)) return exactTime(value);
  return /^length$|bytes/.test(member) ? `${bytes(value)} (${number(value)})` : name(String(value));
}

/** Facts, mirrors, and the request for a terminal. */
function detailsOf(item) {
  const { destination: to, urls } = item;
  return [
    section(words.details, facts([
      ...factsOf(item), ...factsOf(item.content), ...factsOf(item.metadata),
      [text.label("destination"), to && name(to.url || [to.name, to.path].filter(Boolean).join("/"))],
    ])),
    urls?.length > 0 && section(words.mirrors, element("ul", {}, [item.url, ...urls].map((one) =>
      element("li", {}, name(one), one === item.mirror_url && element("strong", {}, words.inUse))))),
    item.url && section(words.curl, element("pre", { tabindex: "0", role: "group", "aria-label": words.curl }, commandOf(item)),
      element("p", { class: "hint" }, words.curlHint)),
  ];
}

/** A word for a POSIX shell. */
function quoted(word) {
  return /^[\w.,:/@%+=-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/** The request of the download itself; the values that Lull keeps secret are left to the reader. */
function commandOf({ url, method, headers, authorization, proxy, body_bytes: body }) {
  const flags = { bearer: "--oauth2-bearer …", digest: "--digest -u …", aws_sigv4: "--aws-sigv4 … -u …" };
  return ["curl -L -O", method && method !== "GET" && `-X ${method}`,
    ...Object.keys(headers || {}).map((key) => `-H ${quoted(`${key}: …`)}`),
    authorization && (flags[authorization.type] || "-u …"), proxy?.url && `-x ${quoted(proxy.url)}`,
    body && "--data-binary @…", "--", quoted(url)].filter(Boolean).join(" ");
}
