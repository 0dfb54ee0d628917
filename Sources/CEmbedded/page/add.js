// Add: many URLs, all or none; each line that is refused is named.

import { newIdempotencyKey, post, Problem } from "./api.js";
import { button, element, field, link, name } from "./dom.js";
import { announce } from "./page.js";
import { addressOf } from "./rows.js";
import { text } from "./text.js";

const words = text.add;
const mostShown = 100; // Links to downloads that were added.
const mostAtOnce = 1000; // Downloads of one batch.

export default async function view(main, params, signal) {
  const plain = { autocomplete: "off", spellcheck: "false" };
  const urls = field(words.urls, { ...plain, rows: 8, class: "code", "aria-describedby": "urls-hint" }, "textarea");
  const session = field(words.session, { ...plain, maxlength: 128, value: "default" });
  const earliest = field(words.earliest, { type: "datetime-local" });
  const digest = field(words.digest, plain);
  const discretionary = field(words.discretionary, { type: "checkbox" });
  const result = element("div");
  const add = button("", () => send(false), { class: "primary", type: "submit" });
  const check = button(words.check, () => send(true));
  let idempotencyKey = null; // One for all that is written: a second press after a lost answer adds nothing twice.

  /** The lines that are URLs, with their numbers from 1. */
  function lines() {
    return urls.input.value.split("\n").map((line, place) => ({ url: line.trim(), number: place + 1 }))
      .filter(({ url }) => url && !url.startsWith("#"));
  }

  function changed() {
    idempotencyKey = null;
    const count = lines().length;
    add.textContent = words.submit(count);
    add.disabled = count === 0;
    check.hidden = count === 0;
  }

  async function send(isTrial) {
    const written = lines();
    result.replaceChildren();
    urls.input.ariaInvalid = null;
    if (written.length > mostAtOnce) throw new Problem(0, { detail: words.tooMany });
    const body = {
      session: session.input.value.trim() || "default",
      defaults: {
        is_discretionary: discretionary.input.checked || undefined,
        earliest_begin_date: earliest.input.value ? new Date(earliest.input.value).toISOString() : undefined,
        expected_digest: digest.input.value.trim() || undefined,
      },
      downloads: written.map(({ url }) => ({ url })),
    };
    idempotencyKey ||= newIdempotencyKey();
    try {
      const { data } = await post(`v1/downloads/batch${isTrial ? "?dry_run=true" : ""}`, body, signal,
        isTrial ? {} : { "Idempotency-Key": idempotencyKey });
      if (isTrial) announce(words.good(written.length));
      else showAdded(data, written);
    } catch (error) {
      if (error.status) idempotencyKey = null;
      if (!error.errors?.length) throw error;
      showFaults(error, written);
    }
  }

  /** Names each line that was refused: places in the answer count downloads, the reader counts lines. */
  function showFaults({ errors }, written) {
    const faults = errors.map(({ pointer, detail }) => ({ pointer, detail, line: written[/^#\/downloads\/(\d+)/.exec(pointer)?.[1]] }));
    result.append(element("div", { class: "problem", role: "alert" }, element("p", {}, words.noneAdded),
      element("ul", {}, faults.map(({ pointer, detail, line }) => element("li", {},
        line ? [button(words.line(line.number), () => select(line.number)), " ", name(line.url)] : element("code", {}, pointer),
        ": ", detail)))));
    urls.input.ariaInvalid = "true";
    const first = faults.find(({ line }) => line);
    if (first) select(first.line.number);
  }

  function select(number) {
    const all = urls.input.value.split("\n");
    const start = all.slice(0, number - 1).join("\n").length + (number > 1 ? 1 : 0);
    urls.input.focus();
    urls.input.setSelectionRange(start, start + all[number - 1].length);
  }

  function showAdded(data, written) {
    urls.input.value = "";
    changed();
    announce(words.added(data.length));
    result.append(element("h2", { tabindex: "-1" }, words.added(data.length)),
      element("ul", {}, data.slice(0, mostShown).map(({ id }, place) =>
        element("li", {}, link(addressOf(id), name(written[place].url))))),
      data.length > mostShown ? element("p", {}, text.andMore(data.length - mostShown)) : "",
      element("p", {}, link("queue", words.queue)));
    result.firstChild.focus();
  }

  const submit = (event) => event.preventDefault(); // The button does it, also for the Enter key.
  changed();
  main.append(element("form", { novalidate: true, on: { submit, input: changed } },
    urls.box, element("p", { class: "hint", id: "urls-hint" }, words.hint), discretionary.box,
    element("details", {}, element("summary", {}, words.more),
      element("div", { class: "fields" }, session.box, earliest.box),
      digest.box),
    element("div", { class: "actions" }, add, check)), result);
}
