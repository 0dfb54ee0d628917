// All words of the page, by view. Functions take figures and give a sentence.

const grouped = (count) => count.toLocaleString("en");
const counted = (count, one, more) => (count === 1 ? `1 ${one}` : `${grouped(count)} ${more}`);
const downloads = (count, kind = "downloads") => counted(count, kind.slice(0, -1), kind);

export const text = {
  views: {
    overview: "Overview", queue: "Queue", add: "Add", download: "Download", when: "When", policy: "Policy",
    webhooks: "Webhooks", sessions: "Sessions",
  },
  windowTitle: (name, more = "") => `${name}${more ? `, ${more}` : ""} · Lull`,
  noSuchPage: "There is no such page",
  unreachable: "Lull was not reached",
  tryAgain: "Try again",
  keepThem: "Keep them",
  colours: "Colours",
  schemes: { system: "As the system", light: "Light", dark: "Dark" },
  loading: "Reading…",
  none: "none",
  copy: "Copy",
  copied: "Copied.",
  next: "Next page",
  previous: "Previous page",
  page: (number) => `page ${number}`,

  key: {
    title: "A key, please",
    label: "API key",
    hint: "It stays in this tab and ends with it. `lull keys create --scope downloads:read` makes one that only looks.",
    use: "Use this key",
    refused: "Lull does not know this key, or it was revoked. Check for a missing character, or make another.",
    lost: "The key is not valid any more. Give another one to go on where you were.",
    forget: "Forget the key",
  },

  live: {
    button: "Live",
    cut: (since) => `Not live since ${since}: the figures are old. Trying to connect again.`,
    paused: (since) => `Not live since ${since}: you paused the page. Press “Live” to go on.`,
    cutShort: "Not live: the figures are old.",
    again: "Live again.",
  },

  problems: {
    unreachable: "Lull did not answer. Check that it runs and that this computer is connected, then try again.",
    status: (status) => `Something between here and Lull answered with status ${status}.`,
  },

  time: {
    ago: (length) => `${length} ago`,
    in: (length) => `in ${length}`,
    left: (length) => `${length} left`,
    anyMoment: "any moment",
  },
  units: { of: (part, whole) => `${part} of ${whole}` },

  states: {
    waiting: "Waiting", receiving: "Receiving", running: "Running", suspended: "Suspended",
    attention_required: "Attention required", canceling: "Canceling", succeeded: "Succeeded", failed: "Failed",
    canceled: "Canceled",
  },
  glyphs: {
    waiting: "◷", receiving: "⇡", running: "▸", suspended: "‖", attention_required: "!", canceling: "⊖",
    succeeded: "✓", failed: "✗", canceled: "⊘",
  },

  /** Why something waits, by the code of its blocker; `rule` is the name of a rule or a budget. */
  blocker(code, rule) {
    const named = rule ? ` “${rule}”` : "";
    const words = {
      earliest_begin_date: "waits for its date",
      wake_delay: "waits until its client was woken",
      awaiting_content: "waits for its bytes",
      window: `waits for the window${named}`,
      condition: `waits for the condition${named}`,
      closing_window: `would not be complete when${named || " its window"} closes`,
      preferred_time: `waits for a better time${named}`,
      session_suspended: "its session is suspended",
      session_limit: "its session runs as many as it may",
      bandwidth_zero: "the bandwidth is 0 now",
      budget: `the budget${named} is used up`,
      origin_limit: "its origin serves as many as it may",
      app_limit: "the app runs as many as it may",
      connection_limit: "as many connections as allowed are open",
      slots: "waits for a free slot",
      retry_backoff: "waits for its next attempt",
      origin_pushback: "its origin asked to wait",
      dependency: "waits for another download",
      origin_unreachable: "its origin is not reached",
      replica_away: "the replica with its bytes is away",
      connectivity: "the network is not reached",
      begin_hook: "waits for the answer of its hook",
      disk_reserve: "waits for room on the disk",
      draining: "the service is about to stop",
    };
    return words[code] || code.replaceAll("_", " ");
  },
  /** Words between a reason and the time of its end. */
  until: "until",

  /** An error code for people. */
  code: (code) => code.replaceAll("_", " "),
  retryThese: (count) => (count === 1 ? "Retry this one" : `Retry these ${grouped(count)}`),

  overview: {
    empty: "Nothing was downloaded here yet.",
    add: "Add the first URLs",
    running: (count, limit) => `${grouped(count)} running${limit ? ` of ${grouped(limit)} slots` : ""}`,
    rate: (rate) => rate,
    waiting: (count) => `${grouped(count)} waiting`,
    oldest: "the oldest was added",
    suspended: (count) => `${grouped(count)} suspended`,
    failed: (count, isComplete) => `${grouped(count)}${isComplete || count < 10000 ? "" : "+"} failed`,
    room: (size) => `${size} of room`,
    more: (count) => `and ${grouped(count)} more`,
    name: "Name", cause: "Cause", since: "Since", action: "Do", progress: "Progress", rateColumn: "Rate",
    reason: "Reason", opens: "Until", count: "Downloads", failure: "Failure", origin: "Origin",
    openEnd: "not known",
    attention: "Needs you",
    attentionCaption: "Downloads that go on only after somebody did something",
    resume: "Resume", resumeOne: (name) => `Resume ${name}`, resumed: (name) => `${name} goes on.`,
    look: "What to do",
    runningHeading: "Running", runningCaption: "Downloads that receive bytes now",
    waitingHeading: "Waiting", waitingCaption: "Waiting downloads by their first reason",
    failuresHeading: "Failed", failuresCaption: "Failures of the last 24 hours",
    example: "Show",
    retried: (changed, matched) => `${grouped(changed)} of ${grouped(matched)} are tried again.`,
    hours: "The next 24 hours",
    ahead: (total, hour, most) => `About ${total} will arrive, most of it in the hour from ${hour}: ${most}.`,
    nothingAhead: "Nothing is expected to arrive.",
    when: "Hour by hour",
  },
  queue: {
    add: "Add downloads", kinds: "Kind", downloads: "Downloads", uploads: "Uploads", states: "States", all: "All",
    search: "Name or URL", session: "Session", order: "Order", filter: "Filter", clear: "Clear the filter",
    orders: {
      "": "Newest first", created_at: "Oldest first", next: "Next to begin", "-completed_at": "Last ended first",
      completed_at: "First ended first",
    },
    only: { origin: "Only from", error_code: "Only with the error", external_id: "Only with the client's name",
      created_after: "Added since", created_before: "Added before", completed_after: "Ended since" },
    selection: "Selection", select: "Select", selectAll: "Select all on this page", selectOne: (name) => `Select ${name}`,
    everything: "Select all pages", everythingChosen: "All that match are selected. The buttons say how many they change.",
    name: "Name", state: "State", progress: "Progress", rate: "Rate", when: "Added or ended", pages: "Pages",
    firstPage: "First page",
    caption: (count, isUploads, page) =>
      `${isUploads ? "Uploads" : "Downloads"}: ${grouped(count)} on ${page > 1 ? `page ${page}` : "this page"}`,
    found: (count, page) => `${grouped(count)} on page ${page}.`,
    act: {
      suspend: (count, isUploads) => `Suspend ${downloads(count, isUploads ? "uploads" : "downloads")}`,
      resume: (count, isUploads) => `Resume ${downloads(count, isUploads ? "uploads" : "downloads")}`,
      cancel: (count, isUploads) => `Cancel ${downloads(count, isUploads ? "uploads" : "downloads")}`,
      retry: (count) => (count === 1 ? "Retry this one" : `Retry these ${grouped(count)}`),
      delete: (count, isUploads) => `Delete ${downloads(count, isUploads ? "uploads" : "downloads")}`,
    },
    warning: {
      cancel: "Bytes that were received so far are removed.",
      delete: "They leave the queue and its history, and their content is removed.",
    },
    andMore: (count) => `and ${grouped(count)} more`,
    done: {
      suspend: (count, isUploads) => `${downloads(count, isUploads ? "uploads" : "downloads")} suspended.`,
      resume: (count, isUploads) => `${downloads(count, isUploads ? "uploads" : "downloads")} resumed.`,
      cancel: (count, isUploads) => `${downloads(count, isUploads ? "uploads" : "downloads")} canceled.`,
      retry: (count, isUploads, left) => `${downloads(count, isUploads ? "uploads" : "downloads")} tried again.`
        + (left ? ` ${grouped(left)} were not: the queue of this app is full.` : ""),
      delete: (count, isUploads) => `${downloads(count, isUploads ? "uploads" : "downloads")} deleted.`,
    },
    truncated: "10,000 were looked at and none fits. The next page goes on behind them.",
    nothingFits: "Nothing fits.",
    noUploads: "No file was sent from here yet. `lull upload FILE --to URL` sends one.",
    empty: "Nothing was downloaded here yet.",
  },
  add: {},
  one: {},
  when: {},
  policy: {},
  webhooks: {},
  sessions: {},
};
