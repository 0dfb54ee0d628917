// Elements, made of text alone: a name or an excerpt of an origin never becomes markup or an address.

import { can, Problem } from "./api.js";
import { announce } from "./page.js";
import { text } from "./text.js";

const isThere = (value) => value !== null && value !== undefined && value !== false;
const flat = (children) => [...children].flat(9).filter(isThere);

/**
 * An element. `members` are attributes, but `on` (a handler for each event), `data` (data-*), `value` and `checked`.
 * Members and children that are null, undefined or false are left out; lists of children may be nested.
 */
export function element(tag, members = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(members)) {
    if (!isThere(value)) continue;
    if (name === "on") for (const event of Object.keys(value)) made[`on${event}`] = value[event];
    else if (name === "data") Object.assign(made.dataset, value);
    else if (name === "value" || name === "checked") made[name] = value;
    else made.setAttribute(name, value === true ? "" : value);
  }
  made.append(...flat(children));
  return made;
}

/** An SVG element. */
export function graphic(tag, members = {}, ...children) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(members)) made.setAttribute(name, value);
  made.append(...flat(children));
  return made;
}

/**
 * Makes the children of a box the given ones. An older child that fits (by its `data-key`, or its place and tag) takes
 * over what is new and stays, and with it the focus, open details, and words that were written.
 */
export function swap(box, children) {
  const focus = document.activeElement;
  const keyed = new Map([...box.children].map((child) => [child.dataset.key, child]));
  let next = box.firstChild;
  for (const child of flat(children)) {
    const made = child.nodeType ? child : document.createTextNode(child);
    const key = made.dataset?.key;
    const old = key ? keyed.get(key) : next;
    const fits = old?.nodeName === made.nodeName && old.dataset?.key === key;
    const kept = fits && made.parentNode !== box ? takeOver(old, made) : made;
    if (kept === next) next = next.nextSibling;
    else box.insertBefore(kept, next);
  }
  while (next) {
    const rest = next;
    next = next.nextSibling;
    rest.remove();
  }
  if (focus !== document.activeElement && focus.isConnected) focus.focus({ preventScroll: true });
}

function takeOver(old, made) {
  if (old.data !== made.data) old.data = made.data;
  if (!made.attributes) return old;
  const ofTheReader = ["open", "aria-disabled"];
  for (const { name } of [...old.attributes]) {
    if (!made.hasAttribute(name) && !ofTheReader.includes(name)) old.removeAttribute(name);
  }
  for (const { name, value } of made.attributes) if (old.getAttribute(name) !== value) old.setAttribute(name, value);
  for (const handler of ["onclick", "onchange", "oninput", "onsubmit"]) old[handler] = made[handler];
  if (made.type === "checkbox") old.checked = made.checked;
  swap(old, made.childNodes);
  return old;
}

/** Keeps the rows of a box in step with a list; `make(item)` is called again only for another item. */
export function fill(box, items, make, keyOf = ({ id }) => id) {
  const there = new Map([...box.children].map((child) => [child.dataset.key, child]));
  swap(box, items.map((item) => {
    const old = there.get(keyOf(item));
    if (old?.item === item) return old;
    const made = make(item);
    made.dataset.key = keyOf(item);
    (old || made).item = item;
    return made;
  }));
}

/** A name that others chose: its writing direction does not reach the text around it. */
export const name = (words) => element("bdi", {}, words);

/** A link to a view of the page; `address` is relative, such as `download?id=dl_1`. */
export const link = (address, ...children) => element("a", { href: address }, children);

/** A button that runs `act` and cannot be pressed again until that ends. A refusal is shown behind it. */
export function button(words, act, members = {}) {
  const click = async ({ currentTarget: pressed }) => {
    if (pressed.ariaDisabled) return;
    pressed.ariaDisabled = "true";
    const place = pressed.closest(".actions, form, section") || pressed;
    if (place.nextElementSibling?.matches(".problem")) place.nextElementSibling.remove();
    try {
      await act(pressed);
    } catch (error) {
      if (error.name === "AbortError" || error.status === 401) return;
      if (!(error instanceof Problem)) console.error(error);
      else if (place.isConnected) place.after(problemBox(error));
      else announce(error.detail);
    } finally {
      pressed.ariaDisabled = null;
    }
  };
  return element("button", { type: "button", ...members, on: { click } }, words);
}

