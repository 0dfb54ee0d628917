// Webhooks: receivers and how they answer, deliveries and what was answered; redeliver, ping, another secret.

import { can, get, newIdempotencyKey, post, query } from "./api.js";
import { button, confirm, element, facts, field, link, name, row, section, swap, table } from "./dom.js";
import { announce, go } from "./page.js";
import { paced, subscribe } from "./stream.js";
import { text } from "./text.js";
import { exactTime, number, relativeTime } from "./time.js";

const words = text.webhooks;
const shown = 20; // Receivers that are listed: each has its counts by a request of its own.
const actions = { label: "", head: element("span", { class: "unseen" }, text.actions) };
const columns = (names, numbers = []) => names.map((label, place) => ({
  label, isName: place === 0, class: numbers.includes(place) ? "number" : null }));
const receiverColumns = [...columns([words.receiver, words.hears, words.state, words.succeeded, words.failed, words.pending,
  words.answer], [3, 4, 5]), actions];
const deliveryColumns = [...columns([words.event, words.download, words.receiver, words.state, words.answer, words.when]),
  { ...actions, head: actions.head.cloneNode(true) }];
const called = (receiver) => receiver.url ?? words.everyURL;

export default async function view(main, params, signal) {
  if (!can("webhooks")) {
    main.append(element("p", { class: "empty" }, words.noScope));
    return {};
  }
  const receivers = element("div", {});
  const secret = element("div", { tabindex: "-1", class: "secret", hidden: true });
  const deliveries = element("div", {});
  const receiver = field(words.receiver, {}, "select");
  const state = field(words.state, {}, "select", Object.entries({ "": words.all, ...words.states }).map(option));
  for (const { input } of [receiver, state]) input.addEventListener("change", () => go(address()));

  function address(cursor) {
    return `webhooks${query({ endpoint: receiver.input.value, state: state.input.value, cursor })}`;
  }

  async function read() {
    const { data } = await get("v1/webhook_endpoints", signal);
    const lines = [];
    for (const one of data.slice(0, shown)) {
      lines.push(receiverLine(one, await get(`v1/webhook_endpoints/${one.id}/statistics`, signal)));
    }
    swap(receivers, [table(words.receiversCaption, receiverColumns, lines),
      data.length > shown && element("p", { class: "hint" }, words.more(number(data.length - shown)))]);
    if (document.activeElement !== receiver.input) {
      receiver.input.replaceChildren(...[["", words.all], ...data.map((one) => [one.id, called(one)])].map(option));
      receiver.input.value = params.get("endpoint") || "";
      state.input.value = params.get("state") || "";
    }
    await readDeliveries();
  }

  async function readDeliveries() {
    const chosen = Object.fromEntries(["endpoint", "state", "download", "cursor"].map((one) => [one, params.get(one)]));
    const { data, next_cursor: next } = await get(`v1/webhook_deliveries${query({ ...chosen, limit: 50 })}`, signal);
    swap(deliveries, [
      data.length ? table(words.deliveriesCaption, deliveryColumns, data.map(deliveryLine))
        : element("p", { class: "empty" }, words.noDeliveries),
      element("div", { class: "actions" }, chosen.cursor && link(address(), words.newest), next && link(address(next), text.next)),
    ]);
  }

  function receiverLine(endpoint, { succeeded, failed, pending, last_success_at: good, last_failure_at: bad }) {
    const isGood = (good || "") > (bad || "");
    const count = (value) => (value === null ? "" : number(value));
    const act = (kind, run) => button(words[kind], run, {
      "aria-label": `${words[kind]} ${called(endpoint)}`, data: { act: kind + endpoint.id } });
    return row(receiverColumns, [
      [name(called(endpoint)), element("div", { class: "quiet" }, name(endpoint.description ?? ""))],
      endpoint.events?.join(", ") ?? words.ends,
      endpoint.enabled ? words.enabled : words.disabled(endpoint.disabled_reason),
      count(succeeded), count(failed), count(pending),
      good || bad ? [isGood ? words.good : words.bad, relativeTime(isGood ? good : bad)] : words.noAnswer,
      element("div", { class: "actions" }, endpoint.url && act("ping", () => ping(endpoint)), act("rotate", () => rotate(endpoint))),
    ]);
  }

  async function ask(kind, content) {
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
    secret.replaceChildren(words.secretOf(called(endpoint)), element("pre", {}, answer.secret),
      words.overlap, exactTime(answer.previous_expires_at));
    secret.hidden = false;
    secret.focus();
    announce(words.rotated);
  }

  function deliveryLine(delivery) {
    const { id, type, download, url, attempts, attempt_count: tries, next_attempt_at: next } = delivery;
    const event = type ?? words.erased;
    const content = facts([[words.event, event], [words.receiver, url && name(url)], [words.when, delivery.event_at]]);
    return row(deliveryColumns, [
      event, download && link(`download?id=${download}`, element("code", {}, download)), name(url ?? words.erased),
      words.states[delivery.state],
      attempts.length ? element("details", { data: { of: id } },
        element("summary", {}, answer(attempts.at(-1)), tries > 1 ? words.tries(number(tries)) : ""),
        element("ol", {}, attempts.toReversed().map((one) => element("li", {}, exactTime(one.at), " ", answer(one),
          one.response_body && element("pre", {}, one.response_body))))) : words.noAnswer,
      next ? [words.nextTry, relativeTime(next, "in")] : relativeTime(delivery.completed_at ?? delivery.event_at),
      button(words.redeliver, async () => {
        if (await ask("redeliver", content)) await send(`v1/webhook_deliveries/${id}/redeliver`, words.redelivered);
      }, { "aria-label": `${words.redeliver} ${event} ${url}`, data: { act: id } }),
    ]);
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

function option([value, label]) {
  return element("option", { value }, label);
}

/** What a try was answered. */
function answer({ http_status: status, error }) {
  return error ?? String(status);
}
