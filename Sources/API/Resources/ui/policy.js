// The policy: its text with the places of its faults, forms for what most people want, a trial, and its versions.

import { can, get, Problem, request } from "./api.js";
import { button, buttonIf, confirm, element, field, section } from "./dom.js";
import { differences, Misplaced, placeOf, places } from "./json.js";
import { announce } from "./page.js";
import { subscribe } from "./stream.js";
import { text } from "./text.js";
import { exactTime, relativeTime } from "./time.js";
import { sentence, trialBox, tryPolicy } from "./trial.js";

const words = text.policy;
const pretty = (document) => JSON.stringify(document, null, 2);

export default async function view(main, params, signal) {
  const isEditor = can("admin");
  const versions = element("div", {});
  const editor = new Editor(signal, async () => {
    if (isEditor) versions.replaceChildren(...versionLines((await get("v1/policy/versions", signal)).data));
  });
  await editor.read();
  if (history.state?.policy) editor.box.value = history.state.policy; // A document that another view made.
  const forms = [nights, hours, month].map((make) => make(editor));
  main.append(element("p", {}, editor.version));
  if (isEditor) main.append(section(words.forms, element("p", { class: "hint" }, words.formsHint),
    element("div", { class: "forms" }, forms)));
  else main.append(element("p", { class: "hint" }, words.noScope));
  main.append(section(words.document, editor.field, editor.actions, editor.result));
  if (isEditor) main.append(section(words.versions, versions));
  subscribe({ events() {}, reset: () => editor.read(true) }, signal);
}

/** The text box, and what is done with its text. */
class Editor {
  constructor(signal, onRead) {
    this.signal = signal;
    this.onRead = onRead;
    const { box, input } = field(words.box, { class: "code", rows: "20", spellcheck: "false", readonly: !can("admin") }, "textarea");
    this.field = box;
    this.box = input;
    this.version = element("span", {});
    this.result = element("div", {});
    this.watchers = [];
    this.actions = element("div", { class: "actions" },
      buttonIf("admin", words.try, () => this.try()),
      buttonIf("admin", words.putInForce, () => this.putInForce(), { class: "primary" }),
      button(words.reread, () => this.read()));
    input.addEventListener("input", () => this.tell());
  }

  /** Reads the policy in force. With `isQuiet` an edited text stays. */
  async read(isQuiet = false) {
    const isEdited = this.present && this.box.value !== pretty(this.present.document);
    const { data, etag } = await request("GET", "v1/policy", { signal: this.signal });
    this.present = data;
    this.etag = etag;
    this.version.replaceChildren(...(data.version
      ? [words.inForce(data.version), relativeTime(data.updated_at), "."] : [words.none]));
    if (!isQuiet || !isEdited) {
      this.box.value = pretty(data.document);
      this.show(data.findings);
      this.tell();
    }
    await this.onRead();
  }

  /** The document of the text, or null where it is none. */
  document() {
    try {
      const document = JSON.parse(this.box.value);
      return document instanceof Object && !Array.isArray(document) ? document : null;
    } catch {
      return null;
    }
  }

  tell() {
    this.box.removeAttribute("aria-invalid");
    for (const watcher of this.watchers) watcher(this.document());
  }

  /** Puts a changed document into the text; nothing is in force by that. */
  write(document, what) {
    this.box.value = pretty(document);
    this.tell();
    announce(words.written(what));
  }

  /** The trial of the text; null where it has faults, which are shown. */
  async judge() {
    try {
      places(this.box.value);
      const trial = await tryPolicy(this.box.value, this.signal);
      this.show(trial.findings, await trialBox(trial, this.signal));
      return trial;
    } catch (error) {
      const faults = error instanceof Misplaced ? [{ at: error, detail: words.noJSON(error.line, error.column) }]
        : error instanceof Problem && error.errors;
      if (!faults?.length) throw error;
      this.box.setAttribute("aria-invalid", "true");
      this.show(faults, null, true);
      return null;
    }
  }

