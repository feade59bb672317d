import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from "vitest";
import type { App } from "../../src/app/app.ts";
import { AppError } from "../../src/core/error.ts";
import type { Finding } from "../../src/core/finding.ts";
import { lowerTrust } from "../../src/sources/trust.ts";
import { listKeys } from "../../src/registry/accounts/api-keys.ts";
import { authenticate } from "../../src/registry/accounts/authenticate.ts";
import { signIn } from "../../src/registry/accounts/sessions.ts";
import { listUsers } from "../../src/registry/accounts/users.ts";
import { setBlock } from "../../src/registry/decide.ts";
import { changeSource } from "../../src/registry/sync/sources.ts";
import { runSync } from "../../src/registry/sync/sync.ts";
import { demandOwnSecret } from "../../src/models/secrets.ts";
import { ada, bob, say } from "../support/registry.ts";
import { loosenTypes } from "../support/loose-types.ts";
import { forRun } from "../support/long-run.ts";
import { lookAt, type Outcome, outcomeOf, type StoreHome, type Used } from "../support/tampering.ts";
import { type Attack, type Notice, onEntries, onLedger, onRevisions, onSources } from "./tampering-attacks.ts";
import { appendRecord, insert, lastWord, row, withoutPlace, words } from "../support/tampering-hand.ts";
import { knownSecret, onAccounts, onAudit, onProviders, onStore, onUsage } from "./tampering-records.ts";
import { type Story, states, tellStory } from "./tampering-story.ts";
import { allow } from "../support/permits.ts";

const tables: Readonly<Record<string, readonly Attack[]>> = {
  "T17, invariant 1: bytes, lists and summaries": onRevisions,
  "T17: entries": onEntries,
  "T17: sources": onSources,
  "T18: signed words": onLedger,
  "T19: the audit chain": onAudit,
  "RV-8: usage": onUsage,
  "T18, RV-12: accounts": onAccounts,
  "T40, T43: providers": onProviders,
  "RV-3: the store's own row": onStore,
};

