import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { type CliHome, createHomes } from "../support/cli-home.ts";

const homes = createHomes();
afterAll(() => homes.remove());

/** Two skills of the house, both approved. */
const house = homes.once(() => {
  const home = homes.home();
  home.json(["source", "add", home.skills("house", { writing: "Write.", naming: "Name." }), "--id", "house"]);
  home.json(["review", "--approve-clean"]);
  return home;
});

const there = (home: CliHome, path: string) => readFileSync(join(home.folder, path), "utf8");

describe("SV-6: publishing at the command line", () => {
  test("a skill is switched on, listed and switched off, and is said to wait for the door", () => {
    const home = house();
    expect(home.run(["skill", "published"]).out).toContain("Nothing is published");
    const published = home.run(["skill", "publish", "writing"]);
    expect(published).toMatchObject({ code: 0, out: expect.stringMatching(/writing +house:writing +[0-9a-f]{12} /) });
    expect(published.err).toContain("publish.enabled: on");
    const [line] = home.json(["skill", "published"]);
    expect(line).toMatchObject({ entry: "house:writing", name: "writing", by: "machine:tester", findings: [] });
    home.configure("publish:\n  enabled: on\n");
    expect(home.run(["skill", "published"]).err).toBe("");
    expect(home.refusal(["skill", "publish", "writing"])).toMatchObject({ exit: 2, code: "record.exists" });
    home.json(["review", "writing", "--disable"]);
    const listed = home.run(["skill", "published"]);
    expect(listed).toMatchObject({ code: 1, out: expect.stringMatching(/not served[\s\S]*published\.unusable/) });
    expect(home.refusal(["skill", "publish", "writing"])).toMatchObject({ code: "entry.unusable" });
    expect(home.run(["skill", "unpublish", "writing"]).out).toContain("house:writing is not published any more");
    expect(home.json(["skill", "published"])).toEqual([]);
  });
});

describe("SV-6: export at the command line", () => {
  test("writes, says so, writes nothing twice, and `verify` agrees", () => {
    const home = house();
    const args = ["export", "--to", "project", "--agent", "claude"];
    const first = home.run(args);
    expect(first).toMatchObject({ code: 0, err: "" });
    expect(first.out).toMatch(
      /\.claude\/skills\/naming +written\n[\s\S]*2 skills written to .*\/project\/\.claude\/skills/,
    );
    expect(there(home, "project/.claude/skills/writing/SKILL.md")).toContain("Write.");
    const again = home.json(args);
    expect(again.skills.map(({ state }: { state: string }) => state)).toEqual(["unchanged", "unchanged"]);
    expect(home.run(["verify", "--dir", "project"])).toMatchObject({ code: 0 });
    home.file("project/.claude/skills/writing/SKILL.md", "mine");
    expect(home.run(["verify", "--dir", "project"])).toMatchObject({ code: 1 });
    expect(home.run(args)).toMatchObject({ code: 1, out: expect.stringContaining("left alone; --force") });
    expect(home.run([...args, "--force"])).toMatchObject({ code: 0 });
    home.json(["review", "writing", "--disable"]);
    expect(home.run(args)).toMatchObject({ code: 1, out: expect.stringContaining("--prune takes it away") });
    expect(home.run([...args, "--prune"])).toMatchObject({ code: 0, out: expect.stringContaining("removed") });
    expect(home.run(["verify", "--dir", "project"])).toMatchObject({ code: 0 });
  });

  test("takes names, a configuration, and the folder of a person", () => {
    const home = house();
    home.json(["provider", "add", "echo", "--protocol", "echo", "--model", "any"]);
    home.json(["config", "add", "support", "--provider", "echo", "--model", "any"]);
    home.json(["attach", "support", "naming"]);
    const foldersOf = (args: readonly string[]) =>
      home.json(["export", ...args]).skills.map(({ folder }: { folder: string }) => folder);
    expect(foldersOf(["--to", "a", "--configuration", "support"])).toEqual(["./naming"]);
    expect(foldersOf(["--to", "b", "--skill", "writing"])).toEqual(["./writing"]);
    expect(foldersOf(["--to", "c", "--agent", "copilot", "--scope", "user", "--skill", "house:naming"])).toEqual([
      ".copilot/skills/naming",
    ]);
    expect(home.refusal(["export", "--to", "d", "--skill", "writing", "--configuration", "support"])).toMatchObject({
      exit: 2,
      code: "usage.invalid",
    });
    expect(home.run(["export", "--agent", "claude"])).toMatchObject({ code: 2 });
    expect(home.run(["export", "--to", "e", "--agent", "nobody"])).toMatchObject({ code: 2 });
  });

  test("what is not approved is refused with its reason: exit 1", () => {
    const home = house();
    home.json(["review", "writing", "--disable"]);
    const ended = home.run(["export", "--to", "project", "--skill", "writing", "--skill", "naming"]);
    expect(ended).toMatchObject({ code: 1, out: expect.stringMatching(/house:writing +refused: it is disabled/) });
    expect(there(home, "project/naming/SKILL.md")).toContain("Name.");
  });
});
