import { describe, expect, test } from "vitest";
import { githubCom } from "../net/host-set.ts";
import { fullName, identityOf, repositoryNamed, repositoryPathFault } from "./repository.ts";

/** Things that have no white space in them. */
const words = (text: string) => text.trim().split(/\s+/);

const named = (owner: string, name: string) => repositoryNamed(githubCom, owner, name);

describe("T3: a repository's name", () => {
  test.each([
    ["acme", "skills"],
    ["a", "b"],
    ["a-b-c", "x.y_z-1"],
    ["jane_acme", ".github"],
    ["x".repeat(39), "y".repeat(100)],
  ])("%s/%s is one", (owner, name) => expect(named(owner, name)).toEqual({ hosts: githubCom, owner, name }));

  test("one .git is no part of it", () => {
    expect(named("acme", "skills.git")).toMatchObject({ name: "skills" });
    expect([named("acme", "skills.git.git"), named("acme", "skills.GIT"), named("acme", ".git")]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });

  test.each([
    ...words(`
      -a a- a--b _a a_ a.b a/b .. \u0430cme a%2f --upload-pack
    `),
    "",
    "x".repeat(40),
    "a\n",
  ])("%j owns nothing", (owner) => expect(named(owner, "skills")).toBeUndefined());

  test.each(["", ".", "..", "a/b", "a b", "a\n", "a%2e", "\u0430", "x".repeat(101), "a?b", "a#b", "a@b"])(
    "%j is no repository",
    (name) => expect(named("acme", name)).toBeUndefined(),
  );
});

test("IN-14: identities differ by more than the case of the name, and by the case of the path", () => {
  const [one, two] = [named("Acme", "Skills"), named("acme", "skills")];
  if (one === undefined || two === undefined) throw new Error("both are names");
  expect(fullName(one)).toBe("Acme/Skills");
  expect([identityOf(one, "Pdf"), identityOf(two, "Pdf"), identityOf(two, "")]).toEqual([
    "acme/skills/Pdf",
    "acme/skills/Pdf",
    "acme/skills",
  ]);
});

describe("T2, T23: a path inside a repository", () => {
  test.each(["", "a", "a/b c/d.md", "@scope/pkg", ".claude/skills", "50%", "\u00fc/x"])("%j is one", (path) => {
    expect(repositoryPathFault(path)).toBeUndefined();
  });

  test.each([
    ...words(`
      /a a/ a//b . .. ../a a/../b a/./b a\\b C:/x a. a\0b .git/config a/.GIT/x %2e%2e/a a%2Fb a%5cb a%00
      a\ud800
    `),
    "a /b",
    "a\nb",
    "x".repeat(1025),
  ])("%j is none", (path) => expect(repositoryPathFault(path)).toBeTypeOf("string"));
});
