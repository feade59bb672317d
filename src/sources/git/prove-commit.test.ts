import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { AppError } from "../../core/error.ts";
import { type CommitAnswer, type CommitPerson, proveCommit } from "./prove-commit.ts";

const home = mkdtempSync(join(tmpdir(), "skillward-commit-"));
afterAll(() => rmSync(home, { recursive: true, force: true }));

function git(args: readonly string[], input = "", more: Readonly<Record<string, string>> = {}): string {
  const clean = { PATH: process.env["PATH"], HOME: home, GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1" };
  const options = { cwd: home, env: { ...clean, ...more }, input, encoding: "utf8" } as const;
  return execFileSync("git", args, { ...options, stdio: ["pipe", "pipe", "ignore"] });
}

git(["init", "-q"]);
const tree = git(["mktree"], "").trim();

interface Making {
  readonly name?: string;
  readonly zones?: readonly [author: string, committer: string];
  readonly message?: string;
  readonly parents?: readonly string[];
}

/** A commit made by git; gives its id. */
function commit({ name = "Ann", zones = ["+0000", "+0000"], message = "word\n", parents = [] }: Making): string {
  const args = ["commit-tree", tree, ...parents.flatMap((parent) => ["-p", parent])];
  return git(args, message, {
    GIT_AUTHOR_NAME: name,
    GIT_AUTHOR_EMAIL: "ann@example.org",
    GIT_AUTHOR_DATE: `@1700000000 ${zones[0]}`,
    GIT_COMMITTER_NAME: "Bob",
    GIT_COMMITTER_EMAIL: "bob@example.org",
    GIT_COMMITTER_DATE: `@1700003600 ${zones[1]}`,
  }).trim();
}

/** What the service answers about it: dates in UTC, the message without its last line feeds, the signature apart. */
function answerTo(id: string): CommitAnswer {
  const raw = git(["cat-file", "commit", id]);
  const [, signature] = /^gpgsig (.*\n(?: .*\n)*)/m.exec(raw) ?? [];
  const all = (header: string) =>
    Array.from(raw.matchAll(new RegExp(`^${header} (.*)$`, "gm")), ([, text = ""]) => text);
  return {
    id,
    tree: all("tree")[0] ?? "",
    parents: all("parent"),
    author: personIn(all("author")[0] ?? ""),
    committer: personIn(all("committer")[0] ?? ""),
    message: raw.slice(raw.indexOf("\n\n") + 2).replace(/\n+$/, ""),
    signed:
      signature === undefined
        ? null
        : {
            payload: raw.replace(/^gpgsig .*\n(?: .*\n)*/m, ""),
            signature: signature.replace(/^ /gm, "").replace(/\n$/, ""),
          },
  };
}

function personIn(text: string): CommitPerson {
  const [, name = "", email = "", seconds] = /^(.*) <(.*)> (\d+) [+-]\d{4}$/.exec(text) ?? [];
  return { name, email, date: new Date(Number(seconds) * 1000).toISOString().replace(".000Z", "Z") };
}

const signatureLines = [
  "-----BEGIN PGP SIGNATURE-----",
  "",
  "iQEzBAABCAAdFiEE",
  "=abcd",
  "-----END PGP SIGNATURE-----",
];

/** A commit with a signature of any form; git does not check it. */
function signed(lines: readonly string[], headers: (signature: string) => string, message = "word\n"): string {
  const people = "author A <a@x.org> 1700000000 +0530\ncommitter B <b@x.org> 1700000000 -0800\n";
  const raw = `tree ${tree}\n${people}${headers(`gpgsig ${lines.join("\n ")}\n`)}\n${message}`;
  return git(["hash-object", "-t", "commit", "-w", "--stdin"], raw).trim();
}

function codeOf(act: () => unknown): string {
  try {
    act();
  } catch (error) {
    return error instanceof AppError ? error.code : "another error";
  }
  return "none";
}

describe("IN-8: commits of real git are hashed from what the service says of them", () => {
  test("in zones of all kinds, the same and two different ones", () => {
    for (const zone of ["+0000", "-0800", "+0530", "+0545", "+1400", "-1200", "-0930", "+1345", "-0115", "+0815"])
      expect(proveCommit(answerTo(commit({ zones: [zone, zone] })))).toBe("hashed");
    const pairs = [
      ["+0200", "+0100"],
      ["+0000", "-0700"],
      ["+1345", "-0930"],
      ["-1200", "+1400"],
      ["+0530", "+0000"],
    ] as const;
    for (const zones of pairs) expect(proveCommit(answerTo(commit({ zones })))).toBe("hashed");
  });

  test("a first commit, one parent, and a merge of three", () => {
    const first = commit({});
    const parents = [first, commit({ message: "two\n", parents: [first] }), commit({ message: "three\n" })];
    expect(answerTo(commit({ parents })).parents).toEqual(parents);
    for (const id of [...parents, commit({ parents })]) expect(proveCommit(answerTo(id))).toBe("hashed");
  });

  test("no message, one without a line feed, several lines, and names that are not ASCII", () => {
    for (const message of ["", "no line feed", "subject\n\nbody\n\n- list\n", "\n\nlate\n", "ü \u{1F600}\n"])
      expect(proveCommit(answerTo(commit({ message, name: "Zoë 李 \u{1F600}" })))).toBe("hashed");
  });

  test("a signed one, the signature with and without a line feed at its end, wherever it stands", () => {
    const last = (signature: string) => signature;
    const ids = [
      signed(signatureLines, last),
      signed([...signatureLines, ""], last),
      signed(signatureLines, last, ""),
      signed(signatureLines, last, "subject\n\nbody\n\n\n"),
      signed(signatureLines, (signature) => `encoding UTF-8\n${signature}`),
      signed(signatureLines, (signature) => `${signature}encoding UTF-8\n`),
      signed(["-----BEGIN SSH SIGNATURE-----", "U1NIU0lH", "-----END SSH SIGNATURE-----"], last),
    ];
    for (const id of ids) {
      const answer = answerTo(id);
      expect(proveCommit(answer)).toBe("hashed");
      const { payload = "", signature = "" } = answer.signed ?? {};
      expect(proveCommit({ ...answer, signed: { payload, signature: `${signature}\n` } })).toBe("hashed");
    }
  });
});

describe("IN-8: what does not hash is never called hashed", () => {
  const parent = commit({});
  const plain = answerTo(commit({ parents: [parent] }));
  const sealed = answerTo(signed(signatureLines, (signature) => signature));
  const other = "1".repeat(40);

  test("any field of an unsigned one that is another", () => {
    const changes: readonly Partial<CommitAnswer>[] = [
      { id: other },
      { tree: other },
      { parents: [] },
      { parents: [other] },
      { parents: [parent, parent] },
      { message: "another" },
      { message: "word\n\n" },
      { author: { ...plain.author, name: "Eve" } },
      { author: { ...plain.author, email: "eve@example.org" } },
      { author: { ...plain.author, date: "2023-11-14T22:13:21Z" } },
      { committer: plain.author },
      { committer: { ...plain.committer, date: "never" } },
    ];
    expect(proveCommit(plain)).toBe("hashed");
    for (const change of changes) expect(proveCommit({ ...plain, ...change })).toBe("by API");
  });

  test("a payload or signature that is another, or empty", () => {
    const { payload, signature } = sealed.signed ?? { payload: "", signature: "" };
    expect(proveCommit(sealed)).toBe("hashed");
    for (const wrong of [
      { payload: payload.replace("word", "lord"), signature },
      { payload, signature: signature.replace("abcd", "abce") },
      { payload: "", signature },
      { payload, signature: "" },
      { payload: payload.replace("\n\n", "\n"), signature },
      { payload: "\n\n", signature },
    ])
      expect(proveCommit({ ...sealed, signed: wrong })).toBe("by API");
  });

  test("T13: a commit that hashes but has another tree or other parents than was said is a lie", () => {
    for (const lie of [{ tree: other }, { parents: [other] }])
      expect(codeOf(() => proveCommit({ ...sealed, ...lie }))).toBe("digest.mismatch");
  });

  test("ids that are none, also such that would put lines into the commit", () => {
    const smuggled = { ...plain, tree: `${plain.tree}\nparent ${parent}`, parents: [] };
    expect(proveCommit(smuggled)).toBe("by API");
    expect(proveCommit({ ...plain, parents: [`${parent}\nparent ${parent}`] })).toBe("by API");
    expect(proveCommit({ ...sealed, tree: "" })).toBe("by API");
  });

  test("T7: a long message ends the guessing early", () => {
    const far = answerTo(commit({ zones: ["+1400", "-1200"], message: `${"x".repeat(2 ** 16)}\n` }));
    expect(proveCommit(far)).toBe("by API");
    const near = answerTo(commit({ zones: ["-0700", "-0700"], message: `${"x".repeat(2 ** 16)}\n` }));
    expect(proveCommit(near)).toBe("hashed");
  });
});
