import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Change, planSync, type Seen } from "./plan.ts";

interface Held {
  readonly path: string;
  readonly present: boolean;
  readonly current: string;
  readonly loading: string;
}

function held(path: string, current = "one", present = true, loading = "[]"): Held {
  return { path, present, current, loading };
}

/** A whole reading: everything was visited. */
function saw(skills: Readonly<Record<string, string | null>>, unvisited: readonly string[] = []): Seen {
  return { skills: Object.entries(skills).map(([path, digest]) => ({ path, digest, loading: "[]" })), unvisited };
}

/** The registry after a plan, as simply as it can be said. */
function applied(before: readonly Held[], changes: readonly Change[], seen: Seen): Held[] {
  const after = new Map(before.map((entry) => [entry.path, entry]));
  const loading = new Map(seen.skills.toReversed().map((each) => [each.path, each.loading]));
  for (const change of changes) {
    const entry = after.get(change.path);
    if (change.act === "orphan") after.set(change.path, held(change.path, entry?.current, false, entry?.loading));
    else after.set(change.path, held(change.path, change.digest, true, loading.get(change.path)));
  }
  return [...after.values()];
}

describe("IN-17: planSync", () => {
  test("creates, updates, returns and orphans, and leaves alone what is as it was", () => {
    const before = [
      held("same"),
      held("moved"),
      held("away", "one", false),
      held("gone"),
      held("long-gone", "one", false),
    ];
    const { changes, unchanged, findings } = planSync(
      before,
      saw({ same: "one", moved: "two", away: "one", fresh: "new" }),
    );
    expect(changes).toEqual([
      { act: "update", path: "moved", from: "one", digest: "two" },
      { act: "return", path: "away", from: "one", digest: "one" },
      { act: "create", path: "fresh", digest: "new" },
      { act: "orphan", path: "gone" },
    ]);
    expect({ unchanged, findings }).toEqual({ unchanged: 1, findings: [] });
  });

  test("IN-18: of two skills at one path the first counts, and the second is said", () => {
    const twice = { skills: [...saw({ pdf: "one" }).skills, ...saw({ pdf: "two" }).skills], unvisited: [] };
    const { changes, findings } = planSync([], twice);
    expect(changes).toEqual([{ act: "create", path: "pdf", digest: "one" }]);
    expect(findings).toMatchObject([{ code: "sync.duplicate", at: { file: "pdf" } }]);
  });

  test("IN-18: a first one that cannot be read is not replaced by the second", () => {
    const twice = { skills: [...saw({ pdf: null }).skills, ...saw({ pdf: "two" }).skills], unvisited: [] };
    const { changes, findings } = planSync([held("pdf")], twice);
    expect(changes).toEqual([]);
    expect(findings.map(({ code }) => code)).toEqual(["sync.unread", "sync.duplicate"]);
  });

  test("IN-20: an unchanged digest is nothing at all", () => {
    expect(planSync([held("pdf")], saw({ pdf: "one" }))).toEqual({ changes: [], unchanged: 1, findings: [] });
  });

  test("the same bytes with other findings of loading them are a change of their own", () => {
    const seen = { skills: [{ path: "pdf", digest: "one", loading: "[a link]" }], unvisited: [] };
    expect(planSync([held("pdf")], seen).changes).toEqual([{ act: "reload", path: "pdf", digest: "one" }]);
    expect(planSync([held("pdf", "one", true, "[a link]")], seen).changes).toEqual([]);
  });

  test("IN-21: what is there but cannot be read is not gone, and not taken in", () => {
    const { changes, findings } = planSync([held("known")], saw({ known: null, fresh: null }));
    expect(changes).toEqual([]);
    expect(findings).toMatchObject([
      { code: "sync.unread", at: { file: "known" } },
      { code: "sync.unread", at: { file: "fresh" } },
    ]);
  });

  test.each<[string, readonly string[], readonly string[]]>([
    ["nothing", [], ["", "a", "a/b", "a/b/c", "ab", "b"]],
    ["a folder, with all below it and nothing beside it", ["a"], ["", "ab", "b"]],
    ["a folder inside", ["a/b"], ["", "a", "ab", "b"]],
    ["a skill and its folder", ["a/b/c", "b"], ["", "a", "a/b", "ab"]],
    ["everything", [""], []],
  ])("IN-16: what was not visited is protected: %s", (_, unvisited, gone) => {
    const before = ["", "a", "a/b", "a/b/c", "ab", "b"].map((path) => held(path));
    const { changes } = planSync(before, saw({}, unvisited));
    expect(changes.map(({ path }) => path)).toEqual(gone);
  });

  test("shows a hostile path only in a form that moves nothing", () => {
    const hostile = "a\u202eb\u001b[2J";
    const { findings } = planSync([], { skills: [...saw({ [hostile]: null }).skills], unvisited: [] });
    for (const unseen of ["\u202e", "\u001b"]) expect(findings[0]?.message).not.toContain(unseen);
    expect(findings[0]?.at.file).toBe(String.raw`a\u{202e}b\u{1b}[2J`);
  });
});

