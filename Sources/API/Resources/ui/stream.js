// Live data: one stream of events for the whole page, and the pace at which views ask again.

import { fields, readRights, service } from "./api.js";
import { heard } from "./time.js";

const hiddenFor = 5_000; // Milliseconds after which a hidden tab closes its stream: browsers give a host six connections.
const silence = 40_000; // Milliseconds without a byte after which a stream is taken for dead; the service writes every 15 s.
const longestPause = 30_000; // Milliseconds between two tries to connect.
const mostPending = 5_000; // Events that wait to be handled; beyond it views read anew.
const eventsAtOnce = 100; // Events that are handled in one frame.

const listeners = new Set();
const watchers = new Set();

let cursor = null; // The place behind the last event that arrived.
let wasOpen = false; // Whether events may have been missed if there is no cursor.
let connection = null; // The AbortController of the open stream.
let retryTimer = 0;
let hideTimer = 0;
let failures = 0;
let pending = [];
let frame = 0;
let isPaused = false;
let isAllowed = false;

/** `live`; `connecting` before the first answer; `cut` after a failure; `away` in a hidden tab; `paused` by the reader. */
export let status = "connecting";

/** Since when it is not live, in milliseconds since 1970 by the browser's clock; 0 while it is. */
export let cutSince = 0;

/**
 * Takes part in the stream until `signal` is aborted. `events(list)` gets, once a frame, what arrived: `{type, data}` in order.
 * `reset()` says that events may have been missed: read anew.
 */
export function subscribe({ events, reset }, signal) {
  const listener = { events, reset };
  listeners.add(listener);
  signal.addEventListener("abort", () => listeners.delete(listener));
}

/** Calls `handler(status)` now and on each change. */
export function watchStatus(handler) {
  watchers.add(handler);
  handler(status);
}

function setStatus(next) {
  if (next === status) return;
  status = next;
  cutSince = next === "live" ? 0 : cutSince || Date.now();
  for (const handler of watchers) handler(status);
}

/** Begins the stream once the page has a key that may read; with a new key it begins at the present. */
export function start() {
  stop();
  isAllowed = true;
  cursor = null;
  wasOpen = false;
  connect();
}

/** Ends the stream until `start`. */
export function stop() {
  isAllowed = false;
  hangUp();
}

/** Ends all requests that nobody asked for, or goes on with them where they were left. */
export function setPaused(paused) {
  isPaused = paused;
  if (paused) {
    hangUp();
    setStatus("paused");
  } else {
    connect();
  }
}

function hangUp() {
  clearTimeout(retryTimer);
  connection?.abort();
  connection = null;
}

async function connect() {
  clearTimeout(retryTimer);
  if (connection || isPaused || !isAllowed || document.hidden) return;
  const mine = new AbortController();
  connection = mine;
  let watchdog = 0;
  const alive = () => {
    clearTimeout(watchdog);
    watchdog = setTimeout(() => mine.abort(), silence);
  };
  try {
    alive();
    const response = await fetch(new URL("v1/events?view=row", service), {
      signal: mine.signal,
      headers: fields({ Accept: "text/event-stream", ...(cursor ? { "Last-Event-ID": cursor } : {}) }),
      credentials: "omit",
      cache: "no-store",
    });
    if (response.status === 401) await readRights(); // Asks for another key.
    if (!response.ok) throw new Error(String(response.status));
    heard(response.headers.get("Date"));
    failures = 0;
    const mayHaveMissed = wasOpen && cursor === null;
    wasOpen = true;
    setStatus("live");
    if (mayHaveMissed) resetAll();
    await read(response.body, alive);
  } catch {
    // Whatever ended it, it is connected again below.
  }
  clearTimeout(watchdog);
  if (connection !== mine) return;
  connection = null;
  if (isPaused || !isAllowed || document.hidden) return;
  setStatus("cut");
  failures += 1;
  const pause = Math.min(longestPause, 1000 * 2 ** Math.min(failures, 5));
  retryTimer = setTimeout(connect, 250 + Math.random() * pause);
}

async function read(body, alive) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    alive();
    rest += value;
    const blocks = rest.split(/\r?\n\r?\n/);
    rest = blocks.pop();
    for (const block of blocks) take(block);
  }
}

/** One event of the stream: its lines `id:`, `event:`, `data:`; comments are passed over. */
function take(block) {
  let id = null;
  let type = "message";
  let data = "";
  for (const line of block.split(/\r?\n/)) {
    const at = line.indexOf(":");
    if (at < 1) continue;
    const value = line.slice(at + 1).replace(/^ /, "");
    if (line.startsWith("id")) id = value;
    else if (line.startsWith("event")) type = value;
    else if (line.startsWith("data")) data += value;
  }
  if (id) cursor = id;
  if (!data) return;
  pending.push({ type, data });
  if (pending.length > mostPending) {
    pending = [];
    resetAll();
  }
  schedule();
}

function schedule() {
  if (frame) return;
  frame = document.hidden ? setTimeout(handlePending, 250) : requestAnimationFrame(handlePending);
}

function handlePending() {
  frame = 0;
  const taken = pending.splice(0, eventsAtOnce);
  if (pending.length) schedule();
  const events = [];
  for (const { type, data } of taken) {
    if (type === "gap") resetAll();
    else if (type.includes(".")) events.push({ type, data: JSON.parse(data).data });
  }
  if (events.length) for (const listener of [...listeners]) listener.events(events);
}

function resetAll() {
  for (const listener of [...listeners]) listener.reset();
}

document.addEventListener("visibilitychange", () => {
  clearTimeout(hideTimer);
  if (document.hidden) {
    hideTimer = setTimeout(() => {
      hangUp();
      if (!isPaused) setStatus("away");
    }, hiddenFor);
  } else {
    connect();
  }
});

addEventListener("online", () => connect());

/**
 * A function that asks for `read()` soon: at most one at a time, at most one every two seconds, and none while the tab is
 * hidden or the reader paused the page; what was asked for meanwhile is done afterwards. `immediately` does not wait for
 * the two seconds. A reading that fails is shown by the first one alone, so its error is passed over.
 */
export function paced(read, signal, every = 2000) {
  let last = -Infinity;
  let timer = 0;
  let isRunning = false;
  let isWanted = false;

  async function run() {
    timer = 0;
    if (signal.aborted) return;
    if (isRunning || document.hidden || isPaused) {
      isWanted = true;
      return;
    }
    isRunning = true;
    isWanted = false;
    last = performance.now();
    try {
      await read();
    } catch {
      // The figures stay as they are; the next event asks again.
    }
    isRunning = false;
    if (isWanted) ask();
  }

  function ask(immediately = false) {
    isWanted = true;
    if (immediately) {
      clearTimeout(timer);
      timer = 0;
      run();
    } else if (!timer && !isRunning) {
      timer = setTimeout(run, Math.max(0, last + every - performance.now()));
    }
  }

  const resume = () => {
    if (isWanted) ask();
  };
  document.addEventListener("visibilitychange", resume, { signal });
  watchers.add(resume);
  signal.addEventListener("abort", () => {
    clearTimeout(timer);
    watchers.delete(resume);
  });
  return ask;
}
