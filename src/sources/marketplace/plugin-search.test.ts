import { describe, expect, test } from "vitest";
import { githubCom } from "../../net/host-set.ts";
import type { TreeEntry } from "../git/git.ts";
import type { GitHub } from "../github/github.ts";
import type { PinnedTree } from "../read-skills.ts";
import type { MarketplacePlugin } from "./marketplace.ts";
import { PluginSearches } from "./plugin.ts";

const id = "0".repeat(40);

/** A tree of so many skills that counts how often it is gone through. */
class CountedEntries extends Map<string, TreeEntry> {
  times = 0;

  override values(): ReturnType<Map<string, TreeEntry>["values"]> {
    this.times++;
    return super.values();
  }
}

function pinned(skills: number) {
  const entries = new CountedEntries();
  const put = (path: string, mode: string, size: number | null) => entries.set(path, { path, mode, id, size });
  put("skills", "040000", null);
  for (let at = 0; at < skills; at++) {
    put(`skills/s${at}`, "040000", null);
    put(`skills/s${at}/SKILL.md`, "100644", 1);
  }
  const at: PinnedTree = {
    repository: { hosts: githubCom, owner: "o", name: "r" },
    facts: { id: 1, ownerId: 1, defaultBranch: "main" },
    ref: { kind: "branch", name: "main" },
    commit: { id, tree: id, parents: [], proof: "hashed" },
    reachable: "heads/main",
    tree: { id, entries, unknown: [] },
    pin: [],
  };
  return { at, entries };
}

function plugin(name: string, skills: readonly string[] = ["skills"]): MarketplacePlugin {
  return { name, place: { kind: "here", path: "" }, skills, strict: false };
}

/** Nobody asks it: with `strict: false` there is no file to read. */
const nobody = {} as GitHub;

describe("IN-14, IN-16: the searches of one sync", () => {
  test("a tree is gone through once, and plugins that name the same share what was found", async () => {
    const { at, entries } = pinned(200);
    const searches = new PluginSearches([]);
    const first = await searches.skillsOf(nobody, at, plugin("p"));
    for (let times = 0; times < 5000; times++) {
      const { found, isWhole } = await searches.skillsOf(nobody, at, plugin(`p${times}`));
      expect([found === first.found, isWhole]).toEqual([true, true]);
    }
    await searches.skillsOf(nobody, at, plugin("other", ["skills/s1"]));
    expect([first.found.skills.length, entries.times]).toEqual([200, 1]);
  });

  test("those that each name something else end at a bound, which is said", async () => {
    const { at } = pinned(20_000);
    const searches = new PluginSearches([]);
    const whole: boolean[] = [];
    for (let times = 0; times < 40; times++) {
      const { found, findings, isWhole } = await searches.skillsOf(
        nobody,
        at,
        plugin(`p${times}`, ["skills", `skills/s${times}`]),
      );
      whole.push(isWhole);
      expect([found.skills.length, findings.map(({ code }) => code)]).toEqual(
        isWhole ? [20_000, []] : [0, ["walk.bounds"]],
      );
    }
    const count = whole.filter(Boolean).length;
    // A few times the whole of the largest tree, and no more.
    expect(count).toBeGreaterThan(3);
    expect(count).toBeLessThan(12);
    expect((await searches.skillsOf(nobody, at, plugin("again", ["skills", "skills/s0"]))).isWhole).toBe(true);
  });
});