  async try() {
    const trial = await this.judge();
    if (trial) announce(sentence(trial));
  }

  async putInForce() {
    const trial = await this.judge();
    if (!trial || !await confirm(words.question, words.putInForce, element("p", {}, sentence(trial)), { isDangerous: false })) return;
    try {
      const { data } = await request("PUT", "v1/policy", {
        body: this.box.value, type: "application/json", signal: this.signal,
        headers: this.present.version ? { "If-Match": this.etag } : { "If-None-Match": "*" },
      });
      announce(words.done(data.version));
      await this.read();
    } catch (error) {
      if (error.status !== 412) throw error;
      await this.read(true);
      this.result.replaceChildren(element("div", { class: "problem", role: "alert" },
        words.meanwhile(this.present.version), changes(this.present.document, this.document())));
    }
  }

  /** Places and what is said about them, before `more`; pressing a place selects the member in the text. */
  show(faults, more = null, areErrors = false) {
    const list = faults.length && element("div", { class: areErrors ? "problem" : "findings", role: areErrors && "alert" },
      areErrors ? words.faults(faults.length) : words.findings,
      element("ul", {}, faults.map((fault) => element("li", {},
        button(fault.pointer ?? words.place(fault.at.line, fault.at.column), () => this.select(fault)),
        " ", fault.detail, fault.did_you_mean && words.didYouMean(fault.did_you_mean)))));
    this.result.replaceChildren(...[list, more].filter(Boolean));
  }

  select({ pointer, at }) {
    const [begin, end] = at ? [at.offset, at.offset + 1] : placeOf(places(this.box.value), pointer);
    this.box.focus();
    this.box.setSelectionRange(begin, end);
    const lines = this.box.value.split("\n").length;
    this.box.scrollTop = this.box.scrollHeight * (this.box.value.slice(0, begin).split("\n").length - 4) / lines;
  }
}

/** A form over one part of the document: `show` fills its inputs, `change` changes a copy of the document. */
function form(editor, title, hint, inputs, show, change) {
  const write = element("button", {}, words.write);
  const made = element("form", {}, element("fieldset", {}, element("legend", {}, title),
    element("p", { class: "hint" }, hint), element("div", { class: "fields" }, inputs.map(({ box }) => box)), write));
  made.addEventListener("submit", (event) => {
    event.preventDefault();
    const document = editor.document();
    change(document);
    editor.write(document, title);
  });
  const watch = (document) => {
    write.disabled = !document;
    if (document && !made.contains(window.document.activeElement)) show(document);
  };
  editor.watchers.push(watch);
  watch(editor.document());
  return made;
}

/** A window's first opening: its days, and the two times that it goes from and to; null where there is none. */
export function openingOf(policy, window) {
  const found = /^(.*?)(\d\d:\d\d)-(\d\d:\d\d)$/.exec(policy.windows?.[window]?.[0] ?? "");
  return found && { days: found[1], from: found[2], until: found[3] === "24:00" ? "00:00" : found[3] };
}

/** Gives a window's first opening other times. Its days, and its other openings, stay. */
export function move(policy, window, from, until) {
  const opening = `${openingOf(policy, window)?.days ?? ""}${from}-${until === "00:00" ? "24:00" : until}`;
  policy.windows = { ...policy.windows, [window]: [opening, ...(policy.windows?.[window] ?? []).slice(1)] };
}

const options = (choices) => Object.entries(choices).map(([value, label]) => element("option", { value }, label));

