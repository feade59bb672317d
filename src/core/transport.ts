import type { Readable } from "node:stream";
import { AppError } from "./error.ts";

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

/** What came back: any status but a redirect. 304 is one, but for a request with `if-none-match` (IN-11). */
export interface Incoming {
  readonly status: number;
  /** Names in lower case. The body has no content-encoding any more, and the headers say none. */
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  /** Bytes as they come. Fails with `AppError`; whoever stops reading destroys it, which closes the connection. */
  readonly body: Readable;
}

/**
 * The way out (invariant 4): every request goes under an egress policy to an address that was checked. Rejects with
 * `AppError`: `egress.refused` and `host.refused` before anything left, `upstream.unreachable`, `upstream.timeout`,
 * `upstream.invalid`, which for a redirect is `Redirected`.
 */
export interface Transport {
  send(request: Outgoing): Promise<Incoming>;
}

/** An answer that points elsewhere, where nobody went (IN-5). By its status a caller knows what moved for good (T12). */
export class Redirected extends AppError {
  readonly status: number;

  constructor(status: number, message: string) {
    super("upstream.invalid", message);
    this.status = status;
  }
}
