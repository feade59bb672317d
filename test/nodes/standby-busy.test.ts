import { expect, test } from "vitest";
import { portOf } from "../support/gateway-speakers.ts";
import { call } from "../support/http-serving.ts";
import { standbyRoom, storeNotes } from "../support/standby-room.ts";

test("SV-7, T19: a busy node notices that the chain was cut short, though every answer came", async () => {
  const { home, place, stopwatch } = await standbyRoom();
  await place.query("ALTER TABLE audit RENAME TO whole");
  await place.query("CREATE TABLE audit AS SELECT * FROM whole WHERE seq < (SELECT max(seq) FROM whole)");
  // Between two turns there is always one who was answered.
  await expect
    .poll(
      async () => {
        stopwatch.advance(200);
        await call(portOf(home), "/v1/models", { key: home.key });
        return storeNotes(home);
      },
      { timeout: 20_000 },
    )
    .toEqual(["store away"]);
  await place.query("DROP TABLE audit");
  await place.query("ALTER TABLE whole RENAME TO audit");
  await expect.poll(() => storeNotes(home)).toHaveLength(2);
});
