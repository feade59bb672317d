import { join, relative } from "node:path";
import { validate as validateByReference } from "skills-ref";
import { describe, expect, it } from "vitest";
import { validate } from "../../src/features/bundles/validate.ts";
import { createWorld } from "../../src/app/world/world.ts";
import { exampleFolder, fixtureFolder, fixtures } from "../support/fixtures.ts";

/** Where Skillward's strict verdict is another than `skills-ref`'s, and why. Anything else is a fault of ours. */
const differences: Readonly<Record<string, string>> = {
  "byte-order-mark": "it does not see the fence behind the mark; we strip one (SK-1)",
  "closing-fence-indented": "it closes the header at any `---`; a fence stands at the margin (SK-2)",
  "closing-fence-of-four-dashes": "it closes the header at any `---`; a fence is exactly that (SK-2)",
  "closing-fence-with-text": "it closes the header at any `---`; a fence stands alone (SK-2)",
  "good-dashes-in-description": "it closes the header at the `---` inside the value and misses the name (SK-2)",
  "yaml-two-documents": "it closes the header at the second document's `---` (SK-2, SK-4)",
  "invalid-utf8": "it reads invalid bytes as U+FFFD; we refuse them (SK-1)",
  "invalid-utf8-overlong": "it reads invalid bytes as U+FFFD; we refuse them (SK-1)",

  "yaml-anchor": "it reads anchors; we refuse them (SK-4, T20)",
  "yaml-merge-key": "it reads merge keys; we refuse them (SK-4, T21)",
  "yaml-tag": "it reads the tags of the core schema; we refuse all (SK-4)",
  "yaml-nul-escape": "it lets NUL into a value; we refuse it (SK-4)",
  "yaml-too-deep": "it has no bound on depth (SK-4, T20)",
  "yaml-too-many-values": "it has no bound on the number of values (SK-4, T20)",

  "good-ελληνικά": "its letters are Latin, Cyrillic and CJK; the specification says lowercase letters of any script",
  "n\u0430me-of-mixed-scripts":
    "it allows a Cyrillic letter in a Latin word; for us a look-alike name is hostile (SK-13)",
  "name-as-list": "it turns a list into text; a name is a scalar (SK-5)",
  "description-as-list": "it turns a list into text; a description is a scalar (SK-5)",
  "description-empty": 'it reads the empty value as the word "null"; for us there is no description (SK-5)',
  "good-description-of-astral-characters": "it counts UTF-16 units; the specification counts characters",
  "compatibility-empty": "it has no lower bound; the specification says 1-500 characters",
  "license-as-map": "it does not look at the licence; the specification says text",
  "metadata-as-list": "it does not look at the shape; the specification says a map",
  "metadata-as-text": "it does not look at the shape; the specification says a map",
  "metadata-nested": "it turns any value into text; the specification says string to string",
  "tools-as-map": "it does not look at allowed-tools; the specification says one string (SK-9)",
  "tools-as-number": "it does not look at allowed-tools; the specification says one string (SK-9)",
  "tools-with-nested-list": "it does not look at allowed-tools; the specification says one string (SK-9)",

  "skill-file-in-lower-case": "it also reads skill.md; the name is exactly SKILL.md (SK-11)",
  "skill-file-is-a-link": "it follows the link; we follow none (SK-11, T24)",
};

/** A header that it cannot read throws, which its program reports as an invalid skill too. */
async function isValidForReference(folder: string): Promise<boolean> {
  try {
    return (await validateByReference(folder)).length === 0;
  } catch {
    return false;
  }
}

/** Every skill below the folder with our verdict; a fixture in which we see none is none for us. */
async function strictVerdicts(folder: string, alsoBelow: readonly string[] = []): Promise<Map<string, boolean>> {
  const { skills } = await validate(createWorld().files, [folder]);
  const verdicts = new Map(skills.map(({ path, strict }) => [path, strict]));
  for (const path of alsoBelow.map((name) => join(folder, name)))
    if (!skills.some((skill) => skill.path === path || skill.path.startsWith(`${path}/`))) verdicts.set(path, false);
  return verdicts;
}

async function differing(ours: ReadonlyMap<string, boolean>, folder: string): Promise<string[]> {
  const different: string[] = [];
  for (const [path, strict] of ours)
    if ((await isValidForReference(path)) !== strict) different.push(relative(folder, path));
  return different;
}

describe("SK-5 the strict verdict equals skills-ref's", () => {
  it("on every fixture, save the differences listed here", async () => {
    const ours = await strictVerdicts(fixtureFolder, Object.keys(fixtures));
    expect(ours.size).toBeGreaterThanOrEqual(Object.keys(fixtures).length);
    expect((await differing(ours, fixtureFolder)).toSorted()).toEqual(Object.keys(differences).toSorted());
  });

  it("on the examples: all eight are strict for both", async () => {
    const ours = await strictVerdicts(exampleFolder);
    expect([...ours.values()]).toEqual(Array.from({ length: 8 }, () => true));
    expect(await differing(ours, exampleFolder)).toEqual([]);
  });
});
