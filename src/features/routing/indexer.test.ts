import { expect, test } from "vitest";
import { createWorld } from "../../app/world/world.ts";
import { Indexer } from "./index-keeper.ts";

test("RT-6: once it is closed no thread is begun any more", async () => {
  const opened: string[] = [];
  const threads = { open: (name: string) => (opened.push(name), undefined) };
  const indexer = new Indexer({ ...createWorld(), threads });
  await indexer.close();
  expect([await indexer.index([]), opened]).toEqual([[], []]);
});
