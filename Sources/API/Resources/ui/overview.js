// Overview: what needs somebody, what runs, what waits and why, what failed, and the next 24 hours.

import { can, get, newIdempotencyKey, post, query } from "./api.js";
import { buttonIf, element, fill, graphic, link, name, row, section, swap, table } from "./dom.js";
import { announce } from "./page.js";
import { addressOf, after, nameCell, opening, progressCell, rateCell } from "./rows.js";
import { paced, subscribe } from "./stream.js";
import { text } from "./text.js";
import { bytes, everySecond, hour, now, number, rate, relativeTime } from "./time.js";

const words = text.overview;
const mostRunning = 50; // Rows of each table: the page has at most 260.
const mostGroups = 20;
const day = 24 * 3600 * 1000; // Milliseconds.

export default async function view(main, params, signal) {
  let overview = null;
  let running = [];
  let untils = [];
  const parts = Object.fromEntries(Object.entries({
    attention: [words.name, words.cause, words.since, words.action], running: [words.name, words.progress, words.rate],
    waiting: [words.reason, words.opens, words.count], failures: [words.failure, words.origin, words.count, words.action],
  }).map(([key, labels]) => [key, part(key, labels)]));
  const figures = element("ul", { class: "figures" });
  const ahead = element("div");

  async function read() {
    const list = get(`v1/downloads${query({ view: "row", state: "running,canceling", limit: mostRunning })}`, signal);
    overview = await get("v1/overview", signal);
    running = (await list).data;
    untils = overview.blockers.map(({ until }) => Date.parse(until ?? "")).filter((at) => at > now());
    show();
  }

  function show() {
    const { states, attention, blockers, failures } = overview;
    swap(figures, figuresOf(overview));
    parts.attention.show(attention, attention.length, (item) => [
      link(addressOf(item.id), name(item.name)), item.detail || text.code(item.error_code || ""), relativeTime(item.since),
      element("div", { class: "actions" }, buttonIf("downloads:write", words.resume, () => resume(item), {
        "aria-label": words.resumeOne(item.name) }), link(addressOf(item.id), words.look)),
    ]);
    showRunning();
    parts.waiting.show(blockers, blockers.length, (group) => [
      text.blocker(group.code, group.rule), opening(group.until) || words.openEnd, count(group)],
    (group) => `${group.code} ${group.rule} ${group.until}`);
    parts.failures.show(failures, failures.length, (group) => [
      text.code(group.code), name(group.origin), count(group),
      element("div", { class: "actions" }, buttonIf("downloads:write", text.act("retry", group.count), () => retry(group)),
        link(group.count === 1 ? addressOf(group.id) : `queue${query({
          state: "failed", error_code: group.code, origin: group.origin })}`, words.example)),
    ], (group) => `${group.code} ${group.origin}`);
    empty.hidden = Object.values(states).some((some) => some > 0);
  }

  function showRunning() {
    parts.running.show(running, overview.states.running + overview.states.canceling, (item) => [
      nameCell(item), progressCell(item), rateCell(item)]);
  }

  async function resume(item) {
    await post(`v1/downloads/${item.id}/resume`, undefined, signal);
    announce(words.resumed(item.name));
    await read();
  }

  async function retry({ code, origin }) {
    const since = new Date(Date.parse(overview.as_of) - day).toISOString();
    const filter = { state: ["failed"], error_code: code, origin, completed_after: since };
    const { changed } = await post("v1/downloads/bulk", { action: "retry", filter }, signal, { "Idempotency-Key": newIdempotencyKey() });
    announce(text.done("retry", changed));
    await read();
  }

  async function readHours() {
    try {
      const { hours } = await get("v1/forecast?limit=1", signal);
      swap(ahead, hoursOf(hours.slice(0, 24)));
    } catch (error) {
      signal.throwIfAborted();
      swap(ahead, [element("p", { class: "hint" }, error.detail)]);
    }
  }

  const add = can("downloads:write") && link("add", text.queue.add);
  const empty = element("p", { class: "empty" }, text.queue.empty);
  const ask = paced(read, signal);
  const askHours = paced(readHours, signal, 60_000);
  subscribe({
    events(list) {
      let isRunning = false;
      for (const { type, data } of list) {
        if (!type.endsWith(".progress")) {
          ask();
          askHours();
        }
        const place = running.findIndex(({ id }) => id === data.id);
        if (place < 0 || !data.state) continue;
        running[place] = after(running[place], data);
        isRunning = true;
      }
      if (isRunning) showRunning();
    },
    reset: () => ask(true),
  }, signal);
  everySecond(() => {
    if (!untils.some((at) => at <= now())) return;
    untils = untils.filter((at) => at > now());
    ask();
  }, signal);

  await read();
  main.append(figures, element("p", {}, add || ""), empty, ...Object.values(parts).map(({ box }) => box),
    section(words.hours, ahead, element("p", {}, link("when", words.when))));
  askHours(true);
}

const count = (group) => element("span", { class: "figure" }, number(group.count));

/** One line of figures. */
function figuresOf({ states, slots, room, bytes_per_second: speed, oldest_waiting_since: oldest, states_are_complete: isComplete }) {
  return [
    link("queue?state=running", words.running(states.running, slots.limit)),
    rate(speed),
    link("queue?state=waiting&order=next", words.waiting(states.waiting)),
    oldest && [`${words.oldest} `, relativeTime(oldest)],
    states.suspended > 0 && link("queue?state=suspended", words.suspended(states.suspended)),
    states.failed > 0 && link("queue?state=failed", words.failed(states.failed, isComplete)),
    room && words.room(bytes(Math.max(0, room.free_bytes - room.reserve_bytes))),
  ].filter(Boolean).map((figure) => element("li", { class: "figure" }, figure));
}

/** A part with a table that is there only while it has rows. */
function part(key, labels) {
  const columns = labels.map((label, place) => ({
    label, isName: place === 0, class: [words.count, words.rate].includes(label) ? "number" : null }));
  const body = table(words.captions[key], columns);
  const more = element("p", { class: "hint" });
  const box = section(words.headings[key], body, more);
  return {
    box,
    show(items, all, cells, keyOf) {
      const shown = items.slice(0, key === "running" ? mostRunning : mostGroups);
      fill(body.tBodies[0], shown, (item) => row(columns, cells(item)), keyOf);
      box.hidden = shown.length === 0;
      more.hidden = all <= shown.length;
      more.textContent = text.andMore(all - shown.length);
    },
  };
}

/** The next hours as a sentence and as columns; the view When has the figures. */
function hoursOf(hours) {
  const most = Math.max(1, ...hours.map(({ bytes: { p50 } }) => p50));
  const total = hours.reduce((sum, { bytes: { p50 } }) => sum + p50, 0);
  if (total === 0) return [element("p", {}, words.nothingAhead)];
  const busiest = hours.find(({ bytes: { p50 } }) => p50 === most) || hours[0];
  return [
    element("p", {}, words.ahead(bytes(total), hour(busiest.from), bytes(busiest.bytes.p50))),
    graphic("svg", { viewBox: "0 0 480 90", class: "hours", "aria-hidden": "true" },
      hours.map(({ from, bytes: { p50 } }, place) => {
        const high = Math.max(1, (70 * p50) / most);
        return [graphic("rect", { x: place * 20 + 2, y: 72 - high, width: 16, height: high, class: "bar" }),
          place % 4 ? null : graphic("text", { x: place * 20 + 2, y: 87 }, hour(from))];
      })),
  ];
}