describe.each(["SQLite", "PostgreSQL"] as const)("tampering by hand, on %s", (engine) => {
  let story: Story;
  let before: Outcome;
  let home: StoreHome;

  beforeAll(async () => {
    story = await tellStory(engine, inject("postgres"));
    home = await story.home.copy();
    before = await outcomeOf(home);
  });

  afterAll(async () => {
    for (const each of [home, story.home, story.earlier, story.neighbour]) await each.remove();
  });

  beforeEach(() => home.resetTo(story.home));

  async function within<Result>(act: (app: App) => Promise<Result>, options = {}): Promise<Result> {
    const app = await home.open(options);
    try {
      return await act(app);
    } finally {
      await app.close();
    }
  }

  test("without any, everything stands as its history left it, and nothing is found", async () => {
    expect(before).toMatchObject({ refusal: undefined, refused: [], findings: [] });
    expect(Object.fromEntries(before.states)).toEqual(states);
    expect(await home.verify()).toEqual([]);
  });

  // What is noticed does not depend on the engine: all of them on one, every third on the other.
  const every = engine === "SQLite" ? 1 : forRun({ short: 3, long: 1 });

  describe.each(Object.entries(tables))("%s", (_, attacks) => {
    test.each(attacks.filter((__, at) => at % every === 0))("$what", async (attack) => {
      await attack.act(home, story);
      const after = await outcomeOf(home);
      expect(usableIn(after, before)).toEqual(leftOf(before, attack));
      expect(after.refusal?.code).toBe(attack.closed);
      const { noticed, refusedAtUse = "", verified } = attack;
      const shown = after.refusal === undefined ? after.findings : [after.refusal];
      if (noticed !== undefined) expect(said(shown, noticed[0])).toContain(named(noticed, story));
      expect(after.refused.join("\n")).toContain(refusedAtUse);
      expect(said(await verifying(home), verified[0])).toContain(named(verified, story));
    });
  });

  describe("T18: what a row that was changed by hand grants", () => {
    const attack = (what: string) => onAccounts.find((each) => each.what === what)?.act(home, story);

    test("to a user whose role was raised: nothing, not even what it was; nor to their key", async () => {
      await attack("a role raised");
      await within(async ({ accounts }) => {
        await expect(signIn(accounts, "carol", "correct horse battery")).rejects.toMatchObject({ code: "auth.failed" });
        await expect(authenticate(accounts, story.apiKey)).rejects.toMatchObject({ code: "auth.failed" });
        const { users, findings } = await listUsers(accounts, allow(ada));
        expect(users.map(({ name, state }) => [name, state])).toEqual([
          ["carol", "tampered"],
          ["dave", "enabled"],
        ]);
        expect(findings.map(({ message }) => message).join()).toContain('user "carol"');
      });
    });

    test("to a user that was inserted: nothing", async () => {
      await attack("a user inserted");
      await within(({ accounts }) =>
        expect(signIn(accounts, "mallory", "staple correct horse")).rejects.toMatchObject({ code: "auth.failed" }),
      );
    });

    test("to a key that was inserted: nothing, and it is listed as what it is", async () => {
      await attack("an API key inserted whose secret is known");
      await within(async ({ accounts }) => {
        const text = `skw_${"00".repeat(8)}_${knownSecret}`;
        await expect(authenticate(accounts, text)).rejects.toMatchObject({ code: "auth.failed" });
        expect((await listKeys(accounts, allow(ada))).keys.map(({ state }) => state).toSorted()).toEqual([
          "active",
          "tampered",
        ]);
      });
    });
  });

  test.each(onProviders)("T40, T43: a secret does not open after: $what", async ({ act, verified: [, id] }) => {
    await act(home, story);
    await within(async ({ kept, keys }) => {
      const stored = await kept.read.findLlmRecord("provider", id);
      if (stored === undefined) throw new Error(`no provider ${id}`);
      expect(() => demandOwnSecret(keys, stored)).toThrow(/does not belong to this record|was changed by hand/);
    });
  });

  describe("T19: a database that was rolled back", () => {
    beforeEach(() => home.rollBackTo(story.earlier));

    test("is refused, and says what to do", async () => {
      const { refusal } = await outcomeOf(home);
      expect(refusal).toMatchObject({ code: "store.rolled-back" });
      expect(refusal?.message).toMatch(/ends at audit record \d+, but record \d+ was seen before.*--accept-rollback/);
      expect(said(await verifying(home), "audit.truncated")).toContain("is missing");
    });

    /** By the person's explicit word: what was revoked after that moment counts as it did then. */
    test("is opened when a person accepts it; then it is what it was, and the audit says so", async () => {
      const accepted = await outcomeOf(home, { acceptRollback: true });
      expect([...accepted.used.keys()].toSorted()).toEqual(
        [...(await outcomeOf(story.earlier)).used.keys()].toSorted(),
      );
      expect(accepted.states.get("guests:off")).toBe("enabled");
      await within(async ({ kept }) => {
        const record = (await kept.read.auditAfter(0, 1000)).at(-1);
        expect(record).toMatchObject({ act: "store.rollback-accepted", subject: kept.store, by: "machine:tester" });
        expect(record?.details).toContain("was seen before");
      });
      expect((await home.verify()).map(({ code }) => code)).toEqual([]);
    });

    test("is refused again when the one that was accepted is rolled back in turn", async () => {
      await outcomeOf(home, { acceptRollback: true });
      await home.rollBackTo(story.earlier);
      expect((await outcomeOf(home)).refusal).toMatchObject({ code: "store.rolled-back" });
    });
  });

  describe("RV-8: the checkpoint", () => {
    test("removed: nothing becomes usable; that it is gone is said by verifying alone", async () => {
      rmSync(home.checkpoint);
      expect(usableIn(await outcomeOf(home), before)).toEqual(leftOf(before));
      expect(said(await verifying(home), "checkpoint.missing")).toContain("nothing outside the database");
    });

    test("removed together with a rollback: not noticed, but for its absence", async () => {
      await home.rollBackTo(story.earlier);
      rmSync(home.checkpoint);
      const after = await outcomeOf(home);
      expect(after.refusal).toBeUndefined();
      expect([...after.used]).toEqual([...(await outcomeOf(story.earlier)).used]);
      expect(said(await verifying(home), "checkpoint.missing")).toContain("nothing outside the database");
    });

    test("removed together with the revocation: the copy in the audit still says that there was one", async () => {
      await home.sql("DELETE FROM ledger WHERE place = ?", (await lastWord(home, "guests:off"))["place"] ?? 0);
      rmSync(home.checkpoint);
      const after = await outcomeOf(home);
      expect(usableIn(after, before)).toEqual(leftOf(before));
      expect(said(after.findings, "ledger.lost")).toContain("guests:off");
    });

    test.each<[string, (text: string) => string, string]>([
      ["edited to an earlier end", (text) => text.replace(/"seq": \d+/, '"seq": 1'), "is not signed by this key file"],
      ["cut off", (text) => text.slice(0, 40), "cannot be read"],
      ["emptied", () => "", "cannot be read"],
      ["of another store", () => readFileSync(story.neighbour.checkpoint, "utf8"), "belongs to another store"],
    ])("%s: refused and named, never ignored", async (_, change, why) => {
      writeFileSync(home.checkpoint, change(readFileSync(home.checkpoint, "utf8")));
      const { refusal, used } = await outcomeOf(home);
      expect(refusal).toMatchObject({ code: "store.rolled-back" });
      expect(refusal?.message).toContain(why);
      expect(used.size).toBe(0);
      expect(said(await verifying(home), "checkpoint.refused")).toContain(why);
    });

    test("replaced by an older one: nothing of what came later is lost with it", async () => {
      writeFileSync(home.checkpoint, readFileSync(story.earlier.checkpoint));
      expect(usableIn(await outcomeOf(home), before)).toEqual(leftOf(before));
      await home.sql("DELETE FROM ledger WHERE place = ?", (await lastWord(home, "guests:off"))["place"] ?? 0);
      const after = await outcomeOf(home);
      expect(usableIn(after, before)).toEqual(leftOf(before));
      expect(said(after.findings, "ledger.lost")).toContain("guests:off");
    });

    test("replaced by an older one, and the database with it: what this machine has seen last is all it knows", async () => {
      writeFileSync(home.checkpoint, readFileSync(story.earlier.checkpoint));
      await home.rollBackTo(story.earlier);
      const after = await outcomeOf(home);
      expect(after.refusal).toBeUndefined();
      expect([...after.used]).toEqual([...(await outcomeOf(story.earlier)).used]);
    });
  });

  describe("what people and syncs do after it", () => {
    test("T18: the next words continue what was truly said, whatever lies between", async () => {
      const [approval = {}] = (await words(home, "guests:off")).slice(-2);
      await insert(home, "ledger", { ...withoutPlace(approval), seq: 999 });
      for (const word of await story.neighbour.sql("SELECT * FROM ledger ORDER BY place"))
        await insert(home, "ledger", withoutPlace(word));
      await within((app) => say(app, ada, "approve", "guests:fresh"));
      const { used, states: now } = await outcomeOf(home);
      expect([...used.keys()]).toEqual([...before.used.keys(), "guests:fresh"].toSorted());
      expect(now.get("guests:off")).toBe("disabled");
    });

    test("T18: a word that was lost is healed by saying it again", async () => {
      await home.sql("DELETE FROM ledger WHERE place = ?", (await lastWord(home, "guests:notes"))["place"] ?? 0);
      await within((app) => say(app, bob, "approve", "guests:notes"));
      expect(Object.fromEntries((await outcomeOf(home)).used)).toEqual(Object.fromEntries(before.used));
    });

    test("T18: after a word was lost with its copy, a new one counts and no older one", async () => {
      const { signature, place } = await lastWord(home, "guests:rejected");
      await home.sql("DELETE FROM audit WHERE details LIKE ?", `%${String(signature)}%`);
      await home.sql("DELETE FROM ledger WHERE place = ?", place ?? 0);
      await within((app) => say(app, ada, "approve", "guests:fresh"));
      expect([...(await outcomeOf(home)).used.keys()]).toEqual(["guests:fresh"]);
    });

    test("T17: reading the source again with repair heals bytes, lists and summaries", async () => {
      const { digests } = story;
      await home.sql("UPDATE blobs SET bytes = ?", Buffer.from("evil"));
      await home.sql("UPDATE revisions SET files = '[]', seal = '' WHERE digest = ?", digests["guests:charts"]);
      await within((app) => runSync(app.sync, allow(ada), "guests", { repair: true }));
      const { used } = await outcomeOf(home);
      expect([...used.keys()]).toEqual(["guests:charts", "guests:notes"]);
      expect(used.get("guests:charts")).toEqual(before.used.get("guests:charts"));
    });

    test("T19: a record appended with the right hash is not told from a true one, and lets nothing in", async () => {
      const { payload, key_id, signature } = await lastWord(story.neighbour, "guests:fresh");
      const details = JSON.stringify({ seq: 99, payload, key: key_id, signature });
      await appendRecord(home, { act: "decision.approve", subject: "guests:fresh", details });
      expect(usableIn(await outcomeOf(home), before)).toEqual(leftOf(before));
      expect(await home.verify()).toEqual([]);
    });

    test("T18: one process that has it open and one that opens it see the same", async () => {
      await home.sql("UPDATE ledger SET place = place + 1000000 WHERE place = (SELECT max(place) FROM ledger)");
      await within(async (running) => {
        await running.registry.look();
        await within((app) => say(app, ada, "disable", "guests:notes"));
        expect((await lookAt(running)).states.get("guests:notes")).toBe("disabled");
      });
    });
  });

  describe("T17: a row that was changed by hand is not made true by what honest people do next", () => {
    const sync = () => within((app) => runSync(app.sync, allow(ada), "guests"));

    test.each<[string, string]>([
      ["changed", "UPDATE entries SET away_at = 0 WHERE id = 'guests:back'"],
      ["removed", "DELETE FROM entries WHERE id = 'guests:back'"],
      ["moved to another source", "UPDATE entries SET source = 'house' WHERE id = 'guests:back'"],
    ])("of an entry, %s: a sync writes it again, and no word that was said before counts", async (_, sql) => {
      await home.sql(sql);
      await sync();
      const after = await outcomeOf(home);
      expect(after.states.get("guests:back")).toBe("pending");
      expect(usableIn(after, before)).toEqual(leftOf(before));
      expect([...after.findings, ...(await home.verify())]).toEqual([]);
    });

    test("of an entry in use: it waits for a new word, and then is what it was", async () => {
      await home.sql("UPDATE entries SET current = ? WHERE id = 'guests:notes'", story.digests["guests:fresh"]);
      await within(async (app) => {
        await expect(say(app, ada, "approve", "guests:notes")).rejects.toMatchObject({ code: "review.refused" });
        await runSync(app.sync, allow(ada), "guests");
        await say(app, bob, "approve", "guests:notes");
      });
      expect(usableIn(await outcomeOf(home), before)).toEqual(leftOf(before));
      expect(await home.verify()).toEqual([]);
    });

    test("of a source: nothing is approved at a trust that nobody gave, until it is set again", async () => {
      const { record } = await row(home, "sources WHERE id = 'guests'");
      await home.sql(
        "UPDATE sources SET record = ? WHERE id = 'guests'",
        String(record).replace('"community"', '"first_party"'),
      );
      await within(async (app) => {
        const approve = () => say(app, ada, "approve", "guests:fresh");
        await expect(approve()).rejects.toMatchObject({ code: "review.refused" });
        await runSync(app.sync, allow(ada), "guests");
        await expect(approve()).rejects.toMatchObject({ code: "review.refused" });
        await changeSource(app.sync, allow(ada), "guests", { trust: "community" });
        expect((await approve()).trust).toBe("community");
      });
      expect((await outcomeOf(home)).findings).toEqual([]);
    });
  });

  test
    .runIf(engine === "SQLite")
    .each([
      "ledger.payload",
      "ledger.signature",
      "ledger.seq",
      "revisions.seal",
      "revisions.summary",
      "revisions.files",
      "revisions.folder",
      "blobs.bytes",
      "entries.seal",
      "entries.current",
      "entries.away_at",
      "sources.record",
      "audit.details",
      "audit.hash",
      "users.seal",
      "api_keys.seal",
      "llm_records.secret",
      "store.seal",
      "store.generation",
      "usage.entry",
      "usage.tool",
      "injections.id",
      "injections.record",
    ])(
    "T17: in %s something that is neither a text nor a number: nothing comes of it, and it is named",
    async (cell) => {
      const [table, column] = cell.split(".");
      for (const value of ["x'00ff'", "1e300"]) {
        await home.resetTo(story.home);
        loosenTypes(home.database);
        await home.sql(`UPDATE ${table} SET ${column} = ${value}`);
        expect(Object.keys(leftOf(before))).toEqual(expect.arrayContaining([...(await outcomeOf(home)).used.keys()]));
        expect((await verifying(home)).length).toBeGreaterThan(0);
      }
    },
  );

  /** What is written here is what it does today; docs/registry.md says so too. */
  describe("not stopped yet", () => {
    test("RV-9: what is approved while it is blocked comes into use when the block is removed with its record", async () => {
      const value = story.digests["guests:fresh"];
      await within(async (app) => {
        await setBlock(app.review, allow(ada), { word: "block", kind: "digest", value, note: "steals" });
        await say(app, ada, "approve", "guests:fresh");
      });
      expect((await outcomeOf(home)).states.get("guests:fresh")).toBe("blocked");
      const { place, signature } = await lastWord(home, `digest:${value}`);
      await home.sql("DELETE FROM ledger WHERE place = ?", place ?? 0);
      await home.sql("DELETE FROM audit WHERE details LIKE ?", `%${String(signature)}%`);
      const after = await outcomeOf(home);
      expect(said(after.findings, "ledger.broken")).toContain("no older one counts");
      expect([...after.used.keys()]).toEqual(["guests:fresh"]);
    });

    test("RV-8: words that an accepted rollback has undone count again when they are put back", async () => {
      const [word = {}] = (await words(home, "guests:rejected")).slice(-1);
      await home.rollBackTo(story.earlier);
      await outcomeOf(home, { acceptRollback: true });
      await insert(home, "ledger", withoutPlace(word));
      expect((await outcomeOf(home)).states.get("guests:rejected")).toBe("disabled");
    });
  });
});