function nights(editor) {
  const from = field(words.from, { type: "time", required: true, value: "22:00" });
  const until = field(words.until, { type: "time", required: true, value: "06:00" });
  const which = field(words.which, {}, "select", options(words.whichOnes));
  const close = field(words.atClose, {}, "select", options(words.closings));
  const ruleOf = ({ rules }) => rules?.find(({ require }) => require?.includes("window night"));
  return form(editor, words.nights, words.nightsHint, [from, until, which, close], (policy) => {
    const opening = openingOf(policy, "night");
    const rule = ruleOf(policy);
    if (opening) [from.input.value, until.input.value] = [opening.from, opening.until];
    if (!rule) return;
    const match = JSON.stringify(rule.match ?? {});
    which.input.value = { "{}": "all", '{"is_discretionary":true}': "discretionary" }[match] ?? "same";
    close.input.value = rule.at_close ?? "finish";
  }, (policy) => {
    move(policy, "night", from.input.value, until.input.value);
    let rule = ruleOf(policy);
    if (!rule) policy.rules = [...policy.rules ?? [], rule = { name: "only-at-night", require: ["window night"] }];
    if (which.input.value === "all") delete rule.match;
    if (which.input.value === "discretionary") rule.match = { is_discretionary: true };
    rule.at_close = close.input.value;
  });
}

function hours(editor) {
  const table = field(words.timetable, { spellcheck: "false", placeholder: "06:00,5MB 22:00,off" });
  const parts = ({ bandwidth }) => (typeof bandwidth === "string" ? { deployment: bandwidth } : { ...bandwidth });
  return form(editor, words.hours, words.hoursHint, [table], (policy) => {
    table.input.value = parts(policy).deployment ?? "";
  }, (policy) => {
    policy.bandwidth = parts(policy);
    policy.bandwidth.deployment = table.input.value.trim() || undefined;
    if (!Object.values(policy.bandwidth).some(Boolean)) delete policy.bandwidth;
  });
}

function month(editor) {
  const size = field(words.bytes, { spellcheck: "false", placeholder: "500GB" });
  const hard = field(words.hard, { type: "checkbox", checked: true });
  const budgetOf = ({ budgets }) => budgets?.find(({ per, scope = "deployment" }) => per === "month" && scope === "deployment");
  return form(editor, words.month, words.monthHint, [size, hard], (policy) => {
    const budget = budgetOf(policy);
    size.input.value = budget?.bytes ?? "";
    hard.input.checked = budget?.hard ?? true;
  }, (policy) => {
    const value = size.input.value.trim();
    let budget = budgetOf(policy);
    if (!value) {
      policy.budgets = policy.budgets?.filter((one) => one !== budget);
      return;
    }
    if (!budget) policy.budgets = [...policy.budgets ?? [], budget = { name: "month", per: "month", scope: "deployment" }];
    if (value !== String(budget.bytes)) budget.bytes = value;
    budget.hard = hard.input.checked;
  });
}

/** The last versions, each with what it changed of the one before. */
function versionLines(versions) {
  if (!versions.length) return [element("p", { class: "empty" }, words.noVersions)];
  return versions.map(({ version, updated_at: at, document }, place) => {
    const before = versions[place + 1];
    const details = element("details", {},
      element("summary", {}, words.version(version), exactTime(at), document ? "" : words.deleted));
    details.addEventListener("toggle", () => details.append(changes(before?.document ?? {}, document ?? {})), { once: true });
    return details;
  });
}

/** The changed lines between two documents, with two lines around them. */
function changes(before, after) {
  const lines = differences(pretty(before).split("\n"), pretty(after).split("\n"));
  if (!lines) return element("p", {}, words.tooMany);
  const isNear = (place) => lines.slice(Math.max(0, place - 2), place + 3).some(([mark]) => mark !== " ");
  const box = element("pre", { class: "changes" });
  lines.forEach(([mark, line], place) => {
    if (isNear(place)) box.append(element({ "−": "del", "+": "ins" }[mark] ?? "span", {}, `${mark} ${line}\n`));
    else if (place && isNear(place - 1)) box.append("…\n");
  });
  return box.childNodes.length ? box : element("p", {}, words.same);
}
