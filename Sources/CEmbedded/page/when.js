// When: the next hours as a picture and as a table, and what another window would change.

import { can, get } from "./api.js";
import { button, element, field, graphic, link, name, options, row, section, swap, table } from "./dom.js";
import { announce, go } from "./page.js";
import { draft, move, openingOf } from "./policy.js";
import { addressOf } from "./rows.js";
import { paced, subscribe } from "./stream.js";
import { text } from "./text.js";
import { bytes, clock, hour, number, policyZone, rate } from "./time.js";
import { namesOf, sentence, trialBox, tryPolicy } from "./trial.js";

const words = text.when;
// Hours that can be shown.
const spans = ["24", "72"];
const anHour = 3_600_000;
// Downloads in the picture; the table counts all.
const mostBars = 30;
// Heights of the picture, in pixels.
const chart = { top: 48, bottom: 104, bar: 18 };
const limit = (perSecond) => (perSecond === null ? words.noLimit : rate(perSecond));

export default async function view(main, params, signal) {
  const select = field(words.hoursShown, {}, "select", options(spans.map((one) => [one, words.hours(one)])));
  const picture = element("figure", { class: "forecast" });
  const summary = element("p");
  const box = element("div");

  async function read() {
    const forecast = await get("v1/forecast?limit=200", signal);
    const names = await namesOf(forecast.downloads, signal);
    const hours = spans.includes(params.get("hours")) ? params.get("hours") : spans[0];
    const shown = new Shown(forecast, names, Number(hours));
    select.input.value = hours;
    swap(summary, [shown.summary()]);
    picture.replaceChildren(...shown.picture());
    swap(box, [shown.table()]);
  }

  await read();
  select.input.onchange = () => go(`when?hours=${select.input.value}`);
  main.append(select.box, summary, picture, section(words.hourByHour, box));
  if (can("admin")) main.append(await moveBox(signal));
  const again = paced(read, signal, 10_000);
  subscribe({ events: () => again(), reset: () => again() }, signal);
  return {
    update(next) {
      params = next;
      again(true);
    },
  };
}

/** So many hours of a forecast. */
class Shown {
  constructor(forecast, names, count) {
    this.forecast = forecast;
    this.names = names;
    this.count = count;
    this.from = Date.parse(forecast.hours[0]?.from ?? forecast.basis.as_of);
    this.until = this.from + count * anHour;
    this.downloads = forecast.downloads.filter(({ begin }) => begin && Date.parse(begin.p10) < this.until)
      .sort((one, other) => Date.parse(one.begin.p50) - Date.parse(other.begin.p50));
  }

  name(download) {
    return this.names.get(download.id) ?? download.id;
  }

  summary() {
    const { basis, downloads } = this.forecast;
    const part = basis.calibration.covered_7d;
    return [
      words.waiting(number(basis.waiting), number(this.downloads.length)),
      downloads.some(({ begin }) => !begin) && words.unknown,
      basis.unknown.length && words.assumed(basis.unknown.join(", ")),
      part === null ? words.unproven : words.proven(Math.round(part * 100)),
    ].filter(Boolean).join(" ");
  }

  /** Where an instant stands in the width of the picture, from 0 to 100. */
  x(instant) {
    return Math.min(100, Math.max(0, 100 * (new Date(instant) - this.from) / (this.until - this.from)));
  }

  picture() {
    const bars = this.downloads.slice(0, mostBars);
    const height = chart.bottom + bars.length * chart.bar + 8;
    const left = this.downloads.length - bars.length;
    return [
      graphic("svg", { width: "100%", height, role: "img", "aria-label": words.picture },
        graphic("pattern", { id: "unsure", width: 6, height: 6, patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)" },
          line({ x1: 0, y1: 0, x2: 0, y2: 6, class: "range" })),
        [this.marks(height), this.volumes(), bars.map((one, place) => this.bar(one, chart.bottom + place * chart.bar))].flat(3)),
      element("figcaption", {}, words.legend, left > 0 ? words.notDrawn(number(left)) : "")];
  }

  /** Openings of windows as grounds; hours and changes of the bandwidth as lines. */
  marks(height) {
    const { windows = [], bandwidth = [] } = this.forecast;
    const step = this.count > 24 ? 12 : 6;
    const mark = (instant, y, words) => [
      line({ x1: `${this.x(instant)}%`, x2: `${this.x(instant)}%`, y1: y - 12, y2: height, class: "grid" }),
      writing(this.x(instant), 3, y, words)];
    const isShown = ({ from, until }) => Date.parse(from) < this.until && !(Date.parse(until) <= this.from);
    return [
      windows.filter(isShown).map(({ name: title, from, until }) => [
        rectangle(this.x(from), this.x(until ?? this.until), 0, height, "window"), writing(this.x(from), 3, 28, title)]),
      Array.from({ length: this.count / step }, (_, place) => {
        const instant = this.from + place * step * anHour;
        return mark(instant, 12, hour(instant));
      }),
      bandwidth.filter(isShown).map(({ from, bytes_per_second: perSecond }) => mark(from, 42, limit(perSecond))),
    ];
  }

