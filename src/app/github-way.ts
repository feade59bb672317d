import type { Timer } from "../base/world.ts";
import type { Config } from "./config-file.ts";
import { LazyTransport } from "./lazy-transport.ts";

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
