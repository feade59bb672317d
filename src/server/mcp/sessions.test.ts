import { McpServer } from "@modelcontextprotocol/server";
import { describe, expect, test } from "vitest";
import type { Timer } from "../../core/world.ts";
import { fixedClock } from "../../testing/fixed-clock.ts";
import { seededRandomness } from "../../testing/seeded-randomness.ts";
import { type Holder, mcpBounds, type Session, Sessions } from "./sessions.ts";

const clock = fixedClock();
const message = {
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "test", version: "1" } },
};

/** A timer that goes when the test says so. */
class HandTimer implements Timer {
  readonly #acts = new Set<() => void>();

  after(): Promise<void> {
    return new Promise(() => {});
  }

  every(_milliseconds: number, act: () => void) {
    this.#acts.add(act);
    return { stop: () => void this.#acts.delete(act) };
  }

  go(): void {
    for (const act of this.#acts) act();
  }
}

function room(bounds: Partial<typeof mcpBounds> = {}) {
  const timer = new HandTimer();
  const counts: number[] = [];
  const sessions = new Sessions({
    clock,
    timer,
    random: seededRandomness(),
    bounds: { ...mcpBounds, ...bounds },
    onCount: (count) => void counts.push(count),
  });
  return { sessions, timer, counts };
}

async function opened(sessions: Sessions, holder: Holder): Promise<Session> {
  const session = await sessions.open(holder, new McpServer({ name: "test", version: "1" }), "");
  const headers = { accept: "application/json, text/event-stream", "content-type": "application/json" };
  const request = new Request("http://127.0.0.1/mcp", { method: "POST", headers });
  const answer = await session.transport.handleRequest(request, { parsedBody: message });
  expect([answer.status, answer.headers.get("mcp-session-id")]).toEqual([200, session.id]);
  await answer.text();
  return session;
}

const ada: Holder = { principal: "ada", mark: "1" };
const bob: Holder = { principal: "bob", mark: "2" };

describe("T36, T41: sessions", () => {
  test("T36: are found by whoever opened them, and not before they were opened", async () => {
    const { sessions, counts } = room();
    const unopened = await sessions.open(ada, new McpServer({ name: "test", version: "1" }), "");
    expect(sessions.find(unopened.id, ada)).toBeUndefined();
    const session = await opened(sessions, ada);
    expect(session.id).toMatch(/^[0-9a-f]{48}$/);
    expect(sessions.find(session.id, ada)).toBe(session);
    expect(sessions.find(session.id, { ...ada, mark: "other" })).toBeUndefined();
    expect(sessions.find(session.id, bob)).toBeUndefined();
    expect(counts).toEqual([1]);
  });

  test("T41: end when nothing was asked in them for so long, unless something runs", async () => {
    const { sessions, timer, counts } = room();
    const [idle, busy] = [await opened(sessions, ada), await opened(sessions, ada)];
    const over = sessions.use(busy);
    clock.advance(mcpBounds.idleMs - 1);
    timer.go();
    expect(counts.at(-1)).toBe(2);
    clock.advance(1);
    timer.go();
    expect([sessions.find(idle.id, ada), sessions.find(busy.id, ada)]).toEqual([undefined, busy]);
    over();
    timer.go();
    expect(sessions.find(busy.id, ada)).toBe(busy);
    clock.advance(mcpBounds.idleMs);
    timer.go();
    expect(counts.at(-1)).toBe(0);
  });

  test("T41: of one principal the one unused for longest gives way, a running one last; others' never do", async () => {
    const { sessions } = room({ sessionsEach: 2 });
    const others = await opened(sessions, bob);
    const first = await opened(sessions, ada);
    sessions.use(first);
    clock.advance(1);
    const second = await opened(sessions, ada);
    clock.advance(1);
    const third = await opened(sessions, ada);
    const kept = [others, first, second, third].map(({ id, holder }) => sessions.find(id, holder) !== undefined);
    expect(kept).toEqual([true, true, false, true]);
  });

  test("T41: a node that has as many as it may takes no new one", async () => {
    const { sessions } = room({ sessions: 1 });
    const session = await opened(sessions, ada);
    await expect(opened(sessions, bob)).rejects.toMatchObject({ code: "request.too-many" });
    expect(sessions.find(session.id, ada)).toBe(session);
  });

  test("SV-1: all end with the server, their streams too", async () => {
    const { sessions, counts } = room();
    const session = await opened(sessions, ada);
    const headers = { accept: "text/event-stream", "mcp-session-id": session.id };
    const stream = await session.transport.handleRequest(new Request("http://127.0.0.1/mcp", { headers }));
    expect(stream.status).toBe(200);
    sessions.close();
    expect(await stream.text()).toBe("");
    expect([sessions.find(session.id, ada), counts.at(-1)]).toEqual([undefined, 0]);
  });
});
