import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { parseConfig } from "../../src/app/config/config-file.ts";
import { defaultThresholds } from "../../src/routing/default-chain.ts";
import { linkNames } from "../../src/routing/link-names.ts";
import { routeFaults } from "../../src/routing/route-faults.ts";
import { fenced, sectionOf, type Step } from "../support/page.ts";
import { walkPage } from "../support/walk.ts";

const page = readFileSync("docs/routing.md", "utf8");
const readme = readFileSync("README.md", "utf8");

describe("docs/routing.md", () => {
  // Confidences change when the ranker is fitted anew: `-u` writes what is printed then. Read the text beside it again.
  test("RT-7: each command does what the page says, and prints what it shows", async () => {
    await expect(await walked(page)).toMatchFileSnapshot("../../docs/routing.md");
  });

  test("RT-3: has the true thresholds", () => {
    const rows = [...sectionOf(page, "The thresholds").matchAll(/^\| `(\w+)` \| ([\d.]+) \|/gm)];
    expect(rows.map(([, name, value]) => [name, Number(value)])).toEqual(Object.entries(defaultThresholds));
  });

  test("RT-2: has every link, in their order", () => {
    const rows = [...sectionOf(page, "The links").matchAll(/^\| `(\w+)` \|/gm)];
    expect(rows.map(([, name]) => name)).toEqual([...linkNames]);
  });

  test("invariant 6: has every finding of the chain, with its level", () => {
    const rows = [...sectionOf(page, "Findings").matchAll(/^\| `([\w.-]+)` \| (\w+) \|/gm)];
    const shown = new Map(rows.map(([, code = "", level = ""]) => [code, level]));
    for (const [code, { level }] of Object.entries(routeFaults)) expect([code, shown.get(code)]).toEqual([code, level]);
  });

  test("RT-2: its piece of a configuration file is valid", () => {
    const pieces = fenced(page, "yaml");
    expect(pieces).toHaveLength(1);
    for (const piece of pieces) expect(parseConfig(piece, "").findings).toEqual([]);
  });
});

describe("README", () => {
  test("RT-7: the right skill, or none, prints what it says it prints", async () => {
    const section = sectionOf(readme, "The right skill, or none");
    const again = await walked(section);
    for (const said of ["recipe-scaling  folder:recipe-scaling\n", "No skill fits"]) expect(again).toContain(said);
    await expect(readme.replace(section, () => again)).toMatchFileSnapshot("../../README.md");
  });
});

/** A page with what its commands print now. Commands without `npx` or `curl` are not run. */
function walked(text: string): Promise<string> {
  const prepare = `cp -r "${resolve("examples")}" "${resolve("eval")}" .\n`;
  return walkPage(text, { prepare, isTaken, steady });
}

function isTaken({ kind, text }: Step): boolean {
  return kind === "text" || kind === "key" || (kind === "sh" && /^(?:npx|curl) /.test(text));
}

/** Without what differs each time. */
function steady(printed: string): string {
  return printed
    .replaceAll(/\d+\.\d ms +/g, "… ms  ")
    .replaceAll(/time +said/g, "time  said")
    .replaceAll(/\b[0-9a-f]{32}\b/g, "…")
    .replaceAll(/\b(inj|skw)_[\w-]{20,}/g, "$1_…");
}
