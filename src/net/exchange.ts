import { Readable } from "node:stream";
import { type Dispatcher, errors } from "undici";
import { AppError, type ErrorCode } from "../core/error.ts";
import { safeLine } from "../core/text.ts";
import { type Incoming, type Outgoing, Redirected } from "../core/transport.ts";
import type { Timer } from "../core/world.ts";
import { Body, type BodySource, decoded, encodingOf, tooMuch } from "./body.ts";
import type { Connection } from "./connections.ts";
import type { TransportLimits } from "./limits.ts";

interface ExchangeOptions {
  readonly connection: Connection;
  readonly url: URL;
  readonly limits: TransportLimits;
  readonly timer: Timer;
  readonly signal: AbortSignal | undefined;
  /** The connection can be used once more. */
  readonly giveBack: (connection: Connection) => void;
  readonly resolve: (incoming: Incoming) => void;
  readonly reject: (error: Error) => void;
}

/** One request and its answer on one connection. However it ends before the whole answer came, the connection is closed. */
export class Exchange implements Dispatcher.DispatchHandler, BodySource {
  readonly host: string;
  readonly #options: ExchangeOptions;
  readonly #deadline: { stop(): void };
  #controller: Dispatcher.DispatchController | undefined;
  #body: Body | undefined;
  #isConditional = false;
  #isLast = false;
  #isOver = false;

