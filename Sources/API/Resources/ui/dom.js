// Elements, made of text alone: a name or an excerpt of an origin never becomes markup or an address.

import { Problem, rights } from "./api.js";
import { announce } from "./page.js";
import { text } from "./text.js";

/**
 * An element. `members`: `class`, `on` (listeners by event), `data` (data-*), properties such as `disabled`, else attributes.
 * Children are elements or texts; null and false are left out.
 */
export function element(tag, members = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(members)) {
    if (value === null || value === undefined || value === false) continue;
    if (name === "on") for (const [event, handler] of Object.entries(value)) made.addEventListener(event, handler);
    else if (name === "data") Object.assign(made.dataset, value);
    else if (name === "value" || name === "checked") made[name] = value;
    else made.setAttribute(name, value === true ? "" : value);
  }
  append(made, children);
  return made;
}

function append(parent, children) {
  for (const child of children.flat()) {
    if (child !== null && child !== undefined && child !== false) parent.append(child);
  }
}

/** An SVG element, for pictures that a table beside them tells in words. */
export function graphic(tag, members = {}, ...children) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(members)) made.setAttribute(name, value);
  append(made, children);
  return made;
}

/** Changes the text of an element only where it differs. */
export function setText(target, words) {
  if (target.textContent !== words) target.textContent = words;
}

/** A name that others chose: its writing direction does not reach the text around it. */
export function name(words) {
  return element("bdi", {}, words);
}

/** A link to a view of the page; `address` is relative, such as `download?id=dl_1`. */
export function link(address, ...children) {
  return element("a", { href: address }, ...children);
}

/** A button that runs `act`. While that goes on it cannot be pressed again; a refusal is shown by `showProblem`. */
export function button(words, act, members = {}) {
  const made = element("button", { type: "button", ...members }, words);
  made.addEventListener("click", async () => {
    if (made.getAttribute("aria-disabled") === "true") return;
    made.setAttribute("aria-disabled", "true");
    try {
      await act(made);
    } catch (error) {
      reportProblem(error, made);
    } finally {
      made.removeAttribute("aria-disabled");
    }
  });
  return made;
}

/** A button that is there only if the key has the scope; else null. */
export function buttonIf(scope, words, act, members = {}) {
  return rights?.scopes.includes(scope) ? button(words, act, members) : null;
}

/** An input with its label; `members` are those of the input. `tag` may be `textarea` or `select`. */
export function field(label, members = {}, tag = "input", ...children) {
  const id = members.id || `field-${++fieldCount}`;
  const input = element(tag, { ...members, id }, ...children);
  const box = element("div", { class: members.type === "checkbox" ? "field check" : "field" });
  const words = element("label", { for: id }, label);
  if (members.type === "checkbox") box.append(input, words);
  else box.append(words, input);
  return { box, input };
}

let fieldCount = 0;

/** A box that says why the service refused, with the places of the faults. */
export function problemBox(error) {
  const box = element("div", { class: "problem", role: "alert" }, element("p", {}, error.detail || String(error)));
  if (error.errors?.length) {
    box.append(element("ul", {}, error.errors.slice(0, 50).map((fault) => element("li", {},
      element("code", {}, fault.pointer || ""), " ", fault.detail))));
  }
  return box;
}

/** Shows a refusal behind the element that caused it, in place of an earlier one. An aborted request is none. */
export function reportProblem(error, behind) {
  if (error.name === "AbortError" || error.status === 401) return;
  if (!(error instanceof Problem)) {
    console.error(error);
    return;
  }
  clearProblem(behind);
  const box = problemBox(error);
  const place = behind.closest(".actions, form, section") || behind;
  place.isConnected ? place.after(box) : announce(error.detail);
}

/** Takes away the refusal that `reportProblem` showed behind the element. */
export function clearProblem(behind) {
  const place = behind.closest(".actions, form, section") || behind;
  if (place.nextElementSibling?.classList.contains("problem")) place.nextElementSibling.remove();
}

/**
 * A table. `columns`: `{label, class}`; a row's cells are given in their order, as text or elements.
 * On narrow screens each row is a card, and each cell has its label before it.
 */
export function table(caption, columns, rows = []) {
  const head = element("tr", { role: "row" }, columns.map((column) =>
    element("th", { role: "columnheader", scope: "col", class: column.class }, column.head ?? column.label)));
  const body = element("tbody", { role: "rowgroup" }, rows);
  return element("table", { role: "table" },
    element("caption", {}, caption), element("thead", { role: "rowgroup" }, head), body);
}

