import { describe, expect, test } from "vitest";
import { sayingTurns, SpawnRoom, toolAnswers } from "../../../test/scope/spawn-room.ts";
import type { SpawnRequest } from "./spawn.ts";

describe("SC-5: a request with a field that is none", () => {
  test.each([
    ["skill", "did you mean skills?"],
    ["Skills", "did you mean skills?"],
    ["skillz", "did you mean skills?"],
    ["timeout_ms", "did you mean timeout?"],
    ["modle", "did you mean model?"],
    ["tools", "there are task, skills, agent, model, timeout, signal"],
    ["\u001b[2J", "there are task"],
  ])("is forbidden and names it: %j", async (field, hint) => {
    const home = new SpawnRoom();
    const request = { task: "x", [field]: ["reader"] } as unknown as SpawnRequest;
    const spawned = await home.spawner(sayingTurns()).spawn(request);
    expect(spawned).toMatchObject({ status: "forbidden", error: expect.stringContaining(hint) });
    expect([JSON.stringify(spawned).includes("\u001b"), home.models]).toEqual([false, 0]);
  });

  test("is a model's too: it can name neither another one nor a signal", async () => {
    for (const field of ["skill", "signal", "__proto"]) {
      const home = new SpawnRoom();
      const model = sayingTurns({ calls: [["spawn", { task: "below", [field]: null }]] });
      await home.run(model);
      expect([field, home.told("spawn.started").length]).toEqual([field, 1]);
      expect(toolAnswers(model.requests[1])).toMatchObject([
        { isError: true, content: expect.stringContaining("no such field") },
      ]);
    }
  });
});
