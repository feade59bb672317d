import { describe, expect, onTestFinished, test } from "vitest";
import { usageByDay, usageView } from "../../src/features/usage/flow.ts";
import { recordUsage, type UsageRecord } from "../../src/registry/usage/usage.ts";
import { openApiRoom } from "../support/api-room.ts";
import { approveSkills, attachAll, done, echoConfiguration } from "../support/api-use.ts";
import { appHome } from "../support/app-home.ts";
import { currentOf, registryFolder } from "../support/registry.ts";

const day = 86_400_000;

function used(patch: Partial<UsageRecord> = {}): UsageRecord {
  const place = { configuration: "echo", task: null, conversation: "c", tool: null };
  return { at: 0, event: "injected", entry: "skills:writing", digest: "d".repeat(64), ...place, ...patch };
}

describe.each(["SQLite", "PostgreSQL"] as const)("SV-3: usage on %s", (engine) => {
  test("SV-3: what was injected, dropped and denied adds up, by day and by skill", async () => {
    const home = await appHome(engine);
    const app = await home.open();
    const room = await openApiRoom({ registry: { folder: registryFolder(), app } });
    onTestFinished(() => room.close());
    await approveSkills(room, { writing: "Write plainly.\n", endless: "Go on. ".repeat(400) });
    await echoConfiguration(room, "echo", { budget: 2000 });
    await attachAll(room, "configurations/echo", ["writing", "endless"]);
    const json = { model: "echo", messages: [{ role: "user", content: "Hello" }] };
    for (let request = 0; request < 3; request++)
      expect((await room.call("POST", "/v1/chat/completions", { json })).status).toBe(200);
    home.clock.advance(day);
    for (let request = 0; request < 2; request++)
      await done(room, "POST", "/api/complete", { configuration: "echo", prompt: "Hi" });
    const digest = await currentOf(app, "skills:writing");
    const at = home.clock.now();
    const denied = ["shell", "shell", "write"].map((tool) => used({ at, event: "denied", digest, tool }));
    await recordUsage(app.kept, { id: "batch-denied", node: "n", at, records: denied, injections: [] });
    // What was still to be written is written when the server stops.
    await room.stop();
    const { since, days, skills } = await usageView(app, { days: 3 });
    expect(days.map(({ day: each }) => each)).toEqual([since, expect.any(String), expect.any(String)]);
    expect(days.map(({ counts }) => counts)).toEqual([
      {},
      { injected: 3, dropped: 3 },
      { injected: 2, dropped: 2, denied: 3 },
    ]);
    expect(skills).toEqual([
      {
        entry: "skills:writing",
        name: "writing",
        counts: { injected: 5, denied: 3 },
        last: at,
        tools: [
          { tool: "shell", times: 2 },
          { tool: "write", times: 1 },
        ],
      },
      { entry: "skills:endless", name: "endless", counts: { dropped: 5 }, last: at, tools: [] },
    ]);
    expect(await usageByDay(app, 1)).toEqual(days.slice(2));
    expect((await usageView(app, { days: 1, configuration: "elsewhere" })).skills).toEqual([]);
  });
});

describe("SV-3: GET /api/usage", () => {
  test("RV-12: whoever is limited sees what happened in their configurations, and nothing else", async () => {
    const room = await openApiRoom();
    onTestFinished(() => room.close());
    await echoConfiguration(room, "mine");
    await echoConfiguration(room, "theirs");
    const at = room.folder.clock.now();
    const records = [
      used({ at, configuration: "mine" }),
      used({ at, configuration: "theirs", entry: "skills:secret-project", event: "denied", tool: "shell" }),
      used({ at, configuration: null }),
      used({ at: at - 40 * day, configuration: "mine" }),
      used({ at: at + 3 * day, configuration: "mine", event: "dropped" }),
    ];
    await recordUsage(room.app.kept, { id: "b", node: "n", at, records, injections: [] });
    const everything = await done(room, "GET", "/api/usage?days=60");
    expect(everything.days).toHaveLength(60);
    expect(everything.skills.map(({ entry }: { entry: string }) => entry)).toEqual([
      "skills:writing",
      "skills:secret-project",
    ]);
    expect(everything.days.at(-1)).toEqual({
      day: new Date(at).toISOString().slice(0, 10),
      counts: { injected: 2, denied: 1 },
    });
    const mine = await done(room, "GET", "/api/usage?configuration=mine");
    expect([mine.days.length, mine.skills.length, mine.days.at(-1).counts]).toEqual([30, 1, { injected: 1 }]);
    const key = await room.limitedKey(["mine"], "reader");
    expect(await done(room, "GET", "/api/usage", undefined, key)).toEqual(mine);
    for (const query of ["days=0", "days=367", "days=x", "days=1&days=2", "weeks=1"])
      expect([query, (await room.call("GET", `/api/usage?${query}`)).status]).toEqual([query, 400]);
  });
});
