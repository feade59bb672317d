import type { ServerResponse } from "node:http";
import { pipeline } from "node:stream/promises";
import type { Answer } from "./answer.ts";
import { createBomb, createFlood } from "./floods.ts";
import type { Gate } from "./gate.ts";
import type { FaultKind, GitHubService } from "./script.ts";

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
