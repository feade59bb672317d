import { connect } from "node:net";
import { setImmediate as nextTurn } from "node:timers/promises";
import { describe, expect, onTestFinished, test } from "vitest";
import { revokeApiKey } from "../../src/features/people/flow.ts";
import { AppError } from "../../src/core/error.ts";
import type { Timer } from "../../src/core/world.ts";
import { addFolder } from "../../src/registry/sync/sources.ts";
import { fixedClock } from "../../src/testing/fixed-clock.ts";
import { seededRandomness } from "../../src/testing/seeded-randomness.ts";
import { openApiRoom } from "../support/api-room.ts";
import { type EventReader, readEvents } from "./event-reader.ts";
import { call, startTestServer, until } from "../support/http-serving.ts";
import { ada, registryFolder, say } from "../support/registry.ts";
import { allow } from "../support/permits.ts";
import type { LiveEvent } from "../../src/features/sources/schema.ts";

async function eventsRoom() {
  const room = await openApiRoom();
  onTestFinished(() => room.close());
  room.folder.writeSkill("pdf");
  await addFolder(room.app.sync, allow(ada), room.folder.skills, { id: "skills" });
  return room;
}

const kindsIn = (reader: EventReader) => reader.events().map(({ is }) => is);

describe("SV-3: what happens, as it happens", () => {
  test("SV-3, RV-10: the present generation first, then every new one, whoever made it", async () => {
    const room = await eventsRoom();
    const generation = await room.app.kept.read.generation();
    const reader = await readEvents(room, { authorization: `Bearer ${room.keyOf("reader")}` });
    await until(() => reader.events().length > 0);
    expect(reader.text()).toMatch(/^retry: 2000\n\n/);
    expect(reader.events()).toEqual([{ is: "generation", generation }]);
    // As another process of the same store does.
    const other = await room.folder.open();
    await addFolder(other.sync, allow(ada), room.folder.root, { id: "all" });
    await until(() => reader.events().length > 1);
    expect(reader.events()[1]).toEqual({ is: "generation", generation: generation + 1 });
    reader.close();
  });

  test("IN-23: a sync is told of from its beginning to its end, to whoever looks on", async () => {
    const room = await eventsRoom();
    const reader = await readEvents(room, { "x-api-key": room.keyOf("reader") });
    await room.call("POST", "/api/sources/skills/sync");
    await until(() => kindsIn(reader).includes("synced"));
    const told = reader.events().filter(({ is }) => is !== "generation");
    expect(told).toMatchObject([
      { is: "sync", source: "skills", progress: null },
      { is: "sync", source: "skills", progress: { done: 0, total: 1, of: "skills" } },
      { is: "synced", source: "skills", result: { status: "ok", created: 1 } },
    ]);
    reader.close();
  });

  test("RV-12: a key that is revoked hears nothing more", async () => {
    const room = await eventsRoom();
    const reader = await readEvents(room, { "x-api-key": room.keyOf("reader") });
    await until(() => reader.events().length === 1);
    await revokeApiKey(room.app, "a-reader");
    await reader.ended;
    expect(reader.events()).toHaveLength(1);
    expect((await readEvents(room, { "x-api-key": room.keyOf("reader") })).status).toBe(401);
  });

  test("SV-8: streams that are open are counted, and each has its line in the log", async () => {
    const room = await eventsRoom();
    const reader = await readEvents(room, { "x-api-key": room.keyOf("reader") });
    const open = async () => /^skillward_event_streams (\d)$/m.exec((await room.call("GET", "/metrics")).text)?.[1];
    expect(await open()).toBe("1");
    reader.close();
    await until(() => room.logged().includes('"route":"GET /api/events"'));
    expect(await open()).toBe("0");
  });
});

/** A timer of which a test says when its time has come. */
function handTimer(): Timer & { fire(milliseconds: number): void } {
  const acts = new Set<{ readonly milliseconds: number; readonly act: () => void }>();
  return {
    after: () => new Promise(() => {}),
    every(milliseconds, act) {
      const one = { milliseconds, act };
      acts.add(one);
      return { stop: () => void acts.delete(one) };
    },
    fire(milliseconds) {
      for (const one of acts) if (one.milliseconds === milliseconds) one.act();
    },
  };
}

