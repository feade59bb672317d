import { verify } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { describe, expect, test } from "vitest";
import { ada, bob, currentOf, person, say, stateIn, syncedRegistry, usableIn } from "../../test/support/registry.ts";
import { AppError } from "../core/error.ts";
import { decide } from "./decide.ts";
import { changeSource, removeSource } from "./sync/sources.ts";
import { runSync } from "./sync/sync.ts";
import { allow } from "../../test/support/permits.ts";

const pdf = "skills:pdf";
type App = Awaited<ReturnType<typeof syncedRegistry>>["app"];

/** Everything that a decision would change. */
async function keptIn({ kept }: App) {
  const { read } = kept;
  return { ledger: await read.ledgerAfter(0, 100), audit: await read.auditHead(), generation: await read.generation() };
}

/** How it was refused, and whether anything was signed, recorded or made usable all the same. */
async function refusal(app: App, act: () => Promise<unknown>) {
  const before = await keptIn(app);
  const error: unknown = await act().catch((refusedBy: unknown) => refusedBy);
  const { code, message } = error instanceof AppError ? error : { code: "none", message: String(error) };
  return { code, message, changed: !isDeepStrictEqual(await keptIn(app), before) };
}

function refused(code: string, why: RegExp) {
  return { code, message: expect.stringMatching(why), changed: false };
}

