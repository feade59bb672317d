import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import type { FakeRepository } from "../../src/testing/github/script.ts";
import { closedOrigin } from "../support/closed-port.ts";
import { skillText } from "../support/publish-site.ts";
import { type Env, SourceHome } from "./source-home.ts";

const right = "ghp_right_0123456789abcdefghijklmnop";
const weak = "ghp_weak_0123456789abcdefghijklmnopq";

let at: SourceHome;
let repository: FakeRepository;
let commit: string;

/** One source of which one skill is approved, and repositories that are each bad in their own way. */
beforeAll(async () => {
  at = await SourceHome.open();
  ({ repository, first: commit } = await at.skills());
  const { github } = at;
  await repository.push({ "notes.md": "x", "docs/SKILL.md/a.md": "x", link: { link: "skills" } });
  await repository.branch("feature/one", commit);
  await github.repository("acme/empty");
  await (await github.repository("acme/plain")).push({ "README.md": "No skills." });
  const secret = await github.repository("acme/secret", { private: { token: right, others: [weak] } });
  await secret.push({ "SKILL.md": skillText("secret", "Quiet.") });
  const both = await github.repository("acme/both");
  const head = await both.push({ "SKILL.md": skillText("both", "Both.") });
  await both.branch("v1", head);
  await both.tag("v1", head);
  at.home.skills("local", { greet: "Say hello." });
  await at.json("source add acme/skills/skills/pdf/SKILL.md --id mine --approve");
  await at.json("source add ./local");
});
afterAll(() => at.close());

type Case = readonly [typed: string | readonly string[], code: string, words: RegExp, env?: Env];

/** Refused with a message, in words and as JSON; nothing at all was written, no stack was shown. */
async function refuse(base: SourceHome, exit: number, [typed, code, words, env]: Case): Promise<void> {
  const line = typeof typed === "string" ? typed.split(" ") : typed;
  const answer = await base.refused(line, env);
  expect([line.join(" "), answer.exit, answer.code]).toEqual([line.join(" "), exit, code]);
  expect(answer.message).toMatch(words);
  expect(answer.message).not.toMatch(/undefined|\[object|\n/);
}

/** Four at a time: they only read. */
async function refuseAll(exit: number, cases: readonly Case[]): Promise<void> {
  const before = at.home.fingerprint();
  const waiting = [...cases];
  const worker = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await refuse(at, exit, next);
  };
  await Promise.all([worker(), worker(), worker(), worker()]);
  expect(at.home.fingerprint()).toBe(before);
}

const add = (text: string): readonly string[] => ["source", "add", text];

