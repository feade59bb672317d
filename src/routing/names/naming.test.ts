import { describe, expect, it } from "vitest";
import { chainOf, link, shelfOf } from "../../../test/support/route-room.ts";
import { ownLinks } from "../default-chain.ts";

const shelf = shelfOf([
  { id: "a:pdf", name: "pdf-forms" },
  { id: "b:docx", name: "docx" },
  { id: "c:review", name: "code-review", description: "Reviews code on a pull request." },
  { id: "d:list", name: "code-review-list" },
]);
const everything = link("all", (asked) =>
  [...shelf.entries.keys()].filter((id) => asked.allows(id)).map((entry) => ({ entry, confidence: 0.95, why: "" })),
);

async function leftOut(query: string): Promise<readonly string[]> {
  const { matches } = await chainOf([everything]).route(shelf, query, {});
  const found = new Set(matches.map(({ entry }) => entry));
  return [...shelf.entries.keys()].filter((id) => !found.has(id));
}

describe("RT-3: a skill that the query names only as what it does not want", () => {
  it.each([
    ["Which skill should handle this and why is it not pdf-forms?", "a:pdf"],
    ["why is it not `pdf-forms`?", "a:pdf"],
    ["why is this not the PDF forms skill", "a:pdf"],
    ["the pdf-forms skill says it is out of scope; why is it not pdf-forms?", "a:pdf"],
    ["anything instead of the PDF forms skill", "a:pdf"],
    ["don’t use `pdf-forms` for this", "a:pdf"],
    ["Never run the skill called pdf-forms", "a:pdf"],
    ["fill it in, but not with docx: not pdf-forms either", "a:pdf"],
    ["something other than docx", "b:docx"],
    ["rather than using docx, write it by hand", "b:docx"],
    ["do not use docx", "b:docx"],
    ["never invoke the docx skill", "b:docx"],
    ["do not use code-review-list", "d:list"],
    ["do not use code review list", "d:list"],
  ])("is left out: %s", async (query, entry) => {
    expect(await leftOut(query)).toEqual([entry]);
  });

  it.each([
    "pdf-forms, not a poster",
    "I do not know it: pdf-forms, perhaps",
    "cannot pdf-forms do it",
    "notpdf-forms",
    "why not pdf-forms?",
    "docx, without pdf-forms",
    "isn't pdf-forms great",
    "is there no pdf-forms",
    "this is not PDF forms",
    "why is it not docx?",
    "not docx",
    "no docx, except docx",
    "never run docx as root",
    "do not use pdf-forms here. There, use pdf-forms",
    "code-review rather than code review",
    "I did not code-review it yet; do a code review",
  ])("is still chosen: %s", async (query) => {
    expect(await leftOut(query)).toEqual([]);
  });

  it("is named in the trace, as long as it may be chosen at all (T31)", async () => {
    const query = "why is it not pdf-forms?";
    const { trace } = await chainOf([everything]).route(shelf, query, {});
    expect(trace.stopped).toMatch(/; left out because the query says so: "pdf-forms"$/);
    const bounded = await chainOf([everything]).route(shelf, query, { among: new Set(["b:docx"]) });
    expect(bounded.trace.stopped).not.toContain("pdf");
  });

  it("T32: a name that a text says a thousand times, and that a thousand skills have, costs little", async () => {
    const many = shelfOf(Array.from({ length: 3000 }, (_, at) => ({ id: `s:${at}`, name: "same-name" })));
    const { trace } = await chainOf([]).route(many, "not same-name ".repeat(580), {});
    expect(trace.stopped).toContain('left out because the query says so: "same-name"');
  });
});

describe("RT-2: what is asked for is found, whatever else the text says of it", () => {
  const asked = shelfOf([
    { id: "a:backup", name: "backup", description: "Makes a backup of the database." },
    { id: "b:review", name: "code-review", description: "Does a code review of a pull request." },
    { id: "c:docker", name: "docker", description: "Run docker containers, and fix it when one is not running." },
    { id: "d:rescue", name: "rescue", trust: "verified", declared: { triggers: ["no backup"], paths: ["*.dump"] } },
    { id: "e:poster", name: "poster-print", trust: "verified", declared: { triggers: ["not poster-print"] } },
  ]);
  const chain = chainOf(Object.values(ownLinks));

  it.each([
    ["use the backup skill, there is no backup of the database", "a:backup"],
    ["There is no code review on this pull request yet, please do a code review", "b:review"],
    ["error: no docker container is running, fix it", "c:docker"],
    ["isn't docker great? run docker containers", "c:docker"],
    ["we have no backup", "d:rescue"],
    ["do not use poster-print like that: use the poster-print skill", "e:poster"],
    ["it is not poster-print", "e:poster"],
  ])("%s", async (query, entry) => {
    const { matches, trace } = await chain.route(asked, query, {});
    expect(matches[0]?.entry).toBe(entry);
    expect(trace.stopped).not.toContain("left out");
  });

  it("another of its names, and then whatever else speaks for it", async () => {
    const query = "do not use rescue: use the salvage skill";
    const called = shelfOf([{ id: "d:rescue", name: "rescue", trust: "verified", declared: { aliases: ["salvage"] } }]);
    expect((await chain.route(called, query, {})).matches).toMatchObject([{ entry: "d:rescue", link: "alias" }]);
    const [little, much] = [
      link("little", { "d:rescue": 0.4 }, { isExplicit: true }),
      link("much", { "d:rescue": 0.8 }),
    ];
    const together = await chainOf([little, much]).route(called, "do not use rescue", {});
    expect(together).toMatchObject({ matches: [{ link: "much" }], findings: [] });
    expect((await chainOf([much]).route(called, "do not use rescue", {})).matches).toEqual([]);
  });

  it("a file that the work is about speaks for a skill that is refused by name", async () => {
    const options = { context: { paths: ["prod.dump"] } };
    const { matches } = await chain.route(asked, "do not use rescue", options);
    expect(matches[0]).toMatchObject({ entry: "d:rescue", link: "paths" });
    expect((await chain.route(asked, "do not use rescue", {})).matches).toEqual([]);
  });
});
