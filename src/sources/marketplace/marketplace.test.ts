import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { githubCom, type HostSets } from "../../net/host-set.ts";
import { type MarketplaceIndex, parseMarketplace, resolveIncluded } from "./marketplace.ts";
import { sourceFaults } from "../source-faults.ts";

/** Things that have no white space in them. */
const words = (text: string) => text.trim().split(/\s+/);

const sets: HostSets = [githubCom];
const here = { hosts: githubCom, owner: "acme", name: "market" };
const sha = "0123456789abcdef0123456789abcdef01234567";

const bytesOf = (value: unknown) => Buffer.from(typeof value === "string" ? value : JSON.stringify(value));
const parse = (value: unknown) => parseMarketplace(bytesOf(value), sets, here);

function indexOf(value: unknown): MarketplaceIndex {
  const parsed = parse(value);
  if ("fault" in parsed) throw new Error(parsed.fault.message);
  return parsed.index;
}

function faultOf(value: unknown): string {
  const parsed = parse(value);
  if ("index" in parsed) throw new Error("it was read");
  expect(parsed.fault).toMatchObject({ code: "marketplace.invalid", level: "high" });
  return `${parsed.fault.at.line}: ${parsed.fault.message}`;
}

const market = (plugins: readonly unknown[], rest = {}) => ({ name: "m", owner: { name: "Acme" }, plugins, ...rest });
const one = (source: unknown, rest = {}, top = {}) => indexOf(market([{ name: "p", source, ...rest }], top));
const codes = ({ findings }: MarketplaceIndex) => findings.map(({ code }) => code);

/** Where a plugin with this source is, in one line; or by which code it is refused. */
function placed(source: unknown, top = {}): string {
  const { plugins, refused } = one(source, {}, top);
  const [place, refusal] = [plugins[0]?.place, refused[0]];
  if (refusal !== undefined) return `${plugins.length} ${refusal.name} ${refusal.code}`;
  if (place === undefined) return "nothing";
  if (place.kind === "here") return `here ${place.path}`;
  const { repository, path, ref, sha: at } = place;
  return `${repository.owner}/${repository.name}:${path}@${ref ?? ""}#${at ?? ""}`;
}

