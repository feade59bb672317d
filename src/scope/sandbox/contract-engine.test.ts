import { expect, test } from "vitest";
import { ContractEngine } from "./contract-engine.ts";

const code = `export default { name: "n", version: "1", preconditions: [{ name: "p", severity: "HARD", check: () => true }] };`;

test("SC-10: what took longer than it may is late, also when the engine never asked for the time", async () => {
  let [now, takes] = [0, 0];
  // Looked at when a step begins and when it is over: a predicate this small is interrupted by nobody.
  const engine = await ContractEngine.create(() => (now += takes));
  engine.open(code, "{}", 1_000);
  takes = 1_000;
  expect(engine.ask(0, 1_000)).toBe('{"answer":true}');
  takes = 1_001;
  expect(JSON.parse(engine.ask(0, 1_000))).toMatchObject({ fault: "contract.timeout" });
});
