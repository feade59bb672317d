import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { Readable } from "node:stream";
import fc from "fast-check";
import { afterAll, describe, expect, test } from "vitest";
import { forRun } from "../../../test/support/long-run.ts";
import { AppError } from "../../core/error.ts";
import { readTarball } from "../github/tarball.ts";
import { blobId, type Child, commitId, type TreeEntry, treeId } from "./git.ts";
import { proveTree } from "./prove-tree.ts";

const home = mkdtempSync(join(tmpdir(), "skillward-git-"));
afterAll(() => rmSync(home, { recursive: true, force: true }));

const person = { NAME: "Ann", EMAIL: "ann@example.org", DATE: "@1700000000 +0000" };
const env = {
  PATH: process.env["PATH"],
  HOME: home,
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_CONFIG_NOSYSTEM: "1",
  ...Object.fromEntries(
    Object.entries(person).flatMap(([key, value]) => [
      [`GIT_AUTHOR_${key}`, value],
      [`GIT_COMMITTER_${key}`, value],
    ]),
  ),
};

function git(args: readonly string[], input = ""): Buffer {
  return execFileSync("git", args, { cwd: home, env, input, maxBuffer: 2 ** 28, stdio: ["pipe", "pipe", "ignore"] });
}

function write(path: string, text: string): void {
  mkdirSync(dirname(join(home, path)), { recursive: true });
  writeFileSync(join(home, path), text);
}

/** A repository with everything that a tree can have; gives the id of its commit. */
function commitAll(): string {
  git(["init", "-q"]);
  for (const name of ["a.b", "a/x", "a0", "a-b", "ab/a", "ab.c/y", "ü/ö.md", "\u{1F600}", "\uFF5E", "__proto__/x"])
    write(name, name);
  write(`${"deep/".repeat(30)}SKILL.md`, "deep");
  write(`${"long-name-".repeat(20)}.md`, "long");
  write("empty", "");
  write("version.txt", "$Format:%H$\n");
  write("left-out.txt", "not in archives");
  write("lines.txt", "one\ntwo\n");
  write(".gitattributes", "version.txt export-subst\nleft-out.txt export-ignore\nlines.txt eol=crlf text\n");
  write("run.sh", "#!/bin/sh\n");
  chmodSync(join(home, "run.sh"), 0o755);
  symlinkSync("a.b", join(home, "link"));
  git(["add", "-A"]);
  git(["update-index", "--add", "--cacheinfo", `160000,${"1".repeat(40)},modules/one`]);
  git(["commit", "-q", "-m", "all"]);
  return git(["rev-parse", "HEAD"]).toString().trim();
}

/** As the service lists it: folders too, and sizes of files alone. */
function list(tree: string): TreeEntry[] {
  const lines = git(["ls-tree", "-r", "-t", "-l", "-z", tree]).toString().split("\0").filter(Boolean);
  return lines.map((line) => {
    const [, mode = "", kind, id = "", size, path = ""] = /^(\d+) (\w+) (\w+) +(\S+)\t(.*)$/s.exec(line) ?? [];
    return { path, mode, id, size: kind === "blob" ? Number(size) : null };
  });
}

const commit = commitAll();
const root = git(["rev-parse", "HEAD^{tree}"]).toString().trim();
const listing = list(root);

async function archived(): Promise<Map<string, Uint8Array>> {
  const tarball = git(["archive", "--format=tar.gz", `--prefix=repo-${commit}/`, commit]);
  const files = new Map<string, Uint8Array>();
  const options = { most: { entries: 1000, bytes: 2 ** 24 }, wanted: () => 2 ** 20 };
  for await (const { path, bytes } of readTarball(Readable.from([tarball]), options)) files.set(path, bytes);
  return files;
}

describe("IN-8: what real git makes is proven", () => {
  test("a tree with executables, links, submodules and names that sort in git's own way", () => {
    const tree = proveTree(root, listing);
    expect(tree.entries.size).toBe(listing.length);
    expect(tree.unknown).toEqual([]);
    expect(new Set(listing.map(({ mode }) => mode))).toEqual(
      new Set(["100644", "100755", "040000", "120000", "160000"]),
    );
  });

  test("a commit and every blob", () => {
    expect(commitId(git(["cat-file", "commit", commit]))).toBe(commit);
    const blobs = listing.filter(({ size }) => size !== null);
    for (const { id } of blobs) expect(blobId(git(["cat-file", "blob", id]))).toBe(id);
  });

  test("IN-12: the files of an archive are the ones of the tree, but for what attributes leave out or change", async () => {
    const files = await archived();
    const regular = listing.filter(({ mode }) => mode.startsWith("100"));
    const differing = regular.filter(({ path, id }) => blobId(files.get(path) ?? Buffer.from("missing")) !== id);
    expect(differing.map(({ path }) => path).toSorted()).toEqual(["left-out.txt", "lines.txt", "version.txt"]);
    expect(files.has("left-out.txt")).toBe(false);
    expect(Buffer.from(files.get("version.txt") ?? []).toString()).toBe(`${commit}\n`);
    expect(Buffer.from(files.get("lines.txt") ?? []).toString()).toBe("one\r\ntwo\r\n");
  });

  test("T24: links, submodules and folders are not among them", async () => {
    const regular = listing.filter(({ mode, path }) => mode.startsWith("100") && path !== "left-out.txt");
    expect([...(await archived()).keys()].toSorted()).toEqual(regular.map(({ path }) => path).toSorted());
  });

  test("IN-10: a folder with a name that is not UTF-8", () => {
    const [id = ""] = listing.filter(({ path }) => path === "empty").map((entry) => entry.id);
    const odd = git(["hash-object", "-t", "tree", "-w", "--stdin"], "").toString().trim();
    expect(treeId([])).toBe(odd);
    const bytes = Buffer.concat([Buffer.from("100644 \xff\0", "latin1"), Buffer.from(id, "hex")]);
    writeFileSync(join(home, "object"), bytes);
    const unnameable = git(["hash-object", "-t", "tree", "-w", join(home, "object")])
      .toString()
      .trim();
    const above = git(["mktree", "-z"], [`040000 tree ${unnameable}\todd`, `100644 blob ${id}\tfile`].join("\0"))
      .toString()
      .trim();
    const tree = proveTree(above, list(above));
    expect(tree.unknown).toEqual(["odd"]);
    expect([...tree.entries.keys()]).toEqual(["file", "odd"]);
  });
});

