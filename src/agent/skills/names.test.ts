import { describe, expect, it } from "vitest";
import { memorySkill } from "../../testing/command-context.ts";
import { collapseTwins, findSkill, nearestAliases, type TrustedSkill, withAliases } from "./names.ts";

let made = 0;

function skillOf(entry: string, name: string, more: Partial<TrustedSkill> = {}): TrustedSkill {
  const [source = "", path = ""] = entry.split(/:(.*)/);
  return {
    entry,
    path,
    folder: `/${source}/${path}`,
    name,
    description: "",
    digest: (++made).toString(16).padStart(64, "0"),
    unusable: null,
    byModel: true,
    byPerson: true,
    argumentHint: null,
    asks: [],
    approved: null,
    findings: [],
    origin: source === "user" ? "user" : source === "team" ? "registry" : "project",
    standing: source === "project" ? "unconfirmed" : "confirmed",
    trust: "untrusted",
    grants: [],
    ...more,
  };
}

const aliases = (...skills: TrustedSkill[]) =>
  Object.fromEntries(withAliases(skills).skills.map(({ entry, alias }) => [entry, alias]));

describe("AG-1, SK-15: names among others", () => {
  it("AG-1: a name that one skill has stands for it", () => {
    expect(aliases(skillOf("project:a", "a"), skillOf("project:b", "My Skill"))).toEqual({
      "project:a": "a",
      "project:b": "My Skill",
    });
  });

  it("AG-1: a person's skill, or an approved one, keeps its name before an unconfirmed one of the project", () => {
    const expected = { "user:d": "deploy", "project:x": "project/Deploy" };
    expect(aliases(skillOf("user:d", "deploy"), skillOf("project:x", "Deploy"))).toEqual(expected);
    const session = skillOf("project:x", "Deploy", { standing: "session" });
    expect(aliases(skillOf("user:d", "deploy"), session)).toEqual(expected);
    expect(aliases(skillOf("team:d", "deploy"), skillOf("project:x", "deploy"))["team:d"]).toBe("deploy");
  });

  it("AG-1: otherwise every one is called by its source, or by its id where that is not enough", () => {
    const confirmed = skillOf("project:x", "deploy", { standing: "confirmed" });
    expect(aliases(skillOf("user:d", "deploy"), confirmed)).toEqual({
      "user:d": "user/deploy",
      "project:x": "project/deploy",
    });
    expect(aliases(skillOf("user:d", "deploy"), skillOf("team:d", "deploy"))).toEqual({
      "user:d": "user/deploy",
      "team:d": "team/deploy",
    });
    expect(aliases(skillOf("project:x", "deploy"), skillOf("project:y", "deploy"))).toEqual({
      "project:x": "project:x",
      "project:y": "project:y",
    });
  });

  it("AG-1: the collision is said of those that lost the name", () => {
    const { findings } = withAliases([skillOf("user:d", "deploy"), skillOf("project:x", "deploy")]);
    expect(findings).toMatchObject([{ code: "set.collision", at: { file: "project:x" } }]);
  });

  it("SK-13: a name that is written like another's qualified name or id is not an alias", () => {
    const skills = [
      skillOf("user:d", "deploy"),
      skillOf("project:x", "user/deploy"),
      skillOf("project:y", "user:d"),
      skillOf("project:z", "deploy"),
    ];
    const named = withAliases(skills).skills;
    expect(Object.fromEntries(named.map(({ entry, alias }) => [entry, alias]))).toEqual({
      "user:d": "deploy",
      "project:x": "project/user/deploy",
      "project:y": "project/user:d",
      "project:z": "project/deploy",
    });
    for (const typed of ["deploy", "user/deploy", "user:d", "DEPLOY", "User/Deploy"])
      expect(findSkill(named, typed)).toMatchObject({ is: "one", skill: { entry: "user:d" } });
    for (const { entry, alias } of named) expect(findSkill(named, alias)).toMatchObject({ skill: { entry } });
  });

  it("SK-13: a name of nothing that can be seen is called by its id", () => {
    expect(aliases(skillOf("project:a", ""), skillOf("project:b", ""))).toEqual({
      "project:a": "project:a",
      "project:b": "project:b",
    });
  });

  it("SK-15: the same bytes are one skill: the person's, then the approved, then the confirmed, then the first", () => {
    const digest = "f".repeat(64);
    const twins = [
      skillOf("project:a", "x", { digest }),
      skillOf("project:b", "x", { digest, standing: "confirmed" }),
      skillOf("team:c", "x", { digest }),
      skillOf("user:d", "x", { digest }),
    ];
    const kept = (some: TrustedSkill[]) => collapseTwins(some).skills.map(({ entry }) => entry);
    expect(kept(twins)).toEqual(["user:d"]);
    expect(kept(twins.slice(0, 3))).toEqual(["team:c"]);
    expect(kept(twins.slice(0, 2))).toEqual(["project:b"]);
    expect(collapseTwins(twins).findings.map(({ code, at }) => [code, at.file])).toEqual([
      ["set.duplicate", "team:c"],
      ["set.duplicate", "project:b"],
      ["set.duplicate", "project:a"],
    ]);
    const unread = [skillOf("project:a", "x", { digest: null }), skillOf("project:b", "y", { digest: null })];
    expect(kept(unread)).toEqual(["project:a", "project:b"]);
  });
});

describe("AG-5: finding by name", () => {
  const { skills } = withAliases([
    skillOf("project:x", "deploy"),
    skillOf("project:y", "deploy"),
    skillOf("user:t", "tidy-up"),
  ]);

  it("AG-5: several are several, none has those that are near", () => {
    expect(findSkill(skills, "deploy")).toMatchObject({
      is: "several",
      skills: [{ entry: "project:x" }, { entry: "project:y" }],
    });
    expect(findSkill(skills, "tidyup")).toEqual({ is: "none", near: ["tidy-up"] });
    expect(findSkill(skills, " Tidy-Up ")).toMatchObject({ is: "one" });
    expect(findSkill(skills, "")).toEqual({ is: "none", near: [] });
    expect(findSkill(skills, "x".repeat(100_000))).toEqual({ is: "none", near: [] });
  });
});

const near = (typed: string, ...known: string[]) =>
  nearestAliases(
    known.map((alias) => memorySkill(alias)),
    typed,
  );

describe("AG-5: names near to what was typed", () => {
  it("AG-5: those that it is a part of come first, whole words or not, then those a few letters away", () => {
    expect(near("deploy", "deplay", "Team/Deploy-all", "redeploy", "elephant")).toEqual([
      "Team/Deploy-all",
      "redeploy",
      "deplay",
    ]);
  });

  it("AG-5: at most three, each once, and none for hardly anything", () => {
    expect(near("test", "test-a", "test-b", "test-c", "test-d")).toEqual(["test-a", "test-b", "test-c"]);
    expect(near("tests", "test", "tests2")).toEqual(["tests2", "test"]);
    expect([near("", "a", "ab"), near("ab", "xxabxx")]).toEqual([[], []]);
  });

  it("AG-5, T26: what is longer than any name is not compared", () => {
    expect([near("x".repeat(81), "x".repeat(80)), near("x".repeat(80), "x".repeat(81))]).toEqual([[], []]);
  });
});
