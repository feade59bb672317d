import { randomBytes } from "node:crypto";
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { closedOrigin } from "../../test/support/closed-port.ts";
import {
  ask,
  chunked,
  get,
  handTimer,
  head,
  ok,
  pairsOf,
  read,
  serve,
  type Talk,
  transportTo,
  until,
  within,
} from "../../test/support/loopback.ts";

const MiB = 2 ** 20;

async function asked(talk: Talk | null, options: Parameters<typeof transportTo>[1] = {}): Promise<string> {
  const server = await serve(talk);
  const said = await ask(transportTo(server, options), get(server.origin));
  if (said.startsWith("upstream.")) await server.closed();
  return said;
}

/** Writes a little again and again until the other side goes away. */
function drip(text: string): Talk {
  return (socket) => {
    const timer = setInterval(() => socket.write(text), 20);
    socket.on("close", () => clearInterval(timer));
  };
}

describe("T7: slow answers end at a deadline, and the connection with them", () => {
  test("nobody listens, and a name that is not known", async () => {
    const server = await serve(null);
    const name = "gone.example:1";
    const transport = transportTo(server, {
      privatePairs: pairsOf({ [new URL(closedOrigin).host]: "127.0.0.1/32", [name]: "127.0.0.1/32" }),
      resolve: () => Promise.reject(Object.assign(new Error("getaddrinfo"), { code: "ENOTFOUND" })),
    });
    expect(await ask(transport, get(`${closedOrigin}/`))).toBe(
      "upstream.unreachable 127.0.0.1:1 cannot be reached: nobody listens there",
    );
    expect(await ask(transport, get(`http://${name}/`))).toBe(
      "upstream.unreachable gone.example:1 cannot be reached: its name is not known",
    );
  });

  test("each at its own deadline", async () => {
    const drippedHeaders: Talk = (socket) => {
      socket.write("HTTP/1.1 200 OK\r\n");
      drip("x: y\r\n")(socket, "");
    };
    const drippedBody: Talk = (socket) => {
      socket.write(chunked);
      drip("1\r\nx\r\n")(socket, "");
    };
    const short: Talk = (socket) => socket.write(`${head("content-length: 9\r\n")}x`);
    const said = await Promise.all([
      asked(null, within({ headers: 50 })),
      asked(drippedHeaders, within({ headers: 50 })),
      asked((socket) => socket.write(`${chunked}1\r\nx\r\n`), within({ idle: 50 })),
      asked(short, within({ idle: 50 })),
      asked(drippedBody, within({ total: 200 })),
    ]);
    const late = expect.stringMatching(/^upstream\.timeout .* took too long$/);
    const whole = expect.stringMatching(/^upstream\.timeout .*as a whole$/);
    expect(said).toEqual([late, late, late, late, whole]);
  });

  test("the deadline for all of it holds before an answer, and is gone after one", async () => {
    const server = await serve((socket, request) => {
      if (request.startsWith("GET /ok")) socket.write(ok("x"));
    });
    const timer = handTimer();
    const transport = transportTo(server, { timer, ...within({ total: 1000 }) });
    expect(await ask(transport, get(`${server.origin}/ok`))).toBe("x");
    expect(timer.running()).toEqual([]);
    const waiting = ask(transport, get(`${server.origin}/never`));
    await until(() => server.requests.length === 2);
    expect(timer.running()).toEqual([1000]);
    timer.pass(1000);
    expect(await waiting).toMatch(/^upstream\.timeout /);
    expect(timer.running()).toEqual([]);
    await server.closed();
  });
});

