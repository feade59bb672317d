import { describe, expect, test } from "vitest";
import { gitAlone, gitStartsOthers } from "../../../test/support/commands-of-git.ts";
import { alone, startsOthers } from "../../../test/support/commands-of-programs.ts";
import { lastRefused } from "./command-refusals.ts";
import { readCommand } from "./command.ts";

function refused(command: string): string | null {
  const words = readCommand(command);
  if (typeof words === "string") throw new Error(`${command}: ${words}`);
  return lastRefused(words)?.why ?? null;
}

const refusedOnes = [...gitStartsOthers, ...startsOthers];
const otherOnes = [...gitAlone, ...alone];

describe("SC-7: options that start other programs", () => {
  test.each(refusedOnes)("T33: %s is refused", (command) => {
    expect(refused(command)).toMatch(/^`[a-z-]+ .+` can start other programs or write elsewhere$/);
  });

  test.each(otherOnes)("%s is not", (command) => {
    expect(refused(command)).toBeNull();
  });

  test("names of prototypes are programs like any other", () => {
    expect(lastRefused(["constructor", "-c"])).toBeNull();
    expect(lastRefused(["__proto__"])).toBeNull();
    expect(refused("git constructor --x")).toBeNull();
  });

  test("SC-7: the last refused word is told, and commands in full", () => {
    const of = (command: string) => lastRefused(command.split(" "));
    expect(of("git bisect run sh")).toEqual({
      at: 2,
      why: "`git bisect run` can start other programs or write elsewhere",
    });
    expect(of("git -c a.b=c -C sub bisect run --exec=x")).toMatchObject({
      at: 7,
      why: expect.stringContaining("--exec=x"),
    });
    expect(of("git -C sub status")).toMatchObject({ at: 1, why: expect.stringMatching(/^`git -C` /) });
    expect(of("git difftool a")).toMatchObject({ at: 1, why: expect.stringMatching(/^`git difftool` /) });
    expect(of("git config a.b c d")).toMatchObject({ at: 4 });
    expect(of("npm run --prefix a test")).toMatchObject({ at: 2 });
    expect(of("npm exec sh x")).toMatchObject({ at: 1, why: expect.stringMatching(/^`npm exec` /) });
    expect(of("npm config set a b")).toMatchObject({ at: 4 });
    expect(of("npm set a b")).toMatchObject({ at: 3 });
    expect(of("cargo +nightly rustc x")).toMatchObject({ at: 2 });
    expect(lastRefused(["sed", "-i", "", "w x", "a"])).toMatchObject({ at: 3 });
    expect(of("sed -n -e e a")).toMatchObject({ at: 3 });
  });

  test("SC-7: whether a word is refused depends on those before it: more words never excuse it, but may be refused", () => {
    for (const command of [...refusedOnes, ...otherOnes]) {
      const words = readCommand(command);
      if (typeof words === "string") throw new Error(words);
      // Of `git config` that sets something every word is refused.
      if (words.includes("config")) continue;
      const found = words.map((_, at) => lastRefused(words.slice(0, at + 1))?.at ?? -1);
      for (const [at, last] of found.entries()) {
        const before = found[at - 1] ?? -1;
        expect([command, at, last]).toEqual([command, at, last === at ? at : before]);
      }
    }
  });

  test("why is one short line, whatever the option is", () => {
    expect(
      lastRefused(["git", "bisect", `run\u202e${"x".repeat(5000)}`, `--exec=\u202e${"x".repeat(5000)}`])?.why.length,
    ).toBeLessThan(120);
  });
});
