import { describe, expect, test } from "vitest";
import { addSource } from "../../src/features/sources/add.ts";
import { setSource } from "../../src/features/sources/flow.ts";
import { syncSources } from "../../src/features/sources/sync.ts";
import { laterRefusal } from "../support/refusal.ts";
import { ada, say, skillText, stateIn, statesIn } from "../support/registry.ts";
import { added, asked, notSynced, skillFiles, stalled, synced } from "../support/remote.ts";
import {
  codesOf,
  keptIn,
  loadingOf,
  sourceIn,
  storedFiles,
  wrongBytes,
  siteOf,
  pushPdf,
  type RepositorySite,
} from "../support/source-real-git.ts";

const pdf = "skills:skills/pdf";
const csv = "skills:skills/csv";

function site(skills: readonly string[] = ["pdf"], config = "") {
  return siteOf(skillFiles(skills), { config });
}

async function bodyInUse({ app }: RepositorySite, entry = pdf): Promise<string> {
  const { usable } = (await app.registry.look()).snapshot;
  const digest = usable.get(entry)?.digest ?? "none";
  const [row] = await app.kept.read.findRevisions([digest]);
  const files: { path: string; digest: string }[] = JSON.parse(row?.files ?? "[]");
  const main = files.find(({ path }) => path === "SKILL.md")?.digest ?? "";
  return Buffer.from((await app.kept.read.findBlobs([main])).get(main) ?? "nothing").toString();
}