  constructor(options: ExchangeOptions) {
    this.host = options.url.host;
    this.#options = options;
    this.#deadline = options.timer.every(options.limits.total, () => this.#fail(tooLong(this.host)));
    options.signal?.addEventListener("abort", this.#abort);
  }

  start({ method, body }: Outgoing, headers: Record<string, string>): void {
    const { connection, url } = this.#options;
    connection.serve(this);
    this.#isConditional = Object.hasOwn(headers, "if-none-match");
    connection.client.dispatch({ method, path: url.pathname + url.search, headers, body }, this);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number, headers: Headers): void {
    // Before the answer there may be notes about it, which nobody asked for.
    if (status < 200 || this.#isOver) return;
    try {
      this.#options.resolve(this.#receive(status, headers));
    } catch (error) {
      this.#fail(faultOf(error, this.host));
    }
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    const takesMore = this.#body?.accept(chunk) === true;
    if (!takesMore && !this.#isLast) controller.pause();
  }

  onResponseEnd(): void {
    const { connection, giveBack } = this.#options;
    if (connection.isBroken) return this.#fail(cutOff(this.host));
    if (!this.#finish()) return;
    this.#body?.push(null);
    giveBack(connection);
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#fail(faultOf(error, this.host));
  }

  get isPaused(): boolean {
    return this.#controller?.paused === true;
  }

  resume(): void {
    this.#controller?.resume();
  }

  goOn(): void {
    this.#isLast = true;
    this.resume();
  }

  end(): void {
    if (this.#finish()) void this.#options.connection.close();
  }

  #receive(status: number, headers: Headers): Incoming {
    const { limits, url } = this.#options;
    // IN-11: what was had before is still so. Its headers may speak of that body; one of its own it never has.
    if (status === 304 && this.#isConditional)
      return { status: 304, headers: without(headers, ofBody), body: Readable.from([]) };
    // IN-5, T4: never followed.
    if (status < 400 && status >= 300) throw redirected(url, status, headers["location"]);
    if (status > 599) throw new AppError("upstream.invalid", `${safeLine(this.host)} answered with status ${status}`);
    if (Number(headers["content-length"] ?? 0) > limits.body) throw tooMuch(this.host, limits.body);
    const encoding = encodingOf(headers["content-encoding"], this.host);
    const body = new Body(this, limits.body);
    this.#body = body;
    if (encoding === null) return { status, headers: without(headers, ["content-encoding"]), body };
    return { status, headers: without(headers, ofBody), body: decoded(body, encoding, this.host, limits) };
  }

  readonly #abort = (): void => {
    const reason: unknown = this.#options.signal?.reason;
    this.#fail(reason instanceof Error ? reason : new Error("the request was ended", { cause: reason }));
  };

  #fail(error: Error): void {
    if (!this.#finish()) return;
    void this.#options.connection.close();
    if (this.#body === undefined) this.#options.reject(error);
    else this.#body.destroy(error);
  }

  /** False when it was over before. */
  #finish(): boolean {
    if (this.#isOver) return false;
    this.#isOver = true;
    this.#deadline.stop();
    this.#options.signal?.removeEventListener("abort", this.#abort);
    return true;
  }
}

const ofBody: readonly string[] = ["content-encoding", "content-length"];

type Headers = Readonly<Record<string, string | string[] | undefined>>;

function without(headers: Headers, names: readonly string[]): Incoming["headers"] {
  const kept: Record<string, string | readonly string[]> = Object.create(null);
  for (const [name, value] of Object.entries(headers))
    if (value !== undefined && !names.includes(name)) kept[name] = value;
  return kept;
}

/** Where to is said by its host alone: the rest may carry a secret. */
function redirected(url: URL, status: number, location: string | string[] | undefined): Redirected {
  const isUsable = typeof location === "string" && URL.canParse(location, url.href);
  const where = isUsable ? `to ${safeLine(new URL(location, url).host)}` : "to nowhere";
  return new Redirected(
    status,
    `${safeLine(url.host)} answered ${status} and points ${where}; redirects are not followed: name the address itself`,
  );
}

function tooLong(host: string): AppError {
  return new AppError("upstream.timeout", `${safeLine(host)} took longer than one request may take as a whole`);
}

function cutOff(host: string): AppError {
  return new AppError("upstream.unreachable", `${safeLine(host)} closed the connection in the middle of its answer`);
}

const tooSlow: ReadonlySet<string> = new Set([
  "UND_ERR_CONNECT_TIMEOUT",
  "UND_ERR_HEADERS_TIMEOUT",
  "UND_ERR_BODY_TIMEOUT",
  "ETIMEDOUT",
]);

const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: "nobody listens there",
  ECONNRESET: "it closed the connection",
  EPIPE: "it closed the connection",
  UND_ERR_SOCKET: "it closed the connection",
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: "its answer does not have the length it said",
  ENOTFOUND: "its name is not known",
  EAI_AGAIN: "its name cannot be resolved at the moment",
  ENETUNREACH: "there is no way to its network",
  EHOSTUNREACH: "there is no way to it",
  ERR_SSL_WRONG_VERSION_NUMBER: "it does not speak TLS",
};

/**
 * What went wrong with a request, in our words (base/transport.ts). What the other side sent is not in them, nor is
 * what was sent to it.
 */
function faultOf(error: unknown, host: string): AppError {
  if (error instanceof AppError) return error;
  const code = codeOf(error);
  const name = safeLine(host);
  if (code === "UND_ERR_INVALID_ARG") return unsendable();
  if (tooSlow.has(code)) return fault("upstream.timeout", `${name} took too long`, error);
  if (isUnusable(error, code))
    return fault("upstream.invalid", `${name} answered something that is not HTTP as it may be`);
  const why = reasons[code] ?? (isTls(code) ? `its certificate is not accepted (${code})` : "the connection failed");
  return fault("upstream.unreachable", `${name} cannot be reached: ${why}`, error);
}

/** Said before anything left. Neither name nor value of the header are repeated: it may be the secret. */
function unsendable(): AppError {
  return fault(
    "egress.refused",
    "the request was not sent: a header, such as the secret, has characters that cannot be sent",
  );
}

/** Their errors carry bytes of the answer: they are not kept as a cause. An answer that is cut off was well until then. */
function isUnusable(error: unknown, code: string): boolean {
  const isParser = error instanceof errors.HTTPParserError && !error.message.includes("EOF");
  return isParser || code === "UND_ERR_HEADERS_OVERFLOW";
}

function isTls(code: string): boolean {
  return /^(?:ERR_TLS_|CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|ERR_SSL_)[A-Z0-9_]*$/.test(code);
}

function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return "";
  if ("code" in error && typeof error.code === "string") return error.code;
  // Several addresses were tried.
  return error instanceof AggregateError ? codeOf(error.errors[0]) : "";
}

function fault(code: ErrorCode, message: string, cause?: unknown): AppError {
  return new AppError(code, message, cause === undefined ? {} : { cause });
}
