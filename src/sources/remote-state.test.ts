import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseRemoteState } from "./remote-state.ts";
import type { RemoteState } from "./remote-state.ts";

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
