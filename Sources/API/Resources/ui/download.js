// One: why it does not run yet, what happened to it, its content, and all that is known of it.

import { can, get, post, query, request, service } from "./api.js";
import { button, buttonIf, confirm, element, facts, field, link, name, progressBar, row, section, setProgress,
  setState, setText, stateTag, table } from "./dom.js";
import { announce, go, setTitle } from "./page.js";
import { after, addressOf } from "./rows.js";
import { paced, subscribe } from "./stream.js";
import { text } from "./text.js";
import { bytes, bytesOf, duration, everySecond, exactTime, now, number, rate, relativeTime } from "./time.js";

const words = text.one;
const ended = ["succeeded", "failed", "canceled"];
const mostEntries = 120; // Of the timeline: the newest; the page has at most 260 rows.

export default async function view(main, params, signal) {
  const id = params.get("id") || "";
  const isUpload = id.startsWith("up_");
  const path = `v1/${isUpload ? "uploads" : "downloads"}/${encodeURIComponent(id)}`;
  let item = null;
  if (!id) {
    main.append(element("p", { class: "empty" }, words.noId, " ", link("queue", words.toQueue)));
    return;
  }

  const state = stateTag("waiting");
  const sentence = element("p", { class: "lead" });
  const bar = progressBar("", 0, 1);
  const figures = element("span", { class: "figure" });
  const progress = element("p", {}, bar, " ", figures);
  const why = element("div");
  const actions = element("div", { class: "actions" });
  const content = element("div");
  const timeline = element("ol", { "aria-label": words.timeline, class: "timeline" });
  const more = element("div");

  async function read() {
    const events = () => get(`${path}/events${query({ view: "row", limit: 200 })}`, signal);
    const isWaiting = (found) => found.state === "waiting" || found.state === "receiving";
    const found = await get(path, signal);
    const [attempts, journal, explanation, deliveries] = await Promise.all([
      get(`${path}/attempts`, signal),
      events().catch(() => ({ data: [] })),
      isWaiting(found) ? get(`${path}/explain`, signal) : null,
      can("webhooks") && !isUpload ? get(`v1/webhook_deliveries${query({ download: id, limit: 50 })}`, signal)
        .catch(() => ({ data: [] })) : { data: [] },
    ]);
    signal.throwIfAborted();
    item = found;
    show(found, explanation);
    showTimeline(timeline, found, attempts.data, journal.data, deliveries.data, explanation);
  }

  function show(found, explanation) {
    const file = fileName(found);
    setTitle(file);
    setState(state, found.state);
    setText(sentence, leadOf(found, explanation));
    showProgress();
    showWhy(why, found, explanation);
    showActions(found);
    showContent(found, file);
    more.replaceChildren(...detailsOf(found, isUpload));
  }

  function showProgress() {
    const done = isUpload || item.direction === "send" ? item.count_of_bytes_sent : item.count_of_bytes_received;
    const whole = isUpload ? item.length : item.count_of_bytes_expected_to_receive;
    progress.hidden = ended.includes(item.state) || (!done && item.state !== "running");
    if (progress.hidden) return;
    bar.setAttribute("aria-label", fileName(item));
    setProgress(bar, done, whole);
    const left = item.completes_at && item.state === "running" ? Date.parse(item.completes_at) - now() : null;
    setText(figures, [bytesOf(done, whole),
      item.bytes_per_second !== null && item.state === "running" ? rate(item.bytes_per_second) : "",
      left !== null ? text.time.left(duration(left)) : ""].filter(Boolean).join(" · "));
  }

  let shownActions = "";
  function showActions(found) {
    const key = `${found.state} ${found.content?.state}`;
    if (key === shownActions) return;
    shownActions = key;
    const scope = isUpload ? "uploads:write" : "downloads:write";
    const act = (action, label, members) => buttonIf(scope, label, async () => {
      await post(`${path}/${action}`, undefined, signal);
      announce(words.did[action]);
      await read();
    }, members);
    const asked = (label, question, run) => buttonIf(scope, label, async () => {
      if (await confirm(question, label, element("p", {}, name(fileName(item))))) await run();
    }, { class: "danger" });
    const made = {
      suspend: () => act("suspend", words.suspend), resume: () => act("resume", words.resume),
      retry: () => act("retry", found.state === "waiting" ? words.retryNow : words.retry),
      cancel: () => asked(words.cancel, words.cancelQuestion(isUpload), async () => {
        await post(`${path}/cancel`, undefined, signal);
        announce(words.did.cancel);
        await read();
      }),
      delete: () => asked(words.delete, words.deleteQuestion(isUpload), async () => {
        await request("DELETE", path, { signal });
        announce(words.did.delete);
        go("queue");
      }),
    };
    const fitting = {
      waiting: [...(item.next_attempt_at ? ["retry"] : []), "suspend", "cancel"], receiving: ["cancel"],
      running: ["suspend", "cancel"], suspended: ["resume", "cancel"], attention_required: ["resume", "cancel"],
      canceling: [], succeeded: [...(found.content?.state === "lost" ? ["retry"] : []), "delete"],
      failed: ["retry", "delete"], canceled: ["retry", "delete"],
    }[found.state] || [];
    const other = found.state === "attention_required" && !isUpload && can(scope) ? anotherAddress() : null;
    actions.replaceChildren(...fitting.map((one) => made[one]()).filter(Boolean), ...(other ? [other] : []));
  }

  /** A form that gives the download another address and goes on with it. */
  function anotherAddress() {
    const { box, input } = field(words.anotherUrl, { type: "url", required: true, autocomplete: "off", size: 40 });
    const form = element("form", { class: "fields" }, box, element("div", { class: "field" }, button(words.change, async () => {
      await request("PATCH", path, { body: { url: input.value.trim() }, signal });
      await post(`${path}/resume`, undefined, signal);
      announce(words.did.resume);
      await read();
    })));
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      form.querySelector("button").click();
    });
    return form;
  }

  let shownContent = "";
  function showContent(found, file) {
    const held = !isUpload && found.state === "succeeded" && ["held", "leased"].includes(found.content?.state);
    const key = held ? found.content.sha256 : "";
    if (key === shownContent && content.childElementCount) return;
    shownContent = key;
    content.replaceChildren();
    if (!held || !can("content:read")) return;
    const made = async (seconds, disposition) => {
      const answer = await post(`${path}/content/link`, { ttl_seconds: seconds, disposition }, signal);
      const token = new URL(answer.href, service).pathname.split("/content/").pop();
      return { href: new URL(`content/${token}`, service).href, shared: new URL(answer.href, service).href, ends: answer.expires_at };
    };
    const shown = element("div");
    const kind = /^(audio|video)\//.exec(found.response?.mime_type || "")?.[1];
    const row = element("div", { class: "actions" },
      button(words.save, async () => {
        const anchor = element("a", { href: (await made(60, "attachment")).href, download: "" });
        anchor.click();
      }, { class: "primary" }),
      button(words.makeLink, async () => {
        const { shared, ends } = await made(3600, "attachment");
        const { box, input } = field(words.link, { readonly: true, value: shared, size: 60 });
        shown.replaceChildren(box, element("p", { class: "hint" }, words.linkHint, " ", relativeTime(ends, "in"), "."));
        input.focus();
        input.select();
      }),
      kind ? button(words.play, async () => {
        const { href } = await made(6 * 3600, "inline");
        const player = element(kind, { controls: true, src: href, "aria-label": file, preload: "metadata" });
        shown.replaceChildren(player);
        player.focus();
      }) : null);
    content.append(row, shown);
  }

  const ask = paced(read, signal);
  subscribe({
    events(list) {
      for (const { type, data } of list) {
        if (data.id !== id) continue;
        if (!data.state || !type.endsWith(".progress")) ask();
        else if (data.sequence >= item.sequence && data.state === item.state) {
          item = after(item, { ...data, blocker: undefined });
          showProgress();
        }
      }
    },
    reset: () => ask(true),
  }, signal);
  let passed = now();
  everySecond(() => {
    showProgress();
    const at = now();
    if ((item.blockers || []).some((one) => Date.parse(one.until ?? "") > passed && Date.parse(one.until) <= at)) ask();
    passed = at;
  }, signal);

  await read();
  main.append(element("p", {}, state), sentence, progress, why, actions, content, section(words.timeline, timeline), more);
}

