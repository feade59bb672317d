import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { AppError } from "../core/error.ts";
import { githubCom, type HostSet, type HostSets } from "../net/host-set.ts";
import { parseTyped } from "./typed.ts";

/** Things that have no white space in them. */
const words = (text: string) => text.trim().split(/\s+/);

const own: HostSet = {
  name: "own",
  api: "https://git.acme.example/api/v3",
  raw: "https://git.acme.example/raw",
  codeload: "https://git.acme.example/_codeload",
  web: "https://git.acme.example",
};
const loopback: HostSet = {
  name: "loopback",
  api: "http://127.0.0.1:4040/api",
  raw: "http://127.0.0.1:4040/raw",
  codeload: "http://127.0.0.1:4040/codeload",
  web: "http://127.0.0.1:4040/web",
};
const sets: HostSets = [githubCom, own, loopback];
const id = "0123456789abcdef0123456789abcdef01234567";

/** `set owner/name@ref:path`, or what is mixed. */
function read(text: string): string {
  const typed = parseTyped(text, sets);
  if (typed.kind === "folder") return `folder ${typed.path}`;
  const { repository, ref, path, mixed } = typed;
  const where = `${repository.hosts.name} ${repository.owner}/${repository.name}`;
  if (mixed !== null) return `${where} ${mixed.of} ${mixed.segments.join("|")}`;
  return `${where}@${ref ?? ""}:${path}`;
}

