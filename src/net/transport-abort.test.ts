import { randomBytes } from "node:crypto";
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import {
  ask,
  chunked,
  get,
  head,
  type Loopback,
  ok,
  pairsOf,
  read,
  serve,
  type Talk,
  transportTo,
  until,
} from "../../test/support/loopback.ts";
import { createDial, type Target } from "./dial.ts";

describe("IN-5: an end by signal closes the socket, at every stage", () => {
  const reason = new Error("the client went away");

  async function aborted(talk: Talk | null, when: (server: Loopback) => Promise<void>): Promise<unknown> {
    const server = await serve(talk);
    const end = new AbortController();
    const sending = ask(transportTo(server), get(server.origin, { signal: end.signal })).catch(
      (error: unknown) => error,
    );
    await when(server);
    end.abort(reason);
    const outcome = await sending;
    await server.closed();
    return outcome;
  }

  test("before: nothing leaves", async () => {
    const server = await serve(null);
    const sending = transportTo(server).send(get(server.origin, { signal: AbortSignal.abort(reason) }));
    await expect(sending).rejects.toBe(reason);
    expect(server.connections).toEqual([]);
  });

  test("while its name is resolved: nothing leaves", async () => {
    const server = await serve(null);
    const end = new AbortController();
    let answer: (addresses: readonly string[]) => void = () => {};
    const dialled: Target[] = [];
    const name = `models.internal:${server.port}`;
    const transport = transportTo(server, {
      privatePairs: pairsOf({ [name]: "127.0.0.1/32" }),
      resolve: () =>
        new Promise((resolve) => {
          answer = resolve;
        }),
      dial: (target, ready) => {
        dialled.push(target);
        return createDial()(target, ready);
      },
    });
    const sending = transport.send(get(`http://${name}/`, { signal: end.signal }));
    end.abort(reason);
    await expect(sending).rejects.toBe(reason);
    answer(["127.0.0.1"]);
    await new Promise((resolve) => setImmediate(resolve));
    expect([dialled, server.connections]).toEqual([[], []]);
  });

  test("while it connects: in a TLS handshake that gets no answer", async () => {
    const server = await serve(null);
    const end = new AbortController();
    const name = `127.0.0.1:${server.port}`;
    const sending = transportTo(server).send(get(`https://${name}/`, { signal: end.signal }));
    await until(() => server.bytes() > 0);
    end.abort(reason);
    await expect(sending).rejects.toBe(reason);
    await server.closed();
  });

  test("while it waits for the answer", async () => {
    const outcome = await aborted(
      () => {},
      (server) => until(() => server.requests.length === 1),
    );
    expect(outcome).toBe(reason);
  });

  test("in the middle of the body, plain and encoded", async () => {
    const bytes = gzipSync(randomBytes(1000));
    const talks: Talk[] = [
      (socket) => socket.write(`${chunked}1\r\nx\r\n`),
      (socket) => {
        socket.write(head(`content-encoding: gzip\r\ncontent-length: ${bytes.length}\r\n`));
        socket.write(bytes.subarray(0, 500));
      },
    ];
    for (const talk of talks) {
      const server = await serve(talk);
      const end = new AbortController();
      const { body } = await transportTo(server).send(get(server.origin, { signal: end.signal }));
      const reading = read(body);
      end.abort(reason);
      await expect(reading).rejects.toBe(reason);
      await server.closed();
    }
  });

  test("a reader that goes away closes it too, plain and encoded", async () => {
    const bytes = gzipSync(randomBytes(1000));
    for (const encoding of ["identity", "gzip"]) {
      const server = await serve((socket) => {
        socket.write(head(`content-encoding: ${encoding}\r\ncontent-length: ${bytes.length}\r\n`));
        socket.write(bytes.subarray(0, 500));
      });
      const { body } = await transportTo(server).send(get(server.origin));
      body.destroy();
      await server.closed();
      expect(server.requests).toHaveLength(1);
    }
  });

  test("after the answer it changes nothing: the connection stays for the next one", async () => {
    const server = await serve((socket) => socket.write(ok("x")));
    const transport = transportTo(server);
    const end = new AbortController();
    expect(await ask(transport, get(server.origin, { signal: end.signal }))).toBe("x");
    end.abort(reason);
    expect(await ask(transport, get(server.origin))).toBe("x");
    expect(server.connections).toHaveLength(1);
  });

  test("one of many: the others go on", async () => {
    const server = await serve((socket, request) => {
      if (request.startsWith("GET /ok")) setImmediate(() => socket.write(ok("x")));
    });
    const transport = transportTo(server);
    const end = new AbortController();
    const ended = transport.send(get(`${server.origin}/never`, { signal: end.signal }));
    const others = Array.from({ length: 10 }, () => ask(transport, get(`${server.origin}/ok`)));
    end.abort(reason);
    await expect(ended).rejects.toBe(reason);
    expect(new Set(await Promise.all(others))).toEqual(new Set(["x"]));
  });
});
