import { expect, it, onTestFinished } from "vitest";
import { source } from "./store-contract/rows.ts";
import { postgresPlace } from "../support/store-engines.ts";

it("IN-24: a source that another node works on is passed over, not waited for", async () => {
  const place = await postgresPlace();
  const store = await place.open({ patienceMilliseconds: 2000 });
  onTestFinished(async () => {
    await store.close();
    await place.remove();
  });
  await store.transaction(async (port) => {
    for (const id of ["a", "b"]) await port.putSource(source(id, { dueAt: id === "a" ? 1 : 2 }));
  });
  const claim = () => store.transaction((port) => port.claimDue(5, () => 9));
  // One connection for all that is asked past the store: the lock is held until it is given back.
  await place.query("BEGIN");
  await place.query("SELECT id FROM sources WHERE id = 'a' FOR UPDATE");
  expect(await claim()).toMatchObject({ id: "b", dueAt: 9 });
  expect(await claim()).toBeUndefined();
  await place.query("ROLLBACK");
  expect(await claim()).toMatchObject({ id: "a" });
});