function refusal(text: string): AppError {
  try {
    parseTyped(text, sets);
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
  throw new Error(`${text} was read`);
}

describe("IN-2: what a person may type", () => {
  test.each([
    ["acme/skills", "github.com acme/skills@:"],
    ["acme/skills/", "github.com acme/skills@:"],
    ["acme/skills.git", "github.com acme/skills@:"],
    ["acme/skills@main", "github.com acme/skills@main:"],
    ["acme/skills@feature/x", "github.com acme/skills@feature/x:"],
    ["acme/skills@heads/main", "github.com acme/skills@heads/main:"],
    ["acme/skills@refs/tags/v1", "github.com acme/skills@tags/v1:"],
    [`acme/skills@${id}`, `github.com acme/skills@${id}:`],
    [`acme/skills@${id.toUpperCase()}`, `github.com acme/skills@${id}:`],
    ["acme/skills@0123456", "github.com acme/skills@0123456:"],
    ["acme/skills@a@b", "github.com acme/skills@a@b:"],
    ["acme/skills/pdf", "github.com acme/skills@:pdf"],
    ["acme/skills/document skills/pdf/", "github.com acme/skills@:document skills/pdf"],
    ["acme/skills/pdf@v1", "github.com acme/skills@v1:pdf"],
    ["acme/skills/pdf@feature/x", "github.com acme/skills@feature/x:pdf"],
    ["acme/skills/packages/@scope/pdf@v1", "github.com acme/skills@v1:packages/@scope/pdf"],
    ["acme/skills/@scope/pdf", "github.com acme/skills@:@scope/pdf"],
  ])("%s", (text, expected) => expect(read(text)).toBe(expected));

  test.each([
    ["https://github.com/acme/skills", "github.com acme/skills@:"],
    ["https://github.com/acme/skills/", "github.com acme/skills@:"],
    ["https://github.com/acme/skills.git", "github.com acme/skills@:"],
    ["HTTPS://GitHub.com:443/acme/skills?tab=readme-ov-file#top", "github.com acme/skills@:"],
    ["https://github.com/acme/skills/tree/main", "github.com acme/skills tree main"],
    ["https://github.com/acme/skills/tree/feature/x/pdf/", "github.com acme/skills tree feature|x|pdf"],
    [
      "https://github.com/acme/skills/blob/main/pdf/SKILL.md?plain=1#L3",
      "github.com acme/skills blob main|pdf|SKILL.md",
    ],
    ["https://github.com/acme/skills/raw/main/pdf/SKILL.md", "github.com acme/skills blob main|pdf|SKILL.md"],
    [
      "https://github.com/acme/skills/tree/main/my%20skills/%C3%BC%40x",
      "github.com acme/skills tree main|my skills|\u00fc@x",
    ],
    [`https://raw.githubusercontent.com/acme/skills/${id}/SKILL.md`, `github.com acme/skills blob ${id}|SKILL.md`],
    [
      "https://raw.githubusercontent.com/acme/skills/refs/heads/feature/x/SKILL.md?token=s3cret",
      "github.com acme/skills blob refs|heads|feature|x|SKILL.md",
    ],
    ["git@github.com:acme/skills.git", "github.com acme/skills@:"],
    ["git@GitHub.com:acme/skills", "github.com acme/skills@:"],
    ["ssh://git@github.com/acme/skills.git", "github.com acme/skills@:"],
  ])("%s", (text, expected) => expect(read(text)).toBe(expected));

  test.each([
    ["https://git.acme.example/acme/skills/tree/main/pdf", "own acme/skills tree main|pdf"],
    ["https://git.acme.example/raw/acme/skills/main/SKILL.md", "own acme/skills blob main|SKILL.md"],
    ["git@git.acme.example:acme/skills.git", "own acme/skills@:"],
    ["http://127.0.0.1:4040/web/acme/skills", "loopback acme/skills@:"],
    ["http://127.0.0.1:4040/raw/acme/skills/main/SKILL.md", "loopback acme/skills blob main|SKILL.md"],
  ])("IN-3: of any host set: %s", (text, expected) => expect(read(text)).toBe(expected));

  test.each([".", "..", "./x", "../a b/\u00fc", "/srv/skills", ".claude/skills", "skills", "my-skills@2", "./a\\b"])(
    "a folder: %s",
    (text) => expect(read(text)).toBe(`folder ${text}`),
  );
});

describe("IN-3, T1: another host is refused as such", () => {
  test.each([
    ...words(`
      https://github.com./a/b https://github.com:8443/a/b https://github.com:0443/a/b https://gitlab.com/a/b
      https://user:pw@github.com/a/b https://github.com@evil.example/a/b https://github.com\\@evil.example/a/b
      https://evil.example\\@github.com/a/b https://evil.example#@github.com/a/b
      https://github.com%2eevil.example/a/b https://\uff47ithub.com/a/b https://github\u3002com/a/b
      https://github.com\u00ad/a/b https://git\u200bhub.com/a/b https:github.com/a/b https:/github.com/a/b
      https:///github.com/a/b http://github.com/a/b ftp://github.com/a/b https://[::ffff:127.0.0.1]/a/b
      https://2130706433/a/b https://127.1/a/b https://localhost/a/b file:///etc/passwd data:text/plain,x
      javascript:1 blob:https://github.com/a/b git://github.com/a/b https://g\u0456thub.com/a/b
      https://xn--gthub-n2e.com/a/b https://api.github.com.evil.example/a/b
      https://gist.githubusercontent.com/a/b git@evil.example:a/b.git git@github.com.evil.example:a/b
      ssh://git@evil.example/a/b ssh://root@github.com/a/b ssh://git@github.com:2222/a/b root@github.com:a/b
      https://127.0.0.1:4040/web/a/b http://127.0.0.1:4041/web/a/b http://127.0.0.1:4040/other/a/b
      http://git.acme.example/a/b https://git.acme.example:8080/a/b https://api.github.com/repos/a/b
    `),
    "https://git\nhub.com/a/b",
    "ht\ttps://github.com/a/b",
    " https://github.com/a/b",
  ])("%j", (text) => expect(refusal(text).code).toBe("host.refused"));

  test("T9: no password and no token is repeated", () => {
    const secrets = [
      "https://me:s3cret@github.com/a/b",
      "https://s3cret@evil.example/a/b",
      "https:/me:s3cret@github.com/a/b",
      "me:s3cret@github.com/a/b",
      "https://raw.githubusercontent.com/a/b/main?token=s3cret",
      "https://github.com/a/b/issues?token=s3cret#s3cret",
      "https://evil.example/a?token=s3cret",
    ];
    expect(secrets.map((text) => refusal(text).message).join("\n")).not.toContain("s3cret");
  });

  test("http where https is meant is told so", () => {
    expect(refusal("http://github.com/a/b").message).toMatch(/write https/);
    expect(refusal("github.com/acme/skills").message).toMatch(/starts with https:\/\//);
  });
});

describe("T2, T3: what could mean something else is refused", () => {
  test.each([
    ...words(`
      acme/ acme//skills acme/.. acme/. -acme/skills acme/skills@ acme/skills.git.git acme/skills/../x
      acme/skills/./x acme/skills//x acme/skills/a\\b acme/skills/a. acme/skills/.git/x acme/skills/%2e%2e/x
      acme/skills/a\0b acme/skills/a\u202eb acme/skills/..@main @scope/pkg acme/skills@a..b acme/skills@@{-1}
      acme/skills@--upload-pack=x acme/skills@-x acme/skills@x.lock acme/skills@a/../b \u0430cme/skills
      ~/skills C:\\skills a\\b github.com/acme/skills
    `),
    "",
    "/".repeat(0),
    "acme/skills@a b",
    "acme/skills@a\nb",
    "skills\nx",
    "x".repeat(5000),
  ])("%j", (text) => expect(refusal(text).code).toBe("usage.invalid"));

  test.each([
    ...words(`
      / /acme /acme/ //skills /acme//skills /%61cme/skills /acme/skills%2f /acme/skills@main /acme/skills/tree
      /acme/skills/blob/main /acme/skills/issues/1 /acme/skills/commit/x /acme/skills/tree//x
      /acme/skills/tree/main/.. /acme/skills/tree/main/%2e%2e/x /acme/skills/tree/main/%2E./x
      /acme/../skills/x /acme/skills/tree/main/a%2fb /acme/skills/tree/main/a%5Cb /acme/skills/tree/main/a\\b
      /acme/skills/tree/%00 /acme/skills/tree/main/% /acme/skills/tree/main/%ff
      /acme/skills/tree/main/%252e%252e /acme/skills/tree/\u00fc /acme/skills/tree/main/%E2%80%AE
      /acme/skills/tree/main/.git/x
    `),
    "",
    "/acme/skills/tree/a b",
    "/acme/skills/tree/a\tb",
  ])("https://github.com%s", (path) => {
    expect(refusal(`https://github.com${path}`).code).toBe("usage.invalid");
  });

  test.each([
    "",
    "acme",
    "acme/skills/x",
    "../acme/skills",
    "acme/skills/tree/main/x",
    "acme/..",
    "/acme/skills",
    "acme/skills?x",
    "acme\\skills",
  ])("git@github.com:%s", (path) => expect(refusal(`git@github.com:${path}`).code).toBe("usage.invalid"));

  const shards = fc.constantFrom(
    ...words(`
      https:// http:// git@ ssh:// github.com evil.example raw.githubusercontent.com : / // acme skills tree
      blob raw main .. . %2e %2f %5c %25 \\ @ # ? \0 .git refs heads ~ - \u202e \ud800 \u00fc
    `),
    " ",
    id,
  );
  const anything = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.array(shards, { maxLength: 16 }).map((all) => all.join("")),
    fc.array(shards, { maxLength: 8 }).map((all) => `https://github.com/acme/skills/tree/${all.join("")}`),
    fc.array(shards, { maxLength: 8 }).map((all) => `acme/skills/${all.join("")}`),
  );

  test("any text is read or refused in words, and never leads out of its repository", () => {
    fc.assert(
      fc.property(anything, (text) => {
        try {
          const typed = parseTyped(text, sets);
          if (typed.kind === "folder") {
            expect(typed.path).toBe(text);
            return;
          }
          const { repository, ref, path, mixed } = typed;
          expect(sets).toContain(repository.hosts);
          const inside = path === "" ? [] : path.split("/");
          const names = [repository.owner, repository.name, ...inside, ...(mixed?.segments ?? [])];
          const isRisky = (name: string) => /^\.{0,2}$|[/\\\0]|%2[ef]|%5c/i.test(name);
          expect(names.filter(isRisky)).toEqual([]);
          expect(ref ?? "x").not.toMatch(/\.\.|@\{|^-|[\0\s\\]/);
        } catch (error) {
          if (!(error instanceof AppError)) throw error;
          expect(["usage.invalid", "host.refused"]).toContain(error.code);
        }
      }),
      { numRuns: 2000 },
    );
  });
});
