// Webhooks: receivers and how they answer, deliveries and what was answered; redeliver, ping, another secret.

import { can, get, newIdempotencyKey, post, query } from "./api.js";
import { button, confirm, element, facts, field, link, name, options, row, section, swap, table } from "./dom.js";
import { announce, go } from "./page.js";
import { addressOf } from "./rows.js";
import { paced, subscribe } from "./stream.js";
import { text } from "./text.js";
import { exactTime, number, relativeTime } from "./time.js";

const words = text.webhooks;
// Receivers that are listed: each has its counts by a request of its own.
const shown = 20;
const columnsOf = (...labels) => [
  ...labels.map((label, place) => ({ label, isName: place === 0 })),
  { label: "", head: element("span", { class: "unseen" }, text.actions) }];
const receiverColumns = columnsOf(
  words.receiver, words.hears, words.state, words.succeeded, words.failed, words.pending, words.answer);
const deliveryColumns = columnsOf(words.event, words.download, words.receiver, words.state, words.answer, words.when);
const called = ({ url }) => url ?? words.everyURL;

export default async function view(main, params, signal) {
  if (!can("webhooks")) {
    main.append(element("p", { class: "empty" }, words.noScope));
    return;
  }
  const receivers = element("div");
  const secret = element("div", { tabindex: "-1", class: "secret", hidden: true });
  const deliveries = element("div");
  const receiver = field(words.receiver, {}, "select");
  const state = field(words.state, {}, "select", options([["", words.all], ...Object.entries(words.states)]));
  for (const { input } of [receiver, state]) input.onchange = () => go(address());

  function address(cursor) {
    return `webhooks${query({ endpoint: receiver.input.value, state: state.input.value, cursor })}`;
  }

  async function read() {
    const { data } = await get("v1/webhook_endpoints", signal);
    swap(receivers, [
      table(words.receiversCaption, receiverColumns, await Promise.all(data.slice(0, shown).map(async (one) =>
        receiverLine(one, await get(`v1/webhook_endpoints/${one.id}/statistics`, signal))))),
      data.length > shown && element("p", { class: "hint" }, text.andMore(data.length - shown))]);
    if (document.activeElement !== receiver.input) {
      swap(receiver.input, options([["", words.all], ...data.map((one) => [one.id, called(one)])]));
      receiver.input.value = params.get("endpoint") || "";
      state.input.value = params.get("state") || "";
    }
    const chosen = Object.fromEntries(["endpoint", "state", "download", "cursor"].map((one) => [one, params.get(one)]));
    const { data: list, next_cursor: next } = await get(`v1/webhook_deliveries${query({ ...chosen, limit: 50 })}`, signal);
    swap(deliveries, [
      list.length ? table(words.deliveriesCaption, deliveryColumns, list.map(deliveryLine))
        : element("p", { class: "empty" }, words.noDeliveries),
      element("div", { class: "actions" }, chosen.cursor && link(address(), words.newest), next && link(address(next), text.next)),
    ]);
  }

  function receiverLine(endpoint, { succeeded, failed, pending, last_success_at: good, last_failure_at: bad }) {
    const isGood = (good || "") > (bad || "");
    const act = (kind, run) => button(words[kind], run, { "aria-label": `${words[kind]} ${called(endpoint)}` });
    return row(receiverColumns, [
      [name(called(endpoint)), element("div", { class: "quiet" }, name(endpoint.description ?? "")),
        words.formats[endpoint.format] && element("div", { class: "quiet" }, words.formats[endpoint.format])],
      endpoint.events?.join(", ") ?? words.ends,
      endpoint.enabled ? words.enabled : words.disabled(endpoint.disabled_reason),
      ...[succeeded, failed, pending].map((count) => (count === null ? "" : number(count))),
      good || bad ? [isGood ? words.good : words.bad, relativeTime(isGood ? good : bad)] : words.noAnswer,
      element("div", { class: "actions" }, endpoint.url && act("ping", () => ping(endpoint)), act("rotate", () => rotate(endpoint))),
    ], { data: { key: endpoint.id } });
  }

  function ask(kind, content) {
    return confirm(words.questions[kind], words.answers[kind], content, { isDangerous: false });
  }

  async function send(path, done) {
    await post(path, undefined, signal, { "Idempotency-Key": newIdempotencyKey() });
    announce(done);
    await read();
  }

  async function ping(endpoint) {
    if (await ask("ping", name(called(endpoint)))) await send(`v1/webhook_endpoints/${endpoint.id}/ping`, words.pinged);
  }

  async function rotate(endpoint) {
    if (!await ask("rotate", name(called(endpoint)))) return;
    const answer = await post(`v1/webhook_endpoints/${endpoint.id}/secret/rotate`, undefined, signal);
    swap(secret, [words.secretOf(called(endpoint)), element("pre", {}, answer.secret),
      words.overlap, exactTime(answer.previous_expires_at)]);
    secret.hidden = false;
    secret.focus();
    announce(words.rotated);
  }

  function deliveryLine(delivery) {
    const { id, type, download, url, attempts, attempt_count: tries, next_attempt_at: next, event_at: at } = delivery;
    const event = type ?? words.erased;
    return row(deliveryColumns, [
      event, download && link(addressOf(download), element("code", {}, download)), name(url ?? words.erased),
      words.states[delivery.state],
      attempts.length ? element("details", {},
        element("summary", {}, answer(attempts.at(-1)), tries > 1 ? words.tries(number(tries)) : ""),
        element("ol", {}, attempts.toReversed().map((one) => element("li", {}, exactTime(one.at), " ", answer(one),
          one.response_body && element("pre", {}, one.response_body))))) : words.noAnswer,
      next ? [words.nextTry, relativeTime(next, "in")] : relativeTime(delivery.completed_at ?? at),
      button(words.redeliver, async () => {
        const content = facts([[words.event, event], [words.receiver, url && name(url)], [words.when, exactTime(at)]]);
        if (await ask("redeliver", content)) await send(`v1/webhook_deliveries/${id}/redeliver`, words.redelivered);
      }, { "aria-label": `${words.redeliver} ${event} ${url ?? ""}` }),
    ], { data: { key: id } });
  }

  await read();
  main.append(
    section(words.receivers, element("p", { class: "hint" }, words.receiversHint), secret, receivers),
    section(words.deliveries, element("div", { class: "fields" }, receiver.box, state.box), deliveries));
  const again = paced(read, signal, 5000);
  subscribe({ events: () => again(), reset: () => again() }, signal);
  return {
    update(next) {
      params = next;
      again(true);
    },
  };
}

/** What a try was answered. */
function answer({ http_status: status, error }) {
  return error ?? String(status);
}
