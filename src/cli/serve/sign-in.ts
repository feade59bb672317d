import type { Hono } from "hono";
import type { App } from "../../app/app.ts";
import type { Config } from "../../app/config/config-file.ts";
import { openSmallWay } from "../../app/transports.ts";
import { providerPolicy } from "../../net/policy.ts";
import type { Door, SignInWays, Wire } from "../../server/door.ts";
import { proxyUserOf } from "../../server/guard/proxy-user.ts";

/** How people sign in beside a password, as it is configured (SV-11). */
export interface SignIn {
  readonly ways: SignInWays;
  readonly doors: readonly ((door: Door) => Hono<Wire>)[];
  close(): Promise<void>;
}

export async function openSignIn({ config, keys, secrets, world }: App): Promise<SignIn> {
  const { oidc: settings } = config.signIn;
  const ways = waysIn(config);
  if (settings === null) return { ways, doors: [], close: async () => {} };
  const pairs = config.network.private;
  // A service that may not be asked is said now, and not to the first who signs in.
  providerPolicy(pairs).admit(settings.issuer);
  // What it takes is much: only a server that has such a door loads it (SV-9).
  const { createOidc } = await import("../../server/sign-in/oidc.ts");
  const way = openSmallWay(config, world.timer, null);
  const options = { settings, secret: secrets.oidc, pairs, keys, transport: () => way.get() };
  return { ways, doors: [(door) => createOidc(door, options)], close: () => way.close() };
}

function waysIn({ signIn }: Config): SignInWays {
  const { password, oidc, proxy } = signIn;
  return {
    password,
    oidc: oidc && { title: oidc.title },
    proxyUser: ({ socket, headersDistinct }) => proxyUserOf(proxy, socket.remoteAddress, headersDistinct),
  };
}
