import { AppError } from "../core/error.ts";
import { hasUnseen, safeLine } from "../core/text.ts";
import type { HostSet } from "./host-set.ts";
import { createOriginGuard } from "./origin.ts";
import { mayBePlain, type PrivatePairs } from "./private-pairs.ts";

/**
 * What may be asked for, by its URL alone and before anything is resolved (invariant 4). Where it lies is the address
 * guard's to check, which knows nothing of this: each holds without the other.
 */
export interface EgressPolicy {
  readonly name: string;
  /** The URL as it may be requested. Throws `egress.refused`, or `host.refused` where the hosts are a closed list. */
  admit(url: string): URL;
}

/** For skills: what the origin guard lets through (IN-3); plain http only where a base URL says so and is a loopback pair. */
export function githubPolicy(sets: readonly HostSet[], pairs: PrivatePairs): EgressPolicy {
  const guard = createOriginGuard(sets, (url) => mayBePlain(pairs, url));
  return { name: "github", admit: (url) => guard.admit(url) };
}

/** For model services: https to any host an admin named, plain http to loopback pairs only (IN-4). */
export function providerPolicy(pairs: PrivatePairs): EgressPolicy {
  return {
    name: "provider",
    admit(text) {
      const url = parseUrl(text);
      if (url.username !== "" || url.password !== "")
        throw refused("its URL carries a user name or password; keep secrets with `skillward provider`");
      if (url.protocol === "https:" || mayBePlain(pairs, url)) return url;
      throw refused(
        `plain http is for loopback addresses in \`network.private\` only, not for ${safeLine(url.host)}; use https`,
      );
    },
  };
}

/** For a service that was named by its whole address: nothing but its own origin, else as for model services (SV-11). */
export function originPolicy(named: string, pairs: PrivatePairs): EgressPolicy {
  const [provider, { origin }] = [providerPolicy(pairs), new URL(named)];
  return {
    name: "origin",
    admit(text) {
      const url = provider.admit(text);
      if (url.origin === origin) return url;
      throw refused(`it is for ${safeLine(origin)} alone, not for ${safeLine(url.host)}`);
    },
  };
}

/** Text that a parser would repair first is not looked at: `https:\\host`, tabs, line ends. */
const plainUrl = /^https?:\/\/[^/\\?#\s][^\\\s]*$/i;
const longest = 8192;

function parseUrl(text: string): URL {
  const isPlain = text.length <= longest && plainUrl.test(text) && !hasUnseen(text);
  if (!isPlain || !URL.canParse(text)) throw refused("its URL is not `https://host/…`; correct the provider's address");
  return new URL(text);
}

/** The URL is not repeated: it may hold a secret. */
function refused(why: string): AppError {
  return new AppError("egress.refused", `the request was not sent: ${why}`);
}
