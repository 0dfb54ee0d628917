// The public API: requests with the key of this tab, refusals as problems, and the rights of the key.

import { text } from "./text.js";
import { heard } from "./time.js";

/** The address of the service, which may lie below a proxy's prefix: the folder above this page's. */
export const service = new URL("../", import.meta.url);

const keyName = "lull-key";

/** What the key may do, as `GET /v1/key` says: `app`, `scopes`, `auth`. Null before it answered. */
export let rights = null;

let askForKey = () => {};

/** Says who asks for another key when the service refuses that of this tab. */
export function onLostKey(handler) {
  askForKey = handler;
}

/** Keeps a key for this tab; null forgets it. */
export function keepKey(key) {
  rights = null;
  if (key) sessionStorage.setItem(keyName, key);
  else sessionStorage.removeItem(keyName);
}

export const hasKey = () => sessionStorage.getItem(keyName) !== null;

/** Whether the key has the scope. Buttons for which it has not are left out. */
export const can = (scope) => rights !== null && rights.scopes.includes(scope);

export async function readRights(signal) {
  rights = await get("v1/key", signal);
}

/** A refusal of the service, or `status` 0 where it was not reached. */
export class Problem extends Error {
  constructor(status, { detail, title, code = "", errors = [], line, column }) {
    super(detail || title);
    Object.assign(this, { status, code, errors, line, column, detail: this.message });
  }
}

export function fields(more) {
  return hasKey() ? { ...more, Authorization: `Bearer ${sessionStorage.getItem(keyName)}` } : more;
}

/**
 * Sends a request; `path` is relative to the service, such as `v1/downloads`. A body with a `type` is sent as it is.
 * Gives `{status, data, etag}`; throws a `Problem`, or an `AbortError` once `signal` is aborted.
 */
export async function request(method, path, { body, signal, headers, type } = {}) {
  let response;
  let data;
  try {
    response = await fetch(new URL(path, service), {
      method,
      signal,
      headers: fields(body === undefined ? headers : { ...headers, "Content-Type": type || "application/json" }),
      body: body === undefined || type ? body : JSON.stringify(body),
      credentials: "omit",
      redirect: "error",
    });
    data = await response.text();
    if (/json/.test(response.headers.get("Content-Type"))) data = JSON.parse(data);
  } catch {
    signal?.throwIfAborted();
    throw new Problem(0, { detail: text.problems.unreachable });
  }
  signal?.throwIfAborted();
  const { status } = response;
  heard(response.headers.get("Date"));
  heard(data.as_of, true);
  if (response.ok) return { status, data, etag: response.headers.get("ETag") };
  if (status === 401) askForKey();
  throw new Problem(status, data.title ? data : { detail: text.problems.status(status) });
}

export const get = async (path, signal) => (await request("GET", path, { signal })).data;

export const post = async (path, body, signal, headers) => (await request("POST", path, { body, signal, headers })).data;

/** A query such as `?state=failed&limit=100`; members that are null, undefined or empty are left out. */
export function query(members) {
  const given = Object.entries(members).filter(([, value]) => value !== null && value !== undefined && value !== "");
  return given.length ? `?${new URLSearchParams(given)}` : "";
}

/** Also where the page is not a secure context. */
export function newIdempotencyKey() {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
