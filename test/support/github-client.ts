import { afterEach } from "vitest";
import type { Clock, Timer } from "../../src/core/world.ts";
import { createGitHub } from "../../src/sources/github/client.ts";
import type { GitHub } from "../../src/sources/github/github.ts";
import type { Repository } from "../../src/sources/repository.ts";
import type { HostSet } from "../../src/net/host-set.ts";
import { githubLimits } from "../../src/net/limits.ts";
import { githubPolicy } from "../../src/net/policy.ts";
import { fixedClock } from "../../src/testing/fixed-clock.ts";
import { seededRandomness } from "../../src/testing/seeded-randomness.ts";
import { createTransport } from "../../src/net/transport.ts";
import { type Loopback, pairsOf, serve } from "./loopback.ts";

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((each) => each.close()));
});

/** One answer of a scripted service, whatever it is asked. */
export interface Scripted {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** JSON, unless it is text or bytes. */
  readonly body?: unknown;
  /** Its length as it is said; then the connection ends where the body does. */
  readonly length?: number;
}

export interface ScriptedGitHub {
  readonly hosts: HostSet;
  readonly server: Loopback;
  /** The paths that were asked for, in order. */
  readonly paths: () => readonly string[];
}

/** All services of a GitHub on one port, answering as a test says; null: the connection is closed instead. */
export async function scriptGitHub(answer: (path: string, count: number) => Scripted | null): Promise<ScriptedGitHub> {
  const server = await serve((socket, request) => {
    const said = answer(pathOf(request), server.requests.length);
    if (said === null) return void socket.destroy();
    const { status = 200, headers = {}, body = "", length } = said;
    const bytes =
      body instanceof Uint8Array ? body : Buffer.from(typeof body === "string" ? body : JSON.stringify(body));
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    const size = status === 304 ? "" : `content-length: ${length ?? bytes.length}\r\n`;
    socket.write(Buffer.concat([Buffer.from(`HTTP/1.1 ${status} x\r\n${size}${lines.join("")}\r\n`), bytes]));
    if (length !== undefined) socket.end();
  });
  const { origin } = server;
  const hosts = { name: "here", api: `${origin}/api/v3`, raw: `${origin}/raw`, codeload: `${origin}/tar`, web: origin };
  return { hosts, server, paths: () => server.requests.map(pathOf) };
}

function pathOf(request: string): string {
  return request.split(" ")[1] ?? "";
}

export interface ClientOptions {
  readonly token?: Parameters<typeof createGitHub>[1]["token"];
  readonly signal?: AbortSignal;
  readonly clock?: Clock;
  readonly timer?: Timer;
}

/** Nothing here waits for time to pass. */
const noTimer: Timer = { after: () => Promise.resolve(), every: () => ({ stop: () => {} }) };

/** A client over the real transport. Its pauses take no time; `pauses` has how long they would have been. */
export function clientOf(sets: readonly HostSet[], options: ClientOptions = {}): { github: GitHub; pauses: number[] } {
  const origins = sets.flatMap(({ api, raw, codeload }) => [api, raw, codeload]).map((base) => new URL(base).host);
  const privatePairs = pairsOf(Object.fromEntries(origins.map((host) => [host, "127.0.0.1/32"])));
  const transport = createTransport({
    privatePairs,
    policy: githubPolicy(sets, privatePairs),
    limits: githubLimits,
    timer: noTimer,
  });
  open.push(transport);
  const pauses: number[] = [];
  const timer: Timer = { ...noTimer, after: async (milliseconds) => void pauses.push(milliseconds) };
  const { token = null, signal, clock = fixedClock() } = options;
  const way = { transport, clock, timer: options.timer ?? timer, random: seededRandomness() };
  return { github: createGitHub(way, signal === undefined ? { token } : { token, signal }), pauses };
}

/** Where a fake GitHub is. */
export function hostsOf({ api, raw, codeload, web }: Omit<HostSet, "name">, name = "fake"): HostSet {
  return { name, api, raw, codeload, web };
}

export function at(hosts: HostSet, name = "acme/skills"): Repository {
  const [owner = "", repository = ""] = name.split("/");
  return { hosts, owner, name: repository };
}
