import { pipeline, type Readable, Transform } from "node:stream";
import { AppError } from "../../core/error.ts";
import { isRecord, parseJson } from "../../core/json/json.ts";
import { type Incoming, Redirected, type Transport } from "../../core/transport.ts";
import type { Clock, Randomness, Timer } from "../../core/world.ts";
import type { Repository } from "../repository.ts";
import { quoteOf, showsSecret, type Token } from "./client-secret.ts";
import type { Answer, Spent } from "./github.ts";
import { headerOf, isLimit, leftOf, RateLimited, refusalOf, renamed, resetOf, retried } from "./rate-limit.ts";

/** The way to a GitHub, and what of the world asking needs. */
export interface Way {
  readonly transport: Transport;
  readonly clock: Clock;
  readonly timer: Timer;
  readonly random: Randomness;
}

export interface AskingOptions {
  readonly token: Token | null;
  readonly signal?: AbortSignal;
}

/** One GET. */
export interface Question {
  readonly repository: Repository;
  readonly service: "api" | "raw" | "codeload";
  readonly url: string;
  /** What is asked for, as messages say it. */
  readonly about: string;
  /** Of an earlier answer: only a newer one is told. */
  readonly etag?: string | null;
}

/** Asks one service after the other, counts what it costs, and shows the token to nobody but whom it is for. */
export class Asking {
  readonly spent: { -readonly [Key in keyof Spent]: Spent[Key] } = {
    requests: 0,
    apiRequests: 0,
    bytes: 0,
    left: null,
  };
  readonly #way: Way;
  readonly #token: Token | null;
  readonly #signal: AbortSignal | undefined;
  /** Until when nothing is asked, by API and by whether with the token: each has a limit of its own. */
  readonly #holds = new Map<string, number>();

  constructor(way: Way, { token, signal }: AskingOptions) {
    this.#way = way;
    this.#token = token;
    this.#signal = signal;
  }

  /** The whole of a JSON answer. */
  json(question: Question, most: number): Promise<Answer<unknown>> {
    return this.#retried(async () => {
      const { status, headers, body } = await this.#send(question);
      if (status === 304) {
        body.destroy();
        return "unchanged";
      }
      const bytes = await readAtMost(body, most, this.#count);
      const secret = this.#secretFor(question.repository);
      const facts = parseReply(bytes);
      // T9: who sends it back would have it kept, and shown. JSON can write every letter in another way.
      if (secret !== null && (repeats(bytes, secret) || repeats(Buffer.from(JSON.stringify(facts)), secret)))
        throw new AppError("upstream.invalid", "the service sent the token back in its answer; do not trust it");
      return { facts, etag: usableTag(headerOf(headers, "etag"), secret) };
    });
  }

  bytes(question: Question, most: number): Promise<Uint8Array> {
    return this.#retried(async () => readAtMost((await this.#send(question)).body, most, this.#count));
  }

  /** What fails once bytes come is told by the stream: nobody can take them back. */
  async stream(question: Question): Promise<Readable> {
    const { body } = await this.#retried(() => this.#send(question));
    const count = this.#count;
    const counted = new Transform({
      transform(chunk: Uint8Array, _encoding, done) {
        count(chunk.length);
        done(null, chunk);
      },
    });
    // What fails is told by `counted`, also to who reads it later; ending it ends the request.
    pipeline(body, counted, () => {});
    return counted.on("error", () => {});
  }

  #retried<T>(attempt: () => Promise<T>): Promise<T> {
    return retried({ ...this.#way, signal: this.#signal }, attempt);
  }

  readonly #count = (bytes: number): void => {
    this.spent.bytes += bytes;
  };

  #secretFor(repository: Repository): string | null {
    return this.#token?.isFor(repository) === true ? this.#token.secret : null;
  }

  async #send(question: Question): Promise<Incoming> {
    this.#refuseOnHold(question);
    this.spent.requests++;
    if (question.service === "api") this.spent.apiRequests++;
    const secret = this.#secretFor(question.repository);
    const headers = headersOf(question, secret);
    const incoming = await this.#way.transport
      .send({ method: "GET", url: question.url, headers, body: null, signal: this.#signal })
      .catch((error: unknown) => {
        if (error instanceof Redirected && error.status === 301) throw renamed(question.repository);
        throw withoutSecret(error, secret);
      });
    this.#note(question, incoming);
    if (incoming.status === 200 || (incoming.status === 304 && headers["if-none-match"] !== undefined)) return incoming;
    throw await this.#refusal(question, incoming);
  }

  /** What an answer of the API says about the limit. */
  #note(question: Question, { status, headers }: Incoming): void {
    if (question.service !== "api") return;
    // Word that nothing changed is free for who has a token.
    if (status === 304 && this.#secretFor(question.repository) !== null) this.spent.apiRequests--;
    const left = leftOf(headers);
    this.spent.left = left ?? this.spent.left;
    const resetAt = resetOf(headers, this.#way.clock.now());
    if (left === 0 && resetAt !== null) this.#holds.set(this.#limitOf(question), resetAt);
  }

  #limitOf({ repository }: Question): string {
    return `${repository.hosts.api} ${this.#secretFor(repository) === null ? "without" : "with"} a token`;
  }

  /** IN-11: what is known to be refused is not asked. */
  #refuseOnHold(question: Question): void {
    const until = this.#holds.get(this.#limitOf(question)) ?? 0;
    if (question.service === "api" && until > this.#way.clock.now()) throw this.#limited(question, until);
  }

  async #refusal(question: Question, incoming: Incoming): Promise<AppError> {
    const { repository, about, url } = question;
    const secret = this.#secretFor(repository);
    const message = await messageOf(incoming.body, this.#count);
    if (isLimit(incoming, message)) return this.#limitReached(question, incoming);
    const subject = { repository, about, host: new URL(url).host, hasToken: secret !== null };
    return refusalOf(incoming.status, subject, quoteOf(message, secret));
  }

  #limitReached(question: Question, { headers }: Incoming): RateLimited {
    const now = this.#way.clock.now();
    const resetAt = resetOf(headers, now);
    if (question.service === "api") this.#holds.set(this.#limitOf(question), resetAt ?? now + shortestHold);
    return this.#limited(question, resetAt);
  }

  #limited({ repository, url }: Question, resetAt: number | null): RateLimited {
    const hasToken = this.#secretFor(repository) !== null;
    return new RateLimited(new URL(url).host, resetAt, { now: this.#way.clock.now(), hasToken });
  }
}

