import { readFileSync } from "node:fs";
import { describe, expect, onTestFinished, test } from "vitest";
import { parseConfig } from "../../src/app/config/config-file.ts";
import { childOutcomes } from "../../src/sources/marketplace/children.ts";
import { intervals } from "../../src/sources/source.ts";
import { parseTyped } from "../../src/sources/typed.ts";
import { githubCom } from "../../src/net/host-set.ts";
import { fenced, sectionOf } from "../support/page.ts";
import { sourceStepsOf, startSourcesWalk, token } from "./sources-walk.ts";

const page = readFileSync("docs/sources.md", "utf8");

describe("docs/sources.md", () => {
  test("IN-2, IN-8, IN-14, IN-23, IN-25: each command does what the page says, and prints what it shows", async () => {
    const walk = await startSourcesWalk();
    onTestFinished(() => walk.end());
    for (const step of sourceStepsOf(page)) {
      const shown = step.kind === "text" ? step.text : "";
      expect(await walk.take(step)).toBe(shown);
    }
    expect(walk.asked()).toBeGreaterThan(50);
    expect(page).not.toContain(token);
  });

  test("IN-2: what it says may be typed can be, and means that", () => {
    const forms = sectionOf(page, "What may be typed")
      .split("\n")
      .filter((line) => line.startsWith("| `"))
      .flatMap((line) => [...(line.split("|")[1] ?? "").matchAll(/`([^`]+)`/g)].map(([, form = ""]) => form))
      .filter((form) => form.includes("/") && !form.startsWith("…"));
    expect(forms.length).toBeGreaterThan(9);
    for (const form of forms) {
      const { kind } = parseTyped(form, [githubCom]);
      expect([form, kind]).toEqual([form, /^[./]/.test(form) ? "folder" : "repository"]);
    }
  });

  test("IN-14: has every outcome of a plugin", () => {
    const rows = [...sectionOf(page, "Marketplaces").matchAll(/^\| `([a-z]+)` \|/gm)].map(([, outcome]) => outcome);
    expect(rows).toEqual([...childOutcomes]);
  });

  test("IN-16, IN-24: has the true bounds and intervals", () => {
    const { files, seconds, bytes } = parseConfig("", "").config.sync;
    expect(sectionOf(page, "Bounds")).toContain(
      `One sync reads ${files.toLocaleString("en")} files, ${bytes / 2 ** 20} MiB and for ${seconds} seconds`,
    );
    expect(sectionOf(page, "By itself")).toContain(`From \`${intervals.least}s\` to \`${intervals.most / 86_400}d\``);
  });

  test("IN-3: its piece of a configuration file is valid", () => {
    const pieces = fenced(page, "yaml");
    expect(pieces).toHaveLength(1);
    for (const piece of pieces) expect(parseConfig(piece, "").findings).toEqual([]);
  });
});
