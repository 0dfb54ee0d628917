// Rows of downloads and uploads: their cells, and how events and passed instants change them.

import { element, link, name, progressBar, stateTag } from "./dom.js";
import { paced, subscribe } from "./stream.js";
import { text } from "./text.js";
import { bytesOf, clock, everySecond, now, rate, relativeTime } from "./time.js";

/** The states in which an action changes something. */
export const statesFor = {
  suspend: ["waiting", "running"],
  resume: ["suspended", "attention_required"],
  cancel: ["waiting", "receiving", "running", "suspended", "attention_required"],
  retry: ["failed", "canceled"],
  delete: ["succeeded", "failed", "canceled"],
};

export const addressOf = (id) => `download?id=${encodeURIComponent(id)}`;

/** The name as a link, and the origin below it. */
export function nameCell(item) {
  return [link(addressOf(item.id), name(item.name || item.id)), element("div", { class: "quiet host" }, name(item.origin || ""))];
}

/** The bar of one that is not over, and `1.2 of 3.9 GB`. */
export function progressCell(item) {
  const done = item.count_of_bytes_received ?? item.count_of_bytes_sent ?? 0;
  const isOver = ["succeeded", "canceled"].includes(item.state);
  const whole = isOver ? null : item.count_of_bytes_expected_to_receive ?? item.length ?? null;
  return [!isOver && (done || item.state === "running") && progressBar(item.name || item.id, done, whole),
    done || whole ? element("span", { class: "figure" }, bytesOf(done, whole)) : null];
}

export function rateCell({ state, bytes_per_second: speed, completes_at: end }) {
  if (state !== "running") return [];
  return [speed !== null && element("span", { class: "figure" }, rate(speed)), " ", end && relativeTime(end, "left")];
}

/** The state, and why: the reason of a wait with its end, or the code of a failure. */
export function whyCell({ state, blocker, error_code: code }) {
  const words = blocker ? text.blocker(blocker.code, blocker.rule) : state !== "succeeded" && code && text.code(code);
  return [stateTag(state), words && element("div", { class: "quiet" }, words, opening(blocker?.until))];
}

/** ` until 22:00 (in 3 h)`, or null where the end is not known. */
export function opening(until) {
  return until ? [` until ${clock(until)} (`, relativeTime(until, "in"), ")"] : null;
}

/**
 * Keeps rows in step with the service: events change those that `rows()` gives, then `show()` is called; after an event
 * or a passed instant of `untils()` `read()` is called at its pace. Gives the function that asks for that.
 */
export function follow({ rows, untils, show, read }, signal) {
  let changed = performance.now();
  const ask = paced(async () => {
    const began = performance.now();
    await read();
    // The overview may be a second old: it did not count what changed just before.
    if (began < changed + 1000) ask();
  }, signal);
  setTimeout(ask, 1000);
  subscribe({
    events(list) {
      const places = new Map(rows().map(({ id }, place) => [id, place]));
      for (const { type, data } of list) {
        if (!type.endsWith(".progress")) {
          changed = performance.now();
          ask();
        }
        const place = places.get(data.id);
        const old = rows()[place];
        // Events know no blocker: the one that is shown stays while the state does.
        if (data.sequence >= old?.sequence) rows()[place] = { ...old, ...data, blocker: data.state === old.state ? old.blocker : null };
      }
      show();
    },
    reset: () => ask(true),
  }, signal);
  let passed = now();
  everySecond(() => {
    const before = passed;
    passed = now();
    if (untils().some((until) => Date.parse(until) > before && Date.parse(until) <= passed)) ask();
  }, signal);
  return ask;
}
