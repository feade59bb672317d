import type { Transport } from "../core/transport.ts";
import type { Timer } from "../core/world.ts";
import type { Config } from "./config/config-file.ts";

type ClosableTransport = Transport & { close(): Promise<void> };

/** A way out that is opened at its first use: most commands never send anything, and load nothing for it. */
export class LazyTransport {
  readonly #open: () => Promise<ClosableTransport>;
  #opened: Promise<ClosableTransport> | undefined;

  constructor(open: () => Promise<ClosableTransport>) {
    this.#open = open;
  }

  get(): Promise<Transport> {
    this.#opened ??= this.#open();
    return this.#opened;
  }

  async close(): Promise<void> {
    await (await this.#opened)?.close();
  }
}

/** The one way to where skills are fetched, under the policy `github` (invariant 4). */
export function openGitHubWay({ network, github }: Config, timer: Timer): LazyTransport {
  return new LazyTransport(async () => {
    const [{ createTransport }, { githubPolicy }, { githubLimits }] = await Promise.all([
      import("../net/transport.ts"),
      import("../net/policy.ts"),
      import("../net/limits.ts"),
    ]);
    const policy = githubPolicy(github, network.private);
    return createTransport({ policy, privatePairs: network.private, limits: githubLimits, timer });
  });
}

/**
 * A way out for a few words that are answered soon (invariant 4, SV-11). `only`: an address whose origin may be asked, and
 * no other; null: as for model services.
 */
export function openSmallWay({ network }: Config, timer: Timer, only: string | null): LazyTransport {
  return new LazyTransport(async () => {
    const [{ createTransport }, { originPolicy, providerPolicy }, { smallLimits }] = await Promise.all([
      import("../net/transport.ts"),
      import("../net/policy.ts"),
      import("../net/limits.ts"),
    ]);
    const policy = only === null ? providerPolicy(network.private) : originPolicy(only, network.private);
    return createTransport({ policy, privatePairs: network.private, limits: smallLimits, timer });
  });
}
