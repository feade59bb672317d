import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { seen } from "./matchers.ts";
import { ScanText } from "./text.ts";

function placesOf(pattern: RegExp, raw: string, file = "SKILL.md") {
  const text = new ScanText(file, raw);
  return seen(pattern)
    .find(text)
    .map(({ start, end }) => [text.lineAt(start), text.text.slice(start, end)]);
}

describe("T27: what stands between words does not keep them apart", () => {
  it.each([
    ["many blanks", `rm${" ".repeat(9)}-rf`],
    ["tabs", "rm\t\t\t\t\t\t\t\t\t\t-rf"],
    ["blanks as in a table", `| rm${" ".repeat(200)}-rf |`],
    ["an indent", `rm \n${" ".repeat(30)}-rf`],
    ["a line that goes on", "rm \\\n     -rf"],
    ["lines that go on", "rm \\\n  \\\n   -rf"],
    ["tags", "rm <b></b> <i> </i> <b></b> <b></b> <b></b> -rf"],
    ["empty quotes", "r''m -r\"\"f"],
    ["a link to nothing", "[rm](#) -rf"],
  ])("%s", (_what, raw) => {
    expect(placesOf(/\brm -rf\b/, `a\n${raw}\nb`)).toHaveLength(1);
  });

  it("nor does a blank that is escaped", () => {
    expect(placesOf(/\bdo it now\b/, "Do\\ it\\ now")).toEqual([[1, "Do it now"]]);
  });

  it("an indent and a gap that hides something are still there", () => {
    const raw = `- a\n    b${" ".repeat(160)}c`;
    expect(new ScanText("SKILL.md", raw).text).toBe(raw);
  });

  it.each([
    ["a comment", "# a \\\nrm -rf"],
    ["a comment behind a command", "ls # a \\\nrm -rf"],
    ["a paragraph", "rm \\\n\n-rf"],
    ["the beginning of code", "rm \\\n```bash\n-rf\n```"],
  ])("%s does not go on behind a backslash", (_what, raw) => {
    expect(new ScanText("SKILL.md", raw).text).toBe(raw);
  });

  it("lines are those of the text as it was written", () => {
    expect(placesOf(/\bcurl[^\n]{0,60}\bbash\b|\bend\b/, "a\ncurl x \\\n  -o y \\\n  | bash\nb\nend")).toEqual([
      [2, "curl x -o y | bash"],
      [6, "end"],
    ]);
    expect(placesOf(/\bbash\b/, "a\ncurl x \\\n  -o y \\\n  | bash\nb\nend")).toEqual([[4, "bash"]]);
  });

  it("also of any text", () => {
    const piece = fc.constantFrom(
      "a",
      " ",
      "  ",
      "\t",
      "\\\n",
      "\n",
      "#",
      "```",
      "<b>",
      "''",
      "[a](#)",
      "<!---->",
      "x",
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        const raw = `${pieces.join("")}\nend`;
        const text = new ScanText("SKILL.md", raw);
        expect(text.lower.length).toBe(text.text.length);
        expect(text.lineAt(text.text.lastIndexOf("end"))).toBe(raw.split("\n").length);
      }),
    );
  });
});

describe("T27: a letter that has another length in lower case", () => {
  it("does not keep the others as they are", () => {
    const { lower, text } = new ScanText("SKILL.md", "\u0130GNORE \u0418\u0413\u041d\u041e \u{10400}");
    expect(lower).toBe("ignore \u0438\u0433\u043d\u043e \u{10428}");
    expect(lower.length).toBe(text.length);
  });
});
