import { describe, expect, it } from "vitest";
import { chainOf, link, shelfOf } from "../../test/support/route-room.ts";
import { buildSegment } from "./index/segment.ts";
import { createIndex } from "./index/segmented-index.ts";
import { aliasLink, exactLink } from "./links/exact.ts";
import { lexicalLink } from "./links/lexical.ts";
import { pathsLink } from "./links/paths.ts";
import { triggerLink } from "./links/trigger.ts";
import { readQuery } from "./query.ts";

const links = [exactLink, aliasLink, triggerLink, pathsLink, lexicalLink];
const shelf = shelfOf(
  [
    { id: "a:drift", name: "terraform-drift", description: "Finds drift between the plan and what is there." },
    {
      id: "a:db",
      name: "db",
      description: "数据库迁移和备份。",
      trust: "verified",
      declared: { triggers: ["数据库迁移"] },
    },
    {
      id: "a:regex",
      name: "regex",
      description: "Explains a regular expression.",
      trust: "verified",
      declared: { paths: ["**/*.re"] },
    },
  ],
  (documents) => createIndex([buildSegment(documents)]),
);

describe("any query (RT-1)", () => {
  it.each([
    ["nothing", ""],
    ["white space", " \n\t\u3000 "],
    ["nothing that can be seen", "\0\u200b\u202e\u2066\ufeff"],
  ])("%s: abstains at once and asks nobody", async (_, text) => {
    const { abstained, trace, findings } = await chainOf(links).route(shelf, text, {});
    expect([abstained, trace.steps, trace.stopped, findings]).toEqual([true, [], "the query is empty", []]);
  });

  it("an empty registry: abstains at once and asks nobody", async () => {
    const { abstained, trace } = await chainOf(links).route(shelfOf([]), "terraform", {});
    expect([abstained, trace.steps, trace.stopped]).toEqual([true, [], "there are no skills"]);
  });

  it.each([
    ["emoji only", "🚀🔥👩‍👩‍👧‍👦"],
    ["control characters", "\x00\x07\x1b[31m\x9b1m\x7f!"],
    ["halves of characters", "\ud800 \udfff\ud800"],
    ["a regular expression", "^(a+)+$|[^\\s]*(?=.*\\d){1,99}"],
    ["marks without end", `e${"\u0301\u0316".repeat(500_000)}`],
    ["a megabyte of one letter", "a".repeat(1 << 20)],
    ["a megabyte of slashes", "/q".repeat(1 << 19)],
    ["a megabyte of dots", ".q-".repeat(1 << 18)],
    ["names of a prototype", "__proto__ constructor toString hasOwnProperty"],
  ])("%s: abstains, without a fault", async (_, text) => {
    const { abstained, trace, findings } = await chainOf(links).route(shelf, text, {});
    expect(abstained).toBe(true);
    expect(trace.steps.map(({ outcome }) => outcome)).toEqual(links.map(() => "none"));
    expect(findings.filter(({ code }) => code !== "route.query-cut")).toEqual([]);
  });

  it("Chinese: finds what is about it", async () => {
    const { matches } = await chainOf(links).route(shelf, "请帮我做数据库迁移", {});
    expect(matches).toMatchObject([{ entry: "a:db" }]);
  });

  it.each(["first", "last"])("a megabyte with the request %s: is found, and what was cut is said", async (place) => {
    const log = "zzz qqq\n".repeat(1 << 17);
    const text = place === "first" ? `use the terraform-drift skill\n${log}` : `${log}\nuse the terraform-drift skill`;
    const { matches, findings } = await chainOf(links).route(shelf, text, {});
    expect(matches).toMatchObject([{ entry: "a:drift", link: "exact" }]);
    expect(findings).toMatchObject([{ code: "route.query-cut", level: "info", at: { file: "query", line: 1 } }]);
    expect(findings[0]?.message).toMatch(/^the query has 1,0\d\d,\d{3} characters: the first and the last 4,096/);
  });

  it("links read it normalised, without controls and half characters", async () => {
    let text = "";
    const reading = link("reading", ({ query }) => ((text = query.text), []));
    await chainOf([reading]).route(shelf, "cafe\u0301\x1b[2J\ud800\tx", {});
    expect(text).toBe("caf\u00e9 [2J\ufffd\tx");
  });

  it("of many paths, the first are read, and none that is endless", () => {
    const paths = [...Array.from({ length: 70 }, (_, at) => `./a/${at}.tf`), "x".repeat(2000), ""];
    const { query, findings } = readQuery("text", paths);
    expect(query.paths).toHaveLength(64);
    expect(query.paths[0]).toBe("a/0.tf");
    expect(findings.map(({ message }) => message)).toEqual([
      "64 of 72 paths are read: at most 64 of at most 1,024 characters each",
    ]);
  });

  it("T26: putting marks in order takes no longer than reading them", () => {
    const { query } = readQuery(`e${"\u0301\u0316".repeat(3000)}`);
    expect(query.text.length).toBeLessThan(40);
  });
});
