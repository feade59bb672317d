import { describe, expect, it } from "vitest";
import { chainOf, fakeIndex, shelfOf, usual } from "../../../test/support/route-room.ts";
import type { Shelf } from "../shelf.ts";
import { exactLink } from "./exact.ts";
import { lexicalLink } from "./lexical.ts";

const shelf = shelfOf([
  { id: "ops:ssh", name: "ssh" },
  { id: "ops:drift", name: "terraform-drift" },
  { id: "ops:strasse", name: "straße-karte" },
  { id: "ops:tools", name: "PDF Tools" },
  { id: "ops:rocket", name: "🚀" },
  { id: "ops:cpp", name: "c++" },
]);

async function found(query: string, on: Shelf = shelf): Promise<readonly (readonly [string, number])[]> {
  const { trace } = await chainOf([exactLink]).route(on, query, {});
  return trace.ranked.map(({ entry, confidence }) => [entry, confidence]);
}

describe("RT-2: the exact link", () => {
  it.each([
    ["ssh", "ops:ssh", 1],
    ["/ssh", "ops:ssh", 1],
    ["  `SSH`? ", "ops:ssh", 1],
    ["ＳＳＨ", "ops:ssh", 1],
    ["terraform-drift", "ops:drift", 1],
    ["ops:drift", "ops:drift", 1],
    ["🚀", "ops:rocket", 1],
    ["c++", "ops:cpp", 1],
    ["STRASSE-KARTE", "ops:strasse", 1],
    ["pdf tools", "ops:tools", 1],
    ["terraform drift", "ops:drift", 0.85],
    ["pdf-tools", "ops:tools", 0.85],
    ["/terraform-drift for the production account", "ops:drift", 0.97],
    ["please use the ssh skill to reach the host", "ops:ssh", 0.97],
    ["Run the\nterraform drift skill.", "ops:drift", 0.97],
    ['look at prod with the "terraform-drift" skill', "ops:drift", 0.97],
    ["apply skill ssh here", "ops:ssh", 0.97],
    ["use the skill called `ssh` for this", "ops:ssh", 0.97],
    ["then run /ssh on the host", "ops:ssh", 0.97],
    ["after terraform-drift has run, tell the team", "ops:drift", 0.25],
  ])("takes %j for %s", async (query, entry, confidence) => {
    expect(await found(query)).toEqual([[entry, confidence]]);
  });

  it.each([
    "sshd",
    "ssh-agent",
    "/sshd",
    "~/.ssh",
    ".ssh",
    "open-ssh",
    "ssh.com",
    "sshé",
    "restart ssh on the host",
    "use the sshd skill",
    "use the ssh-agent skill",
    "run ssh",
    "the ssh skill",
    "for use with ssh. SKILL.md is there",
    "/etc/ssh is gone",
    "my-terraform-drift is another one",
    "terraform drift of the production account",
    "do not use the ssh skill",
    "don't run the ssh skill",
    "anything without the ssh skill",
    "never use skill ssh",
    "some pdf tools that I found",
    "c",
    "c#",
    "",
    "\u202e",
  ])("does not take %j for any", async (query) => {
    expect(await found(query)).toEqual([]);
  });

  it("says what it has seen, in words that can be shown", async () => {
    const hostile = shelfOf([{ id: "a:b", name: "evil-\u202ename" }]);
    const { matches } = await chainOf([exactLink]).route(hostile, "use the evil-name skill", {});
    expect(matches[0]?.why).toBe('asked for by its name "evil-name"');
  });

  it("SK-15: two different skills of one name are ambiguous, the more trusted first, and two copies are one", async () => {
    const stock = [
      { id: "a:pdf", name: "pdf", description: "Reads forms.", trust: "untrusted" },
      { id: "b:pdf", name: "PDF", description: "Prints posters in colour.", trust: "verified" },
    ] as const;
    const different = await chainOf([exactLink]).route(shelfOf(stock), "/pdf", {});
    expect([different.ambiguous, different.matches.map(({ entry }) => entry)]).toEqual([true, ["b:pdf", "a:pdf"]]);
    const copies = shelfOf(stock.map(({ id, trust }) => ({ id, trust, name: "pdf" })));
    const same = await chainOf([exactLink]).route(copies, "pdf", {});
    expect(same).toMatchObject({ ambiguous: false, matches: [{ entry: "b:pdf", confidence: 1, alike: ["a:pdf"] }] });
  });

  it("RT-5: names only what may be chosen", async () => {
    const { matches } = await chainOf([exactLink]).route(shelf, "ssh", { among: new Set(["ops:drift"]) });
    expect(matches).toEqual([]);
  });

  it("an id says which of several skills of one name is meant", async () => {
    const twins = shelfOf([
      { id: "a:pdf", name: "pdf", description: "One thing." },
      { id: "b:pdf", name: "pdf", description: "Another matter entirely." },
    ]);
    expect(await found("b:pdf", twins)).toEqual([["b:pdf", 1]]);
  });

  it("T32: a text that says a name a thousand times, and a name that a thousand skills have, cost little", async () => {
    const many = shelfOf(
      Array.from({ length: 3000 }, (_, at) => ({ id: `s:${at}`, name: "same-name", description: `of ${at}` })),
      (documents) => ({ ...fakeIndex(documents), likeness: () => 0 }),
    );
    const { trace } = await chainOf([exactLink, lexicalLink], usual).route(many, "same-name ".repeat(800), {});
    expect(trace.steps[0]).toMatchObject({ outcome: "answered", note: "and 40 more" });
  });
});
