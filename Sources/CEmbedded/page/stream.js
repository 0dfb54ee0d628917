// Live data: one stream of events for the whole page, and the pace at which views ask again.

import { fields, readRights, service } from "./api.js";
import { heard } from "./time.js";

// All in milliseconds.
const hiddenFor = 5_000; // A tab that is hidden for longer closes its stream: browsers give a host six connections.
const silence = 40_000; // A stream without a byte for longer is taken for dead; the service writes every 15 s.
const longestPause = 30_000; // Between two tries to connect.
const pace = 200; // Between two times at which events are handled,
const eventsAtOnce = 250; // and so many of them.
const mostPending = 5_000; // Events that wait to be handled; beyond it views read anew.

const listeners = new Set();
const watchers = new Set();

let cursor = null; // The place behind the last event that arrived.
let connection = null; // The AbortController of the open stream.
let retryTimer = 0;
let hideTimer = 0;
let handleTimer = 0;
let failures = 0;
let pending = [];
let isPaused = false;
let isAllowed = false;
let status = "connecting";
let settle = () => {}; // Called at the next change of the status.

/** Since when it is not live, in milliseconds by the browser's clock. */
export let cutSince = Date.now();

/**
 * Takes part in the stream until `signal` is aborted. `events(list)` gets `{type, data}` in their order, a few times a
 * second. `reset()` says that events may have been missed: read anew.
 */
export function subscribe(listener, signal) {
  listeners.add(listener);
  signal.addEventListener("abort", () => listeners.delete(listener));
}

/** Calls `handler(status)` on each change: `live`, `connecting`, `cut` by a failure, `paused`. */
export function watchStatus(handler) {
  watchers.add(handler);
}

function setStatus(next) {
  if (next === status) return;
  if (status === "live") cutSince = Date.now();
  status = next;
  for (const handler of watchers) handler(status);
  settle();
}

/** Begins the stream at the present. Returns when it is open or cannot be: what is read afterwards misses no event. */
export function start() {
  stop();
  setStatus("connecting");
  isAllowed = true;
  cursor = null;
  return new Promise((resolve) => {
    settle = resolve;
    connect();
    if (!connection) resolve();
  });
}

/** Ends the stream until `start`. */
export function stop() {
  isAllowed = false;
  hangUp();
}

/** Ends all requests that nobody asked for, or goes on where they were left. */
export function setPaused(paused) {
  isPaused = paused;
  if (!paused) return connect();
  hangUp();
  setStatus("paused");
}

function hangUp() {
  clearTimeout(retryTimer);
  connection?.abort();
  connection = null;
}

const mayConnect = () => isAllowed && !isPaused && !document.hidden;

async function connect() {
  clearTimeout(retryTimer);
  if (connection || !mayConnect()) return;
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
      headers: fields({ Accept: "text/event-stream", ...(cursor && { "Last-Event-ID": cursor }) }),
      credentials: "omit",
      cache: "no-store",
    });
    if (response.status === 401) await readRights(); // Asks for another key.
    if (!response.ok) throw new Error(response.status);
    heard(response.headers.get("Date"));
    failures = 0;
    setStatus("live");
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    for (let rest = "", next = await reader.read(); !next.done; next = await reader.read()) {
      alive();
      const blocks = (rest + next.value).split("\n\n");
      rest = blocks.pop();
      blocks.forEach(take);
    }
  } catch {} // Whatever ended it, it is connected again below.
  clearTimeout(watchdog);
  if (connection !== mine) return;
  connection = null;
  if (!mayConnect()) return;
  setStatus("cut");
  failures += 1;
  retryTimer = setTimeout(connect, 250 + Math.random() * Math.min(longestPause, 1000 * 2 ** failures));
}

/** One event: its lines `id:`, `event:`, `data:`. */
function take(block) {
  const event = Object.fromEntries(block.split("\n").map((line) => line.split(/: ?(.*)/, 2)));
  cursor = event.id || cursor;
  if (!event.data) return;
  pending.push(event);
  if (pending.length > mostPending) pending = [{ event: "gap" }];
  handleTimer ||= setTimeout(handle, pace);
}

function handle() {
  const taken = pending.splice(0, eventsAtOnce);
  handleTimer = pending.length && setTimeout(handle, pace);
  const events = taken.filter(({ event }) => event?.includes(".")).map(({ event, data }) => ({ type: event, data: JSON.parse(data).data }));
  for (const listener of [...listeners]) {
    if (taken.some(({ event }) => event === "gap")) listener.reset();
    if (events.length) listener.events(events);
  }
}

document.addEventListener("visibilitychange", () => {
  clearTimeout(hideTimer);
  if (!document.hidden) return connect();
  hideTimer = setTimeout(hangUp, hiddenFor);
});
addEventListener("online", connect);

/**
 * A function that asks for `read()`: one at a time, one in `every` milliseconds, none while the tab is hidden or the page
 * paused, but afterwards. With `true` it does not wait. A failure leaves the figures as they are.
 */
export function paced(read, signal, every = 2000) {
  let last = -Infinity;
  let timer = 0;
  let isRunning = false;
  let isWanted = false;

  async function run() {
    clearTimeout(timer);
    timer = 0;
    if (signal.aborted || isRunning || document.hidden || isPaused) return;
    isRunning = true;
    isWanted = false;
    last = performance.now();
    try {
      await read();
    } catch {} // The next event asks again.
    isRunning = false;
    resume();
  }

  function ask(immediately = false) {
    isWanted = true;
    if (immediately) run();
    else if (!timer && !isRunning) timer = setTimeout(run, Math.max(0, last + every - performance.now()));
  }

  const resume = () => isWanted && ask();
  document.addEventListener("visibilitychange", resume, { signal });
  watchers.add(resume);
  signal.addEventListener("abort", () => watchers.delete(resume));
  return ask;
}
