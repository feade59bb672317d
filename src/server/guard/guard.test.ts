import { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import { Hono } from "hono";
import { describe, expect, test } from "vitest";
import { createSessions } from "../../features/people/sessions.ts";
import { there } from "../../app/standby/standing.ts";
import { AppError } from "../../core/error.ts";
import { type Role, roles } from "../../registry/accounts/roles.ts";
import { accountsWith } from "../../testing/memory-accounts.ts";
import { fixedClock } from "../../testing/fixed-clock.ts";
import { seededRandomness } from "../../testing/seeded-randomness.ts";
import { serverBounds } from "./bounds.ts";
import { type Door, passwordAlone, type Wire } from "../door.ts";
import { createExchanges } from "../exchange.ts";
import { guard, whoAsks } from "./guard.ts";
import { createLog } from "../logs/log.ts";
import { Metrics } from "../logs/metrics.ts";
import type { Access } from "../routes.ts";
import { noTracer } from "../logs/telemetry.ts";
import { LoginThrottle } from "../login-throttle.ts";
import { RequestLimits } from "../request-limits.ts";
import { Unread } from "./connections.ts";

/** Whoever shows the name of a role as a key has that role. */
async function identify(key: string) {
  const role = roles.find((known) => known === key);
  if (role === undefined) throw new AppError("auth.failed", "");
  return { name: key, role, configurations: null };
}

function createDoor(): Door {
  const clock = fixedClock();
  return {
    served: {
      identify,
      sessions: createSessions(accountsWith({}), "store"),
      generation: async () => 1,
      isReady: async () => ({ ready: true, checks: [] }),
      standing: () => there,
    },
    clock,
    random: seededRandomness(),
    timer: { after: async () => {}, every: () => ({ stop() {} }) },
    policy: { reviewers: false },
    ways: passwordAlone,
    proxies: [],
    requestLimits: new RequestLimits(clock, serverBounds),
    unread: new Unread(serverBounds.unreadBytes),
    loginThrottle: new LoginThrottle(clock, serverBounds),
    log: createLog({ write() {} }, clock),
    metrics: new Metrics(),
    tracer: noTracer,
    bodyBytes: 1,
    stopping: new AbortController().signal,
  };
}

/** What becomes of a request by this role to a route that takes this. */
async function asked(role: Role, access: Access): Promise<string> {
  const door = createDoor();
  const app = new Hono<Wire>();
  app.use(guard(door, new Map([["GET /x", access]])));
  app.get("/x", ({ text }) => text("in"));
  app.onError((error, { text }) => text(error instanceof AppError ? error.code : "unforeseen"));
  const incoming = new IncomingMessage(new Socket());
  incoming.headersDistinct = { "x-api-key": [role] };
  const ends = { incoming, outgoing: new ServerResponse(incoming) };
  const exchange = createExchanges(door)(ends);
  const answer = await app.fetch(new Request("http://localhost/x"), { ...ends, exchange });
  return answer.text();
}

describe("T39: a route that takes a right", () => {
  test.each<[Access, Record<Role, string>]>([
    ["key", { reader: "in", operator: "in", reviewer: "in", admin: "in" }],
    ["read", { reader: "in", operator: "in", reviewer: "in", admin: "in" }],
    ["operate", { reader: "auth.forbidden", operator: "in", reviewer: "auth.forbidden", admin: "in" }],
    ["review", { reader: "auth.forbidden", operator: "auth.forbidden", reviewer: "auth.forbidden", admin: "in" }],
    ["administer", { reader: "auth.forbidden", operator: "auth.forbidden", reviewer: "auth.forbidden", admin: "in" }],
  ])("T39: %s", async (access, expected) => {
    const answers = await Promise.all(roles.map(async (role) => [role, await asked(role, access)]));
    expect(Object.fromEntries(answers)).toEqual(expected);
  });
});

describe("T37: who goes on asking", () => {
  test("T37: is known as long as the session lasts, and does not make it last", async () => {
    const clock = fixedClock();
    const accounts = { ...accountsWith({ ann: "reader" }), clock };
    const sessions = createSessions(accounts, "store");
    const door = { ...createDoor(), served: { ...createDoor().served, sessions } };
    const incoming = Object.assign(new IncomingMessage(new Socket()), { method: "GET" });
    incoming.headersDistinct = { cookie: [`skillward=${await sessions.open("ann", "password")}`] };
    const exchange = createExchanges(door)({ incoming, outgoing: new ServerResponse(incoming) });
    Object.assign(exchange, { route: "GET /api/events", channel: "loopback" });
    clock.advance(29 * 60_000);
    expect(await whoAsks(door, { incoming, exchange })).toMatchObject({ name: "ann" });
    clock.advance(60_000);
    await expect(whoAsks(door, { incoming, exchange })).rejects.toMatchObject({ code: "auth.failed" });
  });
});
