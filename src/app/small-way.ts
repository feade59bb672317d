import type { Timer } from "../base/world.ts";
import type { Config } from "./config-file.ts";
import { LazyTransport } from "./lazy-transport.ts";

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
