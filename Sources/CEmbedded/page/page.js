// The changes that every view may make to the page around it.

export const home = new URL("./", import.meta.url);

let router = null;

export function setRouter(made) {
  router = made;
}

/** Goes to an address of the page, such as `queue?state=failed`; `state` is kept in the history. */
export const go = (address, { state = null } = {}) => router.travel(new URL(address, home), state);

/** Names the view: the words of its `h1` and of the window. `more`, such as "page 2", stands in the window alone. */
export const setTitle = (name, more) => router.rename(name, more);

/** Tells a screen reader the result of what somebody did; everybody sees it at the foot of the page. */
export function announce(words) {
  const status = document.getElementById("status");
  status.textContent = "";
  requestAnimationFrame(() => {
    status.textContent = words;
  });
}
