import { Socket } from "node:net";
import { describe, expect, test } from "vitest";
import { handTimer, pairsOf, serve, until } from "../../test/support/loopback.ts";
import { AppError } from "../core/error.ts";
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