describe("RV-3: a decision", () => {
  test("is signed over everything it says, with its audit record and generation in one transaction", async () => {
    const { app } = await syncedRegistry();
    const before = await keptIn(app);
    const decision = await say(app, ada, "approve", pdf, { note: "read every line" });
    const digest = await currentOf(app, pdf);
    const at = app.world.clock.now();
    expect(decision).toMatchObject({ word: "approve", entry: pdf, digest, current: digest, trust: "community" });
    expect(decision).toMatchObject({
      by: "ada",
      at,
      note: "read every line",
      seq: 1,
      commit: null,
      repositoryId: null,
    });
    const [row] = await app.kept.read.ledgerAfter(0, 10);
    expect(JSON.parse(row?.payload ?? "")).toEqual(decision);
    const key = app.keys.trusted.get(row?.key ?? "");
    expect(key && verify(null, Buffer.from(row?.payload ?? ""), key, Buffer.from(row?.signature ?? "", "base64"))).toBe(
      true,
    );
    const [record] = await app.kept.read.auditAfter(before.audit.seq, 10);
    expect(record).toMatchObject({ act: "decision.approve", subject: pdf, by: "ada", at });
    expect(await app.kept.read.generation()).toBe(before.generation + 1);
    expect(await usableIn(app)).toEqual([pdf]);
  });

  test("names the one before it, so that none can be taken out", async () => {
    const { app } = await syncedRegistry();
    const [first, second] = [await say(app, ada, "approve", pdf), await say(app, bob, "disable", pdf)];
    expect(second.seq).toBe(first.seq + 1);
    expect(second.prev).not.toBe(first.prev);
  });

  test("of many at once is all or none", async () => {
    const { app } = await syncedRegistry(["pdf", "xls"]);
    const [one, other] = [await currentOf(app, pdf), await currentOf(app, "skills:xls")];
    const asked = { word: "approve", note: "" } as const;
    const stale = [
      { ...asked, entry: pdf, digest: one },
      { ...asked, entry: "skills:xls", digest: one },
    ];
    expect(await refusal(app, () => decide(app.review, allow(ada, "review"), stale))).toEqual(
      refused("review.stale", /skills:xls is not/),
    );
    const all = [
      { ...asked, entry: pdf, digest: one },
      { ...asked, entry: "skills:xls", digest: other },
    ];
    expect((await decide(app.review, allow(ada, "review"), all)).map(({ seq }) => seq)).toEqual([1, 2]);
    expect(await usableIn(app)).toEqual([pdf, "skills:xls"]);
  });

  test("of two people at the same moment are two links of one chain", async () => {
    const { app } = await syncedRegistry(["pdf", "xls"]);
    const words = Array.from({ length: 10 }, (_, at) =>
      say(app, at % 2 ? ada : bob, "approve", at % 3 ? pdf : "skills:xls"),
    );
    const seqs = (await Promise.all(words)).map(({ seq }) => seq);
    expect(seqs.toSorted((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    expect((await app.registry.look()).snapshot.findings).toEqual([]);
  });

  test("grants what the skill asks for, or nothing of it", async () => {
    const { folder, app } = await syncedRegistry();
    folder.writeSkill("pdf", "Do it.\n", "allowed-tools: Read Bash(pdftotext:*)\n");
    await runSync(app.sync, allow(ada), "skills");
    expect((await say(app, ada, "approve", pdf)).grants).toEqual(["Read", "Bash(pdftotext:*)"]);
    expect((await say(app, ada, "approve", pdf, { withoutGrants: true })).grants).toEqual([]);
    expect((await say(app, ada, "reject", pdf)).grants).toEqual([]);
  });
});

describe("RV-5, T15: a decision is on the digest that was shown", () => {
  test("a sync between the page and the word refuses it, and nothing is signed", async () => {
    const { folder, app } = await syncedRegistry();
    const shown = await currentOf(app, pdf);
    folder.writeSkill("pdf", "Do something else.\n");
    await runSync(app.sync, allow(ada), "skills");
    expect(await refusal(app, () => say(app, ada, "approve", pdf, { digest: shown }))).toEqual(
      refused("review.stale", /skillward skill diff skills:pdf/),
    );
    expect(await stateIn(app, pdf)).toBe("new");
  });

  test("whatever order a sync and a word come in, what is usable was shown", async () => {
    const { folder, app } = await syncedRegistry();
    const other = await folder.open();
    const shown = await currentOf(app, pdf);
    folder.writeSkill("pdf", "Do something else.\n");
    const [word] = await Promise.allSettled([
      say(app, ada, "approve", pdf, { digest: shown }),
      runSync(other.sync, allow(ada), "skills"),
    ]);
    expect(await stateIn(app, pdf)).toBe(word.status === "fulfilled" ? "pending" : "new");
    expect(await usableIn(app)).toEqual([]);
  });

  test("for reject, disable and override too", async () => {
    const { app } = await syncedRegistry();
    for (const word of ["reject", "disable", "override"] as const)
      expect(await refusal(app, () => say(app, ada, word, pdf, { digest: "0".repeat(64) }))).toEqual(
        refused("review.stale", /is not/),
      );
  });

  test("RV-1: an older revision that it had may be approved, one that it never had may not", async () => {
    const { folder, app } = await syncedRegistry(["pdf", "xls"]);
    const old = await currentOf(app, pdf);
    folder.writeSkill("pdf", "Do something else.\n");
    await runSync(app.sync, allow(ada), "skills");
    const foreign = await currentOf(app, "skills:xls");
    expect(await refusal(app, () => say(app, ada, "approve", pdf, { digest: foreign, rollback: true }))).toEqual(
      refused("record.missing", /never had the revision/),
    );
    const decision = await say(app, ada, "approve", pdf, { digest: old, rollback: true });
    expect(decision).toMatchObject({ digest: old, current: await currentOf(app, pdf) });
    expect(await stateIn(app, pdf)).toBe("held");
    const { snapshot } = await app.registry.look();
    expect((await app.registry.use(snapshot, pdf)).digest).toBe(old);
  });
});

describe("RV-3: no decision on", () => {
  test("what is not there", async () => {
    const { app } = await syncedRegistry();
    expect(await refusal(app, () => say(app, ada, "approve", "skills:nothing", { digest: "0".repeat(64) }))).toEqual(
      refused("record.missing", /no entry "skills:nothing"/),
    );
  });

  test("an approval of what is gone from its source; a disable is heard", async () => {
    const { folder, app } = await syncedRegistry(["pdf", "xls"]);
    folder.removeSkill("pdf");
    await runSync(app.sync, allow(ada), "skills");
    expect(await refusal(app, () => say(app, ada, "approve", pdf))).toEqual(
      refused("review.refused", /not in its source any more/),
    );
    expect((await say(app, ada, "disable", pdf)).word).toBe("disable");
    await removeSource(app.sync, allow(ada), "skills");
    expect(await refusal(app, () => say(app, ada, "approve", pdf))).toEqual(refused("record.missing", /no entry/));
  });

  test("what cannot be loaded", async () => {
    const { folder, app } = await syncedRegistry();
    folder.write("skills/pdf/SKILL.md", "no header at all\n");
    await runSync(app.sync, allow(ada), "skills");
    expect(await stateIn(app, pdf)).toBe("blocked");
    expect(await refusal(app, () => say(app, ada, "approve", pdf))).toEqual(
      refused("review.refused", /cannot be loaded/),
    );
    expect(await refusal(app, () => say(app, ada, "override", pdf, { overrides: ["skill.unloadable"] }))).toEqual(
      refused("review.refused", /no blocking finding skill.unloadable/),
    );
  });

  test("T17: an approval of a revision whose row was changed by hand", async () => {
    const { folder, app } = await syncedRegistry();
    folder.sql("UPDATE revisions SET summary = replace(summary, 'What', 'Whet')");
    expect(await refusal(app, () => say(app, ada, "approve", pdf))).toEqual(
      refused("review.refused", /changed by hand/),
    );
  });
});

describe("T17: an approval", () => {
  test("of what a source brings whose row was changed by hand is refused until it is set again", async () => {
    const { folder, app } = await syncedRegistry();
    folder.sql("UPDATE sources SET record = replace(record, 'community', 'first_party')");
    expect(await refusal(app, () => say(app, ada, "approve", pdf))).toEqual(
      refused("review.refused", /its source was changed by hand/),
    );
    expect((await say(app, ada, "reject", pdf)).word).toBe("reject");
    await changeSource(app.sync, allow(ada), "skills", { trust: "verified", onChange: "disable" });
    expect((await say(app, ada, "approve", pdf)).trust).toBe("verified");
  });
});

describe("RV-6: a blocking finding", () => {
  async function blockedRegistry() {
    const registry = await syncedRegistry();
    registry.folder.write("skills/pdf/scope.yaml", "nobody-reads-this: 1\n");
    await runSync(registry.app.sync, allow(ada), "skills");
    return registry;
  }

  test("refuses the approval until it is overridden with a reason, on this digest", async () => {
    const { folder, app } = await blockedRegistry();
    expect(await stateIn(app, pdf)).toBe("blocked");
    const { facts } = await app.registry.look();
    const codes = facts.summaries.get(await currentOf(app, pdf))?.findings.filter(({ level }) => level === "high");
    const overrides = codes?.map(({ code }) => code) ?? [];
    expect(await refusal(app, () => say(app, ada, "approve", pdf))).toEqual(
      refused("review.refused", /blocks it; override it/),
    );
    await say(app, ada, "override", pdf, { overrides, note: "read it" });
    expect(await stateIn(app, pdf)).toBe("new");
    await say(app, ada, "approve", pdf);
    expect(await stateIn(app, pdf)).toBe("enabled");
    folder.write("skills/pdf/scope.yaml", "nobody-reads-this: 2\n");
    await runSync(app.sync, allow(ada), "skills");
    expect(await stateIn(app, pdf)).toBe("blocked");
    expect(await refusal(app, () => say(app, ada, "approve", pdf))).toEqual(refused("review.refused", /blocks it/));
  });

  test.each<[string, object, RegExp]>([
    ["without a reason", { overrides: ["scope.unknown"], note: "  " }, /needs a reason/],
    [
      "of a finding that is not there",
      { overrides: ["scan.none"] },
      /no blocking finding scan.none; what blocks is scope/,
    ],
    ["of one that is there and one that is not", { overrides: ["scope.unknown", "x"] }, /no blocking finding x/],
    ["of nothing", { overrides: [] }, /no blocking finding/],
    ["of a finding that does not block", { overrides: ["kind.missing"] }, /no blocking finding kind.missing/],
  ])("is not overridden %s", async (_, more, why) => {
    const { app } = await blockedRegistry();
    expect(await refusal(app, () => say(app, ada, "override", pdf, more))).toEqual(refused("review.refused", why));
  });

  test("has nothing to override where nothing blocks", async () => {
    const { app } = await syncedRegistry();
    expect(await refusal(app, () => say(app, ada, "override", pdf, { overrides: ["scope.unknown"] }))).toEqual(
      refused("review.refused", /nothing in it blocks/),
    );
  });
});

describe("RV-12: who may decide", () => {
  test.each(["reader", "operator", "reviewer"] as const)("a %s may not, as long as reviewers are off", async (role) => {
    const { app } = await syncedRegistry();
    expect(await refusal(app, () => say(app, person("eve", role), "approve", pdf))).toEqual(
      refused("auth.forbidden", new RegExp(`eve is ${role}`)),
    );
  });

  test("a reviewer may when reviewers are on, and nobody below", async () => {
    const { app } = await syncedRegistry(["pdf"], { config: "review:\n  reviewers: on\n" });
    expect(await refusal(app, () => say(app, person("eve", "operator"), "approve", pdf))).toEqual(
      refused("auth.forbidden", /takes the role reviewer or admin/),
    );
    expect((await say(app, person("rita", "reviewer"), "approve", pdf)).by).toBe("rita");
  });
});

describe("RV-5: where two people must approve", () => {
  const two = { config: "review:\n  decisions:\n    community: 2\n" };

  test("one is not enough, twice the same is refused, the second makes it", async () => {
    const { app } = await syncedRegistry(["pdf"], two);
    await say(app, ada, "approve", pdf);
    expect(await stateIn(app, pdf)).toBe("pending");
    expect(await refusal(app, () => say(app, ada, "approve", pdf))).toEqual(
      refused("review.refused", /ada has approved it already/),
    );
    await say(app, bob, "approve", pdf);
    expect(await stateIn(app, pdf)).toBe("enabled");
  });

  test("the same person may begin again after something between", async () => {
    const { app } = await syncedRegistry(["pdf"], two);
    for (const [who, word] of [
      [ada, "approve"],
      [bob, "reject"],
      [ada, "approve"],
    ] as const)
      await say(app, who, word, pdf);
    expect(await stateIn(app, pdf)).toBe("pending");
    await say(app, bob, "approve", pdf);
    expect(await stateIn(app, pdf)).toBe("enabled");
  });

  test("they begin again when it was away", async () => {
    const { folder, app } = await syncedRegistry(["pdf", "xls"], two);
    await say(app, ada, "approve", pdf);
    folder.removeSkill("pdf");
    await runSync(app.sync, allow(ada), "skills");
    folder.writeSkill("pdf");
    await runSync(app.sync, allow(ada), "skills");
    await say(app, bob, "approve", pdf);
    expect(await stateIn(app, pdf)).toBe("pending");
    await say(app, ada, "approve", pdf);
    expect(await stateIn(app, pdf)).toBe("enabled");
  });

  test("it is so for the levels of trust that say so, signed or by now", async () => {
    const { app } = await syncedRegistry(["pdf"], two);
    await changeSource(app.sync, allow(ada), "skills", { trust: "verified" });
    await say(app, ada, "approve", pdf);
    expect(await stateIn(app, pdf)).toBe("enabled");
    await changeSource(app.sync, allow(ada), "skills", { trust: "community" });
    expect(await stateIn(app, pdf)).toBe("pending");
    await say(app, ada, "disable", pdf);
    await say(app, ada, "approve", pdf);
    expect(await stateIn(app, pdf)).toBe("pending");
  });
});

describe("RV-5: whoever added a source", () => {
  test("may review it, unless that is switched off", async () => {
    const { app } = await syncedRegistry();
    expect((await say(app, ada, "approve", pdf)).by).toBe("ada");
  });

  test("may not, where it is; not to reject it either", async () => {
    const { app } = await syncedRegistry(["pdf"], { config: "review:\n  separate-adder: on\n" });
    for (const word of ["approve", "reject", "disable"] as const)
      expect(await refusal(app, () => say(app, ada, word, pdf))).toEqual(
        refused("review.refused", /ada added its source/),
      );
    await say(app, bob, "approve", pdf);
    expect(await usableIn(app)).toEqual([pdf]);
  });
});
