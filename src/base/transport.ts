import type { Readable } from "node:stream";

/** One request to the outside. Redirects are never followed, whatever the policy (IN-5). */
export interface Outgoing {
  readonly method: "GET" | "POST";
  readonly url: string;
  /** Names in lower case. Host and length are the transport's own. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array | null;
  /** Ends the request at any time: the connection is closed, and what waits fails with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

/** What came back: any status but a redirect. */
export interface Incoming {
  readonly status: number;
  /** Names in lower case. The body has no content-encoding any more, and the headers say none. */
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  /** Bytes as they come. Fails with `AppError`; whoever stops reading destroys it, which closes the connection. */
  readonly body: Readable;
}

/**
 * The way out (invariant 4): every request goes under an egress policy to an address that was checked. Rejects with
 * `AppError`: `egress.refused` before anything left, `upstream.unreachable`, `upstream.timeout`, `upstream.invalid`.
 */
export interface Transport {
  send(request: Outgoing): Promise<Incoming>;
}
