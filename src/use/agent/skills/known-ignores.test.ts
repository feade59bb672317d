import { describe, expect, it } from "vitest";
import { fixedClock } from "../../../testing/fixed-clock.ts";
import { memoryFiles } from "../../../testing/memory-files.ts";
import { KnownIgnores } from "./known-ignores.ts";

describe("AG-1: ignore files that are known", () => {
  it("one that was just written when a slow reading began is read again, though it looks the same", async () => {
    const clock = fixedClock(0);
    const disk = memoryFiles({ "/w/.gitignore": "a/\n" });
    const files = {
      ...disk,
      // A disk that cannot tell two writes within one tick apart.
      stamp: async () => ({ kind: "file" as const, size: 3, mark: "same", changedAt: 0 }),
      read: async (path: string, most: number) => {
        const bytes = await disk.read(path, most);
        clock.advance(60_000);
        return bytes;
      },
    };
    const ignores = new KnownIgnores({ files, clock }, "/w");
    expect((await ignores.ignored([""]))("a/x")).toBe(true);
    await disk.write("/w/.gitignore", Buffer.from("b/\n"));
    expect((await ignores.ignored([""]))("b/x")).toBe(true);
  });
});
