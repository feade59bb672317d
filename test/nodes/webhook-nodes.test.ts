import { describe, expect, onTestFinished, test } from "vitest";
import { until } from "../support/loopback.ts";
import { postgresPlace } from "../support/store-engines.ts";
import { type Node, saidBy, webhookRoom } from "./webhook-room.ts";

const told = (nodes: readonly Node[]) => nodes.flatMap(({ said }) => said);

describe.each(["SQLite", "PostgreSQL"] as const)("SV-11: several nodes on %s", (engine) => {
  test("each message is delivered once, by one of them", async () => {
    const room = await webhookRoom(engine);
    const nodes = await Promise.all([room.start(), room.start(), room.start()]);
    for (let at = 1; at <= 5; at++) {
      await room.sync(`skill-${at}`);
      await until(() => {
        for (const node of nodes) node.look();
        return told(nodes).length >= at;
      });
    }
    await Promise.all(nodes.map(({ webhook }) => webhook.stop()));
    expect(told(nodes)).toEqual(Array(5).fill("delivered 1"));
    expect(room.receiver.received.map(({ message }) => message.entries.map(({ entry }) => entry))).toEqual(
      [1, 2, 3, 4, 5].map((at) => [`skills:skill-${at}`]),
    );
  });

  test("one that is gone while it tells is followed by another after a minute, under the same id", async () => {
    const room = await webhookRoom(engine);
    const [gone, other] = [await room.start(), await room.start()];
    room.receiver.next("hang");
    await room.sync("pdf");
    gone.look();
    await until(() => room.receiver.received.length === 1);
    room.home.clock.advance(59_999);
    other.look();
    await room.sync("xls");
    expect(room.receiver.received).toHaveLength(1);
    room.home.clock.advance(1);
    expect(await saidBy(other, 2)).toEqual(["delivered 1", "delivered 1"]);
    const [first, again] = room.receiver.received;
    expect(again?.body).toBe(first?.body);
    const after = await room.reader();
    // What the first one still says when it comes back changes nothing.
    await gone.webhook.stop();
    expect(await room.reader()).toEqual(after);
  });

  test("two that start at the same time begin at the same place", async () => {
    const room = await webhookRoom(engine);
    const nodes = await Promise.all([room.start(), room.start()]);
    for (const node of nodes) node.look();
    await Promise.all(nodes.map(({ webhook }) => webhook.stop()));
    expect([told(nodes), room.receiver.received]).toEqual([[], []]);
    expect(await room.home.sql("SELECT name FROM readers")).toEqual([{ name: "webhook" }]);
  });
});

test("SV-11: a row that another node works on is passed over, not waited for", async () => {
  const place = await postgresPlace();
  const store = await place.open({ patienceMilliseconds: 2000 });
  onTestFinished(async () => {
    await store.close();
    await place.remove();
  });
  await store.transaction((port) => port.putReader({ name: "a", seq: 1, dueAt: 1, attempts: 0, note: "" }));
  const claim = () => store.transaction((port) => port.claimReader("a", { now: 5, latest: 9 }, 9));
  // One connection for all that is asked past the store: the lock is held until it is given back.
  await place.query("BEGIN");
  await place.query("SELECT name FROM readers WHERE name = 'a' FOR UPDATE");
  expect(await claim()).toBeUndefined();
  await place.query("ROLLBACK");
  expect(await claim()).toMatchObject({ name: "a", dueAt: 9 });
});