describe("IN-2, IN-3: what is typed and cannot be meant", () => {
  test("is refused before anything is asked, saying what to write", async () => {
    const asked = at.github.requests.length;
    await refuseAll(2, [
      [add(""), "usage.invalid", /nothing was named; write owner\/repo/],
      [add("acme"), "path.missing", /no folder acme in \/.*; write its whole path, or owner\/repo for a repository/],
      [add("acme/"), "usage.invalid", /no name of a repository; write owner\/repo/],
      [add("acme/sk ills"), "usage.invalid", /"acme\/sk ills" is no name of a repository/],
      [add("acme/skills/../other"), "usage.invalid", /name a path inside the repository/],
      [add("acme/skills@bad..ref"), "usage.invalid", /not what git can name a branch or tag/],
      [add("github.com/acme/skills"), "usage.invalid", /an address starts with https:\/\//],
      [add("~/skills"), "usage.invalid", /write the whole path, such as \/home\//],
      [add("./nowhere"), "path.missing", /there is no folder \.\/nowhere in \/.*; write its whole path/],
      [add("https://github.com/acme"), "usage.invalid", /names no repository; write owner\/repo/],
      [add("https://github.com/acme/skills/issues/1"), "usage.invalid", /\/issues is no repository, folder/],
      [add("https://github.com/acme/skills/blob/main"), "usage.invalid", /ends before it names a branch, and a file/],
      [add("https://github.com/acme/skills/tree/a%2fb/c"), "usage.invalid", /encoded slashes are not read/],
      [add("http://github.com/acme/skills"), "host.refused", /plain http is not asked; write https/],
      [add("https://ada:geheim@github.com/acme/skills"), "host.refused", /^(?!.*geheim).*user name or password/],
      [add("https://gitlab.com/acme/skills"), "host.refused", /"gitlab.com" is not where.*administrator names further/],
      [add("https://github.com.evil.example/acme/skills"), "host.refused", /is not where repositories are taken from/],
      [add("https://github.com:8443/acme/skills"), "host.refused", /is not where repositories are taken from/],
      [add("git@gitlab.com:acme/skills"), "host.refused", /is not where repositories are taken from/],
      [add("ftp://github.com/acme/skills"), "host.refused", /is no https address/],
      [add("file:///etc"), "host.refused", /is no https address/],
    ]);
    expect(at.github.requests).toHaveLength(asked);
  });

  test("so are options that mean nothing there", async () => {
    const asked = at.github.requests.length;
    const more = (options: string): readonly string[] => ["source", "add", "acme/other", ...options.split(" ")];
    await refuseAll(2, [
      [more("--interval soon"), "usage.invalid", /--interval: expected a time such as 30m, 6h or 1d, or none/],
      [more("--interval -5"), "usage.invalid", /--interval/],
      [more("--interval 5"), "usage.invalid", /every 60 seconds at most, and once in 365 days at least/],
      [more("--interval 400d"), "usage.invalid", /365 days/],
      [[...more("--include"), ""], "usage.invalid", /which folders or plugins to include/],
      [more("--include a,,b"), "usage.invalid", /which folders or plugins to include/],
      [more("--include a --all"), "usage.invalid", /--all or --include, not both/],
      [more("--max-files 0"), "usage.invalid", /--max-files: expected a whole number above 0/],
      [more("--max-seconds 999999999"), "usage.invalid", /from 1 to 86400 seconds/],
      [more("--id No-Id"), "usage.invalid", /cannot be the id of a source.*give another one/],
      [more("--hosts elsewhere"), "usage.invalid", /no GitHub "elsewhere".*there is: here, github\.com/],
      [more("--kind folder"), "usage.invalid", /Allowed choices are repo, marketplace, file/],
      [more("--token-env NOT_SET"), "usage.invalid", /--token-env: the variable .*is not set/],
      [more("--token-env NOTHING"), "usage.invalid", /is not set/, { NOTHING: "" }],
      [more("--token-env ODD"), "usage.invalid", /no spaces; look what was given/, { ODD: `${right} # mine` }],
      [more("--token-for-owner"), "usage.invalid", /there is no token; give one$/],
      [more("--token secret"), "usage.invalid", /unknown option/],
      ["source add ./local --ref main", "usage.invalid", /a folder of this machine has no ref/],
      ["source add ./local --kind repo", "usage.invalid", /a folder of this machine has no ref, kind/],
      ["source add ./local --include a", "usage.invalid", /a folder of this machine has no .*parts to include/],
      ["source add ./local --token-env T", "usage.invalid", /a folder of this machine has no .*token/, { T: right }],
      ["source set local --token-env T", "usage.invalid", /on this machine: it takes no token/, { T: right }],
      ["source set local --include a", "usage.invalid", /on this machine: it has no token and no parts/],
      ["source set mine --interval never", "usage.invalid", /30m, 6h or 1d, or none/],
      ["source set mine", "usage.invalid", /say what to change/],
      ["source set nobody --interval 6h", "record.missing", /there is: local, mine/],
      ["source sync nobody", "record.missing", /there is: local, mine/],
    ]);
    expect(at.github.requests).toHaveLength(asked);
    expect(at.leaks(right)).toEqual([]);
  });

  test("a person is told the same, on standard error", async () => {
    expect(await at.run("source add https://gitlab.com/acme/skills")).toMatchObject({
      code: 2,
      out: "",
      err: expect.stringMatching(/^error "gitlab\.com" is not where repositories are taken from .*\n$/),
    });
  });
});

describe("IN-7, IN-9: what is not there", () => {
  test("is refused saying what to do, and nothing is half added", async () => {
    const web = at.github.web;
    await refuseAll(2, [
      [add("acme/nowhere"), "source.missing", /has no repository acme\/nowhere; check its name, or give a token/],
      [add("acme/secret"), "source.missing", /give a token \(`--token-env`\) if it is private/],
      [[...add("acme/secret"), "--token-env", "T"], "source.refused", /does not accept the token/, { T: "ghp_wrong" }],
      [[...add("acme/secret"), "--token-env", "T"], "source.missing", /give the token the right/, { T: weak }],
      [add("acme/empty"), "source.missing", /acme\/empty is empty: it has no commit yet; push one first/],
      [add("acme/skills@nowhere"), "source.missing", /no branch or tag nowhere: look at its branches and tags/],
      [add("acme/skills@heads/nowhere"), "source.missing", /nowhere/],
      [add(`acme/skills@${commit.slice(0, 7)}`), "source.missing", /short SHAs are not accepted; give all 40 digits/],
      [add(`acme/skills@${"0".repeat(40)}`), "source.missing", /has no commit 0{40}: check its digits/],
      [add(`${web}/acme/skills/tree/feature/two/skills`), "source.missing", /no branch or tag feature/],
      [add("acme/both@v1"), "usage.invalid", /`--ref heads\/v1` or `--ref tags\/v1`/],
      [add("acme/skills/not/there"), "source.missing", /has no folder not\/there; name one of its folders/],
      [add("acme/skills/notes.md"), "source.missing", /has no folder notes\.md: that is a file/],
      [add("acme/skills/link"), "source.missing", /symbolic link, which is not followed/],
      [add("acme/skills/docs/SKILL.md"), "source.missing", /no file docs\/SKILL\.md: that is a folder/],
      [add("acme/skills/skills/none/SKILL.md"), "source.missing", /no file skills\/none\/SKILL\.md/],
      [[...add("acme/skills"), "--kind", "file"], "source.missing", /no file SKILL\.md/],
      [[...add("acme/skills"), "--kind", "marketplace"], "source.missing", /is no marketplace.*when no kind is said/],
      [add("acme/skills/.claude-plugin/marketplace.json"), "source.missing", /is no marketplace/],
      [[...add("acme/skills/skills"), "--kind", "marketplace"], "usage.invalid", /a marketplace is a whole repository/],
      [[...add("acme/skills"), "--approve"], "usage.invalid", /only one skill can be approved.*skillward review/],
      [[...add("acme/skills/skills"), "--include", "pdf"], "usage.invalid", /give one of them/],
      [[...add("acme/skills"), "--id", "mine"], "record.exists", /give another id$/],
      [add("acme/skills/skills/pdf/SKILL.md"), "record.exists", /is the source mine already; sync that one/],
    ]);
    for (const secret of [right, weak]) expect(at.leaks(secret)).toEqual([]);
  });

  test("a repository without skills is added, and it is said that there are none", async () => {
    const { code, out } = await at.run("source add acme/plain");
    expect([code, out]).toEqual([0, expect.stringMatching(/^Added plain .*\nplain: no skills there; .*SKILL\.md /)]);
    expect(await at.run("source remove plain")).toMatchObject({ code: 0, out: "Removed plain: it had no skills\n" });
  });
});

describe("IN-11, IN-21: a sync that cannot be done", () => {
  type Failing = () => void | Promise<void>;
  const cases: readonly (readonly [what: string, exit: number, code: string, words: RegExp, Failing, Failing])[] = [
    [
      "a deleted branch",
      3,
      "source.missing",
      /branch main is gone from acme\/skills.*stays as it is\. To follow another one.*`--ref`/,
      () => repository.deleteBranch("main"),
      () => repository.branch("main", commit),
    ],
    [
      "a limit that is reached",
      3,
      "source.limited",
      /allows no more requests.*try again then; with a token there are more/,
      () => at.github.limit(0),
      () => at.github.limit(null),
    ],
    [
      "a renamed repository",
      1,
      "source.frozen",
      /was renamed or transferred; look at where it went/,
      () => repository.rename("acme/renamed"),
      () => repository.rename("acme/skills"),
    ],
    [
      "a host set that is not configured any more",
      3,
      "config.invalid",
      /the GitHub "here", which `github` in the configuration does not name any more; name it there again/,
      () => at.home.configure("github: {}\n"),
      () => at.home.configure(at.github.configuration("here")),
    ],
  ];

  test.each(cases)("%s: nothing is lost, and it is well again afterwards", async (_, exit, code, words, harm, heal) => {
    const before = at.kept();
    await harm();
    try {
      const { exit: ended, answer } = await at.json("source sync mine");
      expect([ended, answer]).toEqual([
        exit,
        {
          results: [{ source: "mine", status: "error", error: { code, message: expect.stringMatching(words) } }],
          waiting: 1,
        },
      ]);
      const { out, err } = await at.run("source sync mine");
      expect(out).toMatch(/^mine: not synced: /);
      expect(err).toContain("Where a sync failed nothing changed: what was approved stays in use");
      expect(at.kept()).toBe(before);
      const { source, states } = (await at.json("source show mine")).answer;
      expect([source.status, source.error]).toEqual(["error", expect.stringMatching(words)]);
      expect(states).toEqual({ enabled: 1 });
    } finally {
      await heal();
    }
    expect((await at.json("source sync mine")).answer.results).toMatchObject([{ status: "ok", unchanged: 1 }]);
    expect((await at.json("source show mine")).answer.source.error).toBeNull();
  });
});

describe("a network that is not there", () => {
  /** The configuration with another api; `"host:port"` pairs stay as they are but for that. */
  const withApi = (api: string) => {
    const host = new URL(at.github.api).host;
    const yaml = at.github.configuration("here").replace(`api: ${at.github.api}`, `api: ${api}`);
    return yaml.replace(`"${host}":`, `"${new URL(api).hostname === "127.0.0.1" ? new URL(api).host : host}":`);
  };
  const network: readonly (readonly [what: string, api: () => string, words: RegExp])[] = [
    ["nobody listens", () => closedOrigin, /cannot be reached: nobody listens there/],
    ["its name does not resolve", () => "https://github.invalid", /cannot be reached: its name/],
    [
      "it does not speak TLS",
      () => at.github.api.replace("http:", "https:"),
      /cannot be reached: it does not speak TLS/,
    ],
  ];

  test.each(network)("%s: nothing is added, nothing is lost", async (_, api, words) => {
    onTestFinished(() => at.home.configure(at.github.configuration("here")));
    const before = at.kept();
    at.home.configure(withApi(api()));
    const refused = await at.refused("source add acme/skills");
    expect([refused.exit, refused.code]).toEqual([3, "upstream.unreachable"]);
    expect(refused.message).toMatch(words);
    expect(refused.message).toMatch(/nothing was added; look at the network and at `github` in the configuration/);
    expect((await at.json("source sync mine")).answer.results).toMatchObject([
      { status: "error", error: { code: "upstream.unreachable", message: expect.stringMatching(words) } },
    ]);
    expect(at.kept()).toBe(before);
  });
});