describe("IN-14: a source", () => {
  test.each([
    ["./x/y", "here x/y"],
    ["./x/", "here x"],
    [".", "here "],
    ["./", "here "],
    [{ source: "github", repo: "o/r" }, "o/r:@#"],
    [{ source: "github", repo: "o/r", ref: "v1", sha, path: "sub" }, `o/r:sub@v1#${sha}`],
    [{ source: "url", url: "https://github.com/o/r.git", sha }, `o/r:@#${sha}`],
    [{ source: "url", url: "https://github.com/o/r", path: "./plugins/x/", sha }, `o/r:plugins/x@#${sha}`],
    [{ source: "git-subdir", url: "https://github.com/o/r", path: "x", ref: "main", sha }, `o/r:x@main#${sha}`],
    [{ source: "git-subdir", url: "git@github.com:o/r.git", path: "x" }, "o/r:x@#"],
    [{ source: "git-subdir", url: "o/r", path: ".", ref: "feature/x" }, "o/r:@feature/x#"],
    [{ source: "url", url: "o/r", ref: "" }, "o/r:@#"],
  ])("%j", (source, place) => {
    expect(placed(source)).toBe(place);
    expect(one(source).findings).toEqual([]);
  });

  test("a bare name is below metadata.pluginRoot, and nothing without it", () => {
    expect(placed("pdf", { metadata: { pluginRoot: "./plugins" } })).toBe("here plugins/pdf");
    expect(placed("pdf", { metadata: { pluginRoot: "." } })).toBe("here pdf");
    expect(placed("./pdf", { metadata: { pluginRoot: "./plugins" } })).toBe("here pdf");
    expect(placed("pdf")).toBe("0 p marketplace.refused");
    for (const pluginRoot of ["../plugins", "/plugins", "a\\b", 7]) {
      expect(placed("pdf", { metadata: { pluginRoot } })).toBe("0 p marketplace.refused");
      expect(codes(one("./pdf", {}, { metadata: { pluginRoot } }))).toEqual(["marketplace.refused"]);
    }
  });

  test("`git` and `owner/repo` as text are read as they were meant, and said", () => {
    expect(placed({ source: "git", url: "https://github.com/o/r", ref: "v1" })).toBe("o/r:@v1#");
    expect(placed("o/r")).toBe("o/r:@#");
    for (const source of [{ source: "git", url: "o/r" }, "o/r"])
      expect(codes(one(source))).toEqual(["marketplace.lenient"]);
    // It could be a folder there as well, and nobody's repository is fetched on a guess.
    expect(placed("o/r", { metadata: { pluginRoot: "./plugins" } })).toBe("0 p marketplace.refused");
  });

  test.each(["npm", "archive", "command", "pip"])("%s is unsupported, by name", (source) => {
    const { plugins, refused } = one({ source, package: "x", url: "https://github.com/o/r", command: "curl" });
    expect([plugins, refused]).toMatchObject([[], [{ name: "p", code: "marketplace.unsupported", line: 1 }]]);
  });

  test.each([
    "https://evil.example/o/r",
    "http://github.com/o/r",
    "https://u:p@github.com/o/r",
    "git@evil.example:o/r",
  ])("IN-3: another host is refused: %s", (url) => {
    for (const source of ["url", "git", "git-subdir"])
      expect(placed({ source, url, path: "x" })).toBe("0 p host.refused");
  });

  test.each(
    words(".. ../x ./../x ./a/../b ./a//b /x ./a\\b C:/x ./a. ./a\0b ./.git/x ./%2e%2e/x https://github.com/o/r a/b/c"),
  )("T2, T23: %j is no place", (source) => expect(placed(source)).toBe("0 p marketplace.refused"));

  test.each<[unknown]>([
    ["./ a/../b"],
    [""],
    [null],
    [7],
    [[]],
    [{}],
    [{ source: "svn" }],
    [{ source: 7 }],
    [{ source: "__proto__" }],
    [{ source: "constructor" }],
    [undefined],
    [{ source: "github" }],
    [{ source: "github", repo: "https://github.com/o/r" }],
    [{ source: "github", repo: "o/r/x" }],
    [{ source: "github", repo: "o/r@main" }],
    [{ source: "github", repo: "../r" }],
    [{ source: "url" }],
    [{ source: "url", url: "./x" }],
    [{ source: "url", url: "https://github.com/o/r/tree/main/x" }],
    [{ source: "url", url: "o/r@main" }],
    [{ source: "url", url: "o/r", ref: "a..b" }],
    [{ source: "url", url: "o/r", ref: "--upload-pack=x" }],
    [{ source: "url", url: "o/r", ref: 7 }],
    [{ source: "url", url: "o/r", sha: sha.toUpperCase() }],
    [{ source: "url", url: "o/r", sha: sha.slice(0, 12) }],
    [{ source: "url", url: "o/r", sha: 7 }],
    [{ source: "url", url: "o/r", path: "../x" }],
    [{ source: "url", url: "o/r", path: "/x" }],
    [{ source: "url", url: "o/r", path: 7 }],
    [{ source: "git-subdir", url: "o/r" }],
    [{ source: "git-subdir", url: "o/r", path: "a\\..\\b" }],
  ])("T2, T3, T23: %j is no place", (source) => expect(placed(source)).toBe("0 p marketplace.refused"));
});

