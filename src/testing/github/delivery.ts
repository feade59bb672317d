import type { ServerResponse } from "node:http";
import { pipeline } from "node:stream/promises";
import type { Answer } from "./answer.ts";
import type { Gate } from "./faults.ts";
import type { FaultKind, GitHubService } from "./script.ts";
import { Readable } from "node:stream";
import { promisify } from "node:util";
import { createGzip, gzip } from "node:zlib";
import { remembering } from "./git.ts";
import { tarHead } from "./tar.ts";

interface Delivery {
  readonly service: GitHubService;
  readonly response: ServerResponse;
  readonly gate: Gate;
  /** Aborted when the connection is closed, by whomever. */
  readonly client: AbortSignal;
  readonly isHead: boolean;
  /** Says how it was answered, as far as the client could see. */
  readonly answered: (status: number) => void;
}

/** Sends an answer whose body is as it is to be on the way, in the manner that the fault says. */
export async function deliver(delivery: Delivery, answer: Answer, how: FaultKind | undefined): Promise<void> {
  const { isHead, response } = delivery;
  // Nothing can be wrong with a body that there is not; and what is written to one that never comes is never refused.
  if (isHead || answer.status === 304) {
    begin(delivery, answer, answer.body.length);
    response.end();
  } else if (how === "endless") {
    begin(delivery, answer, undefined);
    // It ends when the client does: that is how it is meant.
    await pipeline(createFlood(delivery.service), response).catch(() => {});
  } else if (how === "bomb") await explode(delivery, answer);
  else if (how === "swap-length" || how === "short-length") lie(delivery, answer, how);
  else if (how === "cut") cut(delivery, answer);
  else if (how === "stall") await stall(delivery, answer);
  else if (how === "drip") await drip(delivery, answer);
  else {
    begin(delivery, answer, delivery.service === "codeload" ? undefined : answer.body.length);
    response.end(answer.body);
  }
}

/** Without a length it is sent in chunks. */
function begin({ response, answered }: Delivery, answer: Answer, length: number | undefined): void {
  answered(answer.status);
  // The same answer has the same bytes, whenever it is sent.
  response.sendDate = false;
  for (const [name, value] of Object.entries(answer.headers)) response.setHeader(name, value);
  if (length !== undefined && answer.status !== 304) response.setHeader("content-length", length);
  response.writeHead(answer.status).flushHeaders();
}

async function explode(delivery: Delivery, answer: Answer): Promise<void> {
  const body = await createBomb(delivery.service);
  const encoding = delivery.service === "codeload" ? {} : { "content-encoding": "gzip" };
  begin(delivery, { ...answer, headers: { ...answer.headers, ...encoding } }, body.length);
  delivery.response.end(body);
}

function lie(delivery: Delivery, answer: Answer, how: "swap-length" | "short-length"): void {
  const { length } = answer.body;
  // A client that waits for more than there is must see the end of the connection, not the next answer.
  const headers = { ...answer.headers, connection: "close" };
  begin(delivery, { ...answer, headers }, how === "swap-length" ? length + 1000 : length >> 1);
  delivery.response.end(answer.body);
}

function cut(delivery: Delivery, answer: Answer): void {
  const { response } = delivery;
  begin(delivery, answer, answer.body.length);
  delivery.answered(0);
  response.write(answer.body.subarray(0, answer.body.length >> 1), () => response.socket?.destroy());
}

async function stall(delivery: Delivery, answer: Answer): Promise<void> {
  const { response, gate, client } = delivery;
  const middle = answer.body.length >> 1;
  begin(delivery, answer, answer.body.length);
  response.write(answer.body.subarray(0, middle));
  if (await gate.wait(client)) response.end(answer.body.subarray(middle));
}

async function drip(delivery: Delivery, answer: Answer): Promise<void> {
  const { response, gate, client } = delivery;
  begin(delivery, answer, undefined);
  for (let at = 0; ; at += 1) {
    response.write(answer.body.subarray(at, at + 1).toString("latin1") || " ", "latin1");
    if (!(await gate.wait(client))) return;
  }
}

const mebibyte = 2 ** 20;
const size = 128 * mebibyte;

/** Zeros as a service would send them, packed a thousand to one. Made once: all fakes share it. */
const createBomb = remembering((service): Promise<Buffer> => {
  const head = service === "codeload" ? tarHead("bomb/zeros", size) : Buffer.alloc(0);
  const end = service === "codeload" ? 1024 : 0;
  return promisify(gzip)(Buffer.concat([head], head.length + size + end), { level: 1 });
});

/** A body without end: of a tarball file after file, otherwise a JSON string that is never closed. */
function createFlood(service: GitHubService): Readable {
  if (service !== "codeload") return Readable.from(letters());
  // Not packed: what is counted on the way is what comes.
  return Readable.from(files()).pipe(createGzip({ level: 0 }));
}

function* letters(): Generator<Buffer> {
  yield Buffer.from('"');
  const piece = Buffer.alloc(mebibyte / 16, "a");
  for (;;) yield piece;
}

function* files(): Generator<Buffer> {
  const content = Buffer.alloc(mebibyte / 16, "a");
  for (let number = 1; ; number += 1) yield Buffer.concat([tarHead(`flood/${number}.md`, content.length), content]);
}
