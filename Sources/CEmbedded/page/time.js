// Times by the clock of the service, and figures for people.

import { text } from "./text.js";

let ahead = 0; // Milliseconds by which the service's clock is ahead of the browser's.

/** Learns the service's clock from a `Date` field, which counts seconds, or from an exact instant. */
export function heard(instant, isExact = false) {
  const difference = Date.parse(instant) + (isExact ? 0 : 500) - Date.now();
  if (Math.abs(difference - ahead) > (isExact ? 250 : 1500)) ahead = difference;
}

/** Milliseconds since 1970 by the clock of the service. */
export const now = () => Date.now() + ahead;

/** The zone of the policy in force, such as `Europe/Berlin`; null where none is known. */
export let policyZone = null;

export function setPolicyZone(name) {
  try {
    policyZone = name && format(name) && name;
  } catch {
    policyZone = null; // This browser does not know the zone.
  }
}

const browserZone = Intl.DateTimeFormat().resolvedOptions().timeZone;
const formats = new Map();

function format(zone) {
  if (!formats.has(zone)) {
    formats.set(zone, new Intl.DateTimeFormat("sv", { timeZone: zone, dateStyle: "short", timeStyle: "medium" }));
  }
  return formats.get(zone);
}

const local = (instant, zone) => format(zone).format(new Date(instant));

/** `22:00`, with the date before it where that is not today; in the browser's zone unless another is named. */
export function clock(instant, zone = browserZone) {
  const [date, time] = local(instant, zone).slice(0, 16).split(" ");
  return local(now(), zone).startsWith(date) ? time : `${date} ${time}`;
}

/** The hour of an instant, `22:00`, in the browser's zone unless another is named. */
export const hour = (instant, zone = browserZone) => local(instant, zone).slice(11, 16);

/** How long, from milliseconds: `12 s`, `3 min 5 s`, `2 h 10 min`, `4 d`. Never negative. */
export function duration(milliseconds) {
  const seconds = Math.max(0, Math.round(milliseconds / 1000));
  const minutes = Math.floor(seconds / 60);
  const hours = Math.floor(minutes / 60);
  const both = (whole, rest) => (parseInt(rest, 10) ? `${whole} ${rest}` : whole);
  if (minutes === 0) return `${seconds} s`;
  if (minutes < 10) return both(`${minutes} min`, `${seconds % 60} s`);
  if (hours === 0) return `${minutes} min`;
  return hours < 48 ? both(`${hours} h`, `${minutes % 60} min`) : `${Math.floor(hours / 24)} d`;
}

function relative(instant, style) {
  const away = Date.parse(instant) - now();
  if (style === "ago") return text.time.ago(duration(-away));
  return away > 0 ? text.time[style](duration(away)) : text.time.anyMoment;
}

/** A `<time>` in words that follow the clock, by style: `3 min ago`, `in 2 h` or `12 s left`. */
export function relativeTime(instant, style = "ago") {
  const element = exactTime(instant);
  element.title = element.textContent;
  element.dataset.style = style;
  element.textContent = relative(instant, style);
  return element;
}

/** A `<time>` in the browser's zone, with the policy's zone beside it where that shows another time. */
export function exactTime(instant) {
  const element = document.createElement("time");
  element.dateTime = instant;
  const here = local(instant, browserZone);
  const there = policyZone ? local(instant, policyZone) : here;
  element.textContent = `${here} ${browserZone}${here === there ? "" : ` (${there} ${policyZone})`}`;
  return element;
}

/** A sentence of the service as texts and `<time>`: its instants are shown as all others. */
export const withTimes = (words) =>
  words.split(/(\d{4}-\d\d-\d\dT[\d:.]+Z)/).map((part, place) => (place % 2 ? exactTime(part) : part));

const tickers = new Set();

/** Calls `handler` each second while the tab is visible, until `signal` is aborted. */
export function everySecond(handler, signal) {
  tickers.add(handler);
  signal.addEventListener("abort", () => tickers.delete(handler));
}

setInterval(() => {
  if (document.hidden) return;
  for (const element of document.querySelectorAll("time[data-style]")) {
    const words = relative(element.dateTime, element.dataset.style);
    if (element.textContent !== words) element.textContent = words;
  }
  for (const handler of tickers) handler();
}, 1000);

function scaled(count) {
  const units = ["B", "kB", "MB", "GB", "TB", "PB"];
  let value = count;
  while (value >= 999.5 && units.length > 1) {
    value /= 1000;
    units.shift();
  }
  return [units[0] === "B" || value >= 99.95 ? Math.round(value) : value.toFixed(1), units[0]];
}

/** `3.9 GB`, by powers of 1000. */
export const bytes = (count) => scaled(count).join(" ");

/** `1.2 of 3.9 GB`, or `1.2 GB` where the whole is not known. */
export function bytesOf(done, whole) {
  if (whole === null || whole === undefined) return bytes(done);
  const [part, unit] = scaled(done);
  return text.time.of(unit === scaled(whole)[1] ? part : bytes(done), bytes(whole));
}

export const rate = (perSecond) => `${bytes(perSecond)}/s`;

export const number = (count) => count.toLocaleString("en");