type Folder = readonly (readonly [name: string, mode: string, below: Folder | string])[];

/** Without U+FFFD, which may stand for a name that is not UTF-8 and then is no mismatch. */
const name = fc.oneof(
  fc.constantFrom("a", "a.b", "a-b", "a0", "ab", "A", "é", "\uFF5E", "\u{1F600}", "x y", "__proto__", "\n"),
  fc
    .string({ unit: "binary", minLength: 1, maxLength: 12 })
    .filter((text) => !/[/\0\ufffd]/.test(text) && !/^\.{1,2}$|^\.git$/i.test(text)),
);
const id = fc.stringMatching(/^[0-9a-f]{40}$/);
const { folder } = fc.letrec<{ folder: Folder; file: Folder[number]; below: Folder[number] }>((tie) => ({
  file: fc.tuple(name, fc.constantFrom("100644", "100755", "120000", "160000"), id),
  below: fc.tuple(name, fc.constant("040000"), tie("folder")),
  folder: fc.uniqueArray(fc.oneof({ maxDepth: 3 }, tie("file"), tie("below")), {
    minLength: 1,
    maxLength: 6,
    selector: ([each]) => each,
  }),
}));

interface Listed {
  readonly id: string;
  readonly entries: readonly TreeEntry[];
  readonly folders: readonly { readonly children: readonly Child[]; readonly id: string }[];
}

/** The recursive listing of a folder, and every folder in it as its children and the id we give it. */
function listed(content: Folder): Listed {
  const entries: TreeEntry[] = [];
  const folders: Listed["folders"][number][] = [];
  const children = content.map(([each, mode, below]): Child => {
    const inside = typeof below === "string" ? { id: below, entries: [], folders: [] } : listed(below);
    entries.push({ path: each, mode, id: inside.id, size: null });
    for (const entry of inside.entries) entries.push({ ...entry, path: `${each}/${entry.path}` });
    folders.push(...inside.folders);
    return { name: each, mode, id: inside.id };
  });
  const own = { children, id: treeId(children) };
  return { id: own.id, entries, folders: [...folders, own] };
}

function codeOf(act: () => unknown): string {
  try {
    act();
  } catch (error) {
    return error instanceof AppError ? error.code : "another error";
  }
  return "none";
}

const kinds: Readonly<Record<string, string>> = { "040000": "tree", "160000": "commit" };

/** Git writes a file for every folder of them. */
const trees = forRun({ short: 250, long: 1000 });

describe("IN-8: random trees", () => {
  test(`git gives the same id to every folder of ${trees} trees`, () => {
    const folders = fc.sample(folder, { numRuns: trees, seed: 8 }).flatMap((content) => listed(content).folders);
    const lines = folders.map(({ children }) =>
      children.map((each) => `${each.mode} ${kinds[each.mode] ?? "blob"} ${each.id}\t${each.name}\0`).join(""),
    );
    const ids = git(["mktree", "--batch", "--missing", "-z"], lines.join("\0")).toString().trim().split("\n");
    expect(ids).toEqual(folders.map((each) => each.id));
    expect(folders.length).toBeGreaterThan(trees);
  });

  test("T13: each is proven in any order, and with one digit, mode or name changed anywhere it is not", () => {
    const anywhere = fc.record({ content: folder, at: fc.nat(), digit: fc.nat(39), order: fc.nat() });
    const check = ({ content, at, digit, order }: typeof anywhere extends fc.Arbitrary<infer Case> ? Case : never) => {
      const made = listed(content);
      const turn = order % made.entries.length;
      const turned = [...made.entries.slice(turn), ...made.entries.slice(0, turn)];
      const tree = proveTree(made.id, turned);
      expect(tree.entries.size).toBe(made.entries.length);
      const changed = at % turned.length;
      const changes: ((entry: TreeEntry) => TreeEntry)[] = [
        (entry) => ({ ...entry, id: flipped(entry.id, digit) }),
        (entry) => ({ ...entry, mode: entry.mode === "100644" ? "100755" : "100644" }),
        (entry) => ({ ...entry, path: `${entry.path}x` }),
      ];
      for (const change of changes) {
        const wrong = turned.map((entry, index) => (index === changed ? change(entry) : entry));
        expect(codeOf(() => proveTree(made.id, wrong))).toBe("digest.mismatch");
      }
    };
    fc.assert(fc.property(anywhere, check), { numRuns: 1000, seed: 13 });
  });
});

function flipped(hex: string, at: number): string {
  const digit = (Number.parseInt(hex.charAt(at), 16) ^ 1).toString(16);
  return hex.slice(0, at) + digit + hex.slice(at + 1);
}
