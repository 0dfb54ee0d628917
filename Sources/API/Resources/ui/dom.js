// Elements, made of text alone: a name or an excerpt of an origin never becomes markup or an address.

import { can, Problem } from "./api.js";
import { announce } from "./page.js";
import { text } from "./text.js";

/** Elements and texts of nested lists; null, undefined and false are left out. */
function flat(children) {
  return [...children].flat(9).filter((child) => child !== null && child !== undefined && child !== false);
}

/**
 * An element. `members` are attributes, but `on` (a handler for each event), `data` (data-*), `value` and `checked`.
 * Members that are null or false are left out, children too.
 */
export function element(tag, members = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(members)) {
    if (value === null || value === undefined || value === false) continue;
    if (name === "on") for (const event of Object.keys(value)) made[`on${event}`] = value[event];
    else if (name === "data") Object.assign(made.dataset, value);
    else if (name === "value" || name === "checked") made[name] = value;
    else made.setAttribute(name, value === true ? "" : value);
  }
  made.append(...flat(children));
  return made;
}

/** An SVG element, for pictures that a table beside them tells in words. */
export function graphic(tag, members = {}, ...children) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(members)) made.setAttribute(name, value);
  made.append(...flat(children));
  return made;
}

/**
 * Makes the children of a box the given ones. Where one fits an older one (its `data-key`, or its tag if it has none),
 * the older one takes over what is new and stays, and with it the focus, open details, and what is written.
 */
export function swap(box, children) {
  const focus = document.activeElement;
  const keyed = new Map([...box.children].map((child) => [child.dataset?.key, child]));
  let next = box.firstChild;
  for (const child of flat(children)) {
    const made = child.nodeType ? child : document.createTextNode(child);
    const key = made.dataset?.key;
    const old = key ? keyed.get(key) : next;
    const fits = old && old.nodeName === made.nodeName && old.dataset?.key === key;
    const kept = made.parentNode === box || !fits ? made : takeOver(old, made);
    if (kept === next) next = next.nextSibling;
    else box.insertBefore(kept, next);
  }
  while (next) {
    const rest = next;
    next = next.nextSibling;
    rest.remove();
  }
  if (focus !== document.activeElement && focus?.isConnected) focus.focus({ preventScroll: true });
}

const ofTheReader = ["open", "aria-disabled"]; // Attributes that no view sets.

function takeOver(old, made) {
  if (old.nodeType === Node.TEXT_NODE) {
    if (old.data !== made.data) old.data = made.data;
    return old;
  }
  for (const { name } of [...old.attributes]) {
    if (!made.hasAttribute(name) && !ofTheReader.includes(name)) old.removeAttribute(name);
  }
  for (const { name, value } of made.attributes) if (old.getAttribute(name) !== value) old.setAttribute(name, value);
  for (const handler of ["onclick", "onchange", "oninput", "onsubmit"]) old[handler] = made[handler];
  if (made.type === "checkbox") old.checked = made.checked;
  swap(old, made.childNodes);
  return old;
}

/** Keeps the rows of a box in step with a list: `make(item)` makes a row, again only after its item changed. */
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
export function name(words) {
  return element("bdi", {}, words);
}

/** A link to a view of the page; `address` is relative, such as `download?id=dl_1`. */
export function link(address, ...children) {
  return element("a", { href: address }, children);
}

/** A button that runs `act` and cannot be pressed again until that ends. A refusal is shown behind it. */
export function button(words, act, members = {}) {
  const click = async ({ currentTarget: pressed }) => {
    if (pressed.ariaDisabled) return;
    pressed.ariaDisabled = "true";
    try {
      clearProblem(pressed);
      await act(pressed);
    } catch (error) {
      reportProblem(error, pressed);
    } finally {
      pressed.ariaDisabled = null;
    }
  };
  return element("button", { type: "button", ...members, on: { click } }, words);
}

/** A button that is there only if the key has the scope; else null. */
export function buttonIf(scope, words, act, members) {
  return can(scope) ? button(words, act, members) : null;
}

let count = 0;

/** An input with its label; `members` are those of the input. `tag` may be `textarea` or `select`. */
export function field(label, members = {}, tag = "input", ...children) {
  const id = `field-${count += 1}`;
  const input = element(tag, { id, ...members }, children);
  const words = element("label", { for: id }, label);
  const isCheck = members.type === "checkbox";
  return { input, box: element("div", { class: isCheck ? "field check" : "field" }, isCheck ? [input, words] : [words, input]) };
}

/** Choices for a `select`: pairs of value and words. */
export function options(pairs) {
  return pairs.map(([value, words]) => element("option", { value }, words));
}

/** A box that says why the service refused, with the places of the faults. */
export function problemBox(error) {
  return element("div", { class: "problem", role: "alert" }, element("p", {}, error.detail || String(error)),
    error.errors?.length ? element("ul", {}, error.errors.slice(0, 50).map(({ pointer, detail }) =>
      element("li", {}, element("code", {}, pointer || ""), " ", detail))) : null);
}

const placeOf = (target) => target.closest(".actions, form, section") || target;

/** Shows a refusal behind what was pressed. An aborted request is none; a lost key is asked for elsewhere. */
function reportProblem(error, pressed) {
  if (error.name === "AbortError" || error.status === 401) return;
  if (!(error instanceof Problem)) console.error(error);
  else if (pressed.isConnected) placeOf(pressed).after(problemBox(error));
  else announce(error.detail);
}

function clearProblem(pressed) {
  const box = placeOf(pressed).nextElementSibling;
  if (box?.classList.contains("problem")) box.remove();
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
    element("span", { "aria-hidden": "true" }, text.glyphs[state] || ""), ` ${text.states[state] || state}`);
}

/** A progress bar that is named by its file; without `whole` it shows that something goes on. */
export function progressBar(fileName, done, whole) {
  const bar = element("progress", { "aria-label": fileName });
  if (whole > 0) {
    bar.max = whole;
    bar.value = Math.min(done, whole);
    bar.setAttribute("aria-valuetext", `${Math.floor((100 * bar.value) / whole)} %`);
  }
  return bar;
}

/**
 * Asks before something that cannot be taken back. `content` stands between question and buttons.
 * The button that keeps everything has the focus. Gives whether it was confirmed; Escape is no.
 */
export function confirm(question, action, content = null, { isDangerous = true } = {}) {
  return new Promise((resolve) => {
    const invoker = document.activeElement;
    const close = (answer) => () => dialog.close(answer);
    const no = element("button", { type: "button", on: { click: close("") } }, text.keepThem);
    const yes = element("button", { type: "button", class: isDangerous ? "danger" : "primary", on: { click: close("yes") } }, action);
    const dialog = element("dialog", { "aria-labelledby": "question" },
      element("h2", { id: "question" }, question), content, element("div", { class: "actions" }, no, yes));
    dialog.onclose = () => {
      dialog.remove();
      if (invoker?.isConnected) invoker.focus();
      resolve(dialog.returnValue === "yes");
    };
    document.body.append(dialog);
    dialog.showModal();
    no.focus();
  });
}

/** A section with a heading, which names it. */
export function section(heading, ...children) {
  const id = heading.replace(/\W+/g, "-");
  return element("section", { "aria-labelledby": id, data: { key: id } }, element("h2", { id }, heading), children);
}

/** Terms and their values: `pairs` are `[term, value]`; a value that is null is left out. */
export function facts(pairs) {
  return element("dl", {}, pairs.filter(([, value]) => value !== null && value !== undefined).map(([term, value]) =>
    element("div", {}, element("dt", {}, term), element("dd", {}, value))));
}