async function handServer(concurrent = 32) {
  const timer = handTimer();
  const world = { clock: fixedClock(), random: seededRandomness(), timer };
  const server = await startTestServer({ world, bounds: { perMinute: 10_000, concurrent } });
  const tell = (event: LiveEvent) => server.serving.live.tell(event);
  const open = async (key = server.serving.keys.reader) => readEvents(server, { "x-api-key": key });
  const stop = () => server.stop();
  const requests = () => server.requests();
  return { server, timer, tell, open, stop, requests };
}

const beat = 15_000;

describe("T41: bounds of a stream", () => {
  test("SV-1: a stop does not wait for streams", async () => {
    const { stop, open } = await handServer();
    const readers = await Promise.all([open(), open()]);
    // Nobody moves this timer: what waited for the end of the grace would wait forever.
    await stop();
    await Promise.all(readers.map(({ ended }) => ended));
    expect(readers.map(({ status }) => status)).toEqual([200, 200]);
  });

  test("T41: so many for one principal, and another when one has ended", async () => {
    const { open, stop, server, requests } = await handServer();
    const readers = await Promise.all(Array.from({ length: 8 }, () => open()));
    expect(readers.map(({ status }) => status)).toEqual(readers.map(() => 200));
    expect((await open()).status).toBe(429);
    expect((await open(server.serving.keys.operator)).status).toBe(200);
    readers[0]?.close();
    await until(() => requests().some(({ status }) => status === 200));
    expect((await open()).status).toBe(200);
    await stop();
  });

  test("T41: a stream takes no place among the requests that run", async () => {
    const { open, stop, server } = await handServer(2);
    for (let streams = 0; streams < 4; streams++) expect((await open()).status).toBe(200);
    expect((await call(server, "/metrics", { key: server.serving.keys.reader })).status).toBe(200);
    await stop();
  });

  test("T41: so many on one node, whoever they are", async () => {
    const { open, stop, server } = await handServer();
    server.serving.identify = async (key) => ({ name: key, role: "reader", configurations: null });
    const statuses = await Promise.all(Array.from({ length: 501 }, async (_, at) => (await open(`k${at}`)).status));
    expect([statuses.filter((status) => status === 200).length, statuses.includes(429)]).toEqual([500, true]);
    await stop();
  });

  test("SV-3: a beat every 15 seconds, and none to whoever lost the right", async () => {
    const { open, stop, server, timer } = await handServer();
    const reader = await open();
    await until(() => reader.events().length === 1);
    timer.fire(beat);
    await until(() => reader.text().endsWith(": still here\n\n"));
    server.serving.identify = async () => {
      throw new AppError("auth.failed", "");
    };
    timer.fire(beat);
    await reader.ended;
    expect(reader.text().match(/still here/g)).toHaveLength(1);
    await stop();
  });

  test.each<[what: string, person: object]>([
    ["is somebody else now", { name: "key:b", role: "reader" }],
    ["has a role without the right", { name: "key:a-reader", role: "none" }],
    ["is limited to some configurations now", { name: "key:a-reader", role: "reader", configurations: ["mine"] }],
  ])("RV-12: whoever %s is told no further generation", async (_what, person) => {
    const { open, stop, server, tell } = await handServer();
    const reader = await open();
    await until(() => reader.events().length === 1);
    server.serving.identify = async () => ({ configurations: null, ...person }) as never;
    tell({ is: "generation", generation: 8 });
    await reader.ended;
    expect(reader.events()).toHaveLength(1);
    await stop();
  });

  test("RV-10: generations that come at once are told as the latest, and none goes back", async () => {
    const { open, stop, tell } = await handServer();
    const reader = await open();
    await until(() => reader.events().length === 1);
    for (const generation of [8, 9, 10, 9]) tell({ is: "generation", generation });
    await until(() => reader.events().some((event) => event.is === "generation" && event.generation === 10));
    const told = reader.events().map((event) => (event.is === "generation" ? event.generation : 0));
    expect([told, told.length]).toEqual([told.toSorted((a, b) => a - b), 3]);
    reader.close();
    await stop();
  });

  test("T41: whoever reads too slowly is cut off, and nothing piles up for them", async () => {
    const { open, stop, server, requests, tell } = await handServer();
    const quick = await open(server.serving.keys.operator);
    const socket = connect(server.port, "127.0.0.1");
    socket.on("error", () => {});
    socket.pause();
    const key = server.serving.keys.reader;
    socket.write(`GET /api/events HTTP/1.1\r\nhost: 127.0.0.1:${server.port}\r\nx-api-key: ${key}\r\n\r\n`);
    await until(() => server.door.metrics.render().includes("skillward_event_streams 2"));
    let tells = 0;
    // What the system takes for somebody who does not read is a matter of its settings; it is far below this.
    for (; tells < 20_000 && requests().length === 0; tells++) {
      tell(syncedEvent("x".repeat(4000)));
      await nextTurn();
    }
    expect(requests()).toMatchObject([{ route: "GET /api/events", principal: "key:a-reader" }]);
    expect(server.door.metrics.render()).toContain("skillward_event_streams 1");
    // Whoever reads is not hurt by it.
    await until(() => kindsIn(quick).filter((kind) => kind === "synced").length === tells);
    socket.destroy();
    quick.close();
    await stop();
  });

  test("T41: HEAD opens no stream", async () => {
    const { server, stop } = await handServer();
    const key = server.serving.keys.reader;
    const { status, headers, text } = await call(server, "/api/events", { method: "HEAD", key });
    expect([status, headers["content-type"], text]).toEqual([200, "text/event-stream", ""]);
    expect(server.door.metrics.render()).toContain("skillward_event_streams 0");
    await stop();
  });
});

