import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { AppError } from "../core/error.ts";
import type { RemoteState, Source } from "./schema.ts";
import { mostBounds, onChanges, parseRemoteState, parseSource, renderSource, sourceKinds } from "./source.ts";
import { trusts } from "./trust.ts";

const source: Source = {
  id: "skills",
  title: "Our skills",
  kind: "folder",
  url: "/srv/skills",
  ref: null,
  pin: null,
  tokenRef: null,
  tokenForOwner: true,
  trust: "verified",
  onChange: "hold",
  expectedFingerprint: "ab",
  hosts: null,
  repositoryId: 7,
  ownerId: 8,
  include: ["a", "b"],
  bounds: { files: 1, seconds: 2, bytes: 3 },
  interval: 60,
  dueAt: 1000,
  approveOnAdd: true,
  cursor: "here",
  remote: {
    defaultBranch: "main",
    ref: "heads/main",
    etags: { repository: 'W/"a"', commit: null },
    complete: "what it stood on",
    unread: ["skills/huge"],
    proof: { commit: "hashed", reachable: "heads/main" },
  },
  enabled: true,
  status: "partial",
  error: "half of it",
  syncedAt: 5,
  addedBy: "ada",
  seal: "key.mark",
};

function reading(change: Readonly<Record<string, unknown>>): Source {
  return parseSource("skills", JSON.stringify({ ...source, ...change }));
}

describe("IN-1: a stored source", () => {
  test("is read as it was written, every field of it", () => {
    expect(parseSource("skills", renderSource(source))).toEqual(source);
    const bare = Object.fromEntries(Object.keys(source).map((key) => [key, null]));
    const empty = { ...source, ...bare, id: "x", title: "x", kind: "repo", url: "", trust: "untrusted" } as const;
    const least = {
      ...empty,
      onChange: "disable",
      tokenForOwner: false,
      approveOnAdd: false,
      enabled: false,
      status: "never",
      addedBy: "",
      seal: "",
    } as const;
    expect(parseSource("x", renderSource(least))).toEqual(least);
  });

  test.each(sourceKinds)("of the kind %s is known", (kind) => expect(reading({ kind }).kind).toBe(kind));

  test.each(["git", "Folder", "", null, 3, ["folder"], "__proto__", "a\u202eb"])(
    "of the kind %j is an error that names it, never a guess",
    (kind) => {
      expect(() => reading({ kind })).toThrow(/"skills" cannot be read: its kind is .*; remove it and add it again/);
      expect(() => reading({ kind })).not.toThrow(/\u202e/);
    },
  );

  test.each(["", "null", "3", "[]", "{", '"text"', "{}"])("of the record %j is an error", (record) => {
    expect(() => parseSource("skills", record)).toThrow(expect.objectContaining({ code: "store.failed" }));
  });

  test("any other word that is not known reads as the safest", () => {
    const word = fc.oneof(fc.string(), fc.constantFrom("Hold", "HOLD", "true", "enabled"), fc.jsonValue());
    const known = new Set<unknown>([...trusts, ...onChanges, true]);
    fc.assert(
      fc.property(
        word.filter((each) => !known.has(each)),
        (odd) => {
          const grants = { enabled: odd, approveOnAdd: odd, tokenForOwner: odd };
          const read = reading({ trust: odd, onChange: odd, ...grants, bounds: odd, remote: odd });
          expect(read).toMatchObject({ trust: "untrusted", onChange: "disable", bounds: null, remote: null });
          expect(read).toMatchObject({ enabled: false, approveOnAdd: false, tokenForOwner: false });
        },
      ),
    );
  });

  test.each([
    [{ files: 0, seconds: 1, bytes: 1 }],
    [{ files: -1, seconds: 1, bytes: 1 }],
    [{ files: 1.5, seconds: 1, bytes: 1 }],
    [{ files: "9", seconds: 1, bytes: 1 }],
    [{ files: 1, seconds: 1 }],
    [{ files: 1, seconds: 1, bytes: 1e300 }],
    [[1, 2, 3]],
  ])("the bounds %j are no bounds: those of the configuration hold", (bounds) => {
    expect(reading({ bounds }).bounds).toBeNull();
  });

  test("bounds beyond all bounds are none either", () => {
    const read = reading({ bounds: { ...mostBounds, files: mostBounds.files + 1 } }).bounds;
    expect(read === null || read.files <= mostBounds.files).toBe(true);
  });

  test.each([0, 59, 60.5, -60, 31_536_001, 1e300, "60", null])("IN-24: the interval %j is none", (interval) => {
    expect(reading({ interval }).interval).toBeNull();
  });

  test.each([60, 31_536_000])("IN-24: the interval %j is one", (interval) => {
    expect(reading({ interval }).interval).toBe(interval);
  });

  test("a number that the store could not keep is none", () => {
    const odd = { dueAt: 1.5, syncedAt: 1e300, repositoryId: "7", ownerId: 2 ** 53 };
    expect(reading(odd)).toMatchObject({ dueAt: null, syncedAt: null, repositoryId: null, ownerId: null });
  });

  test("a list of what to include that cannot be read includes nothing; none includes all", () => {
    expect(reading({ include: null }).include).toBeNull();
    expect(reading({ include: "everything" }).include).toEqual([]);
    expect(reading({ include: ["a", 3, null, "b"] }).include).toEqual(["a", "b"]);
  });

  test("a status that is not known says that nothing is known", () => {
    expect(reading({ status: "OK" }).status).toBe("never");
    expect(reading({ status: "syncing" }).status).toBe("syncing");
  });

  test("whatever is in the record, it is a source or an error", () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string(), fc.json()),
        fc.dictionary(fc.constantFrom(...Object.keys(source)), fc.jsonValue()),
        (text, odd) => {
          for (const record of [text, JSON.stringify({ ...source, ...odd })]) {
            try {
              expect(parseSource("skills", record).id).toBe("skills");
            } catch (error) {
              if (!(error instanceof AppError)) throw error;
              expect(error.code).toBe("store.failed");
            }
          }
        },
      ),
    );
  });
});