/** T9: the transport says in its errors what came, such as where a redirect points: that can be the secret, sent back. */
export function withoutSecret(error: unknown, secret: string | null): unknown {
  if (!(error instanceof AppError) || secret === null || !showsSecret(error.message, secret)) return error;
  return new AppError(error.code, "the service sent the token back in an answer that cannot be used; do not trust it");
}

/** Where a limit is not said to end. */
const shortestHold = 60_000;

export function headersOf(
  { service, etag }: Pick<Question, "service" | "etag">,
  secret: string | null,
): Record<string, string> {
  const tag = usableTag(etag, null);
  return {
    "user-agent": "skillward",
    ...(service === "api" ? apiHeaders : { accept: "*/*" }),
    ...(secret === null ? {} : { authorization: `Bearer ${secret}` }),
    ...(tag === null ? {} : { "if-none-match": tag }),
  };
}

const apiHeaders = {
  accept: "application/vnd.github+json",
  "accept-encoding": "gzip",
  "x-github-api-version": "2022-11-28",
};

/** It is kept and sent again, so it is held to what a tag may be. */
function usableTag(tag: string | null | undefined, secret: string | null): string | null {
  if (typeof tag !== "string" || !/^(?:W\/)?"[\x21\x23-\x7e]{1,200}"$/.test(tag)) return null;
  return secret !== null && showsSecret(tag, secret) ? null : tag;
}

/** A shorter one may well be a word. */
const shortestSecret = 16;

function repeats(bytes: Uint8Array, secret: string): boolean {
  return secret.length >= shortestSecret && Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).includes(secret);
}

/** IN-5: a body through a byte cap, piece by piece; `count` is told of each. */
export async function readAtMost(body: Readable, most: number, count: (bytes: number) => void): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of chunksOf(body)) {
    size += piece.length;
    count(piece.length);
    if (size > most) throw new AppError("upstream.invalid", `the service answered more than ${most} bytes`);
    pieces.push(piece);
  }
  return Buffer.concat(pieces, size);
}

/** Ending the loop destroys the body. */
async function* chunksOf(body: Readable): AsyncGenerator<Uint8Array> {
  const chunks: AsyncIterable<unknown> = body;
  for await (const chunk of chunks) if (chunk instanceof Uint8Array) yield chunk;
}

/** JSON as it must be: UTF-8 and whole. */
export function parseReply(bytes: Uint8Array): unknown {
  const value = parseJson(bytes);
  if (value === undefined) throw new AppError("upstream.invalid", "the service answered something that is not JSON");
  return value;
}

const longestRefusal = 64 * 1024;

/** The message in a refusal; empty when there is none that can be read. */
export async function messageOf(body: Readable, count: (bytes: number) => void): Promise<string> {
  try {
    const said = parseReply(await readAtMost(body, longestRefusal, count));
    const message = isRecord(said) ? said["message"] : "";
    return typeof message === "string" ? message : "";
  } catch (error) {
    // The status alone says enough. Anything but a fault of the body is the caller's own ending.
    if (error instanceof AppError) return "";
    throw error;
  }
}
