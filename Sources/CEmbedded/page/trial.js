// The effects of a policy document that is tried: counts, and the first hundred downloads with their times before and after.

import { get, request } from "./api.js";
import { element, link, name, row, table } from "./dom.js";
import { addressOf } from "./rows.js";
import { text } from "./text.js";
import { exactTime, number } from "./time.js";

const words = text.trial;
const columns = [{ label: words.name, isName: true }, { label: words.before }, { label: words.after }];

/** Tries a document, given as text, against the downloads that wait; nothing is changed. */
export async function tryPolicy(document, signal) {
  return (await request("POST", "v1/policy/try", { body: document, type: "application/json", signal })).data;
}

/** The counts of a trial in a sentence. */
export function sentence({ counts: { sooner, later, otherwise, unchanged } }) {
  return words.counts(...[sooner, later, otherwise, unchanged].map(number));
}

/** A trial as elements: its sentence, and the first changes as a table. */
export async function trialBox(trial, signal) {
  const names = await namesOf(trial.changes, signal);
  return element("div", {}, element("p", {}, element("strong", {}, sentence(trial))),
    !trial.is_whole && element("p", { class: "hint" }, words.part(number(trial.judged))),
    trial.changes.length > 0 && table(words.caption(trial.changes.length), columns, trial.changes.map(({ id, before, after }) =>
      row(columns, [link(addressOf(id), name(names.get(id) || id)), side(before), side(after)], { data: { key: id } }))));
}

/** When it would begin, and why not before. */
function side({ until, blockers: [first] }) {
  return [until ? exactTime(until) : words.unknown,
    first && element("div", { class: "quiet" }, text.blocker(first.code, first.rule))];
}

/** The names of waiting downloads by their identifiers, as far as five pages have them. */
export async function namesOf(downloads, signal) {
  const wanted = new Set(downloads.map(({ id }) => id));
  const found = new Map();
  let cursor = "";
  for (let page = 0; page < 5 && wanted.size && cursor !== null; page += 1) {
    const list = await get(`v1/downloads?view=row&state=waiting&limit=200${cursor}`, signal);
    for (const item of list.data) if (wanted.delete(item.id)) found.set(item.id, item.name);
    cursor = list.next_cursor && `&cursor=${list.next_cursor}`;
  }
  return found;
}
