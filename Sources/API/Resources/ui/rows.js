// Rows of downloads and uploads: their cells, and what events change in them.

import { element, link, name, progressBar, setProgress, setState, setText, stateTag } from "./dom.js";
import { text } from "./text.js";
import { bytesOf, clock, rate, relativeTime, setRelative } from "./time.js";

/** The place of one download or upload in the page. */
export function addressOf(id) {
  return `download?id=${encodeURIComponent(id)}`;
}

/** Bytes that are here, or were sent. */
function done(item) {
  return item.count_of_bytes_received ?? item.count_of_bytes_sent ?? 0;
}

function whole(item) {
  return item.count_of_bytes_expected_to_receive ?? item.length ?? null;
}

/** The name as a link, and the host below it. */
export function nameCell() {
  const words = name("");
  const anchor = link("", words);
  const host = name("");
  return {
    nodes: [anchor, element("div", { class: "quiet host" }, host)],
    update(item) {
      if (anchor.getAttribute("href") !== addressOf(item.id)) anchor.setAttribute("href", addressOf(item.id));
      setText(words, item.name || item.id);
      setText(host, item.origin || "");
    },
  };
}

/** The bar of one that runs or is held, and `1.2 of 3.9 GB`. */
export function progressCell() {
  const bar = progressBar("", 0, 1);
  const words = element("span", { class: "figure" });
  return {
    nodes: [bar, words],
    update(item) {
      const isUnderway = !["succeeded", "canceled"].includes(item.state);
      bar.hidden = !isUnderway || (done(item) === 0 && item.state !== "running");
      bar.setAttribute("aria-label", item.name || item.id);
      if (!bar.hidden) setProgress(bar, done(item), whole(item));
      setText(words, done(item) || whole(item) ? bytesOf(done(item), isUnderway ? whole(item) : null) : "");
    },
  };
}

/** The rate of one that runs, and the time that is left. */
export function rateCell() {
  const words = element("span", { class: "figure" });
  const left = relativeTime("1970-01-01T00:00:00Z", "left");
  return {
    nodes: [words, " ", left],
    update(item) {
      const isRunning = item.state === "running";
      setText(words, isRunning && item.bytes_per_second !== null ? rate(item.bytes_per_second) : "");
      left.hidden = !(isRunning && item.completes_at);
      if (!left.hidden) setRelative(left, item.completes_at, "left");
      else left.textContent = "";
    },
  };
}

/** The state, and why: the reason of a wait with its end, or the code of a failure. */
export function whyCell() {
  const tag = stateTag("waiting");
  const reason = element("span", { class: "quiet" });
  const opens = relativeTime("1970-01-01T00:00:00Z", "in");
  const until = element("span", { class: "quiet" });
  const end = element("span", { hidden: true }, until, opens, ")");
  return {
    nodes: [tag, element("div", {}, reason, " ", end)],
    update(item) {
      setState(tag, item.state);
      setText(reason, item.blocker ? text.blocker(item.blocker.code, item.blocker.rule)
        : item.error_code && item.state !== "succeeded" ? text.code(item.error_code) : "");
      end.hidden = !item.blocker?.until;
      if (end.hidden) return;
      setText(until, `${text.until} ${clock(item.blocker.until)} (`);
      setRelative(opens, item.blocker.until, "in");
    },
  };
}

/**
 * A row after an event about it, or the row itself if the event is older. Events know no blocker: the one that is shown
 * stays while the state does.
 */
export function after(item, data) {
  if (!(data.sequence >= item.sequence)) return item;
  const next = { ...item, ...data };
  next.blocker = data.state === item.state ? item.blocker : null;
  return next;
}
