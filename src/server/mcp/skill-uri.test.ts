import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { EntryId } from "../../core/ids.ts";
import { pathFault } from "../../skill/bundle.ts";
import type { UsableEntry } from "../../registry/snapshot.ts";
import { locate, rootOf, uriIn } from "./skill-uri.ts";

function entry(id: EntryId, name: string): UsableEntry {
  return { id, name, digest: "", description: "", trust: "community", grants: [], approvals: [] };
}

function viewOf(...entries: readonly UsableEntry[]) {
  return { entries: new Map(entries.map((each) => [each.id, each])) };
}

const source = fc.stringMatching(/^[a-z0-9]{1,5}(?:-[a-z0-9]{1,5})?$/);
/** As a bundle takes them, from any characters that Unicode has. */
const path = fc
  .array(fc.string({ unit: "binary", minLength: 1, maxLength: 6 }), { minLength: 1, maxLength: 4 })
  .map((segments) => segments.join("/"))
  .filter((text) => pathFault(text) === undefined);
const name = fc.stringMatching(/^[a-z0-9]{1,6}$/);

describe("SV-5: URIs of skills", () => {
  test("end in the name, and say source and path; where the folder has the name it is not said twice", () => {
    expect(rootOf(entry("team:skills/pdf", "pdf"))).toBe("skill://team/skills/pdf");
    expect(rootOf(entry("team:skills/forms", "pdf"))).toBe("skill://team/skills/forms/pdf");
    expect(rootOf(entry("team:", "pdf"))).toBe("skill://team/pdf");
    expect(rootOf(entry("team:Bücher & mehr/pdf", "pdf"))).toBe("skill://team/B%C3%BCcher%20%26%20mehr/pdf");
    expect(uriIn("skill://team/pdf", "references/50% off?.md")).toBe("skill://team/pdf/references/50%25%20off%3F.md");
  });

  test("every path that can be in a bundle has exactly one, which every reader takes for itself", () => {
    fc.assert(
      fc.property(source, path, name, path, (from, folder, called, file) => {
        const root = rootOf(entry(`${from}:${folder}`, called));
        const uri = root === null ? null : uriIn(root, file);
        expect(uri).not.toBeNull();
        expect(new URL(uri ?? "").href).toBe(uri);
      }),
    );
  });

  test("two files never share one: not of two sources, of two skills, or in one", () => {
    const placed = fc.tuple(source, path, name, path);
    fc.assert(
      fc.property(placed, placed, ([from, folder, called, file], [from2, folder2, called2, file2]) => {
        const [one, other] = [entry(`${from}:${folder}`, called), entry(`${from2}:${folder2}`, called2)];
        fc.pre(one.id !== other.id || file !== file2);
        // A skill is a leaf: none lies below another.
        fc.pre(from !== from2 || one.id === other.id || !isBelow(folder, folder2));
        fc.pre(one.id !== other.id || called === called2);
        expect(uriIn(rootOf(one) ?? "", file)).not.toBe(uriIn(rootOf(other) ?? "", file2));
      }),
    );
  });

  test("lead back to their skill, and a file of it to nobody else's", () => {
    fc.assert(
      fc.property(source, path, name, path, (from, folder, called, file) => {
        const own = entry(`${from}:${folder}`, called);
        const [root, view] = [rootOf(own) ?? "", viewOf(own, entry(`${from}x:${folder}`, called))];
        for (const uri of [root, uriIn(root, "SKILL.md"), uriIn(root, file)])
          expect(locate(view, uri ?? "")?.entry.id).toBe(own.id);
      }),
    );
  });

  test("invariant 6: where two places would read as one, neither is found", () => {
    const [above, below] = [entry("team:a", "b"), entry("team:a/b", "b")];
    expect(locate(viewOf(above), "skill://team/a/b/SKILL.md")?.entry).toBe(above);
    expect(locate(viewOf(below), "skill://team/a/b/SKILL.md")?.entry).toBe(below);
    expect(locate(viewOf(above, below), "skill://team/a/b/SKILL.md")).toBeNull();
  });

  test("T23: whatever text is asked for, nothing but an entry that is there is found", () => {
    const view = viewOf(entry("team:pdf", "pdf"));
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: "binary" }), fc.webUrl(), spelling), (text) => {
        const found = locate(view, text);
        if (found === null) return;
        expect(text.startsWith("skill://team/pdf")).toBe(true);
        expect(text).not.toMatch(/\.\.(?:\/|$)|[\0?#\\]/);
      }),
      { numRuns: 1000 },
    );
  });
});

/** Near the one that is there. */
const parts = [
  "skill://team/pdf",
  "/",
  "..",
  "%2e%2e",
  "%2f",
  "SKILL.md",
  "\0",
  "?",
  "#",
  "\\",
  "team",
  "pdf",
  ":",
  "@",
];
const spelling = fc.array(fc.constantFrom(...parts), { maxLength: 6 }).map((some) => some.join(""));

function isBelow(one: string, other: string): boolean {
  return one === other || one.startsWith(`${other}/`) || other.startsWith(`${one}/`);
}
