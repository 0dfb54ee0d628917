// The policy: its text with the places of its faults, forms for what most people want, a trial, and its versions.

import { can, get, newIdempotencyKey, Problem, request } from "./api.js";
import { button, buttonIf, confirm, element, field, options, section, swap } from "./dom.js";
import { announce } from "./page.js";
import { subscribe } from "./stream.js";
import { text } from "./text.js";
import { exactTime, relativeTime } from "./time.js";
import { sentence, trialBox, tryPolicy } from "./trial.js";

const words = text.policy;
const pretty = (document) => JSON.stringify(document, null, 2);

/** A document that another view made, for the text of this one. */
export const draft = { text: null };

export default async function view(main, params, signal) {
  const isEditor = can("admin");
  const { box, input } = field(words.box, { class: "code", rows: "20", spellcheck: "false", readonly: !isEditor }, "textarea");
  const version = element("p");
  const result = element("div");
  const versions = element("div");
  const forms = isEditor ? [nights(), hours(), month()].map((form) => formOf(form, documentOf, write)) : [];
  let present;
  let etag;

  /** Reads the policy in force; with `isQuiet` an edited text stays. */
  async function read(isQuiet = false) {
    const isEdited = present && input.value !== pretty(present.document);
    ({ data: present, etag } = await request("GET", "v1/policy", { signal }));
    swap(version, Object.keys(present.document).length
      ? [words.inForce(present.version), relativeTime(present.updated_at), "."] : [words.none]);
    if (!isQuiet || !isEdited) {
      input.value = pretty(present.document);
      show(present.findings);
      tell();
    }
    if (isEditor) {
      const { data } = await get("v1/policy/versions", signal);
      const newest = String(data[0]?.version);
      if (versions.dataset.newest !== newest) versions.replaceChildren(...versionLines(data));
      versions.dataset.newest = newest;
    }
  }

  function documentOf() {
    try {
      const document = JSON.parse(input.value);
      return document instanceof Object && !Array.isArray(document) ? document : null;
    } catch {
      return null;
    }
  }

  function tell() {
    input.ariaInvalid = null;
    for (const form of forms) form.watch(documentOf());
  }

  function write(document, what) {
    input.value = pretty(document);
    tell();
    announce(words.written(what));
  }

  /** The trial of the text; null where it has faults, which are shown. */
  async function judge() {
    try {
      const trial = await tryPolicy(input.value, signal);
      show(trial.findings, await trialBox(trial, signal));
      return trial;
    } catch (error) {
      const faults = error.line ? [error] : error.errors;
      if (!(error instanceof Problem) || !faults.length) throw error;
      input.ariaInvalid = "true";
      show(faults, null, true);
      return null;
    }
  }

  async function putInForce() {
    const trial = await judge();
    if (!trial || !await confirm(words.question, words.putInForce, element("p", {}, sentence(trial)), { isDangerous: false })) return;
    try {
      const { data } = await request("PUT", "v1/policy", {
        body: input.value, type: "application/json", signal,
        headers: present.version ? { "If-Match": etag } : { "If-None-Match": "*" },
      });
      announce(words.done(data.version));
      await read();
    } catch (error) {
      if (error.status !== 412) throw error;
      await read(true);
      swap(result, [element("div", { class: "problem", role: "alert" },
        words.meanwhile(present.version), changes(present.document, documentOf()))]);
    }
  }

  /** Places with the fault or remark at each, before `more`; pressing a place selects the member in the text. */
  function show(faults, more, areErrors = false) {
    swap(result, [faults.length > 0 && element("div", { class: areErrors ? "problem" : "findings", role: areErrors && "alert" },
      areErrors ? words.faults(faults.length) : words.findings,
      element("ul", {}, faults.map((fault) => element("li", {},
        button(fault.pointer ?? words.place(fault.line, fault.column), () => select(fault)),
        " ", fault.detail, fault.did_you_mean && words.didYouMean(fault.did_you_mean))))), more]);
  }

  /** Selects what a fault is about; for a member the text is laid out anew. */
  function select({ pointer, line, column }) {
    let begin = input.value.split("\n", line - 1).join("\n").length + Math.min(line - 1, 1) + column - 1;
    let end = begin + 1;
    if (pointer !== undefined) {
      input.value = pretty(documentOf());
      [begin, end] = placeOf(documentOf(), pointer);
    }
    input.focus();
    input.setSelectionRange(begin, end);
    input.scrollTop = input.scrollHeight * (input.value.slice(0, begin).split("\n").length - 4) / input.value.split("\n").length;
  }

  input.oninput = tell;
  await read();
  if (draft.text) {
    input.value = draft.text;
    draft.text = null;
    tell();
  }
  main.append(version);
  if (isEditor) {
    main.append(section(words.forms, element("p", { class: "hint" }, words.formsHint),
      element("div", { class: "forms" }, forms.map((form) => form.box))));
  } else main.append(element("p", { class: "hint" }, words.noScope));
  main.append(section(words.document, box, element("div", { class: "actions" },
    buttonIf("admin", words.try, async () => {
      const trial = await judge();
      if (trial) announce(sentence(trial));
    }),
    buttonIf("admin", words.putInForce, putInForce, { class: "primary" }),
    button(words.reread, () => read())), result));
  if (isEditor) main.append(section(words.versions, versions));
  subscribe({ events() {}, reset: () => read(true) }, signal);
}