describe("IN-14: an entry", () => {
  test("`skills` is text or a list, inside the plugin, and `strict` is true unless it says otherwise", () => {
    expect(one("./").plugins).toMatchObject([{ skills: [], strict: true }]);
    expect(one("./", { skills: "./a/", strict: false }).plugins).toMatchObject([{ skills: ["a"], strict: false }]);
    expect(one("./", { skills: ["./a", "./", "./a/"] }).plugins).toMatchObject([{ skills: ["a", ""] }]);
    expect(codes(one("./", { skills: ["a"] }))).toEqual(["marketplace.lenient"]);
    expect(codes(one("./", { strict: "no" }))).toEqual(["marketplace.field"]);
    expect(one("./", { strict: "no" }).plugins).toMatchObject([{ strict: true }]);
  });

  test("T23: a path of `skills` that leads out is dropped and said; with none left the plugin is not searched whole", () => {
    const some = one("./", { skills: ["./a", "./../b", "/etc", "./c/../../d"] });
    expect([some.plugins[0]?.skills, codes(some)]).toEqual([["a"], ["marketplace.refused"]]);
    for (const skills of ["../b", ["./../b"], 7, {}, [""]])
      expect(one("./", { skills })).toMatchObject({
        plugins: [],
        refused: [{ name: "p", code: "marketplace.refused" }],
      });
  });

  test("the first of a name counts, whatever became of it; the others are refused by name", () => {
    const { plugins, refused } = indexOf(
      market([
        { name: "a", source: "./a" },
        { name: "a", source: "./b" },
        { name: "A", source: "./c" },
        { name: "b", source: { source: "npm" } },
        { name: "b", source: "./b" },
      ]),
    );
    expect(plugins).toMatchObject([{ name: "a", place: { path: "a" } }]);
    expect(refused.map(({ name, code }) => `${name} ${code}`)).toEqual([
      "a marketplace.duplicate",
      "A marketplace.duplicate",
      "b marketplace.unsupported",
      "b marketplace.duplicate",
    ]);
  });

  test("what is missing is named, with the line of the entry; the others are read", () => {
    const text = `{
      "name": "m", "owner": {"name": "plugins\\"["},
      "plugins": [
        {"name": "a", "source": "./a", "tags": ["x", "y"]},
        {"source": "./b"}, 7,

        {"name": "c"}
      ]}`;
    const { plugins, refused } = indexOf(text);
    expect(plugins).toMatchObject([{ name: "a" }]);
    expect(refused).toMatchObject([
      { name: "plugins[1]", reason: expect.stringContaining("`name`"), line: 5 },
      { name: "plugins[2]", reason: expect.stringContaining("object"), line: 5 },
      { name: "c", reason: expect.stringContaining("`source`"), line: 7 },
    ]);
  });

  test.each(["a b", "a,b", "*", "a/b", "..\\x", "a\u202eb", "\u200b", "x".repeat(129), "", 7, null])(
    "SK-13: %j is no name to pick by, and is shown without harm",
    (name) => {
      const { plugins, refused } = indexOf(market([{ name, source: "./x" }]));
      expect(plugins).toEqual([]);
      expect(refused).toMatchObject([{ code: "marketplace.refused" }]);
      expect(refused[0]?.name).toMatch(/^[ -~\u2026]{1,64}$/);
    },
  );

  test("two plugins in one place: fine with skills of their own, noted with the same, said at two commits", () => {
    const at = (name: string, rest: object) => ({ name, source: "./", ...rest });
    expect(codes(indexOf(market([at("a", { skills: ["./a"] }), at("b", { skills: ["./b"] })])))).toEqual([]);
    expect(codes(indexOf(market([at("a", {}), at("b", {})])))).toEqual(["marketplace.same"]);
    const elsewhere = (name: string, rest: object) => ({ name, source: { source: "github", repo: "O/R", ...rest } });
    const two = indexOf(market([elsewhere("a", { sha }), elsewhere("b", { sha: sha.replace("0", "f") })]));
    expect([two.plugins.length, codes(two)]).toEqual([2, ["marketplace.duplicate"]]);
    const own = { name: "b", source: { source: "github", repo: "acme/MARKET" } };
    expect(codes(indexOf(market([at("a", {}), own])))).toEqual(["marketplace.duplicate"]);
  });

  test("fields that are not known are said once, however many; those of plugin.json are known", () => {
    const known = { description: "x", hooks: {}, mcpServers: {}, category: "c", relevance: {}, tags: [] };
    expect(
      one("./x", known, { $schema: "x", metadata: {}, version: "1", forceRemoveDeletedPlugins: true }).findings,
    ).toEqual([]);
    const plugins = Array.from({ length: 30 }, (_, at) => ({
      name: `p${at}`,
      source: `./p${at}`,
      colour: 1,
      [`x${at}`]: 1,
    }));
    const { findings } = indexOf(market(plugins, { odd: 1 }));
    expect(findings).toMatchObject([{ code: "marketplace.field", level: "low" }]);
    expect(findings[0]?.message).toMatch(/"odd", "colour" \(30 times\), .* and \d+ more$/);
  });
});

