import { mkdirSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { setDigest, sha256 } from "../../src/core/digest.ts";
import type { GitHub } from "../../src/sources/github/github.ts";
import { installLocked } from "../../src/workspace/install.ts";
import type { ExportedSkill } from "../../src/workspace/lock.ts";
import { openWorkspace, type Publishing } from "../../src/workspace/workspace.ts";
import { planUpdates } from "../../src/workspace/update.ts";
import { disk, lockText, Room } from "../support/publish-room.ts";
import { Site } from "../support/publish-site.ts";

const digest = sha256(Buffer.from("one"));
const exported: ExportedSkill = {
  registry: "0".repeat(32),
  entry: "house:pdf",
  digest: setDigest([{ path: "SKILL.md", digest }]),
  files: new Map([["SKILL.md", digest]]),
  executable: [],
};

let room: Room;
beforeEach(() => {
  room = new Room();
  for (const key of ["./pdf", ".claude/skills/pdf", ".agents/skills/pdf"]) room.write(`${key}/SKILL.md`, "one");
  room.write("skillward.lock", lockText({ "./pdf": exported, ".claude/skills/pdf": exported, pdf: exported }));
});
afterEach(() => room.remove());

/** A workspace as commands have it; whoever asks a GitHub fails. */
async function publishing(): Promise<Publishing> {
  const github = new Proxy({} as GitHub, {
    get: (_, name) => {
      throw new Error(`${String(name)} was asked for`);
    },
  });
  const workspace = await openWorkspace(disk.files, room.root);
  return { disk, workspace, sets: [] as never, github, onFile: () => {}, onNote: () => {}, accept: new Set() };
}

describe("SV-6: what came from a registry, among what came from repositories", () => {
  test("`verify` knows it, and the skills beside it that nobody locked", async () => {
    room.write(".claude/skills/mine/SKILL.md", "mine");
    room.write("tools/SKILL.md", "mine");
    mkdirSync(room.at("src"));
    mkdirSync(room.at(".claude/skills/.pdf.0123abcd.gone"));
    expect(await room.verify()).toMatchObject({
      passes: true,
      skills: [
        { folder: "./pdf", state: "unchanged" },
        { folder: ".claude/skills/pdf", state: "unchanged" },
        { folder: "pdf", state: "unchanged" },
      ],
      notLocked: ["./tools", ".claude/skills/mine"],
      leftovers: [".claude/skills/.pdf.0123abcd.gone"],
    });
    room.write(".claude/skills/pdf/SKILL.md", "changed");
    expect(await room.verify()).toMatchObject({ passes: false });
  });

  test("`install` fetches none of it, and says where it comes from", async () => {
    room.write(".claude/skills/pdf/SKILL.md", "changed");
    const before = room.everything();
    expect(await installLocked(await publishing(), true)).toMatchObject([
      { folder: "./pdf", state: "unchanged" },
      { folder: ".claude/skills/pdf", state: "elsewhere", drift: [{ path: "SKILL.md", how: "changed" }] },
      { folder: "pdf", state: "unchanged" },
    ]);
    expect(room.everything()).toEqual(before);
  });

  test("`update` leaves it alone; named, it is refused with what to do", async () => {
    expect(await planUpdates(await publishing(), [], false)).toEqual([]);
    await expect(planUpdates(await publishing(), ["pdf"], true)).rejects.toMatchObject({
      code: "usage.invalid",
      message: expect.stringContaining("`skillward export` brings it up to date"),
    });
  });

  test("`add` never takes its place, whether its folder lies there or not", async () => {
    const site = await Site.open();
    try {
      await site.skills();
      site.workspace.write("skillward.lock", lockText({ pdf: exported }));
      const before = site.written();
      expect(await site.json(["add", "acme/skills/skills/pdf", "--yes"])).toMatchObject({
        code: 2,
        error: { code: "record.exists", message: expect.stringContaining("from a registry, where it is house:pdf") },
      });
      expect(site.written()).toEqual(before);
    } finally {
      await site.close();
    }
  });

  test("T42, T44: what was to go comes back while the lock file names it, and never over something", async () => {
    for (const below of [".claude/skills", ".agents/skills", "."]) {
      room.write(`${below}/.other.0123abcd.gone/SKILL.md`, "gone");
      room.write(`${below}/.pdf.0123abcd.gone/SKILL.md`, "one");
    }
    room.write(".claude/skills/pdf/SKILL.md", "mine");
    await disk.folders.remove(room.at("pdf"));
    await room.settle();
    expect(
      Object.keys(room.everything())
        .filter((path) => path.endsWith("SKILL.md"))
        .toSorted(),
    ).toEqual([
      ".agents/skills/pdf/SKILL.md",
      ".claude/skills/.pdf.0123abcd.gone/SKILL.md",
      ".claude/skills/pdf/SKILL.md",
      "pdf/SKILL.md",
    ]);
    expect(room.everything()[".claude/skills/pdf/SKILL.md"]).toBe("mine");
  });
});
