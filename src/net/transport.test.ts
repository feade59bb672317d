import { describe, expect, test } from "vitest";
import {
  ask,
  certificate,
  chunked,
  get,
  serveTls,
  ok,
  pairsOf,
  read,
  serve,
  transportTo,
  until,
} from "../../test/support/loopback.ts";
import { createDial } from "./dial.ts";
import { githubCom } from "./host-set.ts";
import { githubPolicy, providerPolicy } from "./policy.ts";
import { noPairs } from "./private-pairs.ts";

describe("IN-5: the way out", () => {
  test("asks for what it is told to, with its own host and length, and hands on what comes", async () => {
    const server = await serve((socket) => socket.write(ok("hello", "x-a: 1\r\nset-cookie: a\r\nset-cookie: b\r\n")));
    const headers = {
      authorization: "Bearer x",
      host: "evil.example",
      "content-length": "1",
      connection: "close",
      te: "x",
    };
    const body = Buffer.from('{"q":1}');
    const incoming = await transportTo(server).send({
      method: "POST",
      url: `${server.origin}/v1/chat?x=%20y#no`,
      headers: { ...headers, "transfer-encoding": "chunked", "Proxy-Authorization": "x" },
      body,
    });
    expect((await read(incoming.body)).toString()).toBe("hello");
    expect(incoming.status).toBe(200);
    expect({ ...incoming.headers }).toEqual({ "content-length": "5", "x-a": "1", "set-cookie": ["a", "b"] });
    expect(server.requests).toEqual([
      `POST /v1/chat?x=%20y HTTP/1.1\r\nhost: 127.0.0.1:${server.port}\r\nconnection: keep-alive\r\n` +
        `accept-encoding: identity\r\nauthorization: Bearer x\r\ncontent-length: 7\r\n\r\n{"q":1}`,
    ]);
  });

  test("keeps a connection for the next request, and any number at a time", async () => {
    const server = await serve((socket) => socket.write(ok("x")));
    const transport = transportTo(server);
    for (let at = 0; at < 5; at++) expect(await ask(transport, get(server.origin))).toBe("x");
    expect(server.connections).toHaveLength(1);
    const many = Array.from({ length: 20 }, () => ask(transport, get(server.origin)));
    expect(new Set(await Promise.all(many))).toEqual(new Set(["x"]));
    expect(server.requests).toHaveLength(25);
  });

  test("a connection that the other side closes is made anew", async () => {
    const server = await serve((socket) => socket.write(ok("x", "connection: close\r\n")));
    const transport = transportTo(server);
    for (let at = 0; at < 3; at++) expect(await ask(transport, get(server.origin))).toBe("x");
    expect(server.connections).toHaveLength(3);
    const quiet = await serve((socket) => void socket.write(ok("x"), () => socket.end()));
    const other = transportTo(quiet);
    for (let at = 0; at < 3; at++) {
      expect(await ask(other, get(quiet.origin))).toBe("x");
      await quiet.closed();
    }
  });

  test("statuses of every kind but redirects are handed on with their bodies", async () => {
    for (const status of [200, 201, 401, 404, 429, 500, 529]) {
      const server = await serve((socket) => socket.write(`HTTP/1.1 ${status} X\r\ncontent-length: 2\r\n\r\nno`));
      const incoming = await transportTo(server).send(get(server.origin));
      expect([incoming.status, (await read(incoming.body)).toString()]).toEqual([status, "no"]);
    }
  });

  test("notes before the answer are passed over", async () => {
    const server = await serve((socket) => socket.write(`HTTP/1.1 103 Early\r\nlink: x\r\n\r\n${ok("x")}`));
    expect(await ask(transportTo(server), get(server.origin))).toBe("x");
  });

  test("over TLS, to a name in a pair", async () => {
    const server = await serveTls((socket) => socket.write(ok("safe")));
    const name = `models.internal:${server.port}`;
    const transport = transportTo(server, {
      privatePairs: pairsOf({ [name]: "127.0.0.1/32" }),
      resolve: async () => ["127.0.0.1"],
      dial: createDial(certificate),
    });
    expect(await ask(transport, get(`https://${name}/`))).toBe("safe");
    expect(await ask(transport, get(`https://${name}/`))).toBe("safe");
    expect(server.connections).toHaveLength(1);
    expect(server.requests[0]).toContain(`host: ${name}\r\n`);
    const untrusting = transportTo(server, {
      privatePairs: pairsOf({ [name]: "127.0.0.1/32" }),
      resolve: async () => ["127.0.0.1"],
    });
    expect(await ask(untrusting, get(`https://${name}/`))).toBe(
      `upstream.unreachable ${name} cannot be reached: its certificate is not accepted (DEPTH_ZERO_SELF_SIGNED_CERT)`,
    );
    expect(server.requests).toHaveLength(2);
  });

  test("pieces arrive one by one as they were sent, and a reader that stops holds up the sender", async () => {
    const server = await serve((socket) => socket.write(`${chunked}3\r\none\r\n`));
    const { body } = await transportTo(server).send(get(server.origin));
    const pieces: string[] = [];
    body.on("data", (chunk: Buffer) => pieces.push(chunk.toString()));
    await until(() => pieces.length === 1);
    server.connections[0]?.write("3\r\ntwo\r\n0\r\n\r\n");
    await until(() => body.readableEnded);
    expect(pieces).toEqual(["one", "two"]);

    const flood = await serve((socket) => {
      socket.write(`HTTP/1.1 200 OK\r\ncontent-length: ${64 * 2 ** 20}\r\n\r\n`);
      const piece = Buffer.alloc(2 ** 20);
      for (let at = 0; at < 64; at++) socket.write(piece);
    });
    const unread = (await transportTo(flood).send(get(flood.origin))).body;
    // While the one is not read, the other is read as a whole: had it flowed, as much would have come.
    const other = (await transportTo(flood).send(get(flood.origin))).body;
    expect((await read(other)).length).toBe(64 * 2 ** 20);
    expect(unread.readableLength).toBeLessThan(2 ** 20);
    expect((await read(unread)).length).toBe(64 * 2 ** 20);
  });

  test("a secret that cannot be a header is refused before anything leaves, and not repeated", async () => {
    const server = await serve((socket) => socket.write(ok("x")));
    for (const authorization of ["hunter2\r\nx: y", "hunter2\n", "hunter2\0", "hunter2 ✓"]) {
      const said = await ask(transportTo(server), get(server.origin, { headers: { authorization } }));
      expect(said).toMatch(/^egress\.refused /);
      expect(said).not.toContain("hunter2");
    }
    expect(await ask(transportTo(server), get(server.origin, { headers: { "a b": "hunter2" } }))).toMatch(
      /^egress\.refused /,
    );
    expect(server.connections).toEqual([]);
  });

  test("once it is closed nothing leaves, and what was under way has ended", async () => {
    const server = await serve((socket) => socket.write(`${chunked}3\r\none\r\n`));
    const transport = transportTo(server);
    const { body } = await transport.send(get(server.origin));
    const rest = read(body);
    await transport.close();
    await expect(rest).rejects.toMatchObject({ code: "upstream.unreachable" });
    await server.closed();
    expect(await ask(transport, get(server.origin))).toMatch(/^upstream\.unreachable .*stopping$/);
    expect(server.requests).toHaveLength(1);
  });
});

