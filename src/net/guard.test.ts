import { Socket } from "node:net";
import { describe, expect, test } from "vitest";
import { certificate, handTimer, pairsOf, serve, serveTls, until } from "../../test/loopback.ts";
import { AppError } from "../base/error.ts";
import { createDial, type Dial, type Resolve, type Target } from "./dial.ts";
import { createConnector, type GuardOptions } from "./guard.ts";
import { noPairs } from "./private-pairs.ts";

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

function withResolvers<Value>(): { promise: Promise<Value>; resolve: (value: Value) => void } {
  let resolve: (value: Value) => void = () => {};
  const promise = new Promise<Value>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}

const answer =
  (...addresses: string[]): Resolve =>
  async () =>
    addresses;

interface Asked extends Partial<GuardOptions> {
  readonly url: string;
  readonly closed?: AbortSignal;
}

/** What became of a connection to a place: the code of its error, or its socket. */
async function connect({ url, closed = new AbortController().signal, ...options }: Asked): Promise<string | Socket> {
  const connector = createConnector(
    { pairs: noPairs, timer: handTimer(), connectDeadline: 1000, resolve: answer(), dial: noDial(), ...options },
    closed,
  );
  const { protocol, hostname, port } = new URL(url);
  const bare = hostname.replace(/^\[(.*)\]$/, "$1");
  return new Promise((resolve) => {
    connector({ protocol, hostname: bare, host: hostname, port }, (error, socket) => {
      if (socket !== null) resolve(socket);
      else resolve(error instanceof AppError ? error.code : error.message);
    });
  });
}

const blocked = `127.0.0.1 127.8.8.8 0.0.0.0 0.1.2.3 10.1.2.3 172.31.9.9 192.168.0.1 169.254.169.254 100.64.0.1
100.100.100.200 192.0.0.192 192.0.2.1 192.88.99.1 198.18.0.1 198.51.100.7 203.0.113.7 224.0.0.1 240.0.0.1
255.255.255.255 168.63.129.16 ::1 :: ::ffff:127.0.0.1 ::ffff:7f00:1 ::ffff:10.0.0.1 ::127.0.0.1 64:ff9b::7f00:1
64:ff9b:1::7f00:1 2002:7f00:1:: 2002:0a00:0001:: 2001:0:4136:e378:8000:63bf:3fff:fdd2 fc00::1 fd00:ec2::254 fe80::1
fec0::1 ff02::1 2001:db8::1 3fff::1 100::1 2001:20::1 ::ffff:0:127.0.0.1 5f00::1`.split(/\s+/);
const allowed = "140.82.121.3 185.199.108.133 8.8.8.8 2606:50c0:8000::153".split(" ");
const inUrl = (address: string) => (address.includes(":") ? `[${address}]` : address);

