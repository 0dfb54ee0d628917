// Overview: what needs somebody, what runs, what waits and why, what failed, and the next 24 hours.

import { can, get, post, query } from "./api.js";
import { button, element, graphic, keyed, link, name, row, section, setText, table } from "./dom.js";
import { announce } from "./page.js";
import { addressOf, after, nameCell, progressCell, rateCell } from "./rows.js";
import { paced, subscribe } from "./stream.js";
import { text } from "./text.js";
import { bytes, clock, everySecond, hour, now, number, rate, relativeTime, setRelative } from "./time.js";

const words = text.overview;
const mostRows = 50; // Of each table: the page has at most 260 rows.
const mostGroups = 20;
const day = 24 * 3600 * 1000;

export default async function view(main, params, signal) {
  let running = [];
  let untils = [];
  const figures = element("ul", { class: "figures" });
  const empty = element("p", { class: "empty" }, words.empty, " ", can("downloads:write") ? link("add", words.add) : null);
  const parts = {
    attention: attentionPart(signal, () => ask(true)),
    running: runningPart(),
    waiting: waitingPart(),
    failures: failuresPart(signal, () => ask(true)),
    hours: hoursPart(),
  };

  async function read() {
    const [overview, rows] = await Promise.all([
      get("v1/overview", signal),
      get(`v1/downloads${query({ view: "row", state: "running,canceling", limit: mostRows })}`, signal),
    ]);
    running = rows.data;
    untils = overview.blockers.map((group) => Date.parse(group.until ?? "")).filter((at) => at > now());
    showFigures(figures, overview);
    empty.hidden = Object.values(overview.states).some((count) => count > 0);
    parts.attention.show(overview.attention);
    parts.running.show(running, overview.states.running + overview.states.canceling);
    parts.waiting.show(overview);
    parts.failures.show(overview);
  }

  async function readHours() {
    parts.hours.show(await get("v1/forecast?limit=1", signal));
  }

  const ask = paced(read, signal);
  const askHours = paced(readHours, signal, 60_000);
  subscribe({
    events(list) {
      let isOther = false;
      for (const { type, data } of list) {
        if (!type.endsWith(".progress")) isOther = true;
        const place = running.findIndex((item) => item.id === data.id);
        if (place >= 0 && data.state) running[place] = after(running[place], data);
      }
      parts.running.update(running);
      if (isOther) {
        ask();
        askHours();
      }
    },
    reset: () => ask(true),
  }, signal);
  everySecond(() => {
    if (untils.some((at) => at <= now())) {
      untils = untils.filter((at) => at > now());
      ask();
    }
  }, signal);

  await read();
  main.append(figures, empty, ...Object.values(parts).map((part) => part.element));
  readHours().catch((error) => signal.aborted || parts.hours.fail(error));
}

/** One line of figures. */
function showFigures(list, overview) {
  const { states, slots, room } = overview;
  const figures = [
    link("queue?state=running", words.running(states.running, slots.limit)),
    words.rate(rate(overview.bytes_per_second)),
    link("queue?state=waiting&order=next", words.waiting(states.waiting)),
    overview.oldest_waiting_since ? element("span", {}, words.oldest, " ",
      relativeTime(overview.oldest_waiting_since, "ago")) : null,
    states.suspended ? link("queue?state=suspended", words.suspended(states.suspended)) : null,
    states.failed ? link("queue?state=failed", words.failed(states.failed, overview.states_are_complete)) : null,
    room ? words.room(bytes(Math.max(0, room.free_bytes - room.reserve_bytes))) : null,
  ];
  const shown = figures.filter(Boolean);
  while (list.children.length > shown.length) list.lastElementChild.remove();
  shown.forEach((figure, place) => {
    const item = list.children[place] || list.appendChild(element("li", { class: "figure" }));
    const old = item.firstChild;
    if (old?.isEqualNode?.(typeof figure === "string" ? document.createTextNode(figure) : figure)) return;
    if (old?.href && figure.href === old.href) setText(old, figure.textContent);
    else item.replaceChildren(figure);
  });
}

/** A part with a table that is there only while it has rows. */
function tablePart(heading, caption, columns, keyOf, make) {
  const body = table(caption, columns);
  const more = element("p", { class: "hint", hidden: true });
  const part = section(heading, body, more);
  part.hidden = true;
  const set = keyed(body.tBodies[0], keyOf, make);
  return {
    element: part,
    show(items, all, most = mostGroups) {
      const shown = items.slice(0, most);
      set(shown);
      part.hidden = shown.length === 0;
      more.hidden = !(all > shown.length);
      if (!more.hidden) setText(more, words.more(all - shown.length));
    },
    caption: body.caption,
  };
}

