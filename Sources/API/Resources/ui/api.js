// The public API: requests with the key of this tab, refusals as problems, and the rights of the key.

import { text } from "./text.js";
import { heard } from "./time.js";

/** The address of the service, which may lie below a proxy's prefix: the folder above this page's. */
export const service = new URL("../", import.meta.url);

const keyName = "lull-key";

/** What the key may do, as `GET /v1/key` says: `app`, `scopes`, `auth`. Null before it answered. */
export let rights = null;

let askForKey = () => {};

/** Says who shows the form for a key; called when the service refuses the key of this tab. */
export function onLostKey(handler) {
  askForKey = handler;
}

/** Keeps a key for this tab; null forgets it. */
export function keepKey(key) {
  rights = null;
  if (key) sessionStorage.setItem(keyName, key);
  else sessionStorage.removeItem(keyName);
}

export function hasKey() {
  return sessionStorage.getItem(keyName) !== null;
}

/** Whether the key has the scope. Buttons for which it has not are left out. */
export function can(scope) {
  return rights !== null && rights.scopes.includes(scope);
}

/** Asks what the key may do; throws the problem 401 if it is not valid. */
export async function readRights(signal) {
  rights = await get("v1/key", signal);
  return rights;
}

/** A refusal of the service, or `status` 0 where it was not reached. */
export class Problem extends Error {
  constructor(status, problem) {
    super(problem.detail || problem.title || String(status));
    this.status = status;
    this.code = problem.code || "";
    this.title = problem.title || "";
    this.detail = this.message;
    this.errors = problem.errors || [];
  }
}

/** The header fields of each request. */
export function fields(more = {}) {
  const key = sessionStorage.getItem(keyName);
  return key ? { ...more, Authorization: `Bearer ${key}` } : more;
}

/**
 * Sends a request; `path` is relative to the service, such as `v1/downloads`.
 * Gives `{status, data, etag}`; throws a `Problem`, or an `AbortError` once `signal` is aborted.
 */
export async function request(method, path, { body, signal, headers = {}, type } = {}) {
  const sent = { ...headers };
  if (body !== undefined) sent["Content-Type"] = type || "application/json";
  let response;
  let data = null;
  try {
    response = await fetch(new URL(path, service), {
      method,
      signal,
      headers: fields(sent),
      body: body === undefined || type ? body : JSON.stringify(body),
      credentials: "omit",
      redirect: "error",
    });
    heard(response.headers.get("Date"));
    data = await contents(response);
  } catch (error) {
    signal?.throwIfAborted();
    throw new Problem(0, { detail: text.problems.unreachable, title: String(error) });
  }
  signal?.throwIfAborted();
  if (response.ok) return { status: response.status, data, etag: response.headers.get("ETag") };
  const problem = new Problem(response.status, data && typeof data === "object" ? data : {
    detail: text.problems.status(response.status),
  });
  if (response.status === 401) askForKey(problem);
  throw problem;
}

async function contents(response) {
  const words = await response.text();
  if (!/json/.test(response.headers.get("Content-Type") || "")) return words || null;
  const data = JSON.parse(words);
  if (data && typeof data.as_of === "string") heard(data.as_of, true);
  return data;
}

/** The JSON of a GET. */
export async function get(path, signal) {
  return (await request("GET", path, { signal })).data;
}

/** The JSON of the answer to a POST. Unless it is told otherwise, a repetition after a lost answer changes nothing. */
export async function post(path, body, signal, headers) {
  return (await request("POST", path, { body, signal, headers })).data;
}

/** A query such as `?state=failed&limit=100`; members that are null, undefined or empty are left out. */
export function query(members) {
  const words = new URLSearchParams();
  for (const [name, value] of Object.entries(members)) {
    if (value !== null && value !== undefined && value !== "") words.set(name, value);
  }
  const line = words.toString();
  return line ? `?${line}` : "";
}

/** A new key for `Idempotency-Key`; also where the page is not a secure context. */
export function newIdempotencyKey() {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