  /** Bytes in each hour: the expected ones as a bar, their range as a line. */
  volumes() {
    const hours = this.forecast.hours.slice(0, this.count);
    const most = Math.max(1, ...hours.map((one) => one.bytes.p90));
    const y = (count) => chart.bottom - 4 - (chart.bottom - chart.top) * count / most;
    return hours.filter((one) => one.bytes.p90).map(({ from, bytes: { p10, p50, p90 } }) => {
      const middle = `${this.x(Date.parse(from) + anHour / 2)}%`;
      return [
        rectangle(this.x(Date.parse(from) + 0.15 * anHour), this.x(Date.parse(from) + 0.85 * anHour), y(p50), y(0), "sure"),
        line({ x1: middle, x2: middle, y1: y(p90), y2: y(p10), class: "range" })];
    });
  }

  /** A download: hatched where its begin or its end is uncertain, full where it probably runs. */
  bar(download, y) {
    const { begin, end } = download;
    const [early, middle, late] = [begin.p10, begin.p50, begin.p90].map((instant) => this.x(instant));
    const finish = end ? this.x(end.p50) : late;
    const last = Math.max(finish, late);
    return [
      rectangle(early, last, y + 3, y + 15, "unsure", { fill: "url(#unsure)" }),
      rectangle(middle, finish, y + 3, y + 15, "sure"),
      middle > 55 ? writing(early, -4, y + 13, this.name(download), { "text-anchor": "end" })
        : writing(last, 4, y + 13, this.name(download))];
  }

  /** One row an hour: the picture in words. */
  table() {
    const isElsewhere = policyZone && hour(this.from, policyZone) !== hour(this.from);
    const columns = [
      { label: words.hour, isName: true }, isElsewhere && { label: policyZone }, { label: words.windows },
      { label: words.bandwidth, class: "number" }, { label: words.budgets }, { label: words.bytes, class: "number" },
      { label: words.running, class: "number" }, { label: words.begin },
    ].filter(Boolean);
    return table(words.caption(this.count), columns, Array.from({ length: this.count }, (_, place) => {
      const from = this.from + place * anHour;
      const cells = this.cells(from, this.forecast.hours[place]);
      if (isElsewhere) cells.splice(1, 0, clock(from, policyZone));
      return row(columns, cells);
    }));
  }

  cells(from, expected) {
    const until = from + anHour;
    const { windows = [], bandwidth = [], budgets = [] } = this.forecast;
    const isOpen = (one) => Date.parse(one.from) < until && !(Date.parse(one.until) <= from);
    const begins = this.downloads.filter(({ begin }) => Date.parse(begin.p50) >= from && Date.parse(begin.p50) < until);
    const last = (steps) => steps.findLast((one) => Date.parse(one.from) < until);
    const speed = last(bandwidth);
    const left = [...new Set(budgets.map((one) => one.name))].map((one) => last(budgets.filter((step) => step.name === one)));
    const { p10, p50, p90 } = expected?.bytes ?? { p90: 0 };
    return [
      element("time", { datetime: new Date(from).toISOString() }, clock(from)),
      windows.filter(isOpen).map((one) => one.name).join(", "),
      speed ? limit(speed.bytes_per_second) : "",
      left.filter((one) => one && one.left !== null).map((one) => words.left(one.name, bytes(one.left))).join(", "),
      p90 ? p10 === p90 ? bytes(p50) : words.range(bytes(p50), bytes(p10), bytes(p90)) : "",
      expected ? number(Math.round(expected.running.p50)) : "",
      [...begins.slice(0, 3).flatMap((one) => [link(addressOf(one.id), name(this.name(one))), " "]),
        begins.length > 3 && text.andMore(begins.length - 3)],
    ];
  }
}

const line = (members) => graphic("line", members);

const rectangle = (from, until, top, bottom, kind, more) => graphic("rect", {
  x: `${from}%`, width: `${Math.max(0.2, until - from)}%`, y: top, height: bottom - top, class: kind, ...more });

const writing = (x, dx, y, words, more) => graphic("text", { x: `${x}%`, dx, y, class: "label", ...more }, words);

/** Two times for a window, and what they would change. Nothing is in force by that. */
async function moveBox(signal) {
  const { document } = await get("v1/policy", signal);
  const names = Object.keys(document.windows ?? {}).filter((one) => openingOf(document, one));
  if (!names.length) return section(words.move, element("p", { class: "empty" }, words.noWindow, link("policy", words.toPolicy)));
  const window = field(words.window, {}, "select", options(names.map((one) => [one, one])));
  const from = field(words.from, { type: "time", required: true });
  const until = field(words.until, { type: "time", required: true });
  const result = element("div");
  const show = () => {
    const opening = openingOf(document, window.input.value);
    [from.input.value, until.input.value] = [opening.from, opening.until];
  };
  show();
  window.input.onchange = show;
  const attempt = button(words.try, async () => {
    if (!from.input.value || !until.input.value) return;
    const changed = structuredClone(document);
    move(changed, window.input.value, from.input.value, until.input.value);
    const policy = JSON.stringify(changed, null, 2);
    const trial = await tryPolicy(policy, signal);
    swap(result, [await trialBox(trial, signal), button(words.toPolicy, () => {
      draft.text = policy;
      go("policy");
    })]);
    announce(sentence(trial));
  }, { class: "primary" });
  return section(words.move, element("p", { class: "hint" }, words.moveHint),
    element("div", { class: "fields" }, window.box, from.box, until.box),
    element("div", { class: "actions" }, attempt), result);
}
