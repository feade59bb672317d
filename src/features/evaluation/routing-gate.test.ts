import { describe, expect, test } from "vitest";
import { memoryFiles } from "../../testing/memory-files.ts";
import { loadGate, parseShare } from "./eval-routing.ts";

function load(content: unknown) {
  const text = typeof content === "string" ? content : JSON.stringify(content);
  return loadGate(memoryFiles({ "/t.json": text }), "/t.json");
}

describe("RT-9: thresholds", () => {
  test("those of routing are read, beside those of others", async () => {
    const routing = { n: 200, p1: 0.9, mrr: 0.93, falseFires: 0.1, coverage: 1 };
    expect(await load({ scan: { own: 1 }, routing })).toEqual(routing);
    expect(await load({ routing: {} })).toEqual({});
  });

  test.each([
    ["no JSON", "{", "is not JSON"],
    ["nothing for routing", { scan: {} }, "has no thresholds for routing"],
    ["a typo, which would gate nothing", { routing: { p: 0.9 } }, "routing.p is not measured"],
    ["a text", { routing: { p1: "0.9" } }, "routing.p1: expected a number"],
    ["a percentage", { routing: { mrr: 90 } }, "routing.mrr: expected a share from 0 to 1"],
    ["half a line", { routing: { n: 1.5 } }, "routing.n: expected a whole number above 0"],
  ])("%s is refused", async (_, content, why) => {
    await expect(load(content)).rejects.toMatchObject({ code: "usage.invalid", message: expect.stringContaining(why) });
  });

  test.each(["0", "1", "0.9", ".5", "1.0"])("a share as it is typed: %s", (text) => {
    expect(parseShare("--min-p1", text)).toBe(Number(text));
  });

  test.each(["", "90", "1.1", "-1", "NaN", "0x1", "9e-1", " 1"])("what is no share is refused: %j", (text) => {
    expect(() => parseShare("--min-p1", text)).toThrow("--min-p1: expected a share from 0 to 1");
  });
});
