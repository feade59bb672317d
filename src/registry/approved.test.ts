import { describe, expect, test } from "vitest";
import { ada, say, stateIn, syncedRegistry } from "../../test/support/registry.ts";
import type { Source } from "../sources/schema.ts";
import type { Entry } from "./entry.ts";
import { approvedOf, type RegistryFacts } from "./snapshot.ts";
import { changeSource } from "./sync/sources.ts";
import { allow } from "../../test/support/permits.ts";
import type { Decision } from "./schema.ts";

const pdf = "skills:pdf";
const words = { "+": "approve", "-": "reject", "0": "disable", "!": "override" } as const;
const people = { a: "ada", b: "bob" } as const;

/**
 * As in the stories of RV-1: a capital letter is what the source has now, `+a` ada approves that, `-a` rejects, `0a`
 * disables, `!a` overrides a finding; `b` is bob; `+aA` is about the revision A instead. `~` it is gone and back.
 */
function toldOf(story: string, needed: 1 | 2) {
  const decisions: Decision[] = [];
  let [current, awayAt] = ["A", 0];
  for (const step of story.split(" ")) {
    if (step === "~") awayAt = decisions.length;
    else if (/^[A-C]$/.test(step)) current = step;
    else if (step !== "") {
      const [sign, by, digest = current] = step as unknown as [keyof typeof words, keyof typeof people, string?];
      decisions.push({
        word: words[sign],
        by: people[by],
        digest,
        current,
        seq: decisions.length + 1,
        trust,
      } as Decision);
    }
  }
  const entry = { id: pdf, source: "skills", path: "pdf", present: true, current, awayAt } as Entry;
  const source = { id: "skills", trust, onChange: "disable" } as Source;
  const facts = {
    sources: new Map([["skills", source]]),
    ledger: { decisions: new Map([[pdf, decisions]]) },
  } as unknown as RegistryFacts;
  const asked = { untrusted: needed, community: needed, verified: needed, first_party: needed };
  const { words: counted, ...approved } = approvedOf(facts, entry, asked);
  return { ...approved, by: counted.map(({ by }) => by).join(" ") };
}

const trust = "community";

describe("RV-5: how far people have come with what is current", () => {
  test.each<[story: string, by: string, last: string | null]>([
    ["", "", null],
    ["+a", "ada", null],
    ["+a !b", "ada", null],
    ["+a +a", "ada", null],
    ["+a +b", "ada bob", "A"],
    ["+a -b", "", null],
    ["+a -b +b", "bob", null],
    ["+a B", "", null],
    ["+a B +b", "bob", null],
    ["+a +b B", "", "A"],
    ["+a +b B +b", "bob", "A"],
    ["+a +b B +b +a", "bob ada", "B"],
    ["+a +b 0b", "", "A"],
    ["+a +b B A", "ada bob", "A"],
    ["+a +b B +aA", "", "A"],
    ["+a ~", "", null],
    ["+a +b ~", "", "A"],
    ["+a +b ~ +a", "ada", "A"],
  ])("where it takes two, after %j it has %j, and what both approved last is %s", (story, by, last) => {
    expect(toldOf(story, 2)).toEqual({ needed: 2, by, last });
  });

  test.each<[story: string, by: string, last: string | null]>([
    ["", "", null],
    ["+a", "ada", "A"],
    ["+a +b", "bob", "A"],
    ["+a B", "", "A"],
    ["+a B -b", "", "A"],
    ["+a ~", "", "A"],
  ])("where it takes one, after %j it has %j, and what was approved last is %s", (story, by, last) => {
    expect(toldOf(story, 1)).toEqual({ needed: 1, by, last });
  });

  test("trust decides: half an approval is none where one is enough, and one that was enough is half of two", async () => {
    const { app } = await syncedRegistry(["pdf"], { config: "review:\n  decisions:\n    community: 2\n" });
    const stands = async () => {
      const look = await app.registry.look();
      const entry = look.facts.entries.get(pdf);
      if (entry === undefined) throw new Error("no entry");
      const { needed, words: counted } = app.registry.approved(look, entry);
      return [await stateIn(app, pdf), counted.map(({ by }) => by), needed];
    };
    await say(app, ada, "approve", pdf);
    expect(await stands()).toEqual(["pending", ["ada"], 2]);
    await changeSource(app.sync, allow(ada), "skills", { trust: "verified" });
    expect(await stands()).toEqual(["pending", [], 1]);
    await say(app, ada, "approve", pdf);
    expect(await stands()).toEqual(["enabled", ["ada"], 1]);
    await changeSource(app.sync, allow(ada), "skills", { trust: "community" });
    expect(await stands()).toEqual(["pending", ["ada"], 2]);
  });
});
