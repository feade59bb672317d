import { Readable, Transform, type TransformCallback, pipeline } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import { AppError } from "../core/error.ts";
import { safeLine } from "../core/text.ts";
import type { TransportLimits } from "./limits.ts";

/** What a body asks of the exchange it belongs to. */
export interface BodySource {
  readonly host: string;
  /** The reader can take more. */
  resume(): void;
  /** The body is over; without an error and before its end, the reader went away. */
  end(error: Error | null): void;
}

/** The bytes of an answer as they come, in the pieces in which they come. Fails with `AppError`. */
export class Body extends Readable {
  readonly #source: BodySource;
  readonly #most: number;
  received = 0;

  constructor(source: BodySource, most: number) {
    super({ highWaterMark: 64 * 1024 });
    this.#source = source;
    this.#most = most;
    // A fault that comes before anybody reads must not end the process; whoever reads later is told then.
    this.on("error", () => {});
  }

  /** False: the reader has enough for now. */
  accept(chunk: Uint8Array): boolean {
    this.received += chunk.length;
    if (this.received <= this.#most) return this.push(chunk);
    this.destroy(tooMuch(this.#source.host, this.#most));
    return false;
  }

  override _read(): void {
    this.#source.resume();
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.#source.end(error);
    done(error);
  }
}

const decoders: Readonly<Record<string, () => Transform>> = {
  gzip: () => createGunzip(),
  "x-gzip": () => createGunzip(),
  deflate: () => createInflate(),
  br: () => createBrotliDecompress(),
};

/** Whether a body is encoded; throws for an encoding that is not decoded here, also for one on top of another. */
export function encodingOf(header: string | readonly string[] | undefined, host: string): string | null {
  const encoding = (typeof header === "string" ? header : (header ?? []).join()).trim().toLowerCase();
  if (encoding === "" || encoding === "identity") return null;
  if (Object.hasOwn(decoders, encoding)) return encoding;
  throw new AppError(
    "upstream.invalid",
    `${safeLine(host)} encoded its answer as ${safeLine(encoding, 40)}, which was not asked for`,
  );
}

/** The body without its encoding, which is one of `encodingOf`. */
export function decoded(body: Body, encoding: string, host: string, limits: TransportLimits): Readable {
  const bounded = new Bounded(body, host, limits);
  const decoder = decoders[encoding]?.() ?? new Transform();
  // What fails is told by `bounded`, which is the last of them.
  pipeline(body, decoder, bounded, () => {});
  return bounded;
}

/** Small answers may compress as well as they like. */
const unheld = 2 ** 20;

/** T7: what a few bytes can become is bounded twice, by what comes out and by what that was made of. */
class Bounded extends Transform {
  readonly #body: Body;
  readonly #host: string;
  readonly #limits: TransportLimits;
  #given = 0;

  constructor(body: Body, host: string, limits: TransportLimits) {
    super();
    this.#body = body;
    this.#host = host;
    this.#limits = limits;
    this.on("error", () => {});
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.#given += chunk.length;
    const { body, ratio } = this.#limits;
    if (this.#given > body) done(tooMuch(this.#host, body));
    else if (this.#given > Math.max(unheld, this.#body.received * ratio)) done(bomb(this.#host));
    else done(null, chunk);
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    const isOfZlib = error !== null && "errno" in error && "code" in error && /^(?:Z_|ERR_)/.test(String(error.code));
    done(isOfZlib ? notAsSaid(this.#host) : error);
  }
}

export function tooMuch(host: string, most: number): AppError {
  return new AppError("upstream.invalid", `${safeLine(host)} answered more than ${most} bytes`);
}

function bomb(host: string): AppError {
  return new AppError("upstream.invalid", `${safeLine(host)} answered a few bytes that decode to far too many`);
}

function notAsSaid(host: string): AppError {
  return new AppError("upstream.invalid", `${safeLine(host)} encoded its answer in another way than it said`);
}
