import { describe, expect, test } from "vitest";
import { ask, get, type Loopback, ok, read, serve, transportTo } from "../../test/support/loopback.ts";
import { Redirected } from "../core/transport.ts";
import { fetchThrough } from "./fetch.ts";
import type { HostSet } from "./host-set.ts";
import { githubLimits } from "./limits.ts";
import { type EgressPolicy, githubPolicy, providerPolicy } from "./policy.ts";
import type { PrivatePairs } from "./private-pairs.ts";

const hostsAt = ({ origin }: Loopback): HostSet => ({
  name: "local",
  api: `${origin}/api`,
  raw: `${origin}/raw`,
  codeload: `${origin}/tar`,
  web: origin,
});

type PolicyOf = (servers: readonly Loopback[], pairs: PrivatePairs) => EgressPolicy;

const policies: readonly [name: string, policyOf: PolicyOf][] = [
  ["provider", (_servers, pairs) => providerPolicy(pairs)],
  ["github", (servers, pairs) => githubPolicy(servers.map(hostsAt), pairs)],
];

const statuses = [300, 301, 302, 303, 304, 305, 306, 307, 308, 399];
const cases = policies.flatMap(([name, policyOf]) => statuses.map((status) => [status, name, policyOf] as const));

describe("T4: redirects are never followed", () => {
  test.each(cases)("%i under the policy %s: an error, wherever it points to", async (status, _name, policyOf) => {
    const second = await serve((socket) => socket.write(ok("reached")));
    const places = [
      `${second.origin}/hunter2?key=hunter2`,
      `${second.origin}/api/repos/octo/skills`,
      "/raw/elsewhere",
      "//models.example/",
      "https://api.github.com/repositories/1",
      "http://169.254.169.254/latest",
    ];
    for (const location of places) {
      const first = await serve((socket) =>
        socket.write(`HTTP/1.1 ${status} Moved\r\nlocation: ${location}\r\ncontent-length: 7\r\n\r\nhunter2`),
      );
      // Both servers may be asked: that it stays at the first is nobody else's doing.
      const privatePairs = new Map([...first.pairs, ...second.pairs]);
      const policy = policyOf([first, second], privatePairs);
      const resolved: string[] = [];
      const resolve = async (name: string) => [String(resolved.push(name))];
      const transport = transportTo(first, { policy, privatePairs, resolve });
      const said: unknown = await transport.send(get(`${first.origin}/api/start`)).catch((error: unknown) => error);
      const { host } = new URL(location, first.origin);
      expect(said).toBeInstanceOf(Redirected);
      expect(said).toMatchObject({
        name: "AppError",
        code: "upstream.invalid",
        status,
        message: `127.0.0.1:${first.port} answered ${status} and points to ${host}; redirects are not followed: name the address itself`,
      });
      await first.closed();
      expect(first.requests).toHaveLength(1);
      expect(resolved).toEqual([]);
    }
    expect(second.connections).toEqual([]);
  });

  test.each(["", "location: http://[\r\n", "location: a\r\nlocation: b\r\n"])(
    "one that leads nowhere (%j)",
    async (line) => {
      const server = await serve((socket) => socket.write(`HTTP/1.1 302 Moved\r\n${line}content-length: 0\r\n\r\n`));
      expect(await ask(transportTo(server), get(server.origin))).toMatch(/^upstream\.invalid .*points to nowhere/);
    },
  );

  test("a request with an entity tag is redirected as little as any other", async () => {
    for (const status of statuses.filter((each) => each !== 304)) {
      const server = await serve((socket) =>
        socket.write(`HTTP/1.1 ${status} X\r\nlocation: /x\r\ncontent-length: 0\r\n\r\n`),
      );
      const request = get(server.origin, { headers: { "if-none-match": '"a"' } });
      await expect(transportTo(server).send(request)).rejects.toMatchObject({ code: "upstream.invalid", status });
      expect(server.requests).toHaveLength(1);
    }
  });
});

describe("IN-11: 304 is an answer to who asked with an entity tag, and to nobody else", () => {
  const unchanged = (headers: string) => `HTTP/1.1 304 Not Modified\r\netag: "a"\r\n${headers}\r\n`;

  test.each(["if-none-match", "If-None-Match"])("with %s it is handed out, and has no body", async (name) => {
    const server = await serve((socket) => socket.write(unchanged("")));
    const transport = transportTo(server, { limits: githubLimits });
    for (let at = 0; at < 2; at++) {
      const incoming = await transport.send(get(server.origin, { headers: { [name]: '"a"' } }));
      expect([incoming.status, incoming.headers["etag"]]).toEqual([304, '"a"']);
      expect(await read(incoming.body)).toHaveLength(0);
    }
    expect(server.requests[0]).toContain('if-none-match: "a"\r\n');
    expect(server.connections).toHaveLength(1);
  });

  test.each([
    ["what the body has that did not change", "content-length: 1000\r\ncontent-encoding: gzip\r\n"],
    ["more than may come", `content-length: ${2 ** 40}\r\n`],
    ["an encoding that nobody knows", "content-encoding: zstd\r\n"],
    ["where to go", "location: https://models.example/\r\n"],
  ])("its headers may say %s: there is no body all the same", async (_what, headers) => {
    const server = await serve((socket) => socket.write(unchanged(headers)));
    const transport = transportTo(server);
    for (let at = 0; at < 2; at++) {
      const incoming = await transport.send(get(server.origin, { headers: { "if-none-match": '"a"' } }));
      expect(incoming.status).toBe(304);
      expect([incoming.headers["content-length"], incoming.headers["content-encoding"]]).toEqual([
        undefined,
        undefined,
      ]);
      expect(await read(incoming.body)).toHaveLength(0);
    }
    expect(server.requests).toHaveLength(2);
  });

  test("bytes behind it are not its body, nor the answer to the next request", async () => {
    const server = await serve((socket) => socket.write(`${unchanged("")}${ok("forged")}`));
    const transport = transportTo(server);
    const request = get(server.origin, { headers: { "if-none-match": '"a"' } });
    for (let at = 0; at < 2; at++) {
      const incoming = await transport.send(request);
      expect([incoming.status, (await read(incoming.body)).toString()]).toEqual([304, ""]);
    }
  });

  test.each([{}, { "if-modified-since": "x" }, { etag: '"a"' }, { "if-match": '"a"' }])(
    "with %j it is an error",
    async (headers) => {
      const server = await serve((socket) => socket.write(unchanged("")));
      await expect(transportTo(server).send(get(server.origin, { headers }))).rejects.toMatchObject({
        code: "upstream.invalid",
        status: 304,
      });
      await server.closed();
    },
  );

  test("through `fetch` too", async () => {
    const server = await serve((socket) => socket.write(unchanged("")));
    const response = await fetchThrough(transportTo(server))(server.origin, { headers: { "If-None-Match": '"a"' } });
    expect([response.status, await response.text()]).toEqual([304, ""]);
  });
});