const state: RemoteState = {
  defaultBranch: "main",
  ref: "tags/v1",
  etags: { repository: 'W/"1"', commit: '"2"' },
  complete: "abc",
  unread: [],
  proof: { commit: "by API", reachable: null },
};
const empty = {
  defaultBranch: null,
  ref: null,
  etags: { repository: null, commit: null },
  complete: null,
  unread: [],
  proof: null,
};

describe("IN-1: what syncs remember of a remote source", () => {
  test.each([state, empty, { ...state, ref: "a".repeat(40), proof: { commit: "hashed", reachable: "heads/a/b" } }])(
    "is read as it was written: %j",
    (written) => {
      expect(parseRemoteState(JSON.parse(JSON.stringify(written)))).toEqual(written);
    },
  );

  test.each<[string, unknown]>([
    ["nothing", undefined],
    ["null", null],
    ["a list", []],
    ["a text", "heads/main"],
    ["a field missing", { ...state, proof: undefined }],
    ["a field too many", { ...state, more: 1 }],
    ["a branch of no kind", { ...state, defaultBranch: 7 }],
    ["a branch that git would not have", { ...state, defaultBranch: "a..b" }],
    ["a bare ref (T3)", { ...state, ref: "main" }],
    ["tags that are one", { ...state, etags: 'W/"1"' }],
    ["a tag with a line end", { ...state, etags: { repository: '"a"\r\nx: y', commit: null } }],
    ["a tag that is too long", { ...state, etags: { repository: "x".repeat(513), commit: null } }],
    ["an unread skill without a name", { ...state, unread: [7] }],
    ["unread skills that are no list", { ...state, unread: "all" }],
    ["a tag too many", { ...state, etags: { repository: null, commit: null, tree: null } }],
    ["completeness of no kind", { ...state, complete: true }],
    ["another proof", { ...state, proof: { commit: "trust me", reachable: null } }],
    ["a proof without its place", { ...state, proof: { commit: "hashed" } }],
    ["a bare place", { ...state, proof: { commit: "hashed", reachable: "main" } }],
  ])("%s: nothing is known, and all is asked for again", (_, odd) => {
    expect(parseRemoteState(odd === undefined ? odd : JSON.parse(JSON.stringify(odd)))).toBeNull();
  });

  test("whatever is there, it is taken as it stands or not at all", () => {
    const odd = fc.dictionary(fc.constantFrom(...Object.keys(state)), fc.jsonValue());
    fc.assert(
      fc.property(odd, (patch) => {
        const stored = { ...state, ...patch };
        expect([null, stored]).toContainEqual(parseRemoteState(stored));
      }),
    );
  });
});
