import { describe, expect, test } from "vitest";
import { canonicalJson } from "../base/canonical.ts";
import { parseSource, type Source } from "../ingest/source/source.ts";
import { seededRandomness } from "../testing/seeded-randomness.ts";
import { createKeyFile } from "./key-file.ts";
import { loadKeys, sealText } from "./keys.ts";
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

/** Word for word what was sealed before sources could be remote. */
function textOfBefore(source: Source): string {
  const { id, title, kind, url, ref, tokenRef, trust, onChange, addedBy, enabled } = source;
  const { expectedFingerprint, hosts, include, bounds, interval, approveOnAdd } = source;
  const set = { id, title, kind, url, ref, tokenRef, trust, onChange, addedBy, enabled };
  const more = { expectedFingerprint, hosts, include, bounds: bounds && { ...bounds }, interval, approveOnAdd };
  return canonicalJson(["source", { ...set, ...more }]);
}

describe("T17: the seal of a source", () => {
  test("that was made before there were remote ones is still good", () => {
    const sealed = { ...folder, bounds: { files: 1, seconds: 2, bytes: 3 } };
    const seal = sealText(keys, textOfBefore(sealed));
    expect(sealSource(keys, sealed).seal).toBe(seal);
    expect(isIntactSource(keys, { ...sealed, seal })).toBe(true);
  });

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