describe("T7: lying answers", () => {
  test.each<[string, Talk]>([
    ["shorter than its length", (socket) => socket.end(`${head("content-length: 9\r\n")}x`)],
    [
      "shorter than its length, closing",
      (socket) => socket.end(`${head("content-length: 9\r\nconnection: close\r\n")}x`),
    ],
    ["chunks without an end", (socket) => socket.end(`${chunked}1\r\nx\r\n`)],
    [
      "chunks without an end, closing",
      (socket) => socket.end(`${head("connection: close\r\ntransfer-encoding: chunked\r\n")}1\r\nx\r\n`),
    ],
    ["nothing", (socket) => socket.end()],
    ["half a head", (socket) => socket.end("HTTP/1.1 200 OK\r\nx: ")],
    ["a reset before the head", (socket) => socket.resetAndDestroy()],
  ])("%s: unreachable", async (_what, talk) => {
    expect(await asked(talk)).toMatch(/^upstream\.unreachable /);
  });

  test.each([
    ["with a length", "content-length: 9\r\n"],
    ["in chunks", "transfer-encoding: chunked\r\n"],
    ["that ends with its connection", "connection: close\r\n"],
  ])("a reset in the middle of a body %s: unreachable, what came before was handed on", async (_how, headers) => {
    const server = await serve((socket) => socket.write(`${head(headers)}1\r\nx\r\n`));
    const { body } = await transportTo(server).send(get(server.origin));
    const pieces: string[] = [];
    body.on("data", (chunk: Buffer) => pieces.push(chunk.toString()));
    await until(() => pieces.length > 0);
    server.connections[0]?.resetAndDestroy();
    await until(() => body.errored !== null);
    expect(body.errored).toMatchObject({ name: "AppError", code: "upstream.unreachable" });
    expect(body.readableEnded).toBe(false);
  });

  test("a body that ends with its connection and says no length is whole", async () => {
    expect(await asked((socket) => socket.end(`${head("")}all of it`))).toBe("all of it");
  });

  test("more than its length is not read, and the connection not used again", async () => {
    const server = await serve((socket) =>
      socket.write(`${ok("x")}HTTP/1.1 200 OK\r\ncontent-length: 6\r\n\r\nforged`),
    );
    const transport = transportTo(server);
    expect(await ask(transport, get(server.origin))).toBe("x");
    await server.closed();
    expect(await ask(transport, get(server.origin))).toBe("x");
  });

  test.each([
    ["not HTTP", "SSH-2.0-OpenSSH\r\n\r\n"],
    ["a chunk of no size", `${chunked}zz\r\nhunter2`],
    ["headers without end", head(`x: ${"hunter2".repeat(9000)}\r\n`)],
    ["a status of its own", "HTTP/1.1 777 X\r\ncontent-length: 0\r\n\r\n"],
  ])("%s: invalid, and nothing of it is repeated", async (_what, text) => {
    const said = await asked((socket) => socket.write(text));
    expect(said).toMatch(/^upstream\.invalid /);
    expect(said).not.toContain("hunter2");
  });

  test.each(["content-length: 1\r\ncontent-length: 2\r\n", "content-length: 1\r\ntransfer-encoding: chunked\r\n"])(
    "an answer with two ways to end is not read: %j",
    async (headers) => {
      expect(await asked((socket) => socket.write(`${head(headers)}1\r\nx\r\n0\r\n\r\n`))).toMatch(
        /^upstream\.unreachable .*the length it said$/,
      );
    },
  );

  test("what came is not in the error either, nor what was sent", async () => {
    const server = await serve((socket) => socket.end(`${chunked}zz\r\nset-cookie: hunter2`));
    const { body } = await transportTo(server).send(get(server.origin, { headers: { authorization: "hunter2" } }));
    const error: unknown = await read(body).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: "upstream.invalid" });
    const { inspect } = await import("node:util");
    expect(inspect(error, { depth: 9 })).not.toContain("hunter2");
  });

  test("an answer that fails before anybody reads it does not end the process, and is told to who reads later", async () => {
    const server = await serve((socket) => socket.write(`${head("content-length: 9\r\n")}x`));
    const { body } = await transportTo(server).send(get(server.origin));
    server.connections[0]?.resetAndDestroy();
    await until(() => body.destroyed);
    await expect(read(body)).rejects.toMatchObject({ code: "upstream.unreachable" });
  });
});

