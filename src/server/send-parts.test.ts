import { connect, type AddressInfo, type Socket } from "node:net";
import { createServer } from "node:http";
import type { HttpBindings } from "@hono/node-server";
import { afterEach, expect, test } from "vitest";
import { yieldToEventLoop } from "../core/async.ts";
import type { Timer } from "../core/world.ts";
import { mostStill, sendParts } from "./send.ts";

const ends: (() => void)[] = [];
afterEach(() => {
  for (const end of ends.splice(0)) end();
});

/** Nobody's time is ever up. */
const never: Timer = { after: () => new Promise(() => {}), every: () => ({ stop() {} }) };

/** A server that sends parts to one client, and what is known of both of its ends. */
async function sending(
  parts: AsyncIterable<string>,
  timer: Timer = never,
): Promise<{ client: Socket; outgoing: HttpBindings["outgoing"]; over: Promise<unknown> }> {
  return new Promise((resolve) => {
    const server = createServer((_, outgoing) => {
      const over = sendParts(outgoing, { "content-type": "text/plain" }, parts, timer).catch((error: unknown) => error);
      resolve({ client, outgoing, over });
    });
    let client: Socket;
    server.listen(0, "127.0.0.1", () => {
      client = connect((server.address() as AddressInfo).port, "127.0.0.1");
      client.pause().write("GET / HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n");
      ends.push(
        () => client.destroy(),
        () => void server.close(),
      );
    });
  });
}

/** Parts without end; how many were taken, and whether somebody has said that no more are wanted. */
function endless() {
  const seen = { made: 0, isOver: false };
  async function* parts() {
    try {
      for (;;) {
        seen.made++;
        yield "x".repeat(64 * 1024);
      }
    } finally {
      seen.isOver = true;
    }
  }
  return { seen, parts: parts() };
}

async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn++) await yieldToEventLoop();
}

test("RV-8: nothing is made ahead of a client that does not read", async () => {
  const { seen, parts } = endless();
  const { client, outgoing } = await sending(parts);
  while (!outgoing.writableNeedDrain) await yieldToEventLoop();
  await turns(50);
  const { made } = seen;
  await turns(200);
  expect(seen.made).toBe(made);
  client.resume();
  while (seen.made < made + 10) await yieldToEventLoop();
});

test("T41: whoever leaves while nothing can be written is given nothing more, and nothing stays open", async () => {
  const { seen, parts } = endless();
  const { client, outgoing, over } = await sending(parts);
  while (!outgoing.writableNeedDrain) await yieldToEventLoop();
  client.destroy();
  await over;
  expect(seen.isOver).toBe(true);
});

/** A timer that says for whom it counts, and whose time a test lets come. */
function countedTimer() {
  const waiting = new Map<object, { milliseconds: number; act: () => void }>();
  const timer: Timer = {
    ...never,
    every(milliseconds, act) {
      const one = {};
      waiting.set(one, { milliseconds, act });
      return { stop: () => void waiting.delete(one) };
    },
  };
  return { timer, waiting: () => [...waiting.values()] };
}

test("T41: whoever takes nothing for half a minute is let go, and nothing stays open", async () => {
  const { seen, parts } = endless();
  const { timer, waiting } = countedTimer();
  const { outgoing, over } = await sending(parts, timer);
  while (!outgoing.writableNeedDrain || waiting().length === 0) await yieldToEventLoop();
  await turns(50);
  expect(waiting().map(({ milliseconds }) => milliseconds)).toEqual([mostStill]);
  waiting()[0]?.act();
  await over;
  expect([seen.isOver, outgoing.destroyed, waiting()]).toEqual([true, true, []]);
});

test("T41: for whoever goes on taking, the time begins anew", async () => {
  const { seen, parts } = endless();
  const { timer, waiting } = countedTimer();
  const { client, outgoing, over } = await sending(parts, timer);
  while (waiting().length === 0) await yieldToEventLoop();
  const [first] = waiting();
  client.resume();
  while (seen.made < 100) await yieldToEventLoop();
  expect(waiting()).not.toContain(first);
  expect(outgoing.destroyed).toBe(false);
  client.destroy();
  await over;
  expect(waiting()).toEqual([]);
});

test("SV-2: what fails before the first part has sent no head", async () => {
  const failing = { [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(new Error("refused")) }) };
  const { outgoing, over } = await sending(failing);
  expect(await over).toMatchObject({ message: "refused" });
  expect(outgoing.headersSent).toBe(false);
});

test("RV-8: all parts in their order, and then the end", async () => {
  const some = (async function* () {
    yield* ["one\n", "", "two\n"];
  })();
  const { client } = await sending(some);
  const chunks: Buffer[] = [];
  client.on("data", (chunk: Buffer) => chunks.push(chunk));
  await new Promise((resolve) => client.once("end", resolve).resume());
  expect(Buffer.concat(chunks).toString()).toMatch(/\r\n\r\n4\r\none\n\r\n4\r\ntwo\n\r\n0\r\n\r\n$/);
});