describe("IN-14: the file", () => {
  test.each<[unknown, RegExp]>([
    ["", /not JSON/],
    ['{\n"name": "m",\n}', /^3: .*not JSON/],
    ["[]", /not a JSON object/],
    ["7", /not a JSON object/],
    [{}, /lacks `name` and `owner` and a list of `plugins`/],
    [{ ...market([]), name: undefined }, /lacks `name`$/],
    [{ ...market([]), owner: undefined }, /lacks `owner`$/],
    [{ ...market([]), plugins: {} }, /lacks a list of `plugins`$/],
    [market(Array(5001).fill(7)), /more than 5000/],
    [`{"a":${"[".repeat(100)}${"]".repeat(100)}}`, /deeper than 64/],
    ["[".repeat(2_000_000), /deeper than 64/],
    [" ".repeat(4 * 2 ** 20 + 1), /larger than/],
  ])("%# is a fault that says why", (value, why) => expect(faultOf(value)).toMatch(why));

  test("bytes that are no UTF-8 are a fault, a byte order mark is none", () => {
    const bent = Buffer.from(JSON.stringify(market([], { description: "?" })));
    bent[bent.indexOf("?")] = 0xff;
    expect(parseMarketplace(bent, sets, here)).toMatchObject({
      fault: { message: expect.stringMatching(/not UTF-8/) },
    });
    expect(indexOf(`\uFEFF${JSON.stringify(market([]))}`).plugins).toEqual([]);
    expect(indexOf(market([], { owner: "Acme" })).findings).toMatchObject([{ code: "marketplace.field" }]);
  });

  test("T21: no name in it reaches a prototype", () => {
    const text = `{"__proto__": {"polluted": 1, "plugins": []}, "name": "m", "owner": {"name": "x"}, "renames": {"__proto__": "x", "constructor": null},
      "plugins": [{"name": "__proto__", "source": "./a"}, {"name": "constructor", "source": {"source": "toString"}}, {"__proto__": {"name": "x", "source": "./x"}}]}`;
    const { plugins, refused, renames } = indexOf(text);
    expect(plugins.map(({ name }) => name)).toEqual(["__proto__"]);
    expect(refused.map(({ name }) => name)).toEqual(["constructor", "plugins[2]"]);
    expect([...renames]).toEqual([
      ["__proto__", "x"],
      ["constructor", null],
    ]);
    expect({}).not.toHaveProperty("polluted");
  });

  test("every entry is either a plugin or refused by name, and nothing leads out of its place", () => {
    const text = fc.oneof(
      fc.constantFrom("./x", "../x", ".", "a", "o/r", "https://github.com/o/r", sha, "main"),
      fc.string(),
    );
    const source = fc.oneof(
      text,
      fc.anything(),
      fc.record(
        {
          source: fc.oneof(fc.constantFrom("github", "url", "git-subdir", "git", "npm"), fc.string()),
          repo: text,
          url: text,
          path: text,
          ref: text,
          sha: text,
        },
        { requiredKeys: [] },
      ),
    );
    const entry = fc.oneof(
      fc.anything(),
      fc.record(
        { name: fc.oneof(text, fc.anything()), source, skills: fc.oneof(text, fc.array(text), fc.anything()) },
        { requiredKeys: [] },
      ),
    );
    const top = fc.record({ renames: fc.anything(), metadata: fc.anything() }, { requiredKeys: [] });
    fc.assert(
      fc.property(fc.array(entry, { maxLength: 12 }), top, (entries, rest) => {
        const value: unknown = JSON.parse(
          JSON.stringify(market(entries, rest), (_, each) => (typeof each === "bigint" ? 1 : each)),
        );
        const parsed = parse(value);
        if ("fault" in parsed) return;
        const { plugins, refused, findings } = parsed.index;
        expect(plugins.length + refused.length).toBe(entries.length);
        expect(refused.every(({ name, reason }) => name !== "" && reason !== "")).toBe(true);
        expect(new Set(plugins.map(({ name }) => name)).size).toBe(plugins.length);
        const paths = plugins.flatMap(({ place, skills }) => skills.concat(place.path)).filter((path) => path !== "");
        expect(
          paths.filter((path) => /^\/|\\|\0/.test(path) || path.split("/").some((name) => /^\.{0,2}$/.test(name))),
        ).toEqual([]);
        expect(findings.filter(({ code }) => !(code in sourceFaults))).toEqual([]);
      }),
    );
  });

  test("any bytes are a fault or an index, never an exception", () => {
    const good = JSON.stringify(market([{ name: "a", source: "./a" }], { renames: { b: "a" } }));
    const bent = fc.tuple(fc.nat(good.length), fc.nat(good.length), fc.string({ unit: "binary", maxLength: 6 }));
    fc.assert(
      fc.property(bent, ([from, to, piece]) => {
        const parsed = parse(good.slice(0, from) + piece + good.slice(to));
        expect("fault" in parsed || "index" in parsed).toBe(true);
      }),
    );
    fc.assert(fc.property(fc.uint8Array(), (bytes) => void parseMarketplace(bytes, sets, here)));
  });
});

