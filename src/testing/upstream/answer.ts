/** What goes back for one request. A body in one buffer has a known length, one in several is a stream. */
export interface Answer {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body: Buffer | readonly Buffer[];
}

export function createAnswer(status: number, type: string, body: string | Uint8Array): Answer {
  return { status, headers: { "content-type": type }, body: Buffer.from(body) };
}

export function createJson(value: object, status = 200): Answer {
  return createAnswer(status, "application/json", JSON.stringify(value));
}

/** Server-sent events, one piece each. */
export function createStream(events: readonly string[]): Answer {
  const headers = { "content-type": "text/event-stream; charset=utf-8", "cache-control": "no-cache" };
  return { status: 200, headers, body: events.map((event) => Buffer.from(event)) };
}