/** The name for people: what the client or the origin calls the file, or the end of its address. */
function fileName(item) {
  const address = item.url || item.destination?.url || "";
  const last = address.split(/[?#]/)[0].split("/").pop();
  return item.filename || item.response?.suggested_filename || last || item.id;
}

/** One sentence: why it waits, how it goes, or how it ended. */
function leadOf(item, explanation) {
  if (explanation) return explanation.summary;
  if (item.error && item.state !== "succeeded") return words.because(item.error.detail);
  if (item.content?.length !== undefined && item.state === "succeeded") return words.arrived(bytes(item.content.length), item.content.state);
  return words.lead[item.state] || "";
}

/** A row for each reason of a wait: since, until, rule; then the forecast, and what would let it begin sooner. */
function showWhy(place, item, explanation) {
  const blockers = explanation?.blockers || item.blockers || [];
  if (blockers.length === 0) {
    place.replaceChildren();
    return;
  }
  const columns = [{ label: words.reason, isName: true }, { label: words.since }, { label: words.until }, { label: words.rule }];
  const made = [table(words.whyCaption, columns, blockers.slice(0, 30).map((one) => row(columns, [one.detail,
    one.since ? relativeTime(one.since) : "", one.until ? [exactTime(one.until), " (", relativeTime(one.until, "in"), ")"] : words.notKnown,
    one.rule ? name(one.rule) : ""])))];
  const begin = explanation?.expected?.begin;
  if (begin) {
    made.push(element("p", {}, words.expected, " ", exactTime(begin.p50), " (", relativeTime(begin.p50, "in"), ")",
      explanation.place ? words.place(explanation.place.before + explanation.place.others_before) : "", "."));
  }
  if (explanation?.sooner?.length) {
    made.push(element("p", {}, words.sooner), element("ul", {}, explanation.sooner.slice(0, 10).map((one) =>
      element("li", {}, element("code", {}, one.change), ": ", exactTime(one.begins)))));
  }
  place.replaceChildren(...made);
}

const shownEvents = /\.(created|suspended|resumed|content_\w+|succeeded|failed|canceled|staged|deadline_at_risk|will_\w+|received|attention_required)$/;

/** All that happened, in its order: events, attempts with their phases, waits by cause, webhooks. */
function showTimeline(list, item, attempts, events, deliveries, explanation) {
  const entries = [];
  const add = (at, key, title, ...lines) => at && entries.push({ at: Date.parse(at), instant: at, key, title, lines: lines.flat().filter(Boolean) });
  if (!events.some(({ type }) => type.endsWith(".created"))) add(item.created_at, "created", words.events.created);
  for (const { id, type, timestamp } of events) {
    if (shownEvents.test(type)) add(timestamp, id, words.events[type.split(".")[1]] || type);
  }
  for (const one of attempts) {
    if (one.time_blocked) {
      const seconds = Object.values(one.time_blocked).reduce((sum, part) => sum + part, 0);
      add(one.started_at, `wait ${one.attempt} ${one.direction}`, words.waited(duration(seconds * 1000)), causes(one.time_blocked));
    }
    add(one.started_at || one.ended_at, `attempt ${one.attempt} ${one.direction}`, attemptTitle(one), attemptLines(one, item));
  }
  if (explanation?.time_blocked && Object.keys(explanation.time_blocked).length) {
    add(new Date(now()).toISOString(), "now", words.waitedSoFar, causes(explanation.time_blocked));
  }
  if (item.completed_at && !events.some(({ type }) => ended.includes(type.split(".")[1]))) {
    add(item.completed_at, "ended", words.events[item.state] || item.state);
  }
  for (const one of deliveries) {
    const at = one.completed_at || one.event_at;
    add(at, one.id, words.webhook(one.type || "", words.delivery[one.state] || one.state, one.attempt_count),
      one.error ? [one.error] : []);
  }
  entries.sort((a, b) => a.at - b.at);
  const shown = entries.slice(-mostEntries);
  list.replaceChildren(...shown.map((entry, place) => {
    const gap = place > 0 ? entry.at - shown[place - 1].at : 0;
    return element("li", {}, gap >= 60_000 ? element("p", { class: "quiet gap" }, words.later(duration(gap))) : null,
      element("div", { class: "quiet" }, exactTime(entry.instant)), element("div", {}, entry.title),
      entry.lines.length ? element("ul", { class: "quiet" }, entry.lines.map((line) => element("li", {}, line))) : null);
  }));
}

function causes(times) {
  return Object.entries(times).sort((a, b) => b[1] - a[1]).slice(0, 12).map(([code, seconds]) =>
    words.cause(text.blocker(code, null), duration(seconds * 1000)));
}

function attemptTitle(one) {
  const length = one.started_at && one.ended_at ? duration(Date.parse(one.ended_at) - Date.parse(one.started_at)) : "";
  return words.attempt(one.attempt, one.outcome ? text.outcomes[one.outcome] || text.code(one.outcome) : text.outcomes.running, length);
}

const phases = ["lookup", "connect", "tls", "first_byte", "total"];

function attemptLines(one, item) {
  const lines = [];
  if (one.error) lines.push(one.error.detail);
  if (one.transport_error) lines.push(one.transport_error);
  if (item.urls?.length && one.url) lines.push([words.from, " ", name(one.url)]);
  if (one.resumed_from) lines.push(words.resumed(bytes(one.resumed_from)));
  if (one.bytes_discarded) lines.push(words.discarded(bytes(one.bytes_discarded), one.discard_reason || ""));
  if (one.streams > 1) lines.push(words.streams(one.streams));
  let before = 0;
  const spans = [];
  for (const phase of phases) {
    const at = one[`${phase}_us`];
    if (!(at > before)) continue;
    spans.push(words.phase(words.phases[phase], milliseconds((at - before) / 1000)));
    before = at;
  }
  if (spans.length) lines.push(spans.join(", "));
  if (one.excerpt?.text) {
    const body = one.excerpt.text;
    lines.push(element("details", {}, element("summary", {}, words.excerpt), element("pre", {}, body)));
  }
  return lines.map((line) => (Array.isArray(line) ? element("span", {}, ...line) : line));
}

function milliseconds(count) {
  return count < 1000 ? `${Math.round(count)} ms` : `${(count / 1000).toFixed(1)} s`;
}

/** Facts, mirrors, what the origin answered, and the request for a terminal. */
function detailsOf(item, isUpload) {
  const instant = (value) => (value ? exactTime(value) : null);
  const size = (value) => (value === null || value === undefined ? null : `${bytes(value)} (${number(value)})`);
  const made = [section(words.details, facts([
    [words.id, element("code", {}, item.id)],
    [words.session, name(item.session)],
    [words.url, item.url ? name(item.url) : null],
    [words.to, item.destination ? name(item.destination.url || [item.destination.name, item.destination.path].filter(Boolean).join("/")) : null],
    [words.fromDownload, item.from ? link(addressOf(item.from), item.from) : null],
    [words.description, item.task_description ? name(item.task_description) : null],
    [words.externalId, item.external_id ? name(item.external_id) : null],
    [words.priority, String(item.priority)],
    [words.discretionary, item.is_discretionary ? words.yes : words.no],
    [words.earliest, instant(item.earliest_begin_date)],
    [words.beginDeadline, instant(item.begin_deadline)],
    [words.completeBy, instant(item.complete_by)],
    [words.created, instant(item.created_at)],
    [words.started, instant(item.started_at)],
    [words.completed, instant(item.completed_at)],
    [words.length, size(item.content?.length ?? item.length)],
    [words.sha256, item.content?.sha256 ? element("code", {}, item.content.sha256) : null],
    [words.verified, item.content?.length_verified === undefined ? null : item.content.length_verified ? words.yes : words.no],
    [words.contentState, item.content ? text.code(item.content.state) : null],
    [words.expires, instant(item.content?.expires_at)],
    ...Object.entries(item.metadata || {}).slice(0, 64).map(([key, value]) => [name(key), name(value)]),
  ]))];
  if (item.urls?.length) {
    made.push(section(words.mirrors, element("ul", {}, [item.url, ...item.urls].map((one) => element("li", {}, name(one),
      one === item.mirror_url ? element("strong", {}, ` ${words.inUse}`) : null)))));
  }
  if (item.response) {
    made.push(section(words.answer, facts([
      [words.status, String(item.response.status_code)],
      [words.answered, name(item.response.url)],
      ...Object.entries(item.response.headers || {}).map(([key, value]) => [name(key), name(value)]),
    ])));
  }
  made.push(section(words.curl,
    ...(isUpload ? [] : [element("p", {}, words.curlOrigin), element("pre", { tabindex: "0", "aria-label": words.curl }, originCommand(item))]),
    element("p", {}, words.curlService),
    element("pre", { tabindex: "0", "aria-label": words.curlService }, serviceCommand(item, isUpload))));
  return made;
}

/** A word for a POSIX shell. */
function quoted(word) {
  return /^[A-Za-z0-9_.,:/@%+=-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/** The request of the download itself; the values that Lull keeps secret are left to the reader. */
function originCommand(item) {
  const parts = ["curl", "-L", "-O"];
  if (item.method && item.method !== "GET") parts.push("-X", item.method);
  for (const key of Object.keys(item.headers || {})) parts.push("-H", quoted(`${key}: …`));
  const type = item.authorization?.type;
  if (type === "bearer") parts.push("--oauth2-bearer", "…");
  else if (type === "digest") parts.push("--digest", "-u", "…");
  else if (type === "aws_sigv4") parts.push("--aws-sigv4", "…", "-u", "…");
  else if (type) parts.push("-u", "…");
  if (item.proxy?.url) parts.push("-x", quoted(item.proxy.url));
  if (item.body_bytes) parts.push("--data-binary", "@…");
  return [...parts, "--", quoted(item.url)].join(" ");
}

function serviceCommand(item, isUpload) {
  const place = new URL(`v1/${isUpload ? "uploads" : "downloads"}/${item.id}`, service).href;
  return `curl -sS -H "Authorization: Bearer $LULL_KEY" ${quoted(place)}`;
}