describe("IN-14: renames", () => {
  const renamed = (renames: unknown) => indexOf(market([], { renames }));

  test("a chain leads to its end, also to null", () => {
    const { renames, findings } = renamed({ b: "c", a: "b", c: "d", x: "y", y: null });
    expect(Object.fromEntries(renames)).toEqual({ a: "d", b: "d", c: "d", x: null, y: null });
    expect(findings).toEqual([]);
  });

  test("names in a circle, and what leads to them, are dropped and said; the others stay", () => {
    const index = renamed({ a: "b", b: "c", c: "b", self: "self", x: "y" });
    expect(Object.fromEntries(index.renames)).toEqual({ x: "y" });
    expect(codes(index)).toEqual(["marketplace.renames"]);
    expect(index.findings[0]?.message).toMatch(/"a", "b", "c", "self"/);
    expect(renamed({ b: "c", c: "b", late: "a", a: "b" }).renames.size).toBe(0);
  });

  test.each<[unknown]>([["x"], [[]], [7], [{ a: 7 }], [{ a: "" }], [{ a: {} }]])("%j is said and not read", (value) => {
    const index = renamed(value);
    expect([index.renames.size, codes(index)]).toEqual([0, ["marketplace.renames"]]);
  });

  test("a long chain is walked over once", () => {
    const names = Array.from({ length: 5000 }, (_, at) => `n${at}`);
    const { renames } = renamed(Object.fromEntries(names.map((name, at) => [name, `n${at + 1}`])));
    expect(new Set(renames.values())).toEqual(new Set(["n5000"]));
    expect(codes(renamed(Object.fromEntries([...names, "x"].map((name) => [name, null]))))).toEqual([
      "marketplace.renames",
    ]);
  });
});

describe("IN-14: which plugins are read", () => {
  const many = (count: number, rest = {}) =>
    indexOf(
      market(
        Array.from({ length: count }, (_, at) => ({ name: `p${at}`, source: `./p${at}` })),
        rest,
      ),
    );
  const included = (include: readonly string[] | null, index: MarketplaceIndex, before: readonly string[] = []) => {
    const { included: names, findings } = resolveIncluded(include, index, (name) => before.includes(name));
    return [[...names], findings.map(({ code, message }) => `${code} ${message}`)];
  };

  test("nobody picked: all up to 50, beyond that those that were read before, also under an older name", () => {
    expect(included(null, many(50))[0]).toHaveLength(50);
    expect(included(null, many(51))).toEqual([[], []]);
    expect(included(null, many(51), ["p3", "gone"])).toEqual([["p3"], []]);
    expect(included(null, many(51, { renames: { old: "p4", lost: null } }), ["old", "lost"])).toEqual([["p4"], []]);
  });

  test("picked by name, by an older name, or all", () => {
    expect(included(["*"], many(51))[0]).toHaveLength(51);
    expect(included([], many(3))).toEqual([[], []]);
    expect(included(["p1", "p1", "old"], many(3, { renames: { old: "p2" } }))).toEqual([["p1", "p2"], []]);
    expect(included(["p1"], many(3, { renames: { p1: "p2" } }))).toEqual([["p1"], []]);
  });

  test("what is not there is said, with why", () => {
    const index = indexOf(market([{ name: "a", source: { source: "npm" } }], { renames: { b: null, c: "d" } }));
    const [names, said] = included(["a", "b", "c", "z"], index);
    expect(names).toEqual([]);
    expect(said).toEqual([
      expect.stringMatching(/^include\.unknown "a" .*package of npm/),
      expect.stringMatching(/^include\.unknown "b" .*took it out/),
      expect.stringMatching(/^include\.unknown "c" .*does not list it/),
      expect.stringMatching(/^include\.unknown "z" .*does not list it/),
    ]);
  });
});
