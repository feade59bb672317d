import { describe, expect, it } from "vitest";
import { chainOf, shelfOf } from "../../../test/support/route-room.ts";
import { trusts } from "../../sources/trust.ts";
import { pathsLink } from "./paths.ts";

const shelf = shelfOf(
  Object.entries({
    "a:terraform": ["*.tf", "*.{tfvars,hcl}"],
    "a:infra": ["infra/**/*.tf"],
    "a:docker": ["Dockerfile", "docker-compose.y?ml"],
    "a:all": ["*", "**", "**/*", "*.*"],
    "a:env": [".env"],
    "a:js": ["**/*.js"],
  }).map(([id, paths]) => ({ id, trust: "verified", declared: { paths } }) as const),
);

async function found(query: string, paths: readonly string[] = []): Promise<readonly string[]> {
  const { trace } = await chainOf([pathsLink]).route(shelf, query, { context: { paths } });
  return trace.ranked.map(({ entry }) => entry);
}

describe("RT-2: the paths link", () => {
  it.each([
    ["main.tf", ["a:terraform"]],
    ["infra/prod/main.tf", ["a:infra", "a:terraform"]],
    ["/home/me/work/infra/main.TF", ["a:infra", "a:terraform"]],
    ["infra\\main.tf", ["a:infra", "a:terraform"]],
    ["./x.hcl", ["a:terraform"]],
    ["services/web/Dockerfile", ["a:docker"]],
    ["docker-compose.yaml", ["a:docker"]],
    ["docker-compose.yml", []],
    ["src/.env", ["a:env"]],
    ["readme.md", []],
    ["main.tfx", []],
    ["", []],
  ])("holds %s of the context against the patterns, the most specific first", async (path, expected) => {
    expect(await found("have a look", [path])).toEqual(expected);
  });

  it.each([
    ["why does infra/main.tf fail?", ["a:infra", "a:terraform"]],
    ["fix `main.tf`, please", ["a:terraform"]],
    ["all *.tf files", ["a:terraform"]],
    ["write a dockerfile", ["a:docker"]],
    ["what is in .env?", ["a:env"]],
    ["look at app.js.", ["a:js"]],
    ["I write node.js and Next.js", []],
    ["see https://example.org/main.tf", []],
    ["version 1.5 of it, e.g. today", []],
  ])("finds the files that %j names", async (query, expected) => {
    expect(await found(query)).toEqual(expected);
  });

  it("is surer of the files that the work is about than of those that the text names", async () => {
    const asked = { context: { paths: ["infra/a.tf"] } };
    const { trace } = await chainOf([pathsLink]).route(shelf, "compare with b.hcl", asked);
    expect(trace.ranked.map(({ confidence }) => Math.round(confidence * 100))).toEqual([68, 63]);
    expect(trace.ranked[0]?.why).toBe('path pattern "infra/**/*.tf" fits "infra/a.tf"');
    const inText = await chainOf([pathsLink]).route(shelf, "compare with b.hcl", {});
    expect(inText.trace.ranked).toMatchObject([{ why: 'path pattern "*.{tfvars,hcl}" fits "b.hcl", in the text' }]);
    expect(inText.trace.ranked[0]?.confidence).toBeLessThan(0.5);
  });

  it.each(trusts)("hears skills from verified sources and above: %s", async (trust) => {
    const one = shelfOf([{ id: "a:x", trust, declared: { paths: ["*.tf"] } }]);
    const { matches } = await chainOf([pathsLink]).route(one, "look", { context: { paths: ["a.tf"] } });
    expect(matches).toHaveLength(trust === "verified" || trust === "first_party" ? 1 : 0);
  });

  it("T26: patterns and paths that fit each other badly take no time", async () => {
    const patterns = ["*a".repeat(127), "**/a/".repeat(50), "{a,b}".repeat(51), "{".repeat(256), "?*".repeat(128)];
    const hostile = shelfOf(
      Array.from({ length: 200 }, (_, at) => ({
        id: `s:${at}`,
        trust: "verified" as const,
        declared: { paths: patterns.map((pattern) => `${at}${pattern}`.slice(0, 256)) },
      })),
    );
    const paths = Array.from({ length: 200 }, () => "a".repeat(1024));
    const { trace, findings } = await chainOf([pathsLink]).route(hostile, "a/".repeat(4000), { context: { paths } });
    expect(trace.steps[0]?.outcome).toBe("none");
    expect(findings.map(({ code }) => code)).toEqual(["route.query-cut"]);
  });
});
