// Overview: what needs somebody, what runs, what waits and why, what failed, and the next 24 hours.

import { can, get, newIdempotencyKey, post, query } from "./api.js";
import { buttonIf, element, fill, graphic, link, name, row, section, swap, table } from "./dom.js";
import { announce } from "./page.js";
import { addressOf, follow, nameCell, opening, progressCell, rateCell } from "./rows.js";
import { paced } from "./stream.js";
import { text } from "./text.js";
import { bytes, hour, number, rate, relativeTime } from "./time.js";

const words = text.overview;
const mostRows = 50; // Of each table: the page has at most 260.

export default async function view(main, params, signal) {
  let overview = null;
  let running = [];
  const [attention, runs, waiting, failures] = ["attention", "runs", "waiting", "failures"].map(part);
  const figures = element("ul", { class: "figures" });
  const add = element("p");
  const ahead = element("div");

  async function read() {
    const list = get(`v1/downloads${query({ view: "row", state: "running,canceling", limit: mostRows })}`, signal);
    overview = await get("v1/overview", signal);
    running = (await list).data;
    swap(figures, figuresOf(overview));
    swap(add, [Object.values(overview.states).some((count) => count > 0) ? null : text.queue.empty,
      can("downloads:write") && [" ", link("add", text.queue.add)]]);
    attention.show(overview.attention, overview.attention.length, (item) => [
      link(addressOf(item.id), name(item.name)), item.detail || text.code(item.error_code || ""), relativeTime(item.since),
      element("div", { class: "actions" }, buttonIf("downloads:write", text.label("resume"), () => resume(item), {
        "aria-label": words.resume(item.name) }), link(addressOf(item.id), words.look))]);
    waiting.show(overview.blockers, overview.blockers.length, (group) => [
      text.blocker(group.code, group.rule), opening(group.until), countOf(group)], JSON.stringify);
    failures.show(overview.failures, overview.failures.length, (group) => [
      text.code(group.code || ""), name(group.origin || ""), countOf(group),
      element("div", { class: "actions" }, group.code && group.origin && buttonIf("downloads:write", text.act("retry", group.count), () => retry(group)),
        link(`queue${query({ state: "failed", error_code: group.code, origin: group.origin })}`, words.show))],
    ({ code, origin }) => `${code} ${origin}`);
    show();
    askHours();
  }

  function show() {
    const { running: count, canceling } = overview.states;
    runs.show(running, count + canceling, (item) => [nameCell(item), progressCell(item), rateCell(item)]);
  }

  async function resume(item) {
    await post(`v1/${item.id.startsWith("up_") ? "uploads" : "downloads"}/${item.id}/resume`, undefined, signal);
    announce(words.resumed(item.name));
    await read();
  }

  async function retry({ code, origin }) {
    const yesterday = new Date(Date.parse(overview.as_of) - 24 * 3600 * 1000).toISOString();
    const filter = { state: ["failed"], error_code: code, origin, completed_after: yesterday };
    const { changed } = await post("v1/downloads/bulk", { action: "retry", filter }, signal, { "Idempotency-Key": newIdempotencyKey() });
    announce(text.done("retry", changed));
    await read();
  }

  const askHours = paced(async () => {
    try {
      swap(ahead, hoursOf((await get("v1/forecast?limit=1", signal)).hours.slice(0, 24)));
    } catch (error) {
      swap(ahead, [error.message]);
    }
  }, signal, 60_000);
  follow({ rows: () => running, untils: () => overview?.blockers.map(({ until }) => until) ?? [], show, read }, signal);

  await read();
  main.append(figures, add, attention.box, runs.box, waiting.box, failures.box,
    section(words.hours, ahead, element("p", {}, link("when", words.when))));
}

const countOf = (group) => element("span", { class: "figure" }, number(group.count));

function figuresOf({ states, slots, room, bytes_per_second: speed, oldest_waiting_since: oldest, states_are_complete: isComplete }) {
  return [
    link("queue?state=running", words.running(states.running, slots.limit)),
    rate(speed),
    link("queue?state=waiting&order=next", words.counted("waiting", states.waiting)),
    oldest && [words.oldest, relativeTime(oldest)],
    states.suspended > 0 && link("queue?state=suspended", words.counted("suspended", states.suspended)),
    states.failed > 0 && link("queue?state=failed", words.counted("failed", states.failed, isComplete)),
    room && words.room(bytes(Math.max(0, room.free_bytes - room.reserve_bytes))),
  ].filter(Boolean).map((figure) => element("li", { class: "figure" }, figure));
}

function part(key) {
  const { heading, caption, labels } = words[key];
  const columns = labels.map((label, place) => ({ label, isName: place === 0, class: /Downloads|Rate/.test(label) ? "number" : null }));
  const body = table(caption, columns);
  body.caption.className = "unseen";
  const more = element("p", { class: "hint" });
  const box = section(heading, body, more);
  return {
    box,
    show(items, all, cells, keyOf) {
      const shown = items.slice(0, mostRows);
      fill(body.tBodies[0], shown, (item) => row(columns, cells(item)), keyOf);
      box.hidden = shown.length === 0;
      more.textContent = all > shown.length ? text.andMore(all - shown.length) : "";
    },
  };
}

function hoursOf(hours) {
  const sizes = hours.map(({ bytes: { p50 } }) => p50);
  const total = sizes.reduce((sum, size) => sum + size, 0);
  if (total === 0) return [words.nothing];
  const most = Math.max(...sizes);
  return [
    element("p", {}, words.ahead(bytes(total), hour(hours[sizes.indexOf(most)].from), bytes(most))),
    graphic("svg", { viewBox: "0 0 480 90", class: "hours", "aria-hidden": "true" }, hours.map(({ from }, place) => {
      const height = Math.max(1, (70 * sizes[place]) / most);
      return [graphic("rect", { x: place * 20 + 2, y: 72 - height, width: 16, height, class: "bar" }),
        place % 4 ? null : graphic("text", { x: place * 20 + 2, y: 87 }, hour(from))];
    })),
  ];
}