describe("SV-8: what an event says", () => {
  test("SV-8: of a sync that failed, nothing that is for the log of the machine alone", async () => {
    const { open, stop, tell } = await handServer();
    const reader = await open();
    const fail = (code: "store.failed" | "source.limited", message: string) =>
      tell({ is: "synced", source: "s", result: { source: "s", status: "error", error: { code, message } } });
    fail("store.failed", "cannot write /var/lib/skillward/secret.db");
    fail("source.limited", "no more requests until noon");
    await until(() => kindsIn(reader).filter((kind) => kind === "synced").length === 2);
    expect(reader.text()).not.toContain("/var/lib");
    expect(reader.text()).toContain("no more requests until noon");
    reader.close();
    await stop();
  });

  test("T41: of a sync with many findings, the first", async () => {
    const { open, stop, tell } = await handServer();
    const reader = await open();
    tell(syncedEvent("x", 500));
    await until(() => kindsIn(reader).includes("synced"));
    const event = reader.events().find(({ is }) => is === "synced");
    expect(event).toMatchObject({ result: { findings: { length: 20 } } });
    reader.close();
    await stop();
  });
});

function syncedEvent(message: string, findings = 20): LiveEvent {
  const finding = { code: "x", level: "info" as const, message, at: { file: "x", line: 1 } };
  const counts = { created: 0, updated: 0, unchanged: 0, disabledOnChange: 0, held: 0, orphaned: 0, blocked: 0 };
  const spent = { rescanned: 0, requests: 0, bytes: 0, limitedUntil: null, pin: null, children: null };
  const all = Array.from({ length: findings }, () => finding);
  return { is: "synced", source: "s", result: { source: "s", status: "ok", ...counts, ...spent, findings: all } };
}

test("IN-24: a sync that nobody asked for is told of as well", async () => {
  const timer = handTimer();
  const folder = registryFolder({ world: { timer } });
  folder.writeSkill("pdf");
  const app = await folder.open();
  await addFolder(app.sync, allow(ada), folder.skills, { id: "skills", interval: 3600 });
  const room = await openApiRoom({ registry: { folder, app } });
  onTestFinished(() => room.close());
  const reader = await readEvents(room, { "x-api-key": room.keyOf("reader") });
  // What is due is looked for as often as a stream beats.
  timer.fire(beat);
  await until(() => kindsIn(reader).includes("synced"));
  expect(reader.events()).toContainEqual({ is: "sync", source: "skills", progress: null });
  reader.close();
});

test("T15: an approval is heard of by whoever looks on, on this node", async () => {
  const room = await eventsRoom();
  await room.call("POST", "/api/sources/skills/sync");
  const reader = await readEvents(room, { "x-api-key": room.keyOf("reader") });
  await until(() => reader.events().length === 1);
  await say(room.app, ada, "approve", "skills:pdf");
  await until(() => reader.events().length === 2);
  expect(kindsIn(reader)).toEqual(["generation", "generation"]);
  reader.close();
});
