/** A tool that the model wants called. */
export interface UpstreamToolCall {
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
}

/**
 * How one request is answered. Without a field the answer is what the real service would send; the fields combine.
 * A piece is one event of a stream, one of `chunks`, or one half of a body that is not streamed.
 */
export interface UpstreamScript {
  /** What the model says, in the shape of whatever was asked: message, completion, transcript. */
  readonly text?: string;
  /** Said after `text`, or alone. */
  readonly toolCall?: UpstreamToolCall;

  /** From 400 on, and without a `body`, the answer is an error in the shape of the protocol. */
  readonly status?: number;
  /** Beside the usual ones, or instead of them. */
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  /** Instead of the shape, as it is. JSON unless `headers` say otherwise. */
  readonly body?: string | Uint8Array;
  /** Instead of the shape: a stream of exactly these. The first goes at once, each other one waits for `step()`. */
  readonly chunks?: readonly string[];
  /** Sends the client elsewhere: 307 unless `status` says otherwise. */
  readonly redirect?: string;

  readonly setCookie?: string;
  /** Names the organisation of the key, as both services do in their headers. */
  readonly organisation?: string;
  /** Headers that are meant for this one connection, one of them named only by `connection`. */
  readonly hopByHop?: boolean;
  /** Says the received key again: in the text or the error's message, and in the header `x-received-key`. */
  readonly echoSecret?: boolean;

  /** The head, and then each piece, waits for `step()`. */
  readonly slow?: boolean;
  /** Closes the connection after that many pieces; after none of them, not even the head was sent. */
  readonly resetAfter?: number;
  /** Goes silent for good: before anything was sent, or after the first piece. */
  readonly hang?: "before-headers" | "mid-body";
  /** Compresses the body, and says so, whether the client accepts that or not. */
  readonly gzip?: boolean;
  /** What is claimed, whatever the body is. The connection ends with it. */
  readonly contentLength?: number;
}

/** One request exactly as it came. */
export interface UpstreamRequest {
  readonly method: string;
  /** With the query, undecoded. */
  readonly path: string;
  /** In the order and the spelling in which they came. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** The first value of a header, whatever its spelling. */
  header(name: string): string | undefined;
  /** As much of it as came. */
  readonly body: Uint8Array;
  /** The body as UTF-8. */
  readonly text: string;
  /** Whether the client went away before it had all of the request sent or all of the answer. */
  readonly aborted: boolean;
}

export interface UpstreamOptions {
  /** The one key that is accepted. Any other, or none, is answered with 401 and uses up no script. */
  readonly secret?: string;
  /** The names that `/v1/models` lists: `test-model` unless given. Any model answers. */
  readonly models?: readonly string[];
}

/** A model service that answers by script. Requests are counted from 1, in the order in which they were complete. */
export interface Upstream {
  /** The origin, without `/v1`. */
  readonly url: string;
  readonly requests: readonly UpstreamRequest[];
  /** Scripts the next request that no other `next` is for. */
  next(script: UpstreamScript): void;
  /** Scripts every request that no `next` is for. */
  always(script: UpstreamScript | ((request: UpstreamRequest) => UpstreamScript)): void;
  /** Lets the answer that waits longest go on by one piece, waiting for one to wait; resolves when that was sent. */
  step(): Promise<void>;
  /** The nth request, as soon as it is there. */
  received(n: number): Promise<UpstreamRequest>;
  /** Resolves when the client of the nth request went away; rejects when it got the whole answer instead. */
  gone(n: number): Promise<void>;
  /** Closes every connection. What still waits is rejected. */
  close(): Promise<void>;
}
