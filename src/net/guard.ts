import { isIP, type Socket } from "node:net";
import type { buildConnector } from "undici";
import { AppError } from "../core/error.ts";
import { safeLine } from "../core/text.ts";
import type { Timer } from "../core/world.ts";
import { contains, isPublic } from "./address.ts";
import type { Dial, Resolve } from "./dial.ts";
import { mayBePlain, type Place, type PrivatePairs, pairName } from "./private-pairs.ts";

export interface GuardOptions {
  readonly pairs: PrivatePairs;
  readonly timer: Timer;
  /** Milliseconds for resolving, connecting and the TLS handshake together. */
  readonly connectDeadline: number;
  readonly resolve: Resolve;
  readonly dial: Dial;
}

/**
 * The address guard (IN-4, T5): a connector that checks a literal address, every resolved address, and the address of
 * the socket once it is connected. A name is resolved once and what was checked is what is dialled, so there is no
 * moment at which an answer can be exchanged. `closed` ends it at any time.
 */
export function createConnector(options: GuardOptions, closed: AbortSignal): buildConnector.connector {
  return ({ protocol, hostname, port }, callback) => {
    const attempt = new Attempt(options, { protocol, hostname, port }, callback);
    const end = () => attempt.fail(unreachable(hostname, "the request was ended"));
    closed.addEventListener("abort", end, { signal: attempt.signal });
    void attempt.run();
  };
}

/** One connection that is being made. It ends once: with a socket, or with an error and no socket left open. */
class Attempt {
  readonly #options: GuardOptions;
  readonly #place: Place;
  readonly #callback: buildConnector.Callback;
  readonly #deadline: { stop(): void };
  readonly #ended = new AbortController();
  #socket: Socket | undefined;

  constructor(options: GuardOptions, place: Place, callback: buildConnector.Callback) {
    this.#options = options;
    this.#place = place;
    this.#callback = callback;
    this.#deadline = options.timer.every(options.connectDeadline, () => this.fail(tooSlow(place.hostname)));
  }

  /** With it, listeners go away together with the attempt. */
  get signal(): AbortSignal {
    return this.#ended.signal;
  }

  async run(): Promise<void> {
    try {
      const addresses = await this.#checkedAddresses();
      if (!this.signal.aborted) this.#dial(addresses);
    } catch (error) {
      this.fail(asError(error));
    }
  }

  fail(error: Error): void {
    if (this.signal.aborted) return;
    this.#end();
    // It still says why it was destroyed, to nobody: an error without a listener would end the process.
    this.#socket?.on("error", () => {}).destroy();
    this.#callback(error, null);
  }

  #end(): void {
    this.#ended.abort();
    this.#deadline.stop();
  }

  async #checkedAddresses(): Promise<readonly string[]> {
    const { protocol, hostname } = this.#place;
    // IN-4: plain http only for loopback pairs, here as well: this guard holds without any policy.
    if (protocol !== "https:" && !mayBePlain(this.#options.pairs, this.#place)) throw refused(this.#place);
    const addresses = isIP(hostname) === 0 ? await this.#options.resolve(hostname) : [hostname];
    if (addresses.length === 0) throw unreachable(hostname, "its name has no address");
    // T5: all of them, not only the one that would be dialled: a split answer is an attack or a fault.
    if (!addresses.every((address) => this.#mayDial(address))) throw refused(this.#place);
    return addresses;
  }

  #dial(addresses: readonly string[]): void {
    const socket = this.#options.dial({ ...this.#place, addresses }, (error) => {
      if (error === null) this.#succeed(socket);
      else this.fail(error);
    });
    this.#socket = socket;
    // Before the first byte of a TLS handshake, which would already tell a stranger whom we look for.
    if (socket.connecting) socket.prependOnceListener("connect", () => this.#checkPeer(socket));
    else this.#checkPeer(socket);
  }

  /** T5: where it ended up, whatever it was that dialled. */
  #checkPeer({ remoteAddress }: Socket): void {
    if (remoteAddress === undefined || !this.#mayDial(remoteAddress)) this.fail(refused(this.#place));
  }

  #succeed(socket: Socket): void {
    if (this.signal.aborted) return;
    this.#end();
    this.#callback(null, socket);
  }

  /** T6: a host with a pair lies in its range or nowhere; every other host on the public internet. */
  #mayDial(address: string): boolean {
    const cidr = this.#options.pairs.get(pairName(this.#place));
    return cidr === undefined ? isPublic(address) : contains(cidr, address);
  }
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error("the connection failed", { cause: error });
}

function refused(place: Place): AppError {
  const name = safeLine(pairName(place));
  return new AppError(
    "egress.refused",
    `the request was not sent: ${name} lies at an address that is not public, or not in its range; \`network.private\` in the configuration says which may be called`,
  );
}

function tooSlow(hostname: string): AppError {
  return new AppError("upstream.timeout", `no connection to ${safeLine(hostname)} within the time for it`);
}

function unreachable(hostname: string, why: string): AppError {
  return new AppError("upstream.unreachable", `${safeLine(hostname)} cannot be reached: ${why}`);
}
