import { gunzipSync, gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { addSource } from "../../src/features/sources/add.ts";
import { showSource } from "../../src/features/sources/flow.ts";
import { syncSources } from "../../src/features/sources/sync.ts";
import type { FakeGitHub, FileContent, PushOptions } from "../../src/testing/github/script.ts";
import { ada, say, skillText, statesIn, usableIn } from "../support/registry.ts";
import { added, asked, notSynced, skillFiles, synced } from "../support/remote.ts";
import {
  filesInGit,
  git,
  keptIn,
  provenanceIn,
  sourceIn,
  storedFiles,
  wrongBytes,
  siteOf,
  type RepositorySite,
} from "../support/source-real-git.ts";

const pdf = "skills:skills/pdf";
const submodule = { submodule: "1234567890123456789012345678901234567890" };
/** Every byte there is, line ends of all kinds among them. */
const everyByte = Buffer.from(Array.from({ length: 256 }, (_, at) => at));

describe("IN-8: what is kept is what git has", () => {
  const attributes = [
    "*.crlf text eol=crlf",
    "version.txt export-subst",
    "skills/pdf/references/private.md export-ignore",
    "skills/csv/** export-ignore",
  ];
  const hard: Record<string, FileContent> = {
    ".gitattributes": `${attributes.join("\n")}\n`,
    "skills/pdf/SKILL.md": skillText("pdf", "# Überschrift\r\n\r\nDo it.\n"),
    "skills/pdf/scripts/run.sh": { executable: "#!/bin/sh\necho run\n" },
    "skills/pdf/scripts/deep/er/still/x.py": { executable: everyByte },
    "skills/pdf/references/private.md": "Not in any tarball.\n",
    "skills/pdf/references/windows.crlf": "one\ntwo\n",
    "skills/pdf/version.txt": "$Format:%H %an%$\n",
    "skills/pdf/assets/every.bin": everyByte,
    "skills/pdf/assets/empty": "",
    "skills/pdf/assets/日本語 name.md": "Ein Name mit Leerzeichen.\n",
    "skills/pdf/assets/100%25 #?&+.md": "Signs.\n",
    "skills/csv/SKILL.md": skillText("csv"),
    "skills/csv/a": "a\n",
    "skills/csv/a.b": "a.b\n",
    "skills/csv/a-/b": "a-/b\n",
  };
  const inSkill = (name: string) =>
    Object.keys(hard).flatMap((path) => (path.startsWith(`skills/${name}/`) ? [path.slice(8 + name.length)] : []));

  test("although the tarball lacks files and changes others; in one go and again", async () => {
    const { app, repository, github, first } = await siteOf(hard);
    expect(await added(app, "acme/skills")).toMatchObject({ status: "ok", created: 2, findings: [] });
    expect([...(await storedFiles(app, pdf)).keys()].toSorted()).toEqual(inSkill("pdf").toSorted());
    expect([...(await storedFiles(app, "skills:skills/csv")).keys()].toSorted()).toEqual(inSkill("csv").toSorted());
    expect(await wrongBytes(app, "skills", repository)).toEqual([]);
    const fetched = asked(github).filter((path) => /^(?:raw \S*[0-9a-f]{40}\/skills\/|codeload )/.test(path));
    const again = ["private.md", "windows.crlf", "version.txt", "csv/SKILL.md", "csv/a", "csv/a.b", "csv/a-/b"];
    expect(fetched.filter((path) => path.startsWith("codeload"))).toHaveLength(1);
    expect(fetched.filter((path) => path.startsWith("raw"))).toHaveLength(again.length);
    for (const name of again)
      expect(
        fetched.filter((path) => path.startsWith(`raw /acme/skills/${first}/`) && path.endsWith(`/${name}`)),
      ).toHaveLength(1);
    const tar = gunzipSync(git(repository, ["archive", "--format=tar.gz", first])).toString("latin1");
    expect(tar, "the tarball is one that tries").not.toContain("Not in any tarball");
    expect(tar).not.toContain("$Format");
  });

  test("T24: links and submodules are left out and named, and what they point to is not read", async () => {
    const { app, repository } = await siteOf({
      "skills/pdf/SKILL.md": skillText("pdf"),
      "skills/pdf/passwd": { link: "/etc/passwd" },
      "skills/pdf/up": { link: "../../secret.md" },
      "skills/pdf/dir": { link: "../csv" },
      "skills/pdf/module": submodule,
      "skills/csv": { link: "pdf" },
      "skills/linked/SKILL.md": { link: "../pdf/SKILL.md" },
      "skills/other": submodule,
      "secret.md": "Secret.\n",
    });
    const result = await added(app, "acme/skills");
    expect(await statesIn(app), "what was left out has to be looked at").toEqual({ [pdf]: "blocked" });
    expect([...(await storedFiles(app, pdf)).keys()]).toEqual(["SKILL.md"]);
    const { facts } = await app.registry.look();
    expect(facts.loading.get(pdf)?.map(({ code, at }) => `${code} ${at.file}`)).toEqual([
      "path.link dir",
      "path.special module",
      "path.link passwd",
      "path.link up",
    ]);
    expect(result.findings.map(({ code, at }) => `${code} ${at.file}`).toSorted()).toEqual([
      "path.link skills/linked/SKILL.md",
      "walk.link skills/csv",
      "walk.skipped skills/other",
    ]);
    expect(await wrongBytes(app, "skills", repository)).toEqual([]);
  });

  test("T23: names that are dangerous on some machine are left out and named", async () => {
    const twins = ["skills/pdf/Notes.md", "skills/pdf/notes.md"];
    const { app, repository, github } = await siteOf({
      "skills/pdf/SKILL.md": skillText("pdf"),
      "skills/pdf/good.md": "Good.\n",
      "skills/pdf/../../../../.bashrc": "rm -rf\n",
      "skills/pdf/./dot.md": "Dot.\n",
      "skills/pdf/back\\slash.md": "Back.\n",
      "skills/pdf/trailing.": "Dot.\n",
      "skills/pdf/space ": "Space.\n",
      "skills/pdf/C:/x.md": "Drive.\n",
      "skills/pdf/line\nfeed.md": "Feed.\n",
      "skills/pdf/.git/config": "[core]\n",
      "skills/pdf/%2e%2e/x.md": "Encoded.\n",
      "skills/pdf/caf\u00e9.md": "One form.\n",
      "skills/pdf/cafe\u0301.md": "Another form.\n",
      [twins[0] ?? ""]: "One.\n",
      [twins[1] ?? ""]: "Two.\n",
      "skills/bad./SKILL.md": skillText("bad"),
      "skills/../evil/SKILL.md": skillText("evil"),
    });
    const result = await added(app, "acme/skills");
    expect(await statesIn(app)).toEqual({ [pdf]: "blocked" });
    const kept = [...(await storedFiles(app, pdf)).keys()];
    expect(kept.filter((path) => !/^(?:SKILL|good|cafe?\u00e9?\u0301?|[Nn]otes|C:\/x)\.md$/.test(path))).toEqual([]);
    expect(kept.filter((path) => /^notes\.md$/i.test(path))).toHaveLength(1);
    expect(kept.filter((path) => path.startsWith("caf"))).toHaveLength(1);
    const { facts } = await app.registry.look();
    const codes = (facts.loading.get(pdf) ?? []).map(({ code }) => code);
    expect(codes.filter((code) => code === "path.twin")).toHaveLength(2);
    expect(codes.filter((code) => code === "path.unsafe").length).toBeGreaterThanOrEqual(7);
    expect(result.findings.map(({ code }) => code)).toEqual(["path.unsafe", "path.unsafe"]);
    expect(await wrongBytes(app, "skills", repository)).toEqual([]);
    for (const { path } of github.requests) expect(path).not.toMatch(/\.\.\/|%2e|%5c|bashrc/i);
  });

  test("T23: a folder with a name that is not UTF-8 is not known, and the rest is read", async () => {
    const { app, repository, github, first } = await siteOf(skillFiles(["pdf", "csv"]));
    await added(app, "acme/skills");
    await say(app, ada, "approve", "skills:skills/csv");
    const idOf = (path: string) =>
      git(repository, ["rev-parse", `${first}:${path}`])
        .toString()
        .trim();
    const [file, one] = [idOf("skills/csv/SKILL.md"), idOf("skills/pdf")];
    const mktree = (...lines: string[]) =>
      git(repository, ["mktree", "-z"], Buffer.from(lines.join(""), "latin1"))
        .toString()
        .trim();
    const odd = mktree(`100644 blob ${file}\tSKILL.md\0`, `100644 blob ${file}\ta\xffb\0`);
    const folders = [["csv", odd] as const, ["pdf", one] as const, ["xls", one] as const];
    const skills = mktree(...folders.map(([name, id]) => `040000 tree ${id}\t${name}\0`));
    const root = mktree(`040000 tree ${skills}\tskills\0`);
    // The names of files go through JSON, as the service's do.
    const blob = (path: string, sha: string) => ({ path, mode: "100644", type: "blob", sha, size: 70 });
    const folder = (path: string, sha: string) => ({ path, mode: "040000", type: "tree", sha });
    const tree = [
      folder("skills", skills),
      ...folders.map(([name, id]) => folder(`skills/${name}`, id)),
      ...["csv/SKILL.md", "csv/a\ufffdb"].map((path) => blob(`skills/${path}`, file)),
      ...["pdf/SKILL.md", "xls/SKILL.md"].map((path) => blob(`skills/${path}`, idOf("skills/pdf/SKILL.md"))),
    ];
    const commit = JSON.parse((await bodyOf(github, mainOf)).toString());
    const sha = "f".repeat(40);
    const pinned = { ...commit, sha, commit: { ...commit.commit, tree: { ...commit.commit.tree, sha: root } } };
    instead(github, mainOf, Buffer.from(JSON.stringify(pinned)));
    const listing = JSON.stringify({ sha: root, tree, truncated: false });
    instead(github, `api /repos/acme/skills/git/trees/${root}?recursive=1`, Buffer.from(listing));
    instead(github, `raw /acme/skills/${sha}/skills/xls/SKILL.md`, Buffer.from(skillText("pdf")));
    expect(await synced(app, "skills"), "what cannot be proven is protected").toMatchObject({
      status: "partial",
      created: 1,
      orphaned: 0,
    });
    expect(await statesIn(app)).toEqual({
      "skills:skills/csv": "enabled",
      [pdf]: "new",
      "skills:skills/xls": "new",
    });
    expect((await storedFiles(app, "skills:skills/xls")).get("SKILL.md")?.toString()).toBe(skillText("pdf"));
  });
});

const mainOf = "api /repos/acme/skills/commits/heads/main?per_page=1";

/** Seeded: the same numbers every time. */
function lcg(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** The body that a fake sends for a path, as the client would get it. */
async function bodyOf(github: FakeGitHub, request: string): Promise<Buffer> {
  const [service = "", path = ""] = request.split(" ");
  const base = service === "api" ? github.api : service === "raw" ? github.raw : github.codeload;
  const answer = await fetch(new URL(path, base), { headers: { accept: "application/vnd.github+json" } });
  return Buffer.from(await answer.arrayBuffer());
}

function exactly(request: string): RegExp {
  return new RegExp(`^${request.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)}$`);
}

/** The next such request gets these bytes instead. */
function instead(github: FakeGitHub, request: string, body: Uint8Array): void {
  github.next({ on: exactly(request), how: { status: 200, body } });
}

describe("T13: one wrong byte anywhere", () => {
  const refusals = /^(?:digest\.mismatch|upstream\.invalid|source\.missing|source\.frozen)$/;

  /** A source at its first commit, approved; the second one is upstream. */
  async function behind(kind: "repo" | "marketplace") {
    const index = JSON.stringify({
      name: "market",
      owner: { name: "Acme" },
      plugins: [{ name: "tools", source: "./", skills: ["./skills/pdf", "./skills/csv"], strict: false }],
    });
    const here = await siteOf({
      ...skillFiles(["pdf", "csv"]),
      ...(kind === "marketplace" ? { ".claude-plugin/marketplace.json": index } : {}),
    });
    const { app, repository } = here;
    await added(app, "acme/skills", { onChange: "hold" });
    for (const id of Object.keys(await statesIn(app))) await say(app, ada, "approve", id);
    const now = await repository.push({
      "skills/pdf/SKILL.md": skillText("pdf", "The second one.\n"),
      "skills/pdf/references/long.md": "Long.\n".repeat(100),
      "skills/new/SKILL.md": skillText("new"),
      "skills/csv/scripts/run.sh": { executable: "#!/bin/sh\n" },
      ...(kind === "marketplace" ? { ".claude-plugin/marketplace.json": `${index}\n` } : {}),
    });
    return { ...here, now };
  }

  /** What the next sync will ask for, found out with a copy of all that is here. */
  async function questions({ github, folder }: RepositorySite): Promise<string[]> {
    const copy = folder.copy();
    const other = await copy.open();
    const since = github.requests.length;
    await synced(other, "skills");
    await copy.remove();
    return [...new Set(asked(github, since))];
  }

  /** A sync with that answer in its way: refused with everything as it was, or right in every byte. */
  async function holds(
    here: RepositorySite & { readonly now: string },
    request: string,
    body: Uint8Array,
  ): Promise<string> {
    const { folder, github, repository } = here;
    const copy = folder.copy();
    const app = await copy.open();
    const usable = await usableIn(app);
    const before = keptIn(copy);
    instead(github, request, body);
    const [result] = (await syncSources(app, ["skills"])).results;
    if (result?.status === "error") {
      expect(result.error.code).toMatch(refusals);
      const after = keptIn(copy);
      // Bytes that were proven before the fault may be kept already: they are nobody's yet.
      expect({ ...after, revisions: 0, blobs: 0 }).toEqual({ ...before, revisions: 0, blobs: 0 });
      expect(await usableIn(app)).toEqual(usable);
    } else {
      expect(await wrongBytes(app, "skills", repository)).toEqual([]);
      const { pin, remote } = await sourceIn(app, "skills");
      if (pin !== here.now) expect(remote?.proof?.commit, `a pin that is not right: ${String(pin)}`).toBe("by API");
    }
    await copy.remove();
    return result?.status ?? "nothing";
  }

  test.each(["repo", "marketplace"] as const)("is refused or made good, for every answer of a %s", async (kind) => {
    const here = await behind(kind);
    const { app, folder, github } = here;
    await folder.close(app);
    const requests = await questions(here);
    const services = new Set(requests.map((request) => request.split(" ")[0]));
    expect([...services]).toEqual(expect.arrayContaining(["api", "codeload"]));
    const random = lcg(20_240_501);
    const outcomes = new Map<string, number>();
    for (const request of requests) {
      const body = await bodyOf(github, request);
      for (let count = 0; count < 4; count++) {
        const wrong = Buffer.from(body);
        const at = random(wrong.length);
        wrong[at] = (wrong[at] ?? 0) ^ (1 << random(8));
        const outcome = await holds(here, request, wrong);
        outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
      }
    }
    expect(outcomes.get("error"), "most of them matter").toBeGreaterThan(requests.length);
  });

  test("in the hex digits of a listing or a commit, each in turn, is refused", async () => {
    const here = await behind("repo");
    const { app, folder, github } = here;
    await folder.close(app);
    const requests = (await questions(here)).filter((request) => /\/git\/trees\/|\/commits\//.test(request));
    const outcomes: string[] = [];
    for (const request of requests) {
      const body = (await bodyOf(github, request)).toString();
      const places = [...body.matchAll(/"sha":"([0-9a-f]{40})"/g)].map(({ index }) => index + 7);
      for (const at of places) {
        const digit = body[at] === "0" ? "1" : "0";
        const wrong = `${body.slice(0, at)}${digit}${body.slice(at + 1)}`;
        const outcome = await holds(here, request, Buffer.from(wrong));
        if (request.includes("/git/trees/")) outcomes.push(outcome);
      }
    }
    expect(outcomes.length).toBeGreaterThan(10);
    expect(new Set(outcomes)).toEqual(new Set(["error"]));
  });

  test("in any file, as raw and in the tarball, is refused for as long as it is there", async () => {
    const { app, folder, repository, github, now } = await behind("repo");
    const before = keptIn(folder);
    const usable = await usableIn(app);
    for (const path of filesInGit(repository, now).keys()) {
      repository.tamper(path);
      const [result] = (await syncSources(app, ["skills"], { repair: true })).results;
      if (result?.status !== "error") throw new Error(`${path} was taken in`);
      expect(result.error).toMatchObject({ code: "digest.mismatch", message: expect.stringContaining(path) });
      expect({ ...keptIn(folder), revisions: 0, blobs: 0 }).toEqual({ ...before, revisions: 0, blobs: 0 });
    }
    expect(await usableIn(app)).toEqual(usable);
    expect(asked(github).some((request) => request.startsWith("raw") && request.includes("skills/"))).toBe(true);
    repository.tamper();
    expect(await synced(app, "skills")).toMatchObject({ status: "ok", pin: now });
    expect(await wrongBytes(app, "skills", repository)).toEqual([]);
  });

  test("in the tarball alone is made good file by file", async () => {
    const here = await behind("repo");
    const { app, github, repository, now } = here;
    const request = `codeload /acme/skills/tar.gz/${now}`;
    const tar = gunzipSync(await bodyOf(github, request));
    tar.set(Buffer.from("The zecond one"), tar.indexOf("The second one"));
    instead(github, request, gzipSync(tar));
    const since = github.requests.length;
    expect(await synced(app, "skills")).toMatchObject({ status: "ok", pin: now });
    expect(asked(github, since).filter((path) => path.startsWith("raw"))).toEqual([
      `raw /acme/skills/${now}/skills/pdf/SKILL.md`,
    ]);
    expect(await wrongBytes(app, "skills", repository)).toEqual([]);
  });

  test("in the index of a marketplace is refused", async () => {
    const { app, folder, github, now } = await behind("marketplace");
    const request = `raw /acme/skills/${now}/.claude-plugin/marketplace.json`;
    const body = (await bodyOf(github, request)).toString();
    const before = keptIn(folder);
    instead(github, request, Buffer.from(body.replace("./skills/csv", "./skills/new")));
    expect(await notSynced(app, "skills")).toMatchObject({ code: "digest.mismatch" });
    expect(keptIn(folder)).toEqual(before);
  });
});

describe("T13: wrong files", () => {
  /** One changed skill, so that its files come one by one. */
  async function oneByOne() {
    const big = { "big.bin": Buffer.alloc(2 ** 20, 7) };
    const here = await siteOf({
      ...skillFiles(["pdf"]),
      "skills/pdf/a.md": "First.\n",
      "skills/pdf/b.md": "Other.\n",
      ...big,
    });
    const { app, repository, github } = here;
    await added(app, "acme/skills");
    await say(app, ada, "approve", pdf);
    const now = await repository.push({ "skills/pdf/a.md": "Again 1\n", "skills/pdf/b.md": "Again 2\n" });
    const urlOf = (name: string) => `raw /acme/skills/${now}/skills/pdf/${name}`;
    return { ...here, now, urlOf, body: (name: string) => bodyOf(github, urlOf(name)) };
  }

  test.each([
    [
      "swapped",
      async ({ github, urlOf, body }: Awaited<ReturnType<typeof oneByOne>>) => {
        const [a, b] = [await body("a.md"), await body("b.md")];
        instead(github, urlOf("a.md"), b);
        instead(github, urlOf("b.md"), a);
      },
    ],
    [
      "longer",
      async ({ github, urlOf, body }: Awaited<ReturnType<typeof oneByOne>>) =>
        instead(github, urlOf("a.md"), Buffer.concat([await body("a.md"), Buffer.from("More.\n")])),
    ],
    [
      "shorter",
      async ({ github, urlOf, body }: Awaited<ReturnType<typeof oneByOne>>) =>
        instead(github, urlOf("a.md"), (await body("a.md")).subarray(1)),
    ],
    [
      "empty",
      async ({ github, urlOf }: Awaited<ReturnType<typeof oneByOne>>) =>
        instead(github, urlOf("a.md"), Buffer.alloc(0)),
    ],
    [
      "those of before",
      async ({ github, urlOf }: Awaited<ReturnType<typeof oneByOne>>) =>
        instead(github, urlOf("a.md"), Buffer.from("First.\n")),
    ],
    [
      "of a much larger size",
      async ({ github, urlOf }: Awaited<ReturnType<typeof oneByOne>>) =>
        instead(github, urlOf("a.md"), Buffer.alloc(2 ** 20, 65)),
    ],
    [
      "missing",
      async ({ github, urlOf }: Awaited<ReturnType<typeof oneByOne>>) =>
        github.next({ on: exactly(urlOf("a.md")), how: { status: 404 } }),
    ],
  ])("that are %s are refused; pin, entries and bytes are what they were", async (_, arrange) => {
    const here = await oneByOne();
    const { app, folder, now, github } = here;
    const before = keptIn(folder);
    await arrange(here);
    const since = github.requests.length;
    expect((await notSynced(app, "skills")).code).toMatch(/^(?:digest\.mismatch|upstream\.invalid|source\.missing)$/);
    expect(asked(github, since).some((path) => path.startsWith("codeload"))).toBe(false);
    expect(keptIn(folder)).toEqual(before);
    expect(await usableIn(app)).toEqual([pdf]);
    expect(await sourceIn(app, "skills")).toMatchObject({ status: "error", pin: here.first });
    expect(await synced(app, "skills"), "and the next one is well").toMatchObject({
      status: "ok",
      updated: 1,
      pin: now,
    });
    expect(await wrongBytes(app, "skills", here.repository)).toEqual([]);
  });

  test("in a tarball of another commit are fetched again", async () => {
    const here = await siteOf(skillFiles(["pdf", "csv", "xls"]));
    const { app, repository, github, first } = here;
    const now = await repository.push({
      "skills/pdf/SKILL.md": skillText("pdf", "Two.\n"),
      "skills/new/SKILL.md": skillText("new"),
    });
    instead(
      github,
      `codeload /acme/skills/tar.gz/${now}`,
      await bodyOf(github, `codeload /acme/skills/tar.gz/${first}`),
    );
    expect(await added(app, "acme/skills")).toMatchObject({ status: "ok", created: 4, pin: now });
    expect(await wrongBytes(app, "skills", repository)).toEqual([]);
  });

  test("IN-10: a listing that leaves files or folders out is no listing", async () => {
    const { app, repository, folder, github } = await siteOf(skillFiles(["pdf", "csv"]));
    await added(app, "acme/skills");
    await say(app, ada, "approve", pdf);
    const now = await repository.push({ "README.md": "New.\n" });
    const tree = git(repository, ["rev-parse", `${now}^{tree}`])
      .toString()
      .trim();
    const request = `api /repos/acme/skills/git/trees/${tree}?recursive=1`;
    const listing: { tree: { path: string }[] } = JSON.parse((await bodyOf(github, request)).toString());
    const before = keptIn(folder);
    for (const left of listing.tree) {
      const fewer = listing.tree.filter(({ path }) => path !== left.path && !path.startsWith(`${left.path}/`));
      instead(github, request, Buffer.from(JSON.stringify({ ...listing, tree: fewer })));
      expect(await notSynced(app, "skills")).toMatchObject({ code: "digest.mismatch" });
      expect(keptIn(folder)).toEqual(before);
    }
    instead(github, request, Buffer.from(JSON.stringify({ ...listing, tree: [] })));
    expect(await notSynced(app, "skills"), "nor is none at all").toMatchObject({ code: "digest.mismatch" });
    expect(await statesIn(app)).toEqual({ [pdf]: "enabled", "skills:skills/csv": "new" });
  });
});

describe("IN-8: provenance says what was proven", () => {
  test.each<[string, PushOptions, string]>([
    ["an unsigned commit", {}, "hashed"],
    ["one made in Kathmandu", { zone: "+0545" }, "hashed"],
    ["one made in Newfoundland", { zone: "-0330" }, "hashed"],
    ["a signed one", { signed: true }, "hashed"],
    ["a signed one made elsewhere", { signed: true, zone: "+1400" }, "hashed"],
    ["one with a message of many lines", { message: "One\n\nTwo\n\n- three\n" }, "hashed"],
    ["one made where nobody lives", { zone: "+0107" }, "by API"],
  ])("%s", async (_, options, proof) => {
    const { app, repository } = await siteOf({});
    const commit = await repository.push(skillFiles(["pdf"]), options);
    await added(app, "acme/skills");
    expect((await showSource(app, "skills")).source).toMatchObject({
      pin: commit,
      remote: { ref: "heads/main", defaultBranch: "main", proof: { commit: proof, reachable: "heads/main" } },
    });
    const tree = git(repository, ["rev-parse", `${commit}:skills/pdf`])
      .toString()
      .trim();
    expect(await provenanceIn(app, pdf)).toEqual({
      hosts: "here",
      repository: "acme/skills",
      repositoryId: repository.id,
      ownerId: repository.ownerId,
      ref: "heads/main",
      commit,
      path: "skills/pdf",
      tree,
      proof: { files: 1, commit: proof, reachable: "heads/main" },
    });
  });

  test("of a tag, and of a commit by its id: from where it can be reached", async () => {
    const { app, repository, first } = await siteOf(skillFiles(["pdf"]));
    await repository.tag("v1", first);
    await repository.push({ "README.md": "Later.\n" });
    await addSource(app, "acme/skills@tags/v1", { id: "tagged" });
    await addSource(app, `acme/skills@${first}`, { id: "fixed" });
    expect((await provenanceIn(app, "tagged:skills/pdf"))?.proof.reachable).toBe("tags/v1");
    const fixed = await provenanceIn(app, "fixed:skills/pdf");
    expect(fixed).toMatchObject({ ref: null, commit: first, proof: { commit: "hashed", reachable: "heads/main" } });
  });
});
