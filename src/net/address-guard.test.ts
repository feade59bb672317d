import { Socket } from "node:net";
import { describe, expect, test } from "vitest";
import { ask, certificate, get, handTimer, ok, pairsOf, serve, serveTls, until } from "../../test/support/loopback.ts";
import { createDial, type Dial, type Resolve, type Target } from "./dial.ts";
import { githubLimits } from "./limits.ts";
import type { EgressPolicy } from "./policy.ts";
import { noPairs, type PrivatePairs } from "./private-pairs.ts";
import { createTransport } from "./transport.ts";

/** The origin guard is off in this file: whatever is a URL may be asked for. */
const anything: EgressPolicy = { name: "anything", admit: (url) => new URL(url) };

/** Remembers what it should dial, and dials nothing. */
function noDial(): Dial & { targets: Target[] } {
  const targets: Target[] = [];
  const dial: Dial = (target, ready) => {
    targets.push(target);
    queueMicrotask(() => ready(new Error("not dialled in a test")));
    return Object.assign(new Socket(), { connecting: true });
  };
  return Object.assign(dial, { targets });
}

/** Dials loopback, whatever was checked. */
const elsewhere: Dial = (target, ready) => createDial()({ ...target, addresses: ["127.0.0.1"] }, ready);

const answer =
  (...addresses: string[]): Resolve =>
  async () =>
    addresses;

/** For literals, which nobody need look up. */
const noResolve: Resolve = () => Promise.reject(new Error("resolved"));

interface Asked {
  readonly url: string;
  readonly dial: Dial;
  readonly resolve?: Resolve;
  readonly pairs?: PrivatePairs;
}

/** What became of one request: the text of the answer, or `code message`. */
async function asked({ url, dial, resolve = noResolve, pairs = noPairs }: Asked): Promise<string> {
  const terms = { policy: anything, privatePairs: pairs, limits: githubLimits, timer: handTimer() };
  const transport = createTransport({ ...terms, resolve, dial });
  try {
    return await ask(transport, get(url));
  } finally {
    await transport.close();
  }
}

const refusal = /^egress\.refused the request was not sent: /;
/** It came as far as the dialler. */
const attempt = /^upstream\.unreachable .*the connection failed$/;

const blocked =
  `127.0.0.1 127.8.8.8 0.0.0.0 0.1.2.3 10.1.2.3 172.16.0.1 172.31.9.9 192.168.0.1 169.254.169.254 169.254.1.1
100.64.0.1 100.100.100.200 192.0.0.1 192.0.0.192 192.0.2.1 192.88.99.1 198.18.0.1 198.51.100.7 203.0.113.7 224.0.0.1
240.0.0.1 255.255.255.255 168.63.129.16 ::1 :: ::ffff:127.0.0.1 ::ffff:7f00:1 ::ffff:10.0.0.1 ::ffff:8.8.8.8 ::127.0.0.1
64:ff9b::7f00:1 64:ff9b::8.8.8.8 64:ff9b:1::7f00:1 2002:7f00:1:: 2002:0a00:0001:: 2001:0:4136:e378:8000:63bf:3fff:fdd2
fc00::1 fd00:ec2::254 fe80::1 fec0::1 ff02::1 2001:db8::1 3fff::1 100::1 2001:20::1 ::ffff:0:127.0.0.1 5f00::1
2606:50c0::5efe:10.0.0.1`.split(/\s+/);
const allowed = "140.82.121.3 185.199.108.133 8.8.8.8 2606:50c0:8000::153".split(" ");
const inUrl = (address: string) => (address.includes(":") ? `[${address}]` : address);

