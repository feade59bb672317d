import { chmodSync, mkdirSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { spawnSync } from "node:child_process";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { skillwardWarm } from "../support/warm.ts";
import { type Contents, filesToPlace, lockedSkill, lockText, Room } from "../support/publish-room.ts";

const contents: Contents = { "SKILL.md": "one", "scripts/run.sh": "echo 1", "references/a.md": "a" };

let room: Room;
beforeEach(async () => {
  room = new Room();
  const after = lockedSkill(contents);
  await room.place({ folder: "pdf", before: undefined, after, files: filesToPlace(contents), mayReplace: "nothing" });
});
afterEach(() => room.remove());

async function driftNow(): Promise<string[]> {
  const { passes, skills } = await room.verify();
  const drift = skills.flatMap((skill) => skill.drift.map(({ path, how }) => `${how} ${path}`));
  expect(passes).toBe(drift.length === 0);
  return drift;
}

describe("IN-25: verify names what drifted", () => {
  test.each<[string, () => void, readonly string[]]>([
    ["nothing", () => undefined, []],
    ["a changed byte", () => room.write(".agents/skills/pdf/references/a.md", "b"), ["changed references/a.md"]],
    ["an appended byte", () => room.write(".agents/skills/pdf/SKILL.md", "one\n"), ["changed SKILL.md"]],
    ["a missing file", () => rmSync(room.skill("pdf/references/a.md")), ["missing references/a.md"]],
    ["an extra file", () => room.write(".agents/skills/pdf/evil.sh", "rm"), ["extra evil.sh"]],
    ["a folder of git", () => room.write(".agents/skills/pdf/.git/evil.md", "rm"), ["extra .git"]],
    ["one further below", () => room.write(".agents/skills/pdf/scripts/.git/evil.md", "rm"), ["extra scripts/.git"]],
    ["an empty one", () => mkdirSync(room.skill("pdf/.git")), ["extra .git"]],
    ["a file of that name", () => room.write(".agents/skills/pdf/.git", "gitdir: /"), ["extra .git"]],
    [
      "another name",
      () => renameSync(room.skill("pdf/references/a.md"), room.skill("pdf/references/c.md")),
      ["missing references/a.md", "extra references/c.md"],
    ],
    ["another case of a name", () => room.write(".agents/skills/pdf/skill.md", "one"), ["unusable skill.md"]],
    ["a file made executable", () => chmodSync(room.skill("pdf/SKILL.md"), 0o755), ["executable SKILL.md"]],
    [
      "one that is not any more",
      () => chmodSync(room.skill("pdf/scripts/run.sh"), 0o644),
      ["not executable scripts/run.sh"],
    ],
    [
      "T24: a file that became a link to the same bytes",
      () => {
        room.write("same", "a");
        rmSync(room.skill("pdf/references/a.md"));
        symlinkSync(room.at("same"), room.skill("pdf/references/a.md"));
      },
      ["missing references/a.md", "unusable references/a.md"],
    ],
    ["T24: an extra link", () => symlinkSync("/", room.skill("pdf/root")), ["unusable root"]],
    ["a pipe", () => void spawnSync("mkfifo", [room.skill("pdf/pipe")]), ["unusable pipe"]],
    ["the folder gone", () => rmSync(room.skill("pdf"), { recursive: true }), ["missing ."]],
    [
      "T24: the folder a link to the same",
      () => {
        renameSync(room.skill("pdf"), room.at("elsewhere"));
        symlinkSync(room.at("elsewhere"), room.skill("pdf"));
      },
      ["unusable ."],
    ],
    [
      "SKILL.md a folder",
      () => {
        rmSync(room.skill("pdf/SKILL.md"));
        mkdirSync(room.skill("pdf/SKILL.md"));
      },
      ["missing SKILL.md", "unusable SKILL.md"],
    ],
    [
      "more files than a skill may have",
      () => {
        for (let at = 0; at < 600; at++) room.write(`.agents/skills/pdf/many/${at}`, "");
      },
      expect.arrayContaining([expect.stringMatching(/^unusable many/)]),
    ],
  ])("%s", async (_what, change, expected) => {
    change();
    expect(await driftNow()).toEqual(expected);
  });

  test("other folders are named, and are nobody's drift", async () => {
    room.write(".agents/skills/own/SKILL.md", "mine");
    room.write(".agents/skills/README.md", "about");
    const { passes, notLocked } = await room.verify();
    expect({ passes, notLocked }).toEqual({ passes: true, notLocked: ["own"] });
  });

  test("what an interrupted change left is said, and is not one's own skill", async () => {
    room.write(".agents/skills/.pdf.0123abcd.tmp/SKILL.md", "half");
    const { passes, notLocked, leftovers } = await room.verify();
    expect({ passes, notLocked, leftovers }).toEqual({ passes: true, notLocked: [], leftovers: [".pdf.0123abcd.tmp"] });
  });
});

describe("IN-25: skillward verify", () => {
  const verify = (args: readonly string[] = [], cwd = room.root) => skillwardWarm(["verify", ...args], { cwd });

  test("needs no home, no configuration and no right to write", () => {
    const before = room.everything();
    const { code, out } = verify();
    expect({ code, out }).toEqual({ code: 0, out: expect.stringContaining("✓ pdf  as locked") });
    expect(room.everything()).toEqual(before);
  });

  test("exit 1 on drift, by name; JSON has the same", () => {
    room.write(".agents/skills/pdf/SKILL.md", "two");
    const { code, out } = verify();
    expect(code).toBe(1);
    expect(out).toMatch(/✗ pdf {2}drifted\n {4}changed +SKILL\.md/);
    expect(JSON.parse(verify(["--json"]).out)).toMatchObject({
      passes: false,
      skills: [{ folder: "pdf", state: "drifted", drift: [{ path: "SKILL.md", how: "changed" }] }],
    });
  });

  test("finds the workspace upward, by its lock file or its repository, or takes the one that is named", () => {
    mkdirSync(room.at("deep/er"), { recursive: true });
    expect(verify([], room.at("deep/er")).code).toBe(0);
    mkdirSync(room.at("deep/.git"));
    const { code, err } = verify([], room.at("deep/er"));
    expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining("there is no skillward.lock") });
    expect(verify(["--dir", room.root], room.at("deep/er")).code).toBe(0);
    expect(verify(["--dir", room.at("deep/er")], room.root).code).toBe(2);
  });

  test("T44: a hostile name shows as what it is, also in JSON", () => {
    room.write(".agents/skills/pdf/\u001b[31mred\u202e", "");
    for (const args of [[], ["--json"]]) {
      const { out, err, code } = verify(args);
      expect(code).toBe(1);
      // oxlint-disable-next-line no-control-regex
      expect(out + err).not.toMatch(/[\u001b\u202e]/);
    }
  });

  test("T44: a lock file that cannot be used is refused by its line: exit 2, nothing is guessed", () => {
    room.write(
      "skillward.lock",
      lockText({ pdf: lockedSkill(contents) }).replace('"hosts": "github.com"', '"hosts": "https://evil.example"'),
    );
    const { code, err } = verify();
    expect({ code, err }).toEqual({ code: 2, err: expect.stringMatching(/skillward\.lock:6 cannot be used: hosts/) });
  });
});