/** Where a member stands in the text that `pretty` makes of a document, or the nearest that holds it. */
function placeOf(document, pointer) {
  const mark = newIdempotencyKey();
  const whole = { root: structuredClone(document) };
  let holder = whole;
  let key = "root";
  for (const step of pointer.split("/").slice(1).map((one) => one.replaceAll("~1", "/").replaceAll("~0", "~"))) {
    if (!(holder[key] instanceof Object) || !(step in holder[key])) break;
    [holder, key] = [holder[key], step];
  }
  holder[key] = mark;
  const [before, behind] = pretty(whole.root).split(`"${mark}"`);
  return [before.length, pretty(document).length - behind.length];
}

/** A form over one part of the document: `show` fills its inputs, `change` changes a copy of the document. */
function formOf({ title, hint, inputs, show, change }, documentOf, write) {
  const submit = element("button", {}, words.write);
  const box = element("form", {}, element("fieldset", {}, element("legend", {}, title),
    element("p", { class: "hint" }, hint), element("div", { class: "fields" }, inputs.map((input) => input.box)), submit));
  box.onsubmit = (event) => {
    event.preventDefault();
    const document = documentOf();
    change(document);
    write(document, title);
  };
  return {
    box,
    watch(document) {
      submit.disabled = !document;
      if (document && !box.contains(window.document.activeElement)) show(document);
    },
  };
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

function nights() {
  const from = field(words.from, { type: "time", required: true, value: "22:00" });
  const until = field(words.until, { type: "time", required: true, value: "06:00" });
  const which = field(words.which, {}, "select", options(Object.entries(words.whichOnes)));
  const close = field(words.atClose, {}, "select", options(Object.entries(words.closings)));
  const ruleOf = ({ rules }) => rules?.find(({ require }) => require?.includes("window night"));
  return {
    title: words.nights, hint: words.nightsHint, inputs: [from, until, which, close],
    show(policy) {
      const opening = openingOf(policy, "night");
      const rule = ruleOf(policy);
      if (opening) [from.input.value, until.input.value] = [opening.from, opening.until];
      if (!rule) return;
      which.input.value = { "{}": "all", '{"is_discretionary":true}': "discretionary" }[JSON.stringify(rule.match ?? {})] ?? "same";
      close.input.value = rule.at_close ?? "finish";
    },
    change(policy) {
      move(policy, "night", from.input.value, until.input.value);
      let rule = ruleOf(policy);
      if (!rule) policy.rules = [...policy.rules ?? [], rule = { name: "only-at-night", require: ["window night"] }];
      if (which.input.value === "all") delete rule.match;
      if (which.input.value === "discretionary") rule.match = { is_discretionary: true };
      rule.at_close = close.input.value;
    },
  };
}

function hours() {
  const table = field(words.timetable, { spellcheck: "false", placeholder: "06:00,5MB 22:00,off" });
  const parts = ({ bandwidth }) => (typeof bandwidth === "string" ? { deployment: bandwidth } : { ...bandwidth });
  return {
    title: words.hours, hint: words.hoursHint, inputs: [table],
    show(policy) {
      table.input.value = parts(policy).deployment ?? "";
    },
    change(policy) {
      policy.bandwidth = { ...parts(policy), deployment: table.input.value.trim() || undefined };
      if (!Object.values(policy.bandwidth).some(Boolean)) delete policy.bandwidth;
    },
  };
}

function month() {
  const size = field(words.bytes, { spellcheck: "false", placeholder: "500GB" });
  const hard = field(words.hard, { type: "checkbox", checked: true });
  const budgetOf = ({ budgets }) => budgets?.find(({ per, scope = "deployment" }) => per === "month" && scope === "deployment");
  return {
    title: words.month, hint: words.monthHint, inputs: [size, hard],
    show(policy) {
      const budget = budgetOf(policy);
      size.input.value = budget?.bytes ?? "";
      hard.input.checked = budget?.hard ?? true;
    },
    change(policy) {
      const value = size.input.value.trim();
      let budget = budgetOf(policy);
      if (!value) {
        policy.budgets = policy.budgets?.filter((one) => one !== budget);
        return;
      }
      if (!budget) policy.budgets = [...policy.budgets ?? [], budget = { name: "month", per: "month", scope: "deployment" }];
      if (value !== String(budget.bytes)) budget.bytes = value;
      budget.hard = hard.input.checked;
    },
  };
}

/** The last versions, each with what it changed of the one before. */
function versionLines(versions) {
  if (!versions.length) return [element("p", { class: "empty" }, words.noVersions)];
  return versions.map(({ version, updated_at: at, document }, place) => element("details", {
    on: { toggle({ target }) {
      if (target.children.length === 1) target.append(changes(versions[place + 1]?.document ?? {}, document ?? {}));
    } },
  }, element("summary", {}, words.version(version), exactTime(at), document ? "" : words.deleted)));
}

/** The changed lines between two documents, with two lines around them. */
function changes(before, after) {
  const [old, made] = [before, after].map((document) => pretty(document).split("\n"));
  if (old.length * made.length > 4e6) return element("p", {}, words.tooMany);
  const lines = differences(old, made);
  const isNear = (place) => lines.slice(Math.max(0, place - 2), place + 3).some(([mark]) => mark !== " ");
  const shown = lines.flatMap(([mark, line], place) => {
    if (isNear(place)) return [element({ "−": "del", "+": "ins" }[mark] ?? "span", {}, `${mark} ${line}\n`)];
    return place && isNear(place - 1) ? ["…\n"] : [];
  });
  return shown.length ? element("pre", { class: "changes" }, shown) : element("p", {}, words.same);
}

/** How lines differ: `[mark, line]` in order, with the marks ` `, `−` and `+`. */
function differences(before, after) {
  // The lengths of the longest common parts of what follows two places.
  const common = Array.from({ length: before.length + 1 }, () => new Uint16Array(after.length + 1));
  for (let i = before.length - 1; i >= 0; i -= 1) {
    for (let j = after.length - 1; j >= 0; j -= 1) {
      common[i][j] = before[i] === after[j] ? common[i + 1][j + 1] + 1 : Math.max(common[i + 1][j], common[i][j + 1]);
    }
  }
  const lines = [];
  for (let i = 0, j = 0; i < before.length || j < after.length;) {
    if (i < before.length && before[i] === after[j]) {
      lines.push([" ", before[i++]]);
      j += 1;
    } else if (j === after.length || (i < before.length && common[i + 1][j] >= common[i][j + 1])) lines.push(["−", before[i++]]);
    else lines.push(["+", after[j++]]);
  }
  return lines;
}
