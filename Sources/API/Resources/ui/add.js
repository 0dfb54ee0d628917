// Add: many URLs, all or none; each line that is refused is named.

import { get, newIdempotencyKey, post, Problem } from "./api.js";
import { button, clearProblem, element, field, link, name, setText } from "./dom.js";
import { announce } from "./page.js";
import { addressOf } from "./rows.js";
import { text } from "./text.js";

const words = text.add;
const mostShown = 100; // Links to what was added.
const mostAtOnce = 1000; // Downloads of one batch.

export default async function view(main, params, signal) {
  const urls = field(words.urls, {
    rows: 8, spellcheck: "false", autocomplete: "off", autocapitalize: "off", required: true, class: "code",
    "aria-describedby": "urls-hint", value: params.get("url") || "",
  }, "textarea");
  const session = field(words.session, { autocomplete: "off", spellcheck: "false", maxlength: 128, list: "sessions", value: "default" });
  const names = element("datalist", { id: "sessions" });
  const earliest = field(words.earliest, { type: "datetime-local", step: 60 });
  const digest = field(words.digest, { autocomplete: "off", spellcheck: "false", "aria-describedby": "digest-hint" });
  const discretionary = field(words.discretionary, { type: "checkbox" });
  const faults = element("div");
  const added = element("section", { hidden: true });
  const submit = element("button", { class: "primary" });
  const check = button(words.check, () => send(true));
  const form = element("form", { novalidate: true },
    urls.box, element("p", { class: "hint", id: "urls-hint" }, words.hint),
    discretionary.box,
    element("details", {}, element("summary", {}, words.more),
      element("div", { class: "fields" }, session.box, names, earliest.box), digest.box,
      element("p", { class: "hint", id: "digest-hint" }, words.digestHint)),
    element("div", { class: "actions" }, submit, check));
  let idempotencyKey = null; // One for what is written: a second press after a lost answer adds nothing twice.

  /** The lines that are URLs, with their numbers from 1. */
  function lines() {
    return urls.input.value.split("\n").map((line, place) => ({ url: line.trim(), number: place + 1 }))
      .filter(({ url }) => url && !url.startsWith("#"));
  }

  function showCount() {
    const count = lines().length;
    setText(submit, words.submit(count));
    submit.disabled = count === 0;
    check.hidden = count === 0;
  }

  function body(written) {
    const defaults = {};
    if (discretionary.input.checked) defaults.is_discretionary = true;
    if (earliest.input.value) defaults.earliest_begin_date = new Date(earliest.input.value).toISOString();
    if (digest.input.value.trim()) defaults.expected_digest = digest.input.value.trim();
    return { session: session.input.value.trim() || "default", defaults, downloads: written.map(({ url }) => ({ url })) };
  }

  async function send(isTrial) {
    const written = lines();
    clearFaults();
    if (written.length === 0) return;
    if (written.length > mostAtOnce) {
      showFaults(new Problem(0, { detail: words.tooMany(mostAtOnce) }), written);
      return;
    }
    idempotencyKey ||= newIdempotencyKey();
    try {
      const { data } = await post(`v1/downloads/batch${isTrial ? "?dry_run=true" : ""}`, body(written), signal,
        isTrial ? {} : { "Idempotency-Key": idempotencyKey });
      if (isTrial) {
        announce(words.good(written.length));
        return;
      }
      idempotencyKey = null;
      showAdded(data, written);
    } catch (error) {
      if (error.status === 422 || error.status === 400) idempotencyKey = null;
      if (!(error instanceof Problem)) throw error;
      if (error.status !== 401) showFaults(error, written);
    }
  }

  function clearFaults() {
    faults.replaceChildren();
    urls.input.removeAttribute("aria-invalid");
    urls.input.setAttribute("aria-describedby", "urls-hint");
  }

  /** Names each line that was refused: the places in the answer count downloads, the reader counts lines. */
  function showFaults(problem, written) {
    const items = problem.errors.map(({ pointer, detail }) => {
      const place = /^#\/downloads\/(\d+)/.exec(pointer || "");
      const line = place ? written[Number(place[1])] : null;
      if (!line) return element("li", {}, element("code", {}, pointer || ""), " ", detail);
      return element("li", {}, button(words.line(line.number), () => selectLine(line.number)), " ", name(line.url), ": ", detail);
    });
    faults.replaceChildren(element("div", { class: "problem", role: "alert", id: "faults" },
      element("p", {}, items.length ? words.noneAdded : problem.detail),
      items.length ? element("ul", {}, items) : null));
    urls.input.setAttribute("aria-invalid", "true");
    urls.input.setAttribute("aria-describedby", "faults urls-hint");
    const first = /^#\/downloads\/(\d+)/.exec(problem.errors[0]?.pointer || "");
    if (first && written[Number(first[1])]) selectLine(written[Number(first[1])].number);
  }

  function selectLine(number) {
    const all = urls.input.value.split("\n");
    const start = all.slice(0, number - 1).reduce((sum, line) => sum + line.length + 1, 0);
    urls.input.focus();
    urls.input.setSelectionRange(start, start + all[number - 1].length);
  }

  function showAdded(data, written) {
    urls.input.value = "";
    showCount();
    announce(words.added(data.length));
    added.hidden = false;
    added.replaceChildren(element("h2", { tabindex: "-1" }, words.added(data.length)),
      element("ul", {}, data.slice(0, mostShown).map((item, place) => element("li", {},
        link(addressOf(item.id), name(written[place]?.url || item.id))))),
      data.length > mostShown ? element("p", {}, words.andMore(data.length - mostShown)) : "",
      element("p", {}, link("queue", words.queue)));
    added.firstChild.focus();
  }

  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (submit.getAttribute("aria-disabled") === "true") return;
    submit.setAttribute("aria-disabled", "true");
    clearProblem(form);
    try {
      await send(false);
    } finally {
      submit.removeAttribute("aria-disabled");
    }
  });
  form.addEventListener("input", () => {
    idempotencyKey = null;
    showCount();
  });
  showCount();
  main.append(form, faults, added);
  const { data } = await get("v1/sessions", signal).catch(() => ({ data: [] }));
  names.append(...data.slice(0, 100).map((one) => element("option", { value: one.identifier })));
}