/** A row of `table`. The cell of the column that is `isName` is the header of the row. */
export function row(columns, cells, members = {}) {
  return element("tr", { role: "row", ...members }, columns.map((column, place) => {
    const content = [cells[place]].flat();
    return column.isName
      ? element("th", { role: "rowheader", scope: "row", class: column.class }, content)
      : element("td", { role: "cell", class: column.class, data: { label: column.label } }, content);
  }));
}

/** The word of a state with its glyph, never colour alone. */
export function stateTag(state) {
  const made = element("span", { class: "state" });
  setState(made, state);
  return made;
}

export function setState(made, state) {
  if (made.dataset.state === state) return;
  made.dataset.state = state;
  made.replaceChildren(
    element("span", { "aria-hidden": "true" }, text.glyphs[state] || ""), ` ${text.states[state] || state}`);
}

/** A progress bar that is named by its file; without `whole` it shows that something goes on. */
export function progressBar(fileName, done, whole) {
  const bar = element("progress", { "aria-label": fileName });
  setProgress(bar, done, whole);
  return bar;
}

export function setProgress(bar, done, whole) {
  if (whole > 0) {
    bar.max = whole;
    bar.value = Math.min(done, whole);
    bar.setAttribute("aria-valuetext", `${Math.floor((100 * Math.min(done, whole)) / whole)} %`);
  } else {
    bar.removeAttribute("value");
    bar.removeAttribute("aria-valuetext");
  }
}

/**
 * Asks before something that cannot be taken back. `content` stands between question and buttons.
 * The button that keeps everything has the focus. Gives whether it was confirmed; Escape is no.
 */
export function confirm(question, action, content = null, { keep = text.keepThem, isDangerous = true } = {}) {
  return new Promise((resolve) => {
    const heading = element("h2", { id: "question" }, question);
    const no = element("button", { type: "button", autofocus: true }, keep);
    const yes = element("button", { type: "button", class: isDangerous ? "danger" : "primary" }, action);
    const dialog = element("dialog", { "aria-labelledby": "question" },
      heading, content, element("div", { class: "actions" }, no, yes));
    const invoker = document.activeElement;
    let answer = false;
    no.addEventListener("click", () => dialog.close());
    yes.addEventListener("click", () => {
      answer = true;
      dialog.close();
    });
    dialog.addEventListener("close", () => {
      dialog.remove();
      if (invoker?.isConnected) invoker.focus();
      resolve(answer);
    });
    document.body.append(dialog);
    dialog.showModal();
    no.focus();
  });
}

/** A section with a heading, which names it. */
export function section(heading, ...children) {
  const id = `part-${++fieldCount}`;
  return element("section", { "aria-labelledby": id }, element("h2", { id }, heading), ...children);
}

/** Terms and their values: `pairs` are `[term, value]`; a value that is null is left out. */
export function facts(pairs) {
  return element("dl", {}, pairs.filter(([, value]) => value !== null && value !== undefined).map(([term, value]) =>
    element("div", {}, element("dt", {}, term), element("dd", {}, value))));
}

/** Makes the children of `parent` the given ones in their order, and moves only those that stand elsewhere. */
export function arrange(parent, children) {
  let next = parent.firstElementChild;
  const kept = new Set(children);
  while (next) {
    const after = next.nextElementSibling;
    if (!kept.has(next)) next.remove();
    next = after;
  }
  next = parent.firstElementChild;
  for (const child of children) {
    if (child === next) next = next.nextElementSibling;
    else parent.insertBefore(child, next);
  }
}

/**
 * Keeps the children of `parent` in step with a list, so that focus and selection stay: gives a function that takes the
 * items. `make(item)` gives `{element, update(item)}` and is called once for each key; `update` follows at once.
 */
export function keyed(parent, keyOf, make) {
  const kept = new Map();
  return (items) => {
    const wanted = new Map(items.map((item) => [keyOf(item), item]));
    for (const key of kept.keys()) if (!wanted.has(key)) kept.delete(key);
    for (const [key, item] of wanted) {
      if (!kept.has(key)) kept.set(key, make(item));
      kept.get(key).update?.(item);
    }
    arrange(parent, [...wanted.keys()].map((key) => kept.get(key).element));
  };
}

/** Puts other children into `box`; the button (`data-act`) that had the focus has it again, open details (`data-of`) stay open. */
export function swap(box, children) {
  const act = box.contains(document.activeElement) && document.activeElement.dataset.act;
  const open = [...box.querySelectorAll("details[open]")].map((one) => one.dataset.of);
  box.replaceChildren(...children.filter(Boolean));
  for (const one of box.querySelectorAll("details")) one.open = open.includes(one.dataset.of);
  if (act) box.querySelector(`[data-act="${CSS.escape(act)}"]:not([hidden])`)?.focus();
}
