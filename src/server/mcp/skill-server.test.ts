import { expect, test } from "vitest";
import { fixedClock } from "../../testing/fixed-clock.ts";
import { createLog } from "../logs/log.ts";
import { mcpCounter } from "../logs/measures.ts";
import { Metrics } from "../logs/metrics.ts";
import { createSkillServer } from "./skill-server.ts";

test("SV-5, SV-8: each thing that the server can be asked for is counted under its own name", () => {
  const log = createLog({ write() {} }, fixedClock());
  const { server } = createSkillServer({ log } as never, () => Promise.reject(new Error("nobody asks")));
  // The SDK does not say what it answers to.
  const methods = [...(Reflect.get(server, "_requestHandlers") as ReadonlyMap<string, unknown>).keys()];
  expect(methods).toEqual(expect.arrayContaining(["tools/call", "skills/list", "skills/get", "resources/read"]));
  const metrics = new Metrics();
  const count = mcpCounter(metrics);
  for (const method of methods) count(method, "load_skill");
  expect(metrics.render()).not.toContain('asked="other"');
});