function attentionPart(signal, changed) {
  const mayChange = can("downloads:write");
  const columns = [{ label: words.name, isName: true }, { label: words.cause }, { label: words.since },
    ...(mayChange ? [{ label: words.action }] : [])];
  const part = tablePart(words.attention, words.attentionCaption, columns, (item) => item.id, (item) => {
    const cause = element("span");
    const since = relativeTime(item.since);
    const resume = mayChange && button(words.resume, async () => {
      await post(`v1/downloads/${item.id}/resume`, undefined, signal);
      announce(words.resumed(item.name));
      changed();
    }, { "aria-label": words.resumeOne(item.name) });
    return {
      element: row(columns, [[link(addressOf(item.id), name(item.name))], cause, since,
        mayChange ? [element("div", { class: "actions" }, resume, link(addressOf(item.id), words.look))] : null]),
      update(next) {
        setText(cause, next.detail || text.code(next.error_code || ""));
        setRelative(since, next.since);
      },
    };
  });
  return { element: part.element, show: (items) => part.show(items, items.length) };
}

function runningPart() {
  const columns = [{ label: words.name, isName: true }, { label: words.progress }, { label: words.rateColumn, class: "number" }];
  const part = tablePart(words.runningHeading, words.runningCaption, columns, (item) => item.id, () => {
    const cells = [nameCell(), progressCell(), rateCell()];
    return {
      element: row(columns, cells.map((cell) => cell.nodes)),
      update: (item) => cells.forEach((cell) => cell.update(item)),
    };
  });
  let all = 0;
  return {
    element: part.element,
    show(items, count) {
      all = count;
      part.show(items, all, mostRows);
    },
    update: (items) => part.show(items, all, mostRows),
  };
}

function waitingPart() {
  const columns = [{ label: words.reason, isName: true }, { label: words.opens }, { label: words.count, class: "number" }];
  const part = tablePart(words.waitingHeading, words.waitingCaption, columns,
    (group) => `${group.code} ${group.rule} ${group.until}`, (group) => {
      const count = element("span", { class: "figure" });
      const opens = group.until ? [element("span", {}, clock(group.until), " ("), relativeTime(group.until, "in"), ")"]
        : words.openEnd;
      return {
        element: row(columns, [text.blocker(group.code, group.rule), opens, count]),
        update: (next) => setText(count, number(next.count)),
      };
    });
  return { element: part.element, show: ({ blockers }) => part.show(blockers, blockers.length) };
}

function failuresPart(signal, changed) {
  const mayChange = can("downloads:write");
  const columns = [{ label: words.failure, isName: true }, { label: words.origin }, { label: words.count, class: "number" },
    { label: words.action }];
  let since = "";
  const part = tablePart(words.failuresHeading, words.failuresCaption, columns,
    (group) => `${group.code} ${group.origin}`, (group) => {
      let present = group;
      const count = element("span", { class: "figure" });
      const retry = mayChange && button("", async () => {
        const filter = { state: ["failed"], error_code: present.code, origin: present.origin, completed_after: since };
        const { matched, changed: retried } = await post("v1/downloads/bulk", { action: "retry", filter }, signal);
        announce(words.retried(retried, matched));
        changed();
      });
      const one = link("", words.example);
      return {
        element: row(columns, [text.code(group.code), name(group.origin), count,
          element("div", { class: "actions" }, retry, one)]),
        update(next) {
          present = next;
          setText(count, number(next.count));
          if (retry) setText(retry, text.retryThese(next.count));
          one.setAttribute("href", next.count === 1 ? addressOf(next.id)
            : `queue${query({ state: "failed", error_code: next.code, origin: next.origin })}`);
        },
      };
    });
  return {
    element: part.element,
    show(overview) {
      since = new Date(Date.parse(overview.as_of) - day).toISOString();
      part.show(overview.failures, overview.failures.length);
    },
  };
}

/** The next 24 hours as columns; the view When has the figures. */
function hoursPart() {
  const sentence = element("p");
  const picture = graphic("svg", { viewBox: "0 0 480 90", class: "hours", "aria-hidden": "true", preserveAspectRatio: "none" });
  const part = section(words.hours, sentence, picture, element("p", {}, link("when", words.when)));
  part.hidden = true;
  return {
    element: part,
    show({ hours }) {
      const next = hours.slice(0, 24);
      part.hidden = next.length === 0;
      const most = Math.max(1, ...next.map((of) => of.bytes.p50));
      const total = next.reduce((sum, of) => sum + of.bytes.p50, 0);
      const busiest = next.find((of) => of.bytes.p50 === most);
      setText(sentence, total > 0 && busiest ? words.ahead(bytes(total), hour(busiest.from), bytes(most)) : words.nothingAhead);
      picture.toggleAttribute("hidden", total === 0);
      picture.replaceChildren(...next.flatMap((of, place) => {
        const high = (70 * of.bytes.p50) / most;
        return [
          graphic("rect", { x: place * 20 + 2, y: 72 - high, width: 16, height: Math.max(high, 1), class: "bar" }),
          ...(place % 4 ? [] : [graphic("text", { x: place * 20 + 2, y: 87 }, hour(of.from))]),
        ];
      }));
    },
    fail(error) {
      part.hidden = false;
      setText(sentence, error.detail || String(error));
      picture.toggleAttribute("hidden", true);
    },
  };
}
