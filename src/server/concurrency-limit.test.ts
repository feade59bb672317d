import { expect, test } from "vitest";
import { ConcurrencyLimit, fewAtATime } from "../features/http/concurrency-limit.ts";

test("T41: so many for each name, and each leaves once", () => {
  const limit = new ConcurrencyLimit(2);
  const leave = limit.enter("ada");
  expect(limit.enter("ada")).toBeDefined();
  expect(limit.enter("ada")).toBeUndefined();
  expect(() => limit.demand("ada", "2 streams of this key are open")).toThrow("2 streams of this key are open");
  expect(limit.enter("bob")).toBeDefined();
  leave?.();
  leave?.();
  expect(limit.enter("ada")).toBeDefined();
  expect(limit.enter("ada")).toBeUndefined();
});

test("T41: who comes while as many run as may is refused, and one that fails gives its place back", async () => {
  const few = fewAtATime(1, "wait", 7);
  const failing = few(() => Promise.reject(new Error("no")));
  await expect(few(() => Promise.resolve())).rejects.toMatchObject({ message: "wait", seconds: 7 });
  await expect(failing).rejects.toThrow("no");
  expect(await few(() => Promise.resolve("in"))).toBe("in");
});
