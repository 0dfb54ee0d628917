// Times by the clock of the service, and figures for people.

import { text } from "./text.js";

let ahead = 0; // Milliseconds by which the service's clock is ahead of the browser's.

/** Learns the service's clock from a `Date` field, which counts seconds, or from an exact instant. */
export function heard(instant, isExact = false) {
  const told = Date.parse(instant ?? "");
  if (Number.isNaN(told)) return;
  const difference = told + (isExact ? 0 : 500) - Date.now();
  if (Math.abs(difference - ahead) > (isExact ? 250 : 1500)) ahead = difference;
}

/** Milliseconds since 1970 by the clock of the service. */
export function now() {
  return Date.now() + ahead;
}

/** The zone of the policy in force, such as `Europe/Berlin`; null where none is known. */
export let policyZone = null;

export function setPolicyZone(name) {
  try {
    policyZone = name && format(name) ? name : null;
  } catch {
    policyZone = null;
  }
}

const browserZone = Intl.DateTimeFormat().resolvedOptions().timeZone;
const formats = new Map();

function format(zone) {
  if (!formats.has(zone)) {
    formats.set(zone, new Intl.DateTimeFormat("en-GB", {
      timeZone: zone, year: "numeric", month: "2-digit", day: "2-digit",
      hour: "2-digit", minute: "2-digit", second: "2-digit", hourCycle: "h23",
    }));
  }
  return formats.get(zone);
}

function parts(instant, zone) {
  const found = {};
  for (const { type, value } of format(zone).formatToParts(new Date(instant))) found[type] = value;
  return found;
}

/** `22:00`, with the date before it where that is not today; in the browser's zone unless another is named. */
export function clock(instant, zone = browserZone) {
  const of = parts(instant, zone);
  const today = parts(now(), zone);
  const day = `${of.year}-${of.month}-${of.day}`;
  const isToday = day === `${today.year}-${today.month}-${today.day}`;
  return isToday ? `${of.hour}:${of.minute}` : `${day} ${of.hour}:${of.minute}`;
}

/** `2026-11-28 22:00:05 Europe/Berlin`. */
export function full(instant, zone = browserZone) {
  const of = parts(instant, zone);
  return `${of.year}-${of.month}-${of.day} ${of.hour}:${of.minute}:${of.second} ${zone}`;
}

/** The hour of an instant, `22:00`, in the policy's zone or the browser's. */
export function hour(instant, zone = browserZone) {
  const of = parts(instant, zone);
  return `${of.hour}:${of.minute}`;
}

/** How long, from milliseconds: `12 s`, `3 min`, `2 h 10 min`, `4 d`. Never negative. */
export function duration(milliseconds) {
  const seconds = Math.max(0, Math.round(milliseconds / 1000));
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return seconds % 60 && minutes < 10 ? `${minutes} min ${seconds % 60} s` : `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  if (hours < 48) return minutes % 60 ? `${hours} h ${minutes % 60} min` : `${hours} h`;
  return `${Math.floor(hours / 24)} d`;
}

/** The words of an instant seen from now: `style` is `ago`, `in` or `left`. */
function relative(instant, style) {
  const away = Date.parse(instant) - now();
  if (style === "ago") return text.time.ago(duration(-away));
  if (style === "left") return away > 0 ? text.time.left(duration(away)) : text.time.anyMoment;
  return away > 0 ? text.time.in(duration(away)) : text.time.anyMoment;
}

/** A `<time>` in words that follow the clock: `3 min ago`, `in 2 h` or `12 s left`. */
export function relativeTime(instant, style = "ago") {
  const element = document.createElement("time");
  setRelative(element, instant, style);
  return element;
}

/** Gives a `<time>` of `relativeTime` another instant. */
export function setRelative(element, instant, style = "ago") {
  if (element.dateTime !== instant) {
    element.dateTime = instant;
    element.title = full(instant);
  }
  element.dataset.style = style;
  const words = relative(instant, style);
  if (element.textContent !== words) element.textContent = words;
}

/** A `<time>` in the browser's zone, with the policy's zone beside it where that shows another time. */
export function exactTime(instant) {
  const element = document.createElement("time");
  element.dateTime = instant;
  const here = full(instant);
  const there = policyZone ? full(instant, policyZone) : here;
  element.textContent = here.slice(0, 19) === there.slice(0, 19) ? here : `${here} (${there})`;
  return element;
}

const tickers = new Set();

/** Calls `handler` each second while the tab is visible, until `signal` is aborted. */
export function everySecond(handler, signal) {
  tickers.add(handler);
  signal?.addEventListener("abort", () => tickers.delete(handler));
}

setInterval(() => {
  if (document.hidden) return;
  for (const element of document.querySelectorAll("time[data-style]")) {
    const words = relative(element.dateTime, element.dataset.style);
    if (element.textContent !== words) element.textContent = words;
  }
  for (const handler of tickers) handler();
}, 1000);

const units = ["B", "kB", "MB", "GB", "TB", "PB"];

function scaled(count) {
  let unit = 0;
  let value = count;
  while (value >= 999.5 && unit < units.length - 1) {
    value /= 1000;
    unit += 1;
  }
  return { unit, words: unit === 0 || value >= 99.95 ? String(Math.round(value)) : value.toFixed(1) };
}

/** `3.9 GB`, by powers of 1000. */
export function bytes(count) {
  const { unit, words } = scaled(count);
  return `${words} ${units[unit]}`;
}

/** `1.2 of 3.9 GB`, or `1.2 GB` where the whole is not known. */
export function bytesOf(done, whole) {
  if (whole === null || whole === undefined) return bytes(done);
  const all = scaled(whole);
  const part = scaled(done);
  return part.unit === all.unit
    ? text.units.of(part.words, `${all.words} ${units[all.unit]}`)
    : text.units.of(bytes(done), bytes(whole));
}

/** `48.0 MB/s`. */
export function rate(perSecond) {
  return `${bytes(perSecond)}/s`;
}

/** `12,345`. */
export function number(count) {
  return count.toLocaleString("en");
}
