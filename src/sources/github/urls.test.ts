import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { refusal } from "../../../test/support/refusal.ts";
import { githubCom } from "../../net/host-set.ts";
import { apiUrl, rawUrl, refSegments, tarballUrl } from "./urls.ts";

const commit = "a".repeat(40);
const repository = { hosts: githubCom, owner: "acme", name: "skills" };
const enterprise = { ...repository, hosts: { ...githubCom, api: "https://ghe.example/api/v3" } };

describe("IN-7: URLs are made of segments, each encoded by itself", () => {
  test("of every service", () => {
    expect(apiUrl(repository, [])).toBe("https://api.github.com/repos/acme/skills");
    expect(apiUrl(enterprise, ["git", "trees", commit], { recursive: "1" })).toBe(
      `https://ghe.example/api/v3/repos/acme/skills/git/trees/${commit}?recursive=1`,
    );
    expect(rawUrl(repository, commit, "a b/ü?#%/x+y")).toBe(
      `https://raw.githubusercontent.com/acme/skills/${commit}/a%20b/%C3%BC%3F%23%25/x%2By`,
    );
    expect(tarballUrl(repository, commit)).toBe(`https://codeload.github.com/acme/skills/tar.gz/${commit}`);
  });

  test("T3: a ref lies in its space", () => {
    expect(refSegments({ kind: "branch", name: "feature/x" })).toEqual(["heads", "feature", "x"]);
    expect(refSegments({ kind: "tag", name: "v1" })).toEqual(["tags", "v1"]);
    expect(refSegments({ kind: "commit", id: commit })).toEqual([commit]);
    expect(apiUrl(repository, ["commits", ...refSegments({ kind: "branch", name: "a#b/c%d" })])).toBe(
      "https://api.github.com/repos/acme/skills/commits/heads/a%23b/c%25d",
    );
  });
});

describe("T2: no path leads out of the repository", () => {
  test.each([
    "..",
    "a/../../../other/repo/x",
    "./a",
    "a//b",
    "/a",
    "a/",
    "",
    "%2e%2e/x",
    "a/%2E./x",
    "a%2fb",
    "a%2Fb",
    "a%5cb",
    "a\\b",
    "..\\x",
    "a\u0000b",
    "a%00b",
    "a\nb",
    "a\ud800b",
  ])("%j", (path) => {
    expect(refusal(() => rawUrl(repository, commit, path))).toMatch(/^egress\.refused /);
    expect(refusal(() => apiUrl(repository, ["contents", ...path.split("/")]))).toMatch(/^egress\.refused /);
  });

  test.each([
    { owner: "..", name: "x" },
    { owner: "acme", name: ".." },
    { owner: "acme", name: "a/b" },
    { owner: "", name: "x" },
  ])("nor does a name: %j", (names) => {
    expect(refusal(() => apiUrl({ ...repository, ...names }, []))).toMatch(/^egress\.refused /);
    expect(refusal(() => tarballUrl({ ...repository, ...names }, commit))).toMatch(/^egress\.refused /);
  });

  test("whatever it is: below the repository after parsing, or refused", () => {
    const part = fc.oneof(fc.string({ unit: "binary" }), fc.stringMatching(/^[.%\\/2eEfF5cC0]{0,8}$/));
    fc.assert(
      fc.property(fc.array(part, { maxLength: 5 }), (parts) => {
        const path = parts.join("/");
        const said = { url: "" };
        const refused = refusal(() => void (said.url = rawUrl(repository, commit, path)));
        if (said.url === "") {
          expect(refused).toMatch(/^egress\.refused /);
          return;
        }
        const { pathname, origin } = new URL(said.url);
        const home = `/acme/skills/${commit}/`;
        expect([origin, pathname.slice(0, home.length)]).toEqual([githubCom.raw, home]);
        expect(decodeURIComponent(pathname.slice(home.length))).toBe(path);
      }),
      { numRuns: 500, seed: 7 },
    );
  });
});