describe("T5: private addresses in any spelling", () => {
  test.each(blocked)("%s written in the URL is refused: nothing is resolved, nothing dialled", async (address) => {
    const dial = noDial();
    const resolve = () => Promise.reject(new Error("resolved"));
    expect(await connect({ url: `https://${inUrl(address)}/`, dial, resolve })).toBe("egress.refused");
    expect(dial.targets).toEqual([]);
  });

  test.each(blocked)("%s as the answer for a name is refused: nothing is dialled", async (address) => {
    const dial = noDial();
    expect(await connect({ url: "https://models.example/", dial, resolve: answer(address) })).toBe("egress.refused");
    expect(dial.targets).toEqual([]);
  });

  test.each(allowed)("%s is dialled, written or as an answer", async (address) => {
    const dial = noDial();
    expect(await connect({ url: `https://${inUrl(address)}/`, dial })).toBe("not dialled in a test");
    expect(await connect({ url: "https://models.example/", dial, resolve: answer(address) })).toBe(
      "not dialled in a test",
    );
    expect(dial.targets.map(({ addresses }) => addresses)).toEqual([[address], [address]]);
  });

  test.each([
    [["8.8.8.8", "127.0.0.1"]],
    [["127.0.0.1", "8.8.8.8"]],
    [["8.8.8.8", "2606:50c0:8000::153", "::1"]],
    [["8.8.8.8", "rubbish"]],
  ])("a split answer %j is refused whole", async (addresses) => {
    const dial = noDial();
    expect(await connect({ url: "https://models.example/", dial, resolve: answer(...addresses) })).toBe(
      "egress.refused",
    );
    expect(dial.targets).toEqual([]);
  });

  test("a name that answers public first and private then is resolved once, and what was checked is dialled", async () => {
    const dial = noDial();
    const answers = ["8.8.8.8", "127.0.0.1", "127.0.0.1"];
    let asked = 0;
    const resolve: Resolve = async () => [answers[asked++] ?? ""];
    expect(await connect({ url: "https://models.example/", dial, resolve })).toBe("not dialled in a test");
    expect(asked).toBe(1);
    expect(dial.targets.map(({ addresses }) => addresses)).toEqual([["8.8.8.8"]]);
    expect(await connect({ url: "https://models.example/", dial, resolve })).toBe("egress.refused");
    expect(dial.targets).toHaveLength(1);
  });

  test("the real dialler asks nobody for an address: it has those that were checked", async () => {
    const server = await serve(null);
    const target = { protocol: "http:", hostname: "models.example", port: String(server.port) };
    const socket = createDial()({ ...target, addresses: ["127.0.0.1"] }, () => {});
    await server.opened();
    expect(socket.remoteAddress).toBe("127.0.0.1");
    socket.destroy();
  });

  test("the socket of a dialler that went elsewhere is closed before a byte leaves: plain", async () => {
    const server = await serve(null);
    const elsewhere: Dial = (target, ready) => createDial()({ ...target, addresses: ["127.0.0.1"] }, ready);
    const name = `models.example:${server.port}`;
    const asked = {
      url: `http://${name}/`,
      pairs: pairsOf({ [name]: "127.0.0.2/32" }),
      resolve: answer("127.0.0.2"),
      dial: elsewhere,
    };
    expect(await connect(asked)).toBe("egress.refused");
    await server.opened();
    await server.closed();
    expect(server.bytes()).toBe(0);
  });

  test("the socket of a dialler that went elsewhere is closed before a byte leaves: TLS", async () => {
    const server = await serve(null);
    const elsewhere: Dial = (target, ready) => createDial()({ ...target, addresses: ["127.0.0.1"] }, ready);
    const asked = { url: `https://models.example:${server.port}/`, resolve: answer("8.8.8.8"), dial: elsewhere };
    expect(await connect(asked)).toBe("egress.refused");
    await server.opened();
    await server.closed();
    expect(server.bytes()).toBe(0);
  });

  test("a socket that was connected already is checked as well", async () => {
    const server = await serve(null);
    const ready = createDial()(
      { protocol: "http:", hostname: "a", port: String(server.port), addresses: ["127.0.0.1"] },
      () => {},
    );
    await until(() => !ready.connecting);
    const dial: Dial = (_target, done) => {
      queueMicrotask(() => done(null));
      return ready;
    };
    expect(await connect({ url: "https://models.example/", resolve: answer("8.8.8.8"), dial })).toBe("egress.refused");
    expect(ready.destroyed).toBe(true);
  });
});