describe("T7: endless and bombed answers", () => {
  const endless =
    (headers: string, piece: Buffer): Talk =>
    (socket) => {
      socket.write(head(headers));
      const more = () => {
        while (!socket.destroyed && socket.write(piece));
      };
      socket.on("drain", more);
      more();
    };

  test("an endless body ends at the cap", async () => {
    const server = await serve(endless("", Buffer.alloc(MiB)));
    const { body } = await transportTo(server, within({ body: 3 * MiB })).send(get(server.origin));
    let bytes = 0;
    body.on("data", (chunk: Buffer) => {
      bytes += chunk.length;
    });
    await until(() => body.destroyed);
    expect(body.errored).toMatchObject({ code: "upstream.invalid" });
    expect(bytes).toBeLessThanOrEqual(3 * MiB);
    await server.closed();
  });

  test("a body that says it is too large is not read at all; one that just fits is", async () => {
    const fits = Buffer.alloc(MiB, "x").toString();
    expect(await asked((socket) => socket.write(ok(fits)), within({ body: MiB }))).toBe(fits);
    const tooLarge: Talk = (socket) => socket.write(head(`content-length: ${MiB + 1}\r\n`));
    expect(await asked(tooLarge, within({ body: MiB }))).toMatch(/^upstream\.invalid .*more than 1048576 bytes$/);
  });

  test.each<[string, Buffer]>([
    ["gzip", gzipSync("decoded")],
    ["x-gzip", gzipSync("decoded")],
    ["GZIP", gzipSync("decoded")],
    ["deflate", deflateSync("decoded")],
    ["br", brotliCompressSync("decoded")],
    ["identity", Buffer.from("decoded")],
  ])("%s is decoded, and the headers do not speak of it any more", async (encoding, bytes) => {
    const server = await serve((socket) => {
      socket.write(head(`content-encoding: ${encoding}\r\ncontent-length: ${bytes.length}\r\n`));
      socket.write(bytes);
    });
    const transport = transportTo(server);
    const incoming = await transport.send(get(server.origin));
    expect((await read(incoming.body)).toString()).toBe("decoded");
    expect(incoming.headers["content-encoding"]).toBeUndefined();
    expect(incoming.headers["content-length"]).toBe(encoding === "identity" ? "7" : undefined);
    await ask(transport, get(server.origin));
    expect(server.connections).toHaveLength(1);
  });

  test.each(["zstd", "compress", "gzip, gzip", "gzip, br", "__proto__", "constructor", "x".repeat(500)])(
    "another encoding (%s) is invalid",
    async (encoding) => {
      const said = await asked((socket) => socket.write(ok("x", `content-encoding: ${encoding}\r\n`)));
      expect(said).toMatch(/^upstream\.invalid .*which was not asked for$/);
    },
  );

  test.each<[string, Buffer]>([
    ["gzip", Buffer.from("not gzip at all")],
    ["gzip", gzipSync("cut off in the middle").subarray(0, -9)],
    ["deflate", Buffer.from("not deflate")],
    ["br", Buffer.from("not brotli, certainly")],
  ])("%s that is none is invalid: %s", async (encoding, bytes) => {
    const talk: Talk = (socket) => {
      socket.write(head(`content-encoding: ${encoding}\r\ncontent-length: ${bytes.length}\r\n`));
      socket.write(bytes);
    };
    const server = await serve(talk);
    expect(await ask(transportTo(server), get(server.origin))).toMatch(
      /^upstream\.invalid .*another way than it said$/,
    );
  });

  test("an encoded body that is cut off is unreachable, not invalid", async () => {
    const bytes = gzipSync(randomBytes(1000));
    const talk: Talk = (socket) => {
      socket.write(head(`content-encoding: gzip\r\ncontent-length: ${bytes.length}\r\n`));
      socket.end(bytes.subarray(0, 500));
    };
    expect(await asked(talk)).toMatch(/^upstream\.unreachable /);
  });

  test.each<[string, Buffer]>([
    ["gzip", gzipSync(Buffer.alloc(64 * MiB))],
    ["deflate", deflateSync(Buffer.alloc(64 * MiB))],
    ["br", brotliCompressSync(Buffer.alloc(64 * MiB))],
  ])("%s of zeros ends at the ratio, long before the cap", async (encoding, bytes) => {
    const server = await serve((socket) => {
      socket.write(head(`content-encoding: ${encoding}\r\ncontent-length: ${bytes.length}\r\n`));
      socket.write(bytes);
    });
    const { body } = await transportTo(server).send(get(server.origin));
    let length = 0;
    const failed = (async () => {
      for await (const chunk of body) length += (chunk as Buffer).length;
    })();
    await expect(failed).rejects.toMatchObject({ code: "upstream.invalid", message: /decode to far too many/ });
    expect(length).toBeLessThan(8 * MiB);
  });

  test("an encoded body ends at the cap on what it becomes, though it is smaller itself", async () => {
    const bytes = gzipSync(randomBytes(2.5 * MiB).toString("hex"));
    expect(bytes.length).toBeLessThan(3 * MiB);
    const talk: Talk = (socket) => {
      socket.write(head(`content-encoding: gzip\r\ncontent-length: ${bytes.length}\r\n`));
      socket.write(bytes);
    };
    const server = await serve(talk);
    const said = await ask(transportTo(server, within({ body: 3 * MiB })), get(server.origin));
    expect(said).toMatch(/^upstream\.invalid .*more than 3145728 bytes$/);
  });

  test("what compresses well and is small is let through", async () => {
    const bytes = gzipSync(Buffer.alloc(MiB));
    const server = await serve((socket) => {
      socket.write(head(`content-encoding: gzip\r\ncontent-length: ${bytes.length}\r\n`));
      socket.write(bytes);
    });
    const { body } = await transportTo(server).send(get(server.origin));
    expect((await read(body)).length).toBe(MiB);
  });
});
