import { describe, expect, test } from "vitest";
import type { Source } from "../sources/schema.ts";
import { parseSource } from "../sources/source.ts";
import { seededRandomness } from "../testing/seeded-randomness.ts";
import { createKeyFile, loadKeys } from "./keys.ts";
import { believedSource, isIntactSource, sealSource } from "./source-seal.ts";

const keys = loadKeys(createKeyFile(seededRandomness()));
const folder = parseSource(
  "skills",
  JSON.stringify({
    kind: "folder",
    url: "/srv/skills",
    trust: "verified",
    onChange: "hold",
    enabled: true,
    addedBy: "ada",
  }),
);
const remote = sealSource(keys, {
  ...folder,
  kind: "repo",
  url: "https://github.com/acme/skills",
  hosts: "github.com",
  ref: "heads/main",
  repositoryId: 7,
  ownerId: 8,
  pin: "a".repeat(40),
  tokenForOwner: true,
});

describe("T17: the seal of a source", () => {
  test.each<[string, Partial<Source>]>([
    ["another repository", { repositoryId: 9 }],
    ["no repository any more", { repositoryId: null }],
    ["none of it any more", { repositoryId: null, ownerId: null, pin: null }],
    ["another owner", { ownerId: 9 }],
    ["no owner any more", { ownerId: null }],
    ["another commit", { pin: "b".repeat(40) }],
    ["no commit any more", { pin: null }],
    ["another set of hosts", { hosts: "ghe" }],
    ["the token for its owner taken away", { tokenForOwner: false }],
  ])("T12: of a remote one is no good with %s by hand", (_, patch) => {
    expect(isIntactSource(keys, remote)).toBe(true);
    const changed = { ...remote, ...patch };
    expect(isIntactSource(keys, changed)).toBe(false);
    expect(believedSource(keys, changed)).toMatchObject({
      trust: "untrusted",
      onChange: "disable",
      tokenForOwner: false,
    });
  });

  test.each<[string, Partial<Source>]>([
    ["a repository", { repositoryId: 7, ownerId: 8, pin: "a".repeat(40) }],
    ["a token for its owner", { tokenForOwner: true }],
  ])("of one that was given %s by hand is no good either", (_, patch) => {
    const bare = sealSource(keys, { ...folder, kind: "repo", hosts: "github.com" });
    expect([isIntactSource(keys, bare), isIntactSource(keys, { ...bare, ...patch })]).toEqual([true, false]);
  });

  test("says nothing of how its syncs went", () => {
    const state = { defaultBranch: "main", ref: null, etags: { repository: null, commit: null } };
    const went = {
      dueAt: 5,
      remote: { ...state, complete: null, unread: [], proof: null },
      status: "ok",
      syncedAt: 9,
    } as const;
    expect(isIntactSource(keys, { ...remote, ...went })).toBe(true);
  });
});
