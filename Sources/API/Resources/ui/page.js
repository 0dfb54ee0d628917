// What every view may do to the page around it: go to another view, name itself, say what happened.

/** The folder of the page's own addresses. */
export const home = new URL("./", import.meta.url);

let travel = () => {};
let rename = () => {};

/** Says who follows links and names views; the router does. */
export function setRouter(go, name) {
  travel = go;
  rename = name;
}

/**
 * Goes to an address of the page, such as `queue?state=failed`.
 * With `replace` the present place in the history is taken; `state` is kept there.
 */
export function go(address, { replace = false, state = null } = {}) {
  travel(new URL(address, home), { replace, state });
}

/** Names the view: the words of its `h1` and of the window. Words behind it, such as "page 2", stand in the window alone. */
export function setTitle(name, more = "") {
  rename(name, more);
}

/** Tells a screen reader the result of what somebody did; everybody sees it at the foot of the page. */
export function announce(words) {
  const status = document.getElementById("status");
  status.textContent = "";
  requestAnimationFrame(() => {
    status.textContent = words;
  });
}
