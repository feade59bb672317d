import { loadSkills } from "@modelcontextprotocol/server/ext/skills/node";
import { describe, expect, it } from "vitest";
import { createWorld } from "../../src/app/world/world.ts";
import { limits } from "../../src/core/limits.ts";
import { findSkills } from "../../src/skill/find-skills.ts";
import { loadBundle } from "../../src/skill/load-bundle.ts";
import { parse, type Skill } from "../../src/skill/skill.ts";
import { exampleFolder, fixtureFolder } from "../support/fixtures.ts";

/** One skill as a reader sees it: its front-matter, and the sha256 of every file by path. */
interface Reading {
  readonly frontmatter: unknown;
  readonly files: Readonly<Record<string, string>>;
}

type OurReading = Reading & { readonly strict: boolean };

/** `absent`: no skill for us. `strict`: not one that meets the public specification. */
type Part = "absent" | "strict" | "frontmatter" | "files";

const unknown = { strict: "it ignores unknown fields; the public specification has none (SK-5)" };
const dropped = { ...unknown, frontmatter: "it has no bound on unknown fields; we drop what is beyond (SK-8)" };
const tools = { strict: "it does not look at allowed-tools (SK-8, SK-9)" };
const unsafe = { files: "it lists names that mean other files on other systems; we leave them out (SK-11, T23)" };

/** Where we differ from the reader of the MCP SDK on a skill that it accepts, and why. Anything else is a fault. */
const differences: Readonly<Record<string, Readonly<Partial<Record<Part, string>>>>> = {
  "flag-of-wrong-type": unknown,
  "hooks-declared": unknown,
  "host-knowledge-with-disallowed-tools": unknown,
  "inputs-of-wrong-type": unknown,
  "kind-at-top-level": unknown,
  "tools-disallowed": unknown,
  "tools-in-both-spellings": unknown,
  "tools-with-underscore": unknown,
  "unknown-field": unknown,
  "unknown-field-of-clients": unknown,
  "yaml-constructor-key": unknown,
  "unknown-field-too-deep": dropped,
  "unknown-field-too-large": dropped,
  "unknown-fields-too-many": dropped,

  "description-of-blanks": { strict: "it takes blanks for a description; for us there is none (SK-5)" },
  "license-as-map": { strict: "it does not look at the licence; the specification says text" },
  "tools-as-map": tools,
  "tools-as-number": tools,
  "tools-with-nested-list": tools,

  "yaml-merge-key": { absent: "it reads `<<` as a field of that name; we refuse merge keys (SK-4, T21)" },
  "yaml-nul-byte": { absent: "it lets NUL into a value; that is not YAML (SK-4)" },
  "yaml-nul-escape": { absent: "it lets NUL into a value; we refuse it (SK-4)" },

  "nested-skill/references/inner": { absent: "it sees skills inside skills; for us a skill is a leaf (SK-11)" },
  "skills-below-a-skill/more/below-a-skill": {
    absent: "it sees skills inside skills; for us a skill is a leaf (SK-11)",
  },
  "good-hidden-file": { files: "it skips names that begin with a dot; a bundle is every file (SK-11)" },
  "file-name-ends-in-blank": unsafe,
  "file-name-ends-in-dot": unsafe,
  "file-name-with-backslash": unsafe,
  "file-name-with-control-character": unsafe,
  "file-name-with-drive": unsafe,
  "folder-name-ends-in-dot": unsafe,
};

/** The skills the MCP SDK accepts, by path. */
async function theirReadings(root: string): Promise<Map<string, Reading>> {
  const catalog = await loadSkills(root, { onWarning: () => {} });
  return new Map(catalog.entries.map((entry) => [folderOf(entry.uri), readingOf(entry)]));
}

function folderOf(uri: string): string {
  return decodeURIComponent(uri.slice("skill://".length, -"/SKILL.md".length));
}

function readingOf({ uri, frontmatter, resources }: TheirSkill): Reading {
  if (resources === "dynamic") throw new Error(`${uri} has no list of its files`);
  const base = uri.slice(0, -"SKILL.md".length);
  const files = resources.map((file) => [decodeURIComponent(file.uri.slice(base.length)), file.digest] as const);
  return { frontmatter, files: Object.fromEntries(files) };
}

type TheirSkill = Awaited<ReturnType<typeof loadSkills>>["entries"][number];

/** The skills we load, by path. */
async function ourReadings(root: string): Promise<Map<string, OurReading>> {
  const { files } = createWorld();
  const { folders } = await findSkills(files, root, limits.walk);
  const readings = new Map<string, OurReading>();
  for (const folder of folders) {
    const bundle = await loadBundle(files, folder, limits.skill.strict);
    const { skill } = parse(bundle, "strict");
    const hashes = bundle.files.map(({ path, digest }) => [path, digest] as const);
    if (skill !== undefined) readings.set(folder.path.slice(root.length + 1), ourReading(skill, hashes));
  }
  return readings;
}

function ourReading({ frontmatter, strict }: Skill, hashes: readonly (readonly [string, string])[]): OurReading {
  return { frontmatter, strict, files: Object.fromEntries(hashes.map(([path, hash]) => [path, `sha256:${hash}`])) };
}

function partsThatDiffer(theirs: Reading, ours: OurReading | undefined): Part[] {
  if (ours === undefined) return ["absent"];
  const parts: Part[] = ours.strict ? [] : ["strict"];
  if (!equal(theirs.frontmatter, ours.frontmatter)) parts.push("frontmatter");
  if (!equal(theirs.files, ours.files)) parts.push("files");
  return parts;
}

/** Deep equality of JSON values; the order of keys does not count, prototypes do not count. */
function equal(a: unknown, b: unknown): boolean {
  return JSON.stringify(sorted(a)) === JSON.stringify(sorted(b));
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  return Object.entries(value)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, item]) => [key, sorted(item)]);
}

async function compare(root: string): Promise<Record<string, Part[]>> {
  const [theirs, ours] = await Promise.all([theirReadings(root), ourReadings(root)]);
  const compared = [...theirs].map(([path, reading]) => [path, partsThatDiffer(reading, ours.get(path))] as const);
  return Object.fromEntries(compared.filter(([, parts]) => parts.length > 0));
}

function listedDifferences(): Record<string, string[]> {
  return Object.fromEntries(Object.entries(differences).map(([path, parts]) => [path, Object.keys(parts)]));
}

describe("SK-5 SK-12 what the MCP SDK reads, we read the same", () => {
  it("on every fixture that it accepts, save the differences listed here", async () => {
    expect(await compare(fixtureFolder)).toEqual(listedDifferences());
  });

  it("on a good part of the fixtures: the comparison is not of nothing", async () => {
    const accepted = [...(await theirReadings(fixtureFolder)).keys()];
    expect(accepted.filter((path) => path.startsWith("good-")).length).toBeGreaterThanOrEqual(15);
  });

  it("on all eight examples", async () => {
    expect((await theirReadings(exampleFolder)).size).toBe(8);
    expect(await compare(exampleFolder)).toEqual({});
  });
});