describe("T5: private addresses in any spelling, with the origin guard off", () => {
  test.each(blocked)("%s written in the URL is refused: nothing is resolved, nothing dialled", async (address) => {
    const dial = noDial();
    expect(await asked({ url: `https://${inUrl(address)}/`, dial })).toMatch(refusal);
    expect(dial.targets).toEqual([]);
  });

  test.each(blocked)("%s as the answer for a name is refused: nothing is dialled", async (address) => {
    const dial = noDial();
    expect(await asked({ url: "https://api.github.com/", dial, resolve: answer(address) })).toMatch(refusal);
    expect(dial.targets).toEqual([]);
  });

  test.each(
    `127.0.0.1 2130706433 0x7f000001 0x7f.0.0.1 0177.0.0.1 0177.1 127.1 127.0.1 127.0.0.1. [::1] [::ffff:127.0.0.1]
    [::ffff:7f00:1] [0:0:0:0:0:0:0:1] [::127.0.0.1] 0 0.0.0.0 [::] 0xa9fea9fe 2852039166 0251.0376.0251.0376 10.1 0xa000001
    [FE80::1] [0:0:0:0:0:FFFF:A9FE:A9FE] ①②⑦.0.0.1 127。0。0。1 %31%32%37.0.0.1 ⑩.0.0.1`.split(/\s+/),
  )("the literal %s is refused: nothing is resolved, nothing dialled", async (host) => {
    const dial = noDial();
    for (const scheme of ["https", "http"])
      expect(await asked({ url: `${scheme}://${host}:8443/`, dial })).toMatch(refusal);
    expect(dial.targets).toEqual([]);
  });

  test.each("localhost LOCALHOST localhost. localhost.localdomain api.github.com github.com.".split(" "))(
    "the name %s that lies on loopback is refused: nothing is dialled",
    async (host) => {
      const dial = noDial();
      for (const scheme of ["https", "http"])
        expect(await asked({ url: `${scheme}://${host}/`, dial, resolve: answer("127.0.0.1") })).toMatch(refusal);
      expect(dial.targets).toEqual([]);
    },
  );

  test.each(allowed)("%s is dialled, written or as an answer", async (address) => {
    const dial = noDial();
    expect(await asked({ url: `https://${inUrl(address)}/`, dial })).toMatch(attempt);
    expect(await asked({ url: "https://api.github.com/", dial, resolve: answer(address) })).toMatch(attempt);
    expect(dial.targets.map(({ addresses }) => addresses)).toEqual([[address], [address]]);
  });

  test.each([
    [["8.8.8.8", "127.0.0.1"]],
    [["127.0.0.1", "8.8.8.8"]],
    [["8.8.8.8", "2606:50c0:8000::153", "::1"]],
    [["8.8.8.8", "rubbish"]],
  ])("a split answer %j is refused whole", async (addresses) => {
    const dial = noDial();
    expect(await asked({ url: "https://api.github.com/", dial, resolve: answer(...addresses) })).toMatch(refusal);
    expect(dial.targets).toEqual([]);
  });

  test("a name that answers public first and private then is resolved once, and what was checked is dialled", async () => {
    const dial = noDial();
    const answers = ["8.8.8.8", "127.0.0.1", "127.0.0.1"];
    let times = 0;
    const resolve: Resolve = async () => [answers[times++] ?? ""];
    expect(await asked({ url: "https://api.github.com/", dial, resolve })).toMatch(attempt);
    expect(times).toBe(1);
    expect(dial.targets.map(({ addresses }) => addresses)).toEqual([["8.8.8.8"]]);
    expect(await asked({ url: "https://api.github.com/", dial, resolve })).toMatch(refusal);
    expect(dial.targets).toHaveLength(1);
  });

  test("the real dialler asks nobody for an address: it has those that were checked", async () => {
    const server = await serve(null);
    const target = { protocol: "http:", hostname: "api.github.com", port: String(server.port) };
    const socket = createDial()({ ...target, addresses: ["127.0.0.1"] }, () => {});
    await server.opened();
    expect(socket.remoteAddress).toBe("127.0.0.1");
    socket.destroy();
  });

  test("the socket of a dialler that went elsewhere is closed before a byte leaves: plain", async () => {
    const server = await serve(null);
    const name = `git.internal:${server.port}`;
    const pairs = pairsOf({ [name]: "127.0.0.2/32" });
    const resolve = answer("127.0.0.2");
    expect(await asked({ url: `http://${name}/`, pairs, resolve, dial: elsewhere })).toMatch(refusal);
    await server.opened();
    await server.closed();
    expect(server.bytes()).toBe(0);
  });

  test("the socket of a dialler that went elsewhere is closed before a byte leaves: TLS", async () => {
    const server = await serve(null);
    const url = `https://api.github.com:${server.port}/`;
    expect(await asked({ url, resolve: answer("8.8.8.8"), dial: elsewhere })).toMatch(refusal);
    await server.opened();
    await server.closed();
    expect(server.bytes()).toBe(0);
  });

  test("a socket that was connected already is checked as well", async () => {
    const server = await serve(null);
    const place = { protocol: "http:", hostname: "a", port: String(server.port), addresses: ["127.0.0.1"] };
    const ready = createDial()(place, () => {});
    await until(() => !ready.connecting);
    const dial: Dial = (_target, done) => {
      queueMicrotask(() => done(null));
      return ready;
    };
    expect(await asked({ url: "https://api.github.com/", resolve: answer("8.8.8.8"), dial })).toMatch(refusal);
    expect(ready.destroyed).toBe(true);
    await server.closed();
    expect(server.bytes()).toBe(0);
  });
});

