/** A refusal or a failure, as the server says it. */
export class Problem extends Error {
  override readonly name = "Problem";
  readonly status: number;
  /** One of a closed list; `network` when nobody answered. */
  readonly code: string;

  constructor(status: number, code: string, detail: string) {
    super(detail);
    this.status = status;
    this.code = code;
  }
}

type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** T37: what every write of this session carries; null as long as nobody is signed in. */
let token: string | null = null;
let onSignedOut: () => void = () => {};

export function useToken(fresh: string | null): void {
  token = fresh;
}

/** Called when the server does not know this browser any more. */
export function whenSignedOut(act: () => void): void {
  onSignedOut = act;
}

/** The last answer of each path with its tag: whatever did not change is not sent again (SV-2). */
const kept = new Map<string, { readonly etag: string; readonly value: unknown }>();
const mostKept = 200;

export function forgetAnswers(): void {
  kept.clear();
}

/** Asks the API. Fails with `Problem`, whatever went wrong. */
export async function ask<Answer>(method: Method, path: string, body?: unknown): Promise<Answer> {
  const known = method === "GET" ? kept.get(path) : undefined;
  const response = await send(method, path, body, known?.etag);
  if (response.status === 304 && known !== undefined) return known.value as Answer;
  const value = await read(response);
  if (!response.ok) throw problemOf(response, value);
  const etag = response.headers.get("etag");
  if (method === "GET" && etag !== null) keep(path, etag, value);
  return value as Answer;
}

function keep(path: string, etag: string, value: unknown): void {
  kept.delete(path);
  kept.set(path, { etag, value });
  const [oldest] = kept.keys();
  if (kept.size > mostKept && oldest !== undefined) kept.delete(oldest);
}

async function send(method: Method, path: string, body: unknown, etag: string | undefined): Promise<Response> {
  const headers: Record<string, string> = { accept: "application/json" };
  if (body !== undefined) headers["content-type"] = "application/json";
  if (method !== "GET" && token !== null) headers["x-skillward-token"] = token;
  if (etag !== undefined) headers["if-none-match"] = etag;
  if (!isSo) headers["x-skillward-background"] = "1";
  try {
    const sent = body === undefined ? null : JSON.stringify(body);
    return await fetch(path, { method, headers, body: sent, credentials: "same-origin", cache: "no-store" });
  } catch {
    throw new Problem(0, "network", "The server does not answer. Is it running?");
  }
}

async function read(response: Response): Promise<unknown> {
  const text = await response.text();
  if (text === "") return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const storeAway =
  "The database is away. What goes through the gateway goes on with what the server last knew; this page comes back by itself.";

function problemOf({ status, headers }: Response, value: unknown): Problem {
  const said = (value ?? {}) as { code?: unknown; detail?: unknown };
  const code = typeof said.code === "string" ? said.code : "unknown";
  const detail = typeof said.detail === "string" ? said.detail : `The server answered ${status}.`;
  if (status === 401 && token !== null) onSignedOut();
  if (status === 503 && code === "store.failed") return new Problem(status, code, storeAway);
  const id = status >= 500 ? headers.get("x-request-id") : null;
  return new Problem(status, code, id === null ? detail : `${detail} (${id})`);
}

/** One part of a path, whatever it holds. */
export function segment(text: string): string {
  return encodeURIComponent(text);
}

/** A path with what is asked for behind it; what is undefined or empty is left out. */
export function withQuery(path: string, query: Readonly<Record<string, string | number | undefined>>): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== "");
  if (given.length === 0) return path;
  return `${path}?${new URLSearchParams(given.map(([name, value]) => [name, String(value)]))}`;
}

/**
 * T37: whether what is asked for now follows from what a person did. A page goes on asking while nobody sits at it, at every
 * new generation and from time to time: that must not keep a session open which nobody uses.
 */
let isSo = true;

for (const act of ["keydown", "pointerdown", "click", "input", "wheel"] as const)
  window.addEventListener(act, () => void (isSo = true), { capture: true, passive: true });

/** The page does something by itself: so is all that follows from it, until somebody does something again. */
export function actByItself(): void {
  isSo = false;
}
