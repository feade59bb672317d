import { describe, expect, test } from "vitest";
import { setDigest } from "../core/digest.ts";
import { AppError } from "../core/error.ts";
import { agentFolders } from "../skill/agent-folders.ts";
import { type ExportedSkill, foldersOf, isExported, keyOf, parseKey, renderLock } from "./lock.ts";
import { parseLock } from "./parse-lock.ts";

const file = "a".repeat(64);
const skill: ExportedSkill = {
  registry: "0123456789abcdef".repeat(2),
  entry: "house:tools/pdf",
  digest: setDigest([{ path: "SKILL.md", digest: file }]),
  files: new Map([["SKILL.md", file]]),
  executable: [],
};

function refusal(key: string, change: Readonly<Record<string, unknown>> = {}): string {
  const lock = JSON.parse(renderLock(new Map([["pdf", skill]])));
  try {
    parseLock(JSON.stringify({ ...lock, skills: { [key]: { ...lock.skills.pdf, ...change } } }, null, 2));
  } catch (error) {
    if (error instanceof AppError && error.code === "config.invalid") return error.message;
    throw error;
  }
  return "not refused";
}

describe("SV-6: what was exported, in skillward.lock", () => {
  test("is read back as it was, wherever skills may lie", () => {
    const folders = new Set(Object.values(agentFolders).flatMap(({ project, user }) => [project, user]));
    const keys = [...folders, "."].map((folder) => keyOf(folder, "pdf"));
    expect(keys).toContain("pdf");
    const lock = new Map(keys.toSorted().map((key) => [key, skill]));
    expect(parseLock(renderLock(lock))).toEqual(lock);
    expect([...parseLock(renderLock(lock)).values()].every(isExported)).toBe(true);
    expect(new Set(foldersOf(keys))).toEqual(new Set([...folders, "."]));
    expect(Object.keys(JSON.parse(renderLock(lock)).skills.pdf).join(" ")).toBe("registry entry digest files");
  });

  test.each([
    "../pdf",
    "/pdf",
    "a/pdf",
    ".ssh/pdf",
    ".claude/pdf",
    ".claude/skills/../pdf",
    ".claude/skills/../../pdf",
    ".claude/skills//pdf",
    ".claude\\skills\\pdf",
    "./.claude/skills/pdf",
    ".agents/skills/pdf",
    "././pdf",
    "./",
    ".",
    "",
    "./.git",
    ".claude/skills/.git",
    ".claude/skills/Pdf",
    "__proto__/pdf",
  ])("T44: lies nowhere else: %j is refused", (key) => {
    expect(parseKey(key)).toBeUndefined();
    expect(refusal(key)).toContain("cannot be the folder of this skill");
  });

  test.each<[string, Readonly<Record<string, unknown>>, RegExp]>([
    ["an address for a registry", { registry: "https://evil.example" }, /registry: expected/],
    ["no entry", { entry: "nobody" }, /entry: expected/],
    ["another digest", { digest: "d".repeat(64) }, /digest is not the one/],
    ["something executable", { executable: ["SKILL.md"] }, /"executable" is not a known word/],
    ["a repository beside it", { source: "acme/skills" }, /"source" is not a known word/],
    ["a file that climbs", { files: { "SKILL.md": file, "../x": file } }, /no skill may have/],
  ])("T44: refuses %s", (_what, change, message) => {
    expect(refusal("pdf", change)).toMatch(message);
  });

  test("a skill of a repository lies in no agent's folder", () => {
    const added = { source: "acme/skills", hosts: "github.com", path: "pdf", ref: null, commit: "b".repeat(40) };
    const rest = { repositoryId: 1, ownerId: 2, tree: "c".repeat(40), executable: [], accepted: [] };
    const proof = { commit: "hashed", reachable: null };
    const change = { registry: undefined, entry: undefined, ...added, ...rest, proof };
    expect(refusal("pdf", change)).toBe("not refused");
    expect(refusal(".claude/skills/pdf", change)).toContain("cannot be the folder of this skill");
  });
});