/** What is usable, with trust as it was where it is lower now: less is never an attack. */
function usableIn(after: Outcome, before: Outcome): Record<string, Used> {
  const shown = [...after.used].map(([id, used]): [string, Used] => {
    const known = before.used.get(id)?.trust ?? used.trust;
    return [id, lowerTrust(used.trust, known) === used.trust ? Object.assign({}, used, { trust: known }) : used];
  });
  return Object.fromEntries(shown);
}

/** What may be: nothing that was not, to the byte, and without exactly what the attack costs. */
function leftOf(before: Outcome, { closed, without = [], revives = [] }: Partial<Attack> = {}): Record<string, Used> {
  const left = [...before.used].filter(([id]) => closed === undefined && !without.some((each) => each === id));
  const revived = revives.map((id) => [id, expect.objectContaining({ id })] as const);
  return Object.fromEntries([...left, ...revived]);
}

/** What was said under a code, wherever a hand in the database would be noticed. */
function said(findings: readonly Pick<Finding, "code" | "message">[], code: string): string {
  const messages = findings.filter((finding) => finding.code === code).map(({ message }) => message);
  return messages.join("\n") || `nothing about ${code}, but ${findings.map((finding) => finding.code).join(", ")}`;
}

/** A revision is named by the digits of its digest. */
function named([code, names]: Notice, { digests }: Story): string {
  const digest = Object.entries(digests).find(([entry]) => entry === names)?.[1];
  return code.startsWith("revision.") && digest !== undefined ? digest.slice(0, 12) : names;
}

async function verifying(home: StoreHome): Promise<readonly Pick<Finding, "code" | "message">[]> {
  try {
    return await home.verify();
  } catch (error) {
    if (error instanceof AppError) return [error];
    throw error;
  }
}