const path = fc.constantFrom("", "a", "b", "a/b", "a/b/c", "ab", "__proto__", "constructor", "a/");
const digest = fc.constantFrom("one", "two", "three");
const loading = fc.constantFrom("[]", "[a link]");
const anyBefore = fc.uniqueArray(fc.record({ path, present: fc.boolean(), current: digest, loading }), {
  selector: (entry) => entry.path,
});
const skill = fc.record({ path, digest: fc.option(digest, { freq: 4 }), loading });
const anySeen = fc.record({ skills: fc.array(skill, { maxLength: 8 }), unvisited: fc.array(path, { maxLength: 2 }) });

describe("IN-17: for any registry and any reading", () => {
  test("what is there after the plan is what was seen", () => {
    fc.assert(
      fc.property(anyBefore, anySeen, (before, seen) => {
        const after = new Map(
          applied(before, planSync(before, seen).changes, seen).map((entry) => [entry.path, entry]),
        );
        for (const [at, first] of firstAt(seen)) {
          const was = before.find((entry) => entry.path === at);
          const now = after.get(at);
          if (first !== null) expect(now).toMatchObject({ path: at, present: true, current: first });
          else expect(now).toEqual(was);
        }
        for (const entry of before.filter((each) => !firstAt(seen).has(each.path))) {
          const isProtected = seen.unvisited.some((top) => top === "" || `${entry.path}/`.startsWith(`${top}/`));
          expect(after.get(entry.path)).toEqual({ ...entry, present: entry.present && isProtected });
        }
        expect(after.size).toBe(new Set([...before.map((each) => each.path), ...readIn(seen)]).size);
      }),
      { numRuns: 2000 },
    );
  });

  test("the same sync again changes nothing", () => {
    fc.assert(
      fc.property(anyBefore, anySeen, (before, seen) => {
        const first = planSync(before, seen);
        const second = planSync(applied(before, first.changes, seen), seen);
        expect(second.changes).toEqual([]);
        expect(second.findings.map(({ code }) => code)).toEqual(first.findings.map(({ code }) => code));
      }),
      { numRuns: 2000 },
    );
  });

  test("nothing is deleted, nothing that was not visited is orphaned, and no path changes twice", () => {
    fc.assert(
      fc.property(anyBefore, anySeen, (before, seen) => {
        const { changes, unchanged, findings } = planSync(before, seen);
        const paths = changes.map((change) => change.path);
        expect(new Set(paths).size).toBe(paths.length);
        const orphaned = changes.filter(({ act }) => act === "orphan").map((change) => change.path);
        expect(orphaned.filter((gone) => firstAt(seen).has(gone))).toEqual([]);
        if (seen.unvisited.includes("")) expect(orphaned).toEqual([]);
        // Every skill that was seen is a change, unchanged or a finding.
        expect(changes.length - orphaned.length + unchanged + findings.length).toBe(seen.skills.length);
      }),
      { numRuns: 2000 },
    );
  });

  function firstAt({ skills }: Seen): ReadonlyMap<string, string | null> {
    return new Map(skills.map((each) => [each.path, each.digest] as const).toReversed());
  }

  function readIn(seen: Seen): string[] {
    return [...firstAt(seen)].filter(([, first]) => first !== null).map(([at]) => at);
  }
});
