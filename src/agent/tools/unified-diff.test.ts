import { describe, expect, it } from "vitest";
import { applyHunks, parsePatch } from "./unified-diff.ts";

const head = "--- a/f\n+++ b/f\n";

function patched(text: string, hunks: string, comparisons = 10_000): string {
  const [file] = parsePatch(head + hunks);
  return applyHunks("f", text, file?.hunks ?? [], { left: comparisons });
}

describe("AG-7: a unified diff is read as what it says", () => {
  it("files that are changed, made and taken away, with what git puts around them", () => {
    const text = `diff --git a/x b/x\nindex 1234567..89abcde 100644\n--- a/x\n+++ b/x\n@@ -1 +1 @@ function\n-a\n+b\n
diff --git a/new b/new\nnew file mode 100644\nindex 0000000..89abcde\n--- /dev/null\n+++ b/new\n@@ -0,0 +1 @@\n+n\n--- old/y\t2024-01-01\n+++ /dev/null\n@@ -1,2 +0,0 @@\n--- a\n-b\n`;
    expect(parsePatch(text).map(({ path, change, hunks }) => [path, change, hunks.length])).toEqual([
      ["x", "change", 1],
      ["new", "create", 1],
      ["old/y", "delete", 1],
    ]);
    expect(parsePatch(text)[2]?.hunks[0]?.old).toEqual(["-- a\n", "b\n"]);
  });

  it.each([
    ["nothing", "", /empty/],
    ["talk", "Here is the patch:\n", /no part of a unified diff/],
    ["a fence", "```diff\n--- a/f\n", /no part of a unified diff/],
    ["no second name", "--- a/f\n@@ -1 +1 @@\n", /\+\+\+ and a path is missing/],
    ["no hunk", head, /@@ is missing/],
    ["a hunk without numbers", `${head}@@ @@\n a\n`, /begins with @@/],
    ["too few lines", `${head}@@ -1,3 +1,3 @@\n a\n-b\n+c\n`, /ends within a hunk/],
    ["too many lines", `${head}@@ -1 +1 @@\n-a\n+b\n c\n`, /count again/],
    ["more of one side", `${head}@@ -1 +1,2 @@\n-a\n+b\n c\n`, /count again/],
    ["another name", "--- a/f\n+++ b/g\n@@ -1 +1 @@\n-a\n+b\n", /another name/],
    ["a rename", "diff --git a/f b/g\nsimilarity index 100%\nrename from f\nrename to g\n", /use shell/],
    ["a mode", "diff --git a/f b/f\nold mode 100644\nnew mode 100755\n", /use shell/],
    ["a program", `diff --git a/f b/f\nnew file mode 100755\n--- /dev/null\n+++ b/f\n@@ -0,0 +1 @@\n+a\n`, /use shell/],
    ["an empty file", "diff --git a/f b/f\nnew file mode 100644\nindex 0000000..e69de29\n", /no lines that change/],
    ["quotes", '--- "a/f"\n+++ "b/f"\n@@ -1 +1 @@\n-a\n+b\n', /quotes/],
    ["no file", "--- /dev/null\n+++ /dev/null\n@@ -0,0 +1 @@\n+a\n", /neither side/],
    [
      "lines behind the end",
      `${head}@@ -1 +1,2 @@\n-a\n+b\n\\ No newline at end of file\n+c\n`,
      /nothing comes behind/,
    ],
    ["too many hunks", head + "@@ -1 +1 @@\n-a\n+b\n".repeat(1001), /more than 1000 hunks/],
  ])("%s is refused", (_what, text, why) => {
    expect(() => parsePatch(text)).toThrow(why);
  });
});

describe("AG-7: every hunk fits exactly, or nothing does", () => {
  it("where it says, or at the one place where its lines stand", () => {
    expect(patched("a\nb\nc\n", "@@ -2 +2 @@\n-b\n+B\n")).toBe("a\nB\nc\n");
    expect(patched("0\n0\na\nb\nc\n", "@@ -1,2 +1,3 @@\n a\n+x\n b\n")).toBe("0\n0\na\nx\nb\nc\n");
    expect(patched("a\nb\nc\nd\n", "@@ -1,1 +1,1 @@\n-a\n+A\n@@ -3,2 +3,1 @@\n c\n-d\n")).toBe("A\nb\nc\n");
    expect(patched("x\nx\n", "@@ -2 +2 @@\n-x\n+y\n")).toBe("x\ny\n");
    expect(patched("a\n\nb\n", "@@ -1,3 +1,3 @@\n a\n\n-b\n+c\n")).toBe("a\n\nc\n");
  });

  it("line breaks at the end are lines like any other", () => {
    const none = "\\ No newline at end of file\n";
    expect(patched("a", `@@ -1 +1 @@\n-a\n${none}+b\n`)).toBe("b\n");
    expect(patched("a\n", `@@ -1 +1 @@\n-a\n+b\n${none}`)).toBe("b");
    expect(patched("a\nb", `@@ -1,2 +1,2 @@\n-a\n+c\n b\n${none}`)).toBe("c\nb");
    expect(() => patched("a", "@@ -1 +1 @@\n-a\n+b\n")).toThrow(/does not fit/);
    expect(() => patched("a\nz\n", `@@ -1 +1 @@\n-a\n+b\n${none}`)).toThrow(/line break/);
  });

  it.each([
    ["content that differs by a blank", "a \n", "@@ -1 +1 @@\n-a\n+b\n", /line 1 is "a \\n", and not "a\\n"/],
    ["other line ends", "a\r\n", "@@ -1 +1 @@\n-a\n+b\n", /does not fit/],
    ["two places, and neither where it says", "x\na\ny\na\n", "@@ -1 +1 @@\n-a\n+b\n", /line 2 and at line 4/],
    ["a place before the hunk before it", "a\nb\n", "@@ -2 +2 @@\n-b\n+B\n@@ -1 +1 @@\n-a\n+A\n", /does not fit/],
    ["no line of the file", "a\n", "@@ -1,0 +2 @@\n+b\n", /add lines around it/],
    ["a number beyond the file", "a\n", "@@ -9 +9 @@\n-b\n+c\n", /in this order/],
  ])("%s is refused", (_what, text, hunks, why) => {
    expect(() => patched(text, hunks)).toThrow(why);
  });

  it("T26: lines that are all alike are not compared for ever", () => {
    const hunk = `@@ -1,101 +1,101 @@\n${" a\n".repeat(100)}-b\n+c\n`;
    expect(() => patched("a\n".repeat(10_000), hunk)).toThrow(/takes too long/);
  });
});
