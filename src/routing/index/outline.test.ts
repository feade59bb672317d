import { describe, expect, it } from "vitest";
import { descriptionParts, outlineOf } from "./fields.ts";

describe("RT-2: the fields of a body", () => {
  it("tells headings, occasions, prose, code and exceptions apart", () => {
    const body = [
      "# Merge files",
      "Puts them together.",
      "## When to use",
      "- somebody has two files",
      "- do not use it for images",
      "## Steps",
      "```sh",
      "# not a heading",
      "qpdf --empty",
      "```",
      "Use this skill when pages are missing.",
      "**Out of scope**",
      "Scanned pages.",
    ].join("\n");
    expect(outlineOf(body)).toEqual({
      headings: "Merge files\nSteps\n",
      occasions: "- somebody has two files\nUse this skill when pages are missing.\n",
      prose: "Puts them together.\n",
      code: "# not a heading\nqpdf --empty\n",
      exceptions: "- do not use it for images\nScanned pages.\n",
    });
  });

  it("splits off what a description says the skill is not for", () => {
    expect(descriptionParts("Merges PDF files. DO NOT USE FOR images. Fast.")).toEqual({
      said: "Merges PDF files.\nFast.",
      exceptions: "DO NOT USE FOR images.",
    });
  });

  it("T26: reads one long line, many short ones and open fences in time", () => {
    const hostile = [
      "trigger ".repeat(2_000),
      "**".repeat(8_000),
      "#".repeat(16_000),
      "\n".repeat(16_000),
      "```\n".repeat(4_000),
    ];
    for (const body of hostile)
      expect(Object.values(outlineOf(body)).join("").length).toBeLessThanOrEqual(body.length + 1);
    expect(descriptionParts("NOT ".repeat(4_000)).said.length).toBeGreaterThan(0);
  });
});