describe("IN-4: the policy for model services", () => {
  test("holds where the address guard would let it pass: nothing is even resolved", async () => {
    const server = await serve((socket) => socket.write(ok("reached")));
    const resolve = () => Promise.reject(new Error("resolved"));
    const transport = transportTo(server, { policy: providerPolicy(noPairs), resolve });
    expect(await ask(transport, get(server.origin))).toMatch(/^egress\.refused .*use https$/);
    expect(server.connections).toEqual([]);
  });
});

describe("T6: proxy variables", () => {
  const names = [
    "HTTPS_PROXY",
    "https_proxy",
    "HTTP_PROXY",
    "http_proxy",
    "ALL_PROXY",
    "all_proxy",
    "NODE_USE_ENV_PROXY",
  ];

  test("have no effect: the proxy hears nothing", async () => {
    const proxy = await serve((socket) => socket.write(ok("by proxy")));
    const server = await serve((socket) => socket.write(ok("direct")));
    const before = names.map((name) => [name, process.env[name]] as const);
    try {
      for (const name of names) process.env[name] = name === "NODE_USE_ENV_PROXY" ? "1" : proxy.origin;
      const { origin, pairs } = server;
      const local = { name: "local", api: `${origin}/api`, raw: origin, codeload: origin, web: origin };
      for (const policy of [providerPolicy(pairs), githubPolicy([githubCom, local], pairs)]) {
        const transport = transportTo(server, { policy, resolve: async () => ["127.0.0.1"] });
        expect(await ask(transport, get(`${origin}/api/x`))).toBe("direct");
        expect(await ask(transport, get("https://api.github.com/x"))).toMatch(/^egress\.refused /);
      }
    } finally {
      for (const [name, value] of before) {
        if (value === undefined) delete process.env[name];
        else process.env[name] = value;
      }
    }
    expect(proxy.connections).toEqual([]);
    expect(server.requests).toHaveLength(2);
  });
});
