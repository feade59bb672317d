import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import {
  ask,
  chunked,
  get,
  handTimer,
  head,
  serve,
  type Talk,
  transportTo,
  until,
} from "../../test/support/loopback.ts";
import { githubLimits } from "./limits.ts";

const MiB = 2 ** 20;
const limits = githubLimits;

describe("T7: what one request for skills may cost", () => {
  test("ten seconds to connect: then nothing is dialled any more", async () => {
    const server = await serve(null);
    const timer = handTimer();
    const resolve = () => new Promise<never>(() => {});
    const waiting = ask(transportTo(server, { limits, timer, resolve }), get("https://api.github.com/"));
    await until(() => timer.running().length === 2);
    expect(timer.running()).toEqual([600_000, 10_000]);
    timer.pass(9_999);
    expect(timer.running()).toHaveLength(2);
    timer.pass(10_000);
    expect(await waiting).toMatch(/^upstream\.timeout no connection to api\.github\.com /);
    expect(server.connections).toEqual([]);
  });

  test("ten minutes for all of it, however steadily it drips", async () => {
    const server = await serve((socket) => socket.write(`${chunked}1\r\nx\r\n`));
    const timer = handTimer();
    const { body } = await transportTo(server, { limits, timer }).send(get(server.origin));
    expect(timer.running()).toEqual([600_000]);
    timer.pass(599_999);
    expect(body.destroyed).toBe(false);
    timer.pass(600_000);
    expect(body.errored).toMatchObject({ code: "upstream.timeout" });
    await server.closed();
  });

  test("a GiB: what says that it is more is not read", async () => {
    const saying =
      (bytes: number): Talk =>
      (socket) =>
        socket.write(head(`content-length: ${bytes}\r\n`));
    const fits = await serve(saying(1024 * MiB));
    const { status, body } = await transportTo(fits, { limits }).send(get(fits.origin));
    expect(status).toBe(200);
    body.destroy();
    const more = await serve(saying(1024 * MiB + 1));
    expect(await ask(transportTo(more, { limits }), get(more.origin))).toMatch(
      /^upstream\.invalid .*more than 1073741824 bytes$/,
    );
    await more.closed();
  });

  test("a hundred bytes out of one: gzip of zeros ends long before the GiB", async () => {
    const bomb = gzipSync(Buffer.alloc(64 * MiB));
    const server = await serve((socket) => {
      socket.write(head(`content-encoding: gzip\r\ncontent-length: ${bomb.length}\r\n`));
      socket.write(bomb);
    });
    const { body } = await transportTo(server, { limits }).send(get(server.origin));
    let length = 0;
    body.on("data", (chunk: Buffer) => {
      length += chunk.length;
    });
    await until(() => body.destroyed);
    expect(body.errored).toMatchObject({ code: "upstream.invalid", message: /decode to far too many/ });
    expect(length).toBeLessThan(8 * MiB);
  });
});
