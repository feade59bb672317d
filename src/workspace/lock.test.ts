import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { setDigest } from "../core/digest.ts";
import { AppError } from "../core/error.ts";
import { type Lock, type LockedSkill, renderLock } from "./lock.ts";
import { parseLock } from "./parse-lock.ts";

const hex = (length: number) =>
  fc.string({ unit: fc.constantFrom(...Array.from("0123456789abcdef")), minLength: length, maxLength: length });
const word = fc.stringMatching(/^[a-z0-9]{1,8}$/);
const folder = fc.stringMatching(/^[a-z0-9]{1,6}(-[a-z0-9]{1,4}){0,2}$/);
const ref = fc.option(fc.tuple(fc.constantFrom("heads", "tags"), word).map((parts) => parts.join("/")));
const path = fc.array(word, { minLength: 1, maxLength: 3 }).map((parts) => parts.map((part) => `x${part}`).join("/"));

const skillIn = (name: string): fc.Arbitrary<LockedSkill> =>
  fc
    .record({
      base: fc.array(word, { maxLength: 2 }),
      ref,
      ids: fc.tuple(fc.integer({ min: 1 }), fc.integer({ min: 1 })),
      commit: hex(40),
      tree: hex(40),
      // Names that look like numbers would come first in an object.
      files: fc.uniqueArray(fc.tuple(fc.oneof(path, fc.integer({ min: 0, max: 99 }).map(String)), hex(64)), {
        selector: ([name_]) => name_.split("/")[0],
        maxLength: 6,
      }),
      skill: hex(64),
      accepted: fc.uniqueArray(fc.constantFrom("pin.moved", "path.link", "file.utf8"), { maxLength: 3 }),
      proof: fc.record({ commit: fc.constantFrom("hashed" as const, "by API" as const), reachable: ref }),
    })
    .map(({ base, ref: followed, ids, commit, tree, files: others, skill, accepted, proof }) => {
      const files = new Map<string, string>(
        [...others, ["SKILL.md", skill] as [string, string]].toSorted(([a], [b]) => (a < b ? -1 : 1)),
      );
      return {
        source: "acme/skills",
        hosts: "github.com",
        path: [...base, name].join("/"),
        ref: followed,
        commit,
        repositoryId: ids[0],
        ownerId: ids[1],
        tree,
        digest: setDigest(Array.from(files, ([each, digest]) => ({ path: each, digest }))),
        files,
        executable: others.slice(0, 1).map(([each]) => each),
        accepted: accepted.toSorted(),
        proof,
      };
    });

const locks: fc.Arbitrary<Lock> = fc
  .uniqueArray(folder, { maxLength: 4 })
  .chain((names) => fc.tuple(...names.toSorted().map((name) => skillIn(name).map((skill) => [name, skill] as const))))
  .map((entries) => new Map(entries));

const files = new Map([["SKILL.md", "a".repeat(64)]]);
const skill: LockedSkill = {
  source: "acme/skills",
  hosts: "github.com",
  path: "skills/pdf",
  ref: "heads/main",
  commit: "b".repeat(40),
  repositoryId: 1,
  ownerId: 2,
  tree: "c".repeat(40),
  digest: setDigest([{ path: "SKILL.md", digest: "a".repeat(64) }]),
  files,
  executable: [],
  accepted: [],
  proof: { commit: "hashed", reachable: "heads/main" },
};
const text = renderLock(new Map([["pdf", skill]]));

type Change = (lock: Record<string, unknown>, pdf: Record<string, unknown>) => void;

/** The lock with one skill, changed before it is written. */
function changed(change: Change): string {
  const lock = JSON.parse(text);
  change(lock, lock.skills.pdf);
  return JSON.stringify(lock, null, 2);
}

function refusal(lock: string): string {
  try {
    parseLock(lock);
  } catch (error) {
    if (error instanceof AppError && error.code === "config.invalid") return error.message;
    throw error;
  }
  return "not refused";
}

