import { AppError } from "../../core/error.ts";
import { type Person, rightsOf } from "../../registry/accounts/roles.ts";
import { findingOf, findSignedIn } from "../guard/guard.ts";
import type { Door, Exchange, Wire } from "../door.ts";
import { signInCounter } from "../logs/measures.ts";
import { hasKey } from "../guard/principal.ts";
import { demandSafeChannel, giveSecret, secretIn, takeSecretBack, tokenOf } from "../guard/session-cookie.ts";
import { version } from "../../core/version.ts";
import type { SessionView } from "./contract.ts";
import type { Operations } from "./operations.ts";
import { firstAsked, passwordAsked, sessionView, signInAsked } from "../../features/people/schema.ts";

const body = "small";
const answer = sessionView;

/** SV-4: signing in and out, one's own password, and the first admin (RV-12). */
export function mountSession(operations: Operations, door: Door): void {
  const { sessions } = door.served;
  const counted = signInCounter(door.metrics);

  operations.get({ path: "/api/session", summary: "Who is signed in, and how one could be.", answer }, ({ wire }) =>
    whoIsSignedIn(door, counted, wire),
  );

  operations.post(
    { path: "/api/session", summary: "Sign in with a password.", asked: signInAsked, answer, body },
    ({ wire }, { name, password }) =>
      counted("password", async () => {
        if (!door.ways.password) throw new AppError("auth.forbidden", "signing in with a password is switched off");
        return enter(door, wire, name, () => sessions.signIn(name, password));
      }),
  );

  operations.post(
    { path: "/api/first", summary: "Make the first admin, with the link.", asked: firstAsked, answer, body },
    async ({ wire }, { token, name, password }) =>
      enter(door, wire, undefined, () => sessions.addFirst(token, { name, password })),
  );

  operations.delete({ path: "/api/session", summary: "Sign out.", answer }, async ({ wire, exchange }) => {
    await sessions.close(sessionOf(exchange).secret);
    takeSecretBack(wire);
    return viewOf(door, null);
  });

  operations.put(
    {
      path: "/api/session/password",
      summary: "Choose another password; every other session ends.",
      asked: passwordAsked,
      answer,
      body,
    },
    async ({ wire, exchange, person }, { current, next }) => {
      const { way } = sessionOf(exchange);
      return enter(door, wire, person.name, async () => {
        await sessions.changePassword(person, { current, chosen: next });
        return sessions.open(person.name, way);
      });
    },
  );
}

type Counted = ReturnType<typeof signInCounter>;

async function whoIsSignedIn(door: Door, counted: Counted, wire: Wire["Bindings"]): Promise<SessionView> {
  const found = await findSignedIn(door, wire, findingOf(door, wire));
  if (found !== undefined) return viewOf(door, found);
  const secret = await enterByProxy(door, counted, wire);
  if (secret !== undefined) return entered(door, wire, secret);
  // The browser need not show it again.
  if (secretIn(wire) !== undefined) takeSecretBack(wire);
  return viewOf(door, null);
}

/** SV-11: whom a trusted proxy has let in is signed in; undefined when it named nobody who may be. */
async function enterByProxy(
  { ways, loginThrottle, served }: Door,
  counted: Counted,
  { incoming, exchange }: Wire["Bindings"],
) {
  const account = ways.proxyUser(incoming);
  if (account === undefined || exchange.channel === "plain" || hasKey(incoming.headersDistinct)) return undefined;
  try {
    // All come from the address of the proxy: only what is opened for one account is bounded.
    return await counted("proxy", () => loginThrottle.run({ account }, () => served.sessions.open(account, "proxy")));
  } catch (error) {
    if (error instanceof AppError && error.code === "auth.failed") return undefined;
    throw error;
  }
}

/** T38: the way in for whoever shows a secret of their own: bounded, and never in plain. */
async function enter(
  door: Door,
  wire: Wire["Bindings"],
  account: string | undefined,
  open: () => Promise<string>,
): Promise<SessionView> {
  demandSafeChannel(wire.exchange);
  const { address } = wire.exchange;
  return entered(door, wire, await door.loginThrottle.run({ account, address }, open));
}

/** T37: another secret at each sign-in. What the browser came with, whoever may have put it there, ends. */
async function entered(door: Door, wire: Wire["Bindings"], secret: string): Promise<SessionView> {
  const { sessions } = door.served;
  const former = secretIn(wire);
  if (former !== undefined) await sessions.close(former);
  const found = await sessions.look(secret);
  giveSecret(wire, secret);
  wire.exchange.person = found?.person ?? null;
  return viewOf(door, found === undefined ? null : { ...found, secret });
}

/** A key is nobody's session: it cannot be signed out, and is not asked for a password. */
function sessionOf({ session }: Exchange) {
  if (session !== null) return session;
  throw new AppError("auth.forbidden", "this is for whoever is signed in at a browser, not for a key");
}

async function viewOf(door: Door, signedIn: { person: Person; secret: string } | null): Promise<SessionView> {
  const { served, policy, ways } = door;
  const { password, oidc } = ways;
  return {
    person: signedIn && {
      name: signedIn.person.name,
      role: signedIn.person.role,
      rights: rightsOf(signedIn.person, policy),
    },
    token: signedIn && tokenOf(signedIn.secret),
    isFirst: await served.sessions.isFirst(),
    ways: { password, oidc },
    version,
  };
}
