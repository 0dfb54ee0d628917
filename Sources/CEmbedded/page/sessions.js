// Sessions: state, counts and configuration of each; suspend and resume.

import { get, post, query } from "./api.js";
import { buttonIf, element, facts, link, name, row, swap, table } from "./dom.js";
import { announce } from "./page.js";
import { paced, subscribe } from "./stream.js";
import { text } from "./text.js";
import { bytes, exactTime, number, rate } from "./time.js";

const words = text.sessions;
// Sessions on a page: each has its counts by a request of its own.
const shown = 20;
const counted = ["running", "waiting", "suspended", "attention_required", "failed", "succeeded"];
const columns = [
  { label: words.name, isName: true }, { label: words.state },
  ...counted.map((state) => ({ label: text.states[state], class: "number" })),
  { label: words.configuration }, { label: "", head: element("span", { class: "unseen" }, text.actions) },
];
const path = (identifier) => `v1/sessions/${encodeURIComponent(identifier)}`;

export default async function view(main, params, signal) {
  const box = element("div");
  let first = 0;

  async function read() {
    first = Number(params.get("from")) || 0;
    const { data } = await get("v1/sessions", signal);
    const sessions = await Promise.all(data.slice(first, first + shown).map(({ identifier }) => get(path(identifier), signal)));
    const step = (from, label) => link(`sessions${query({ from: from || null })}`, label);
    swap(box, [
      table(words.caption, columns, sessions.map(line)),
      element("div", { class: "actions" }, first > 0 && step(Math.max(0, first - shown), text.previous),
        first + shown < data.length && step(first + shown, text.next)),
    ]);
  }

  function line(session) {
    const { identifier, state, counts } = session;
    const action = { active: "suspend", suspended: "resume" }[state];
    return row(columns, [
      name(identifier), words.states[state],
      ...counted.map((one) => link(`queue${query({ session: identifier, state: one })}`, element("span", { class: "figure" },
        number(counts[one]), counts[one] < 10_000 ? "" : "+"))),
      describe(session),
      action && buttonIf("downloads:write", words[action](identifier), async () => {
        await post(`${path(identifier)}/${action}`, undefined, signal);
        announce(words.done[action](identifier));
        await read();
      }),
    ], { data: { key: identifier } });
  }

  await read();
  main.append(element("p", { class: "hint" }, words.hint), box);
  const again = paced(read, signal, 5000);
  subscribe({ events: () => again(), reset: () => again() }, signal);
  return {
    update(next) {
      params = next;
      again(true);
    },
  };
}

/** What a session is set to, and what it does. */
function describe({ version, updated_at: updated, configuration, bytes: received, activity, withheld }) {
  const code = (value) => element("code", {}, typeof value === "string" ? value : JSON.stringify(value));
  const set = Object.entries(configuration).filter(([, value]) => value !== null);
  return element("details", {}, element("summary", {}, words.version(version)), facts([
    [words.updated, exactTime(updated)], [words.received, bytes(received)], [words.rate, rate(activity.bytes_per_second)],
    [words.withheld, withheld.join(", ") || null], ...set.map(([member, value]) => [code(member), code(value)]),
  ]), set.length ? null : element("p", { class: "hint" }, words.defaults));
}