/** A button that is there only if the key has the scope. */
export const buttonIf = (scope, ...rest) => (can(scope) ? button(...rest) : null);

let count = 0;

/** An input with its label; `members` are those of the input. `tag` may be `textarea` or `select`. */
export function field(label, members = {}, tag = "input", ...children) {
  const id = `field-${count += 1}`;
  const input = element(tag, { id, ...members }, children);
  const both = [element("label", { for: id }, label), input];
  return { input, box: members.type === "checkbox" ? element("div", { class: "field check" }, both.reverse())
    : element("div", { class: "field" }, both) };
}

export const options = (pairs) => pairs.map(([value, words]) => element("option", { value }, words));

/** Why the service refused, with the places of the faults. */
export function problemBox({ message, errors = [] }) {
  return element("div", { class: "problem", role: "alert" }, element("p", {}, message),
    errors.slice(0, 50).map(({ pointer, detail }) => element("p", {}, element("code", {}, pointer), " ", detail)));
}

/**
 * A table. `columns`: `{label, class, isName, head}`; a row's cells are given in their order, as text or elements.
 * On narrow screens each row is a card, and each cell has its label before it; the roles outlive that.
 */
export function table(caption, columns, rows = []) {
  return element("table", { role: "table" }, element("caption", {}, caption),
    element("thead", { role: "rowgroup" }, element("tr", { role: "row" }, columns.map((column) =>
      element("th", { role: "columnheader", scope: "col", class: column.class }, column.head ?? column.label)))),
    element("tbody", { role: "rowgroup" }, rows));
}

/** A row of `table`. The cell of the column that is `isName` is the header of the row. */
export function row(columns, cells, members = {}) {
  return element("tr", { role: "row", ...members }, columns.map((column, place) => (column.isName
    ? element("th", { role: "rowheader", scope: "row", class: column.class }, cells[place])
    : element("td", { role: "cell", class: column.class, data: { label: column.label } }, cells[place]))));
}

/** The word of a state with its glyph, never colour alone. */
export function stateTag(state) {
  return element("span", { class: "state", data: { state } },
    element("span", { "aria-hidden": "true" }, text.glyphs[state]), ` ${text.label(state)}`);
}

/** A progress bar that is named by its file; without `whole` it shows that something goes on. */
export function progressBar(fileName, done, whole) {
  const bar = element("progress", { "aria-label": fileName });
  if (!whole) return bar;
  bar.max = whole;
  bar.value = done;
  bar.setAttribute("aria-valuetext", `${Math.floor((100 * bar.value) / whole)} %`);
  return bar;
}

/** Asks before something that cannot be taken back, and gives whether it was confirmed. The other button has the focus. */
export function confirm(question, action, content = null, { isDangerous = true } = {}) {
  return new Promise((resolve) => {
    const invoker = document.activeElement;
    const choice = (words, answer, kind) => element("button", { type: "button", class: kind, on: { click: () => dialog.close(answer) } }, words);
    const dialog = element("dialog", { "aria-labelledby": "question" }, element("h2", { id: "question" }, question), content,
      element("div", { class: "actions" }, choice(text.keepThem, ""), choice(action, "yes", isDangerous ? "danger" : "primary")));
    dialog.onclose = () => {
      dialog.remove();
      invoker.focus();
      resolve(dialog.returnValue === "yes");
    };
    document.body.append(dialog);
    dialog.showModal();
    dialog.querySelector(".actions button").focus();
  });
}

/** A section with a heading, which names it. */
export function section(heading, ...children) {
  const id = heading.replace(/\W+/g, "-");
  return element("section", { "aria-labelledby": id, data: { key: id } }, element("h2", { id }, heading), children);
}

/** Pairs of a term and its value; a pair without a value is left out. */
export function facts(pairs) {
  return element("dl", {}, pairs.filter(([, value]) => isThere(value)).map(([term, value]) =>
    element("div", {}, element("dt", {}, term), element("dd", {}, value))));
}