describe("T6: a pair holds a host and port to its range", () => {
  const pairs = pairsOf({
    "git.internal:8443": "10.1.0.0/16",
    "127.0.0.1:80": "127.0.0.1/32",
    "lan:80": "10.0.0.0/8",
  });

  test.each([
    ["https://git.internal:8443/", "10.1.2.3"],
    ["http://127.0.0.1/", ""],
  ])("%s at %j is dialled", async (url, address) => {
    const dial = noDial();
    expect(await asked({ url, dial, pairs, resolve: answer(address) })).toMatch(attempt);
    expect(dial.targets.map(({ addresses }) => addresses)).toEqual([[address || "127.0.0.1"]]);
  });

  test.each([
    ["outside its range", "https://git.internal:8443/", ["10.2.0.1"]],
    ["on loopback", "https://git.internal:8443/", ["127.0.0.1"]],
    ["on the internet", "https://git.internal:8443/", ["8.8.8.8"]],
    ["inside and outside", "https://git.internal:8443/", ["10.1.2.3", "10.2.0.1"]],
    ["at the metadata service", "https://git.internal:8443/", ["169.254.169.254"]],
    ["at another port", "https://git.internal/", ["10.1.2.3"]],
    ["under another name", "https://other.internal:8443/", ["10.1.2.3"]],
    ["with a dot behind its name", "https://git.internal.:8443/", ["10.1.2.3"]],
    ["beside the one address", "http://127.0.0.2/", []],
    ["without TLS, elsewhere", "http://api.github.com/", ["8.8.8.8"]],
    ["without TLS, in a range that is not loopback", "http://lan/", ["10.1.2.3"]],
  ])("a host that lies %s is refused: nothing is dialled", async (_where, url, addresses) => {
    const dial = noDial();
    expect(await asked({ url, dial, pairs, resolve: answer(...addresses) })).toMatch(refusal);
    expect(dial.targets).toEqual([]);
  });

  test.each([
    ["169.254.169.254", "169.254.0.0", 16],
    ["fe80::1", "fe80::", 10],
    ["100.100.100.200", "100.64.0.0", 10],
    ["fd00:ec2::254", "fc00::", 7],
    ["0.0.0.0", "0.0.0.0", 0],
  ])("link-local and metadata addresses (%s) are refused with any pair", async (address, start, prefix) => {
    const dial = noDial();
    const wide = new Map([["git.internal:443", { address: start, prefix }]]);
    const request = { url: "https://git.internal/", dial, pairs: wide, resolve: answer(address) };
    expect(await asked(request)).toMatch(refusal);
    expect(dial.targets).toEqual([]);
  });

  test("a pair is checked for every new connection: a name that moves is refused", async () => {
    const server = await serve((socket) => socket.write(ok("x", "connection: close\r\n")));
    const name = `git.internal:${server.port}`;
    const answers = ["127.0.0.1", "127.0.0.2"];
    const terms = { policy: anything, limits: githubLimits, timer: handTimer() };
    const resolve: Resolve = async () => [answers.shift() ?? ""];
    const transport = createTransport({ ...terms, privatePairs: pairsOf({ [name]: "127.0.0.1/32" }), resolve });
    expect(await ask(transport, get(`http://${name}/`))).toBe("x");
    expect(await ask(transport, get(`http://${name}/`))).toMatch(refusal);
    await transport.close();
    expect(server.connections).toHaveLength(1);
  });

  test("with TLS, the certificate is held to the name that was asked for", async () => {
    const server = await serveTls((socket) => socket.write(ok("safe")));
    const [right, wrong] = [`models.internal:${server.port}`, `other.internal:${server.port}`];
    const both = pairsOf({ [right]: "127.0.0.1/32", [wrong]: "127.0.0.1/32" });
    const request = { pairs: both, resolve: answer("127.0.0.1"), dial: createDial(certificate) };
    expect(await asked({ ...request, url: `https://${right}/` })).toBe("safe");
    expect(await asked({ ...request, url: `https://${wrong}/` })).toMatch(/ALTNAME_INVALID/);
    expect(await asked({ ...request, dial: createDial(), url: `https://${right}/` })).toMatch(/SELF_SIGNED/);
    expect(server.requests).toHaveLength(1);
  });
});