describe("IN-25: skillward.lock", () => {
  test("what is written is read back, and writes the same bytes again", () => {
    fc.assert(
      fc.property(locks, (lock) => {
        const written = renderLock(lock);
        expect(parseLock(written)).toEqual(lock);
        expect(renderLock(parseLock(written))).toBe(written);
      }),
    );
  });

  test("has one form, whatever order it was made in", () => {
    const [a, b] = [
      { ...skill, path: "a" },
      { ...skill, path: "b" },
    ];
    const lock = new Map([
      ["b", b],
      ["a", a],
    ]);
    expect(renderLock(lock)).toBe(
      renderLock(
        new Map([
          ["a", a],
          ["b", b],
        ]),
      ),
    );
    expect(text).toMatch(/^\{\n {2}"version": 1,\n {2}"skills": \{\n {4}"pdf": \{\n {6}"source": "acme\/skills",\n/);
    expect(text.endsWith("}\n")).toBe(true);
    expect(Object.keys(JSON.parse(text).skills.pdf).join(" ")).toBe(
      "source hosts path ref commit repositoryId ownerId tree digest files executable accepted proof",
    );
  });

  test("T44: any change of a byte is refused, or is read as one that could have been written", () => {
    fc.assert(
      fc.property(fc.nat(text.length - 1), fc.string({ unit: "binary", maxLength: 2 }), (at, piece) => {
        const other = text.slice(0, at) + piece + text.slice(at + 1);
        if (refusal(other) !== "not refused") return;
        const lock = parseLock(other);
        expect(parseLock(renderLock(lock))).toEqual(lock);
      }),
      { numRuns: 2000 },
    );
  });

  test("git's marks of a conflict are named, with what to do", () => {
    const conflicted = `{\n  "version": 1,\n<<<<<<< HEAD\n  "skills": {}\n=======\n  "skills": {}\n>>>>>>> other\n}\n`;
    expect(refusal(conflicted)).toMatch(/^skillward\.lock:3 .*merge.*install --frozen/);
    expect(refusal(conflicted.replaceAll("\n", "\r\n"))).toMatch(/^skillward\.lock:3 .*merge/);
  });

  test.each<[string, Change, RegExp]>([
    ["another version", (lock) => void (lock["version"] = 2), /:2 .*version/],
    [
      "a word nobody knows",
      (lock) => void Object.assign(lock, { registry: "https://evil.example" }),
      /"registry" is not a known/,
    ],
    ["a word nobody knows in a skill", (_, pdf) => void (pdf["url"] = "https://evil.example"), /"url" is not a known/],
    ["a missing word", (_, pdf) => void delete pdf["commit"], /"commit" is missing/],
    ["T44: a URL where a name of hosts belongs", (_, pdf) => void (pdf["hosts"] = "https://evil.example/api"), /hosts/],
    ["T44: a source with a host", (_, pdf) => void (pdf["source"] = "evil.example/a/b"), /source/],
    ["T3: a source with dots", (_, pdf) => void (pdf["source"] = "../b"), /source/],
    ["a source with .git", (_, pdf) => void (pdf["source"] = "acme/skills.git"), /source/],
    ["T23: a path that climbs", (_, pdf) => void (pdf["path"] = "../pdf"), /path/],
    ["T23: an absolute path", (_, pdf) => void (pdf["path"] = "/pdf"), /path/],
    ["T3: a bare ref", (_, pdf) => void (pdf["ref"] = "main"), /ref/],
    ["T3: a ref with an option in it", (_, pdf) => void (pdf["ref"] = "heads/--upload-pack"), /ref/],
    ["a commit as ref", (_, pdf) => void (pdf["ref"] = "b".repeat(40)), /ref/],
    ["a short commit", (_, pdf) => void (pdf["commit"] = "abc1234"), /commit/],
    ["an id that is a text", (_, pdf) => void (pdf["repositoryId"] = "1"), /repositoryId/],
    ["an id beyond all numbers", (_, pdf) => void (pdf["ownerId"] = 2 ** 60), /ownerId/],
    ["another digest", (_, pdf) => void (pdf["digest"] = "d".repeat(64)), /digest is not the one/],
    ["other files", (_, pdf) => void (pdf["files"] = { "SKILL.md": "e".repeat(64) }), /digest is not the one/],
    ["no SKILL.md", (_, pdf) => void (pdf["files"] = {}), /no SKILL\.md/],
    [
      "T23: a file that climbs",
      (_, pdf) => void (pdf["files"] = { "SKILL.md": "a".repeat(64), "../x": "a".repeat(64) }),
      /no skill may have/,
    ],
    [
      "T23: twins by case",
      (_, pdf) => void (pdf["files"] = { "SKILL.md": "a".repeat(64), a: "a".repeat(64), A: "a".repeat(64) }),
      /no skill may have/,
    ],
    [
      "T23: a file below a file",
      (_, pdf) => void (pdf["files"] = { "SKILL.md": "a".repeat(64), "SKILL.md/x": "a".repeat(64) }),
      /no skill may have/,
    ],
    ["an executable that is no file", (_, pdf) => void (pdf["executable"] = ["run.sh"]), /executable/],
    ["something accepted that is no code", (_, pdf) => void (pdf["accepted"] = ["\u001b[31m"]), /accepted/],
    [
      "a proof of one's own",
      (_, pdf) => void (pdf["proof"] = { commit: "trust me", reachable: null }),
      /commit: expected hashed/,
    ],
    ["a list for an object", (lock) => void Object.assign(lock, { skills: [] }), /skills/],
    [
      "T23: a folder that climbs",
      (lock, pdf) => void Object.assign(lock, { skills: { "../x": pdf } }),
      /cannot be the folder/,
    ],
    ["a hidden folder", (lock, pdf) => void Object.assign(lock, { skills: { ".git": pdf } }), /cannot be the folder/],
    [
      "a folder with capitals",
      (lock, pdf) => void Object.assign(lock, { skills: { Pdf: { ...pdf, path: "Pdf" } } }),
      /cannot be the folder/,
    ],
    [
      "another skill's folder",
      (lock, pdf) => void Object.assign(lock, { skills: { xlsx: pdf } }),
      /cannot be the folder/,
    ],
    [
      "an object's own word as a folder",
      (lock, pdf) => void Object.assign(lock, { skills: JSON.parse(`{"__proto__": ${JSON.stringify(pdf)}}`) }),
      /cannot be the folder/,
    ],
    [
      "more skills than anybody has",
      (lock, pdf) =>
        void Object.assign(lock, {
          skills: Object.fromEntries(Array.from({ length: 1001 }, (_, at) => [`a${at}`, pdf])),
        }),
      /at most 1000/,
    ],
    [
      "more files than a skill has",
      (_lock, pdf) =>
        void (pdf["files"] = Object.fromEntries(Array.from({ length: 513 }, (_, at) => [`f${at}`, "a".repeat(64)]))),
      /at most 512/,
    ],
  ])("T44: refuses %s, by its line", (_what, change, message) => {
    const said = refusal(changed(change));
    expect(said).toMatch(/^skillward\.lock:\d+ cannot be used: /);
    expect(said).toMatch(message);
  });

  test("a skill that stands twice is refused: readers disagree on which one counts", () => {
    expect(
      refusal(text.replace('"skills": {', `"skills": {\n"pdf": ${JSON.stringify(JSON.parse(text).skills.pdf)},`)),
    ).toContain('"pdf" is there a second time');
  });

  test("nothing unseen of it reaches a terminal", () => {
    const said = refusal(changed((lock) => void Object.assign(lock, { "\u001b]0;x\u0007\u202e": 1 })));
    // oxlint-disable-next-line no-control-regex
    expect(said).not.toMatch(/[\u0000-\u001f\u202e]/);
  });
});
