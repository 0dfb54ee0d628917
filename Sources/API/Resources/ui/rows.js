// Cells of downloads and uploads, and what events change in their rows.

import { element, link, name, progressBar, stateTag } from "./dom.js";
import { text } from "./text.js";
import { bytesOf, clock, rate, relativeTime } from "./time.js";

/** The place of one download or upload in the page. */
export function addressOf(id) {
  return `download?id=${encodeURIComponent(id)}`;
}

/** The name as a link, and the origin below it. */
export function nameCell(item) {
  return [link(addressOf(item.id), name(item.name || item.id)), element("div", { class: "quiet host" }, name(item.origin || ""))];
}

/** The bar of one that runs or is held, and `1.2 of 3.9 GB`. */
export function progressCell({ id, name: file, state, count_of_bytes_received: received, count_of_bytes_sent: sent,
  count_of_bytes_expected_to_receive: expected, length }) {
  const done = received ?? sent ?? 0;
  const isOver = ["succeeded", "canceled"].includes(state);
  const whole = isOver ? null : expected ?? length ?? null;
  return [!isOver && (done || state === "running") ? progressBar(file || id, done, whole) : null,
    done || whole ? element("span", { class: "figure" }, bytesOf(done, whole)) : null];
}

/** The rate of one that runs, and the time that is left. */
export function rateCell({ state, bytes_per_second: speed, completes_at: end }) {
  if (state !== "running") return [];
  return [element("span", { class: "figure" }, speed === null ? "" : rate(speed)), " ", end && relativeTime(end, "left")];
}

/** The state, and why: the reason of a wait with its end, or the code of a failure. */
export function whyCell({ state, blocker, error_code: code }) {
  const words = blocker ? text.blocker(blocker.code, blocker.rule) : code && state !== "succeeded" ? text.code(code) : null;
  return [stateTag(state), words && element("div", { class: "quiet" }, words, opening(blocker?.until))];
}

/** ` until 22:00 (in 3 h)`, or null where the end is not known. */
export function opening(until) {
  return until ? [` ${text.until} ${clock(until)} (`, relativeTime(until, "in"), ")"] : null;
}

/**
 * A row after an event about it, or the row itself if the event is older. Events know no blocker: the one that is shown
 * stays while the state does.
 */
export function after(item, data) {
  if (!(data.sequence >= item.sequence)) return item;
  return { ...item, ...data, blocker: data.state === item.state ? item.blocker : null };
}