describe("T6: a pair holds a host and port to its range", () => {
  const pairs = pairsOf({
    "models.internal:8443": "10.1.0.0/16",
    "127.0.0.1:80": "127.0.0.1/32",
    "lan:80": "10.0.0.0/8",
  });

  test.each([
    ["https://models.internal:8443/", "10.1.2.3"],
    ["http://127.0.0.1/", ""],
  ])("%s at %j is dialled", async (url, address) => {
    const dial = noDial();
    expect(await connect({ url, dial, pairs, resolve: answer(address) })).toBe("not dialled in a test");
    expect(dial.targets.map(({ addresses }) => addresses)).toEqual([[address || "127.0.0.1"]]);
  });

  test.each([
    ["outside its range", "https://models.internal:8443/", ["10.2.0.1"]],
    ["on loopback", "https://models.internal:8443/", ["127.0.0.1"]],
    ["on the internet", "https://models.internal:8443/", ["8.8.8.8"]],
    ["inside and outside", "https://models.internal:8443/", ["10.1.2.3", "10.2.0.1"]],
    ["at the metadata service", "https://models.internal:8443/", ["169.254.169.254"]],
    ["at another port", "https://models.internal/", ["10.1.2.3"]],
    ["under another name", "https://other.internal:8443/", ["10.1.2.3"]],
    ["with a dot behind its name", "https://models.internal.:8443/", ["10.1.2.3"]],
    ["beside the one address", "http://127.0.0.2/", []],
    ["without TLS, elsewhere", "http://models.example/", ["8.8.8.8"]],
    ["without TLS, in a range that is not loopback", "http://lan/", ["10.1.2.3"]],
  ])("a host that lies %s is refused: nothing is dialled", async (_where, url, addresses) => {
    const dial = noDial();
    expect(await connect({ url, dial, pairs, resolve: answer(...addresses) })).toBe("egress.refused");
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
    const wide = new Map([["models.internal:443", { address: start, prefix }]]);
    const asked = { url: "https://models.internal/", dial, pairs: wide, resolve: answer(address) };
    expect(await connect(asked)).toBe("egress.refused");
    expect(dial.targets).toEqual([]);
  });

  test("with TLS, the certificate is held to the name that was asked for", async () => {
    const server = await serveTls(() => {});
    const both = pairsOf({
      [`models.internal:${server.port}`]: "127.0.0.1/32",
      [`other.internal:${server.port}`]: "127.0.0.1/32",
    });
    const asked = { pairs: both, resolve: answer("127.0.0.1"), dial: createDial(certificate) };
    const socket = await connect({ ...asked, url: `https://models.internal:${server.port}/` });
    expect(socket).toMatchObject({ authorized: true, remoteAddress: "127.0.0.1" });
    if (socket instanceof Socket) socket.destroy();
    expect(await connect({ ...asked, url: `https://other.internal:${server.port}/` })).toMatch(/altnames/);
    expect(await connect({ ...asked, dial: createDial(), url: `https://models.internal:${server.port}/` })).toMatch(
      /self-signed/,
    );
  });
});

describe("IN-5: making a connection ends", () => {
  test("a name without an address cannot be reached", async () => {
    expect(await connect({ url: "https://models.example/" })).toBe("upstream.unreachable");
  });

  test("at its deadline while resolving: a late answer dials nothing", async () => {
    const dial = noDial();
    const timer = handTimer();
    const late = withResolvers<readonly string[]>();
    const ended = connect({ url: "https://models.example/", dial, timer, resolve: () => late.promise });
    timer.pass(999);
    expect(timer.running()).toEqual([1000]);
    timer.pass(1000);
    expect(await ended).toBe("upstream.timeout");
    late.resolve(["8.8.8.8"]);
    await new Promise((resolve) => setImmediate(resolve));
    expect(dial.targets).toEqual([]);
    expect(timer.running()).toEqual([]);
  });

  test("at its deadline in a TLS handshake that gets no answer: the socket is closed", async () => {
    const server = await serve(null);
    const timer = handTimer();
    const name = `models.internal:${server.port}`;
    const pairs = pairsOf({ [name]: "127.0.0.1/32" });
    const asked = { url: `https://${name}/`, pairs, timer, resolve: answer("127.0.0.1"), dial: createDial() };
    const ended = connect(asked);
    await until(() => server.bytes() > 0);
    timer.pass(1000);
    expect(await ended).toBe("upstream.timeout");
    await server.closed();
  });

  test("when it is closed while resolving or in a handshake: nothing is dialled, nothing stays open", async () => {
    const server = await serve(null);
    const dial = noDial();
    const late = withResolvers<readonly string[]>();
    const first = new AbortController();
    const resolving = connect({
      url: "https://models.example/",
      dial,
      closed: first.signal,
      resolve: () => late.promise,
    });
    first.abort();
    expect(await resolving).toBe("upstream.unreachable");
    late.resolve(["8.8.8.8"]);
    await new Promise((resolve) => setImmediate(resolve));
    expect(dial.targets).toEqual([]);

    const second = new AbortController();
    const name = `models.internal:${server.port}`;
    const pairs = pairsOf({ [name]: "127.0.0.1/32" });
    const handshake = connect({
      url: `https://${name}/`,
      pairs,
      closed: second.signal,
      resolve: answer("127.0.0.1"),
      dial: createDial(),
    });
    await until(() => server.bytes() > 0);
    second.abort();
    expect(await handshake).toBe("upstream.unreachable");
    await server.closed();
  });
});
