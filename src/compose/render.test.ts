import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { supportOf } from "../skill/support.ts";
import { renderBody } from "./render.ts";

const paths = new Set(["SKILL.md", "run.sh", "docs/GUIDE.md", "scripts/check.py"]);
const render = (body: string, canReadFiles = false) => renderBody({ body, paths }, canReadFiles);
const note = (path: string) => `[bundled file ${path}: not available here]`;

describe("CO-5: references to bundled files", () => {
  test.each([
    ["Run `scripts/check.py` first.", `Run \`${note("scripts/check.py")}\` first.`],
    ["Run scripts/check.py.", `Run ${note("scripts/check.py")}.`],
    ["See [the guide](references/guide.md).", `See [the guide](${note("references/guide.md")}).`],
    ['![Logo](./assets/logo.png "Logo")', `![Logo](${note("assets/logo.png")} "Logo")`],
    ["[1]: docs/GUIDE.md", `[1]: ${note("docs/GUIDE.md")}`],
    ["<docs/GUIDE.md>", `<${note("docs/GUIDE.md")}>`],
    ["```sh\npython tools/make.py --all\n```\n", `\`\`\`sh\npython ${note("tools/make.py")} --all\n\`\`\`\n`],
    ["~~~lib/a.rb\nx\n~~~\n", `~~~${note("lib/a.rb")}\nx\n~~~\n`],
    ["```scripts/x\ny\n```", `\`\`\`${note("scripts/x")}\ny\n\`\`\``],
    ["| `run.sh` | runs |\r\n", `| \`${note("run.sh")}\` | runs |\r\n`],
    ["lib/a.rb, lib/b.js", `${note("lib/a.rb")}, ${note("lib/b.js")}`],
  ])("%j becomes a note where it stands", (body, text) => {
    expect(render(body).text).toBe(text);
    expect(render(body, true)).toEqual({ text: body, replaced: [], defused: [] });
  });

  test.each([
    "Use Node.js and Vue.js.",
    "See https://x/y.js and https://example.com/scripts/check.py for more.",
    "Look at /usr/bin/thing.sh",
    "The scripts/ folder is empty, as our references are many and/or good.",
    "this is SKILL.md",
    "`npm run x -- --input data/maps.csv`",
  ])("%j stays as it is", (body) => {
    expect(render(body)).toEqual({ text: body, replaced: [], defused: [] });
  });

  test("tildes behind `./` are part of the path, and all of it is said", () => {
    expect(render("./~~~~x/y.js").text).toBe("[bundled file ~~~~x/y.js: not available here]");
    expect(render("~~~~x/y.js").text).toBe("~~~~[bundled file x/y.js: not available here]");
  });

  test("what was replaced is said with its line", () => {
    expect(render("One\nTwo run.sh\n\n`scripts/a` ./scripts/b").replaced).toEqual([
      { path: "run.sh", line: 2 },
      { path: "scripts/a", line: 4 },
      { path: "scripts/b", line: 4 },
    ]);
  });

  const piece = fc.oneof(
    fc.constantFrom("```", "~~~", "~~~~", "`", "\n", "\r\n", " ", "[", "](", ")", "scripts/a.py", "run.sh", "x/y.js"),
    fc.constantFrom("./", "~", ".", "Node.js", "https://x/y.js", "docs/GUIDE.md", "é", "\u{1f600}", "word"),
  );
  const body = fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join(""));

  test("law: fences, lines and all that is no reference stay, and every reference is replaced", () => {
    fc.assert(
      fc.property(body, (text) => {
        const rendered = render(text);
        const bare = (one: string) => one.replaceAll(/\[bundled file (\S+): not available here\]/g, "$1");
        // A leading `./` is the one thing that a note leaves out.
        expect(bare(rendered.text).replaceAll("./", "")).toBe(text.replaceAll("./", ""));
        expect(rendered.text.match(/`+|^[ ]{0,3}~{3,}/gm)).toEqual(text.match(/`+|^[ ]{0,3}~{3,}/gm));
        expect(rendered.text.split("\n").length).toBe(text.split("\n").length);
        const isPartial = supportOf(text, false, paths).level === "partial";
        expect(rendered.replaced.length > 0).toBe(isPartial);
      }),
      { numRuns: 500 },
    );
  });

  test("T26: a megabyte of references takes a moment", () => {
    expect(render("a/b.js ".repeat(150_000)).replaced).toHaveLength(150_000);
  });
});
