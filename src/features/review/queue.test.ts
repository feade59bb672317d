import { expect, test } from "vitest";
import { ada, say, syncedRegistry } from "../../../test/support/registry.ts";
import { runSync } from "../../registry/sync/sync.ts";
import { reviewQueue } from "./queue.ts";
import { allow } from "../../../test/support/permits.ts";

const names = ["one", "two", "three", "four", "five"];

test("RV-4: the queue asks the store for all of a page at once, never for each line", async () => {
  const { app } = await syncedRegistry(names);
  const asked: string[] = [];
  const read = new Proxy(app.kept.read, {
    get(target, method) {
      asked.push(String(method));
      return Reflect.get(target, method);
    },
  });
  const kept = { ...app.kept, read };
  expect((await reviewQueue({ ...app, kept }, { limit: 4 })).items).toHaveLength(4);
  const atFour = asked.splice(0);
  await reviewQueue({ ...app, kept }, { limit: 1 });
  expect(atFour.length).toBeGreaterThan(0);
  expect(asked).toEqual(atFour);
});

test("RV-1, RV-4: tells what is new from what changed, and from what is as it was approved", async () => {
  const { app, folder } = await syncedRegistry(names);
  for (const name of ["one", "two"]) await say(app, ada, "approve", `skills:${name}`);
  folder.writeSkill("one", "Do it otherwise.\n");
  folder.write("skills/three/references/more.md", "More.\n");
  folder.removeSkill("two");
  folder.clock.advance(1000);
  await runSync(app.sync, allow(ada), "skills");
  folder.writeSkill("two");
  await runSync(app.sync, allow(ada), "skills");
  const { items } = await reviewQueue(app, {});
  const now = folder.clock.now();
  expect(items.map(({ name, change, files, seenAt }) => [name, change, files, seenAt])).toEqual([
    ["five", "new", 1, now - 1000],
    ["four", "new", 1, now - 1000],
    ["one", "changed", 1, now],
    ["three", "new", 2, now],
    ["two", "same", 1, now - 1000],
  ]);
});

test("T17: a list of files that was changed by hand is not counted", async () => {
  const { app, folder } = await syncedRegistry(["one"]);
  const { items } = await reviewQueue(app, {});
  folder.sql('UPDATE revisions SET files = replace(files, \']\', \',{"path":"b","digest":"c","size":1}]\')');
  const after = await reviewQueue(app, {});
  expect([items[0]?.files, after.items[0]?.files]).toEqual([1, null]);
});
