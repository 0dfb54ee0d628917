// What every view may do to the page around it: go to another view, name itself, say what happened.

/** The folder of the page's own addresses. */
export const home = new URL("./", import.meta.url);

let router = null;

/** Says who follows links and names views: `{travel(address, options), rename(name, more)}`. */
export function setRouter(made) {
  router = made;
}

/** Goes to an address of the page, such as `queue?state=failed`; `replace` takes the present place in the history. */
export function go(address, { replace = false } = {}) {
  router.travel(new URL(address, home), replace);
}

/** Names the view: the words of its `h1` and of the window. Words behind it, such as "page 2", stand in the window alone. */
export function setTitle(name, more = "") {
  router.rename(name, more);
}

/** Tells a screen reader the result of what somebody did; everybody sees it at the foot of the page. */
export function announce(words) {
  const status = document.getElementById("status");
  status.textContent = "";
  requestAnimationFrame(() => {
    status.textContent = words;
  });
}
