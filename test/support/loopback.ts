import { readFileSync } from "node:fs";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { createServer as createTlsServer } from "node:tls";
import type { Readable } from "node:stream";
import { afterEach } from "vitest";
import { AppError } from "../../src/core/error.ts";
import type { Outgoing, Transport } from "../../src/core/transport.ts";
import type { Timer } from "../../src/core/world.ts";
import { parseCidr } from "../../src/net/address.ts";
import { providerLimits } from "../../src/net/limits.ts";
import { providerPolicy } from "../../src/net/policy.ts";
import type { PrivatePairs } from "../../src/net/private-pairs.ts";
import { createTransport, type TransportOptions } from "../../src/net/transport.ts";

const ending: (() => Promise<void>)[] = [];
afterEach(async () => {
  await Promise.all(ending.splice(0).map((end) => end()));
});

/** A server on loopback that talks byte for byte as a test says, and keeps what it saw. */
export interface Loopback {
  readonly port: number;
  readonly origin: string;
  /** `127.0.0.1:port`, and nothing else, is allowed. */
  readonly pairs: PrivatePairs;
  /** Each request as it came, head and body. */
  readonly requests: string[];
  readonly connections: Socket[];
  /** Bytes that arrived, whatever they are. */
  readonly bytes: () => number;
  /** Once that many connections are open, and once all of them are closed. */
  opened(count?: number): Promise<void>;
  closed(): Promise<void>;
}

export type Talk = (socket: Socket, request: string) => void;

/** One for http, until the test is over. With `null` it accepts and never says a word. */
export function serve(talk: Talk | null): Promise<Loopback> {
  return started(createServer({ allowHalfOpen: false }), "connection", talk);
}

export const certificate = readFileSync("test/fixtures/tls/cert.pem", "utf8");

/** One for https, as `models.internal`. */
export function serveTls(talk: Talk): Promise<Loopback> {
  const key = readFileSync("test/fixtures/tls/key.pem", "utf8");
  return started(createTlsServer({ key, cert: certificate }), "secureConnection", talk);
}

async function started(server: Server, event: string, talk: Talk | null): Promise<Loopback> {
  const connections: Socket[] = [];
  const requests: string[] = [];
  let bytes = 0;
  server.on(event, (socket: Socket) => {
    connections.push(socket.on("error", () => {}));
    let text = "";
    socket.on("data", (chunk: Buffer) => {
      bytes += chunk.length;
      text += chunk.toString("latin1");
      if (talk === null || !isWhole(text)) return;
      requests.push(text);
      talk(socket, text);
      text = "";
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  ending.push(async () => {
    for (const socket of connections) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  return {
    port,
    origin: `http://127.0.0.1:${port}`,
    pairs: pairsOf({ [`127.0.0.1:${port}`]: "127.0.0.1/32" }),
    requests,
    connections,
    bytes: () => bytes,
    opened: (count = 1) => until(() => connections.length >= count),
    closed: () => until(() => connections.every(({ closed }) => closed)),
  };
}

function isWhole(request: string): boolean {
  const end = request.indexOf("\r\n\r\n");
  const [, length = "0"] = /^content-length: (\d+)/im.exec(request) ?? [];
  return end >= 0 && request.length >= end + 4 + Number(length);
}

/** Waits for what will come; a test that waits in vain ends by its own deadline. */
export async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 2));
}

export function pairsOf(pairs: Readonly<Record<string, string>>): PrivatePairs {
  return new Map(
    Object.entries(pairs).map(([name, text]) => {
      const cidr = parseCidr(text);
      if (cidr === undefined) throw new Error(`${text} is no private range`);
      return [name, cidr] as const;
    }),
  );
}

const realTimer: Timer = {
  after: (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
  every: (milliseconds, act) => {
    const timer = setInterval(act, milliseconds).unref();
    return { stop: () => clearInterval(timer) };
  },
};

/** Time passes when a test says so. */
export function handTimer(): Timer & { running: () => readonly number[]; pass(milliseconds: number): void } {
  const running = new Set<{ milliseconds: number; act: () => void }>();
  return {
    after: () => new Promise(() => {}),
    every: (milliseconds, act) => {
      const one = { milliseconds, act };
      running.add(one);
      return { stop: () => void running.delete(one) };
    },
    running: () => [...running].map(({ milliseconds }) => milliseconds),
    pass: (milliseconds) => {
      for (const one of running) if (one.milliseconds <= milliseconds) one.act();
    },
  };
}

export function transportTo(
  server: Loopback,
  options: Partial<TransportOptions> = {},
): ReturnType<typeof createTransport> {
  const { privatePairs = server.pairs } = options;
  const defaults = { policy: providerPolicy(privatePairs), privatePairs, limits: providerLimits, timer: realTimer };
  const transport = createTransport({ ...defaults, ...options });
  ending.push(() => transport.close());
  return transport;
}

export const within = (limits: Partial<typeof providerLimits>) => ({ limits: { ...providerLimits, ...limits } });

export function get(url: string, more: Partial<Outgoing> = {}): Outgoing {
  return { method: "GET", url, headers: {}, body: null, ...more };
}

export async function read(body: Readable): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** The text of the answer, or `code message` of what it failed with. */
export async function ask(transport: Transport, request: Outgoing): Promise<string> {
  try {
    return (await read((await transport.send(request)).body)).toString();
  } catch (error) {
    if (error instanceof AppError) return `${error.code} ${error.message}`;
    throw error;
  }
}

export const ok = (body: string, headers = "") =>
  `HTTP/1.1 200 OK\r\ncontent-length: ${Buffer.byteLength(body)}\r\n${headers}\r\n${body}`;
/** A good answer up to its body. */
export const head = (headers: string) => `HTTP/1.1 200 OK\r\n${headers}\r\n`;
export const chunked = "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n";