describe("T12: a repository that is another one now", () => {
  async function approved() {
    const here = await site();
    await added(here.app, "acme/skills");
    await say(here.app, ada, "approve", pdf);
    return here;
  }

  /** Somebody else's repository under a name, with the same commit and one more. */
  async function squat({ github }: RepositorySite, name = "acme/skills") {
    const other = await github.repository(name);
    await other.push(skillFiles(["pdf"]));
    await pushPdf(other, "Mallory was here.\n");
    return other;
  }

  test.each([
    ["renamed", async ({ repository }: RepositorySite) => repository.rename("acme/prompts"), /renamed or transferred/],
    [
      "transferred",
      async ({ repository }: RepositorySite) => repository.transfer("mallory/skills"),
      /renamed or transferred/,
    ],
    ["registered anew", async (here: RepositorySite) => void (await squat(here)), /repository's id was \d+ and is \d+/],
    [
      "registered anew after it was renamed",
      async (here: RepositorySite) => {
        await here.repository.rename("acme/prompts");
        await squat(here);
      },
      /repository's id was \d+ and is \d+/,
    ],
    [
      "registered anew after it was removed",
      async (here: RepositorySite) => {
        await here.repository.remove();
        await squat(here);
      },
      /repository's id was \d+ and is \d+/,
    ],
  ])("freezes the source when it was %s; what was approved stays in use", async (_, arrange, why) => {
    const here = await approved();
    const { app, folder, github } = here;
    const before = keptIn(folder);
    await arrange(here);
    const since = github.requests.length;
    expect(await notSynced(app, "skills")).toMatchObject({
      code: "source.frozen",
      message: expect.stringMatching(why),
    });
    expect(asked(github, since), "nothing but whose it is was asked").toEqual(["api /repos/acme/skills"]);
    expect(keptIn(folder)).toEqual(before);
    expect(await statesIn(app)).toEqual({ [pdf]: "enabled" });
    expect(await bodyInUse(here)).toBe(skillText("pdf"));
    expect((await sourceIn(app, "skills")).status).toBe("error");
    await notSynced(app, "skills");
    expect(keptIn(folder), "not by trying again either").toEqual(before);
  });

  test("freezes when only the owner is another one", async () => {
    const here = await approved();
    const { app, folder, repository, github } = here;
    const before = keptIn(folder);
    const facts = {
      id: repository.id,
      full_name: "acme/skills",
      default_branch: "main",
      name: "skills",
      private: false,
    };
    const body = JSON.stringify({ ...facts, owner: { login: "acme", id: repository.ownerId + 1, type: "User" } });
    github.next({ on: /repos\/acme\/skills$/, how: { status: 200, body } });
    expect(await notSynced(app, "skills")).toMatchObject({
      code: "source.frozen",
      message: expect.stringMatching(/owner's id was/),
    });
    expect(keptIn(folder)).toEqual(before);
    expect(await synced(app, "skills")).toMatchObject({ status: "ok" });
  });

  test("thaws when the old one has its name again", async () => {
    const here = await approved();
    const { app, repository, folder } = here;
    const before = keptIn(folder);
    await repository.rename("acme/prompts");
    await notSynced(app, "skills");
    await repository.rename("acme/skills");
    expect(await synced(app, "skills")).toMatchObject({ status: "ok", unchanged: 1 });
    expect(keptIn(folder)).toEqual(before);
    expect(await sourceIn(app, "skills")).toMatchObject({ status: "ok", error: null });
  });

  test.each([
    ["taken out", { repositoryId: null, ownerId: null }],
    ["taken out with all that is remembered", { repositoryId: null, ownerId: null, pin: null, remote: null }],
    ["those of the other one", null],
  ])("T17: ids that a hand made others in the row (%s) let nothing of the other one in", async (_, change) => {
    const here = await approved();
    const { app, folder, github } = here;
    const other = await squat(here);
    const [row] = folder.sql("SELECT record FROM sources");
    const record = JSON.parse(String(row?.["record"]));
    const ids = { repositoryId: other.id, ownerId: other.ownerId };
    folder.sql("UPDATE sources SET record = ?", JSON.stringify({ ...record, ...(change ?? ids) }));
    const before = keptIn(folder);
    const since = github.requests.length;
    expect(await notSynced(app, "skills")).toMatchObject({
      code: "keys.unusable",
      message: expect.stringMatching(/changed by hand/),
    });
    expect(asked(github, since)).toEqual([]);
    expect(keptIn(folder)).toEqual(before);
    expect(await laterRefusal(() => setSource(app, "skills", { trust: "verified" }))).toMatch(/^keys\.unusable /);
    expect(keptIn(folder), "nor is it sealed anew").toEqual(before);
    expect(await statesIn(app)).toEqual({ [pdf]: "enabled" });
    expect(await bodyInUse(here)).toBe(skillText("pdf"));
  });
});

describe("T14: going back", () => {
  /** Approved at the second of three commits. */
  async function approvedAtSecond(onChange: "disable" | "hold") {
    const here = await site(["pdf", "csv"]);
    const { app, repository, first } = here;
    await added(app, "acme/skills", { onChange });
    const second = await pushPdf(repository, "Two.\n");
    await synced(app, "skills");
    await say(app, ada, "approve", pdf);
    await say(app, ada, "approve", csv);
    return { ...here, first, second };
  }

  test("counts from the latest commit that has the approved bytes, not from the one they came with", async () => {
    const { app, repository } = await site();
    await added(app, "acme/skills");
    const second = await pushPdf(repository, "A hole.\n");
    await pushPdf(repository, "Do it.\n");
    await repository.push({ "README.md": "More.\n" });
    expect(await synced(app, "skills")).toMatchObject({ unchanged: 1, updated: 0 });
    await say(app, ada, "approve", pdf);
    await repository.branch("main", second);
    await synced(app, "skills");
    expect([await stateIn(app, pdf), await loadingOf(app, pdf)]).toEqual(["blocked", ["pin.rollback high"]]);
  });

  test.each(["disable", "hold"] as const)(
    "to before the approved commit is found on what changed (on_change %s)",
    async (onChange) => {
      const here = await approvedAtSecond(onChange);
      const { app, repository, first, second } = here;
      await repository.branch("main", first);
      const back = await synced(app, "skills");
      expect(back).toMatchObject({ status: "ok", updated: 1, unchanged: 1, pin: first });
      const held = onChange === "hold";
      expect(back).toMatchObject(held ? { held: 1, blocked: 0 } : { held: 0, blocked: 1 });
      expect(await statesIn(app)).toEqual({ [pdf]: held ? "held" : "blocked", [csv]: "enabled" });
      expect(await bodyInUse(here)).toBe(held ? skillText("pdf", "Two.\n") : "nothing");
      expect(await loadingOf(app, pdf)).toEqual(["pin.rollback high"]);
      expect(await loadingOf(app, csv)).toEqual([]);
      await synced(app, "skills");
      await syncSources(app, ["skills"], { repair: true });
      expect(await loadingOf(app, pdf), "it stays with these bytes").toEqual(["pin.rollback high"]);
      expect(await laterRefusal(() => say(app, ada, "approve", pdf))).toMatch(/^review\.refused /);

      await repository.branch("main", second);
      expect(await synced(app, "skills")).toMatchObject({ status: "ok", updated: 1, findings: [] });
      expect(await statesIn(app), "forward again").toEqual({ [pdf]: "enabled", [csv]: "enabled" });
      expect(await loadingOf(app, pdf)).toEqual([]);
      expect(await bodyInUse(here)).toBe(skillText("pdf", "Two.\n"));
    },
  );

  test("is lifted by an override of these bytes alone", async () => {
    const here = await approvedAtSecond("disable");
    const { app, repository, first } = here;
    await repository.branch("main", first);
    await synced(app, "skills");
    await say(app, ada, "override", pdf, { overrides: ["pin.rollback"], note: "two was broken" });
    expect(await stateIn(app, pdf), "nobody approved them yet").toBe("pending");
    await say(app, ada, "approve", pdf);
    expect(await stateIn(app, pdf)).toBe("enabled");
    expect(await bodyInUse(here)).toBe(skillText("pdf"));
  });

  test.each(["disable", "hold"] as const)(
    "sideways says that history was rewritten (on_change %s)",
    async (onChange) => {
      const here = await approvedAtSecond(onChange);
      const { app, repository, first } = here;
      await pushPdf(repository, "Another two.\n", { from: first });
      const result = await synced(app, "skills");
      expect(result.findings.map(({ code, level }) => `${code} ${level}`)).toEqual(["pin.rewritten medium"]);
      expect(await statesIn(app)).toEqual({ [pdf]: onChange === "hold" ? "held" : "pending", [csv]: "enabled" });
      expect(await bodyInUse(here)).toBe(onChange === "hold" ? skillText("pdf", "Two.\n") : "nothing");
    },
  );

  test("to a commit with nothing in common says so as well", async () => {
    const { app, repository } = await approvedAtSecond("disable");
    await repository.push({ "skills/pdf/SKILL.md": skillText("pdf", "From nowhere.\n") }, { from: null });
    const result = await synced(app, "skills");
    expect(codesOf(result.findings)).toEqual(["pin.rewritten"]);
    expect(await statesIn(app)).toMatchObject({ [pdf]: "pending" });
  });

  test("when it cannot be compared for now, nothing changes", async () => {
    const { app, repository, first, github, folder } = await approvedAtSecond("disable");
    await repository.branch("main", first);
    const before = keptIn(folder);
    github.misbehave({ rate: 1, random: () => 0, faults: [{ on: /\/compare\//, how: { status: 503 } }] });
    expect((await notSynced(app, "skills")).code).toMatch(/^upstream\./);
    expect(keptIn(folder)).toEqual({ ...before, revisions: expect.anything(), blobs: expect.anything() });
    github.misbehave(null);
    await synced(app, "skills");
    expect(await loadingOf(app, pdf)).toEqual(["pin.rollback high"]);
  });

  test("forward is nothing to speak of, and costs one comparison", async () => {
    const { app, repository, github } = await approvedAtSecond("disable");
    await pushPdf(repository, "Three.\n");
    const since = github.requests.length;
    expect(await synced(app, "skills")).toMatchObject({ status: "ok", disabledOnChange: 1, findings: [] });
    expect(asked(github, since).filter((path) => path.includes("/compare/"))).toHaveLength(1);
    expect(await stateIn(app, pdf)).toBe("pending");
  });

  test("of many skills, each approved at a commit of its own, is found on every one", async () => {
    const names = Array.from({ length: 34 }, (_, at) => `s${at}`);
    const { app, repository, first } = await site(names);
    await added(app, "acme/skills");
    for (const name of names) {
      await repository.push({ [`skills/${name}/SKILL.md`]: skillText(name, "Two.\n") });
      await synced(app, "skills");
      await say(app, ada, "approve", `skills:skills/${name}`);
    }
    await repository.branch("main", first);
    await synced(app, "skills");
    const states = Object.values(await statesIn(app));
    expect(states.filter((state) => state !== "blocked")).toEqual([]);
  });
});

describe("T14: one commit per bundle", () => {
  function version(word: string) {
    const parts = ["one", "two", "three"].map((name) => [`skills/pdf/references/${name}.md`, `${word} in ${name}\n`]);
    return Object.fromEntries([["skills/pdf/SKILL.md", skillText("pdf", `${word}\n`)], ...parts]);
  }

  test.each([
    ["the commit is asked for", /^api \S*\/commits\//],
    ["the tree is listed", /^api \S*\/git\/trees\//],
    ["the tarball comes", /^codeload /],
    ["a file comes", /^raw \S*\/references\/two\.md/],
  ])("a push while %s changes nothing of what is read", async (_, on) => {
    const { app, github, repository } = await site([]);
    const before = await repository.push(version("before"));
    await addSource(app, "acme/skills", { sync: false });
    // What is in the way in the tarball has to be asked for by itself.
    await repository.push({ ".gitattributes": "*.md -text\nskills/pdf/references/two.md export-ignore\n" });
    const read = await repository.push({ ".gitattributes": "skills/pdf/references/two.md export-ignore\n" });
    const waiting = stalled(github, on);
    const reading = synced(app, "skills");
    await waiting;
    const after = await repository.push(version("after"));
    github.release();
    expect(await reading).toMatchObject({ status: "ok", created: 1, pin: read });
    expect(await wrongBytes(app, "skills", repository)).toEqual([]);
    const words = [...(await storedFiles(app, pdf)).values()].map((bytes) => bytes.toString());
    expect(words.filter((text) => text.includes("before"))).toHaveLength(4);
    expect(await synced(app, "skills"), "the next one finds it").toMatchObject({ updated: 1, pin: after });
    expect(before).not.toBe(read);
  });
});
