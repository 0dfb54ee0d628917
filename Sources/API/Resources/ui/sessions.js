// Sessions: state, counts and configuration of each; suspend and resume.

import { get, post, query } from "./api.js";
import { buttonIf, element, facts, link, name, row, swap, table } from "./dom.js";
import { announce } from "./page.js";
import { paced, subscribe } from "./stream.js";
import { text } from "./text.js";
import { bytes, exactTime, number, rate } from "./time.js";

const words = text.sessions;
const shown = 20; // Sessions on a page: each has its counts by a request of its own.
const counted = ["running", "waiting", "suspended", "attention_required", "failed", "succeeded"];
const columns = [
  { label: words.name, isName: true }, { label: words.state },
  ...counted.map((state) => ({ label: text.states[state], class: "number" })),
  { label: words.details }, { label: "", head: element("span", { class: "unseen" }, text.actions) },
];
const path = (identifier) => `v1/sessions/${encodeURIComponent(identifier)}`;

export default async function view(main, params, signal) {
  const box = element("div", {});
  let first = Number(params.get("from")) || 0;

  async function read() {
    const { data } = await get("v1/sessions", signal);
    const sessions = [];
    for (const { identifier } of data.slice(first, first + shown)) sessions.push(await get(path(identifier), signal));
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
      name(identifier), `${words.glyphs[state]} ${words.states[state]}`,
      ...counted.map((one) => link(`queue${query({ session: identifier, state: one })}`, element("span", { class: "figure" },
        number(counts[one]), counts[one] < 10_000 ? "" : "+"))),
      describe(session),
      action ? buttonIf("downloads:write", words[action](identifier), async () => {
        await post(`${path(identifier)}/${action}`, undefined, signal);
        announce(words.done[action](identifier));
        await read();
      }, { data: { act: identifier } }) : "",
    ]);
  }

  await read();
  main.append(element("p", { class: "hint" }, words.hint), box);
  const again = paced(read, signal, 5000);
  subscribe({ events: () => again(), reset: () => again() }, signal);
  return {
    update(next) {
      first = Number(next.get("from")) || 0;
      again(true);
    },
  };
}

/** What a session is set to, and what it does. */
function describe(session) {
  const code = (value) => element("code", {}, typeof value === "string" ? value : JSON.stringify(value));
  const set = Object.entries(session.configuration).filter(([, value]) => value !== null);
  return element("details", { data: { of: session.identifier } }, element("summary", {}, words.configuration),
    facts([
      [words.version, session.version], [words.updated, exactTime(session.updated_at)],
      [words.received, bytes(session.bytes)], [words.rate, rate(session.activity.bytes_per_second)],
      [words.withheld, session.withheld.join(", ") || null],
      ...set.map(([member, value]) => [code(member), code(value)]),
    ]),
    set.length ? null : element("p", { class: "hint" }, words.defaults));
}
