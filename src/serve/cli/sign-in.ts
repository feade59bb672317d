import type { Hono } from "hono";
import type { App } from "../../app/app.ts";
import type { Config } from "../../app/config-file.ts";
import { openSmallWay } from "../../app/small-way.ts";
import { providerPolicy } from "../../net/policy.ts";
import type { Door, SignInWays, Wire } from "../door.ts";
import { createOidc } from "../oidc/oidc.ts";
import { proxyUserOf } from "../proxy-user.ts";

/** How people sign in beside a password, as it is configured (SV-11). */
export interface SignIn {
  readonly ways: SignInWays;
  readonly doors: readonly ((door: Door) => Hono<Wire>)[];
  close(): Promise<void>;
}

export function openSignIn({ config, keys, secrets, world }: App): SignIn {
  const { oidc: settings } = config.signIn;
  const ways = waysIn(config);
  if (settings === null) return { ways, doors: [], close: async () => {} };
  const pairs = config.network.private;
  // A service that may not be asked is said now, and not to the first who signs in.
  providerPolicy(pairs).admit(settings.issuer);
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
