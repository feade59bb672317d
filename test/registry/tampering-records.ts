import { sha256 } from "../../src/core/digest.ts";
import type { Attack } from "./tampering-attacks.ts";
import type { StoreHome } from "../support/tampering.ts";
import { appendRecord, editJson, insert, lastWord, rechain, recordOf, row, swap } from "../support/tampering-hand.ts";

const contents = ["at", "by_whom", "act", "subject", "details", "prev", "hash"];

/** The record of an approval, somewhere in the middle. */
async function middle(home: StoreHome): Promise<number> {
  return Number((await recordOf(home, await lastWord(home, "guests:notes")))["seq"]);
}

async function setRecord(home: StoreHome, column: string, value: string | number): Promise<void> {
  await home.sql(`UPDATE audit SET ${column} = ? WHERE seq = ?`, value, await middle(home));
}

const closed = {
  closed: "store.rolled-back",
  noticed: ["store.rolled-back", "accept-rollback"],
} as const;

/** RV-8, T19: the chain of records. Those that stay in the middle are found by walking it. */
export const onAudit: readonly Attack[] = [
  ...Object.entries({ at: 1, by_whom: "nobody", act: "decision.reject", subject: "guests:fresh", details: "{}" }).map(
    ([column, value]) => ({
      what: `\`${column}\` of a record`,
      act: (home: StoreHome) => setRecord(home, column, value),
      verified: ["audit.changed", "audit record"] as const,
    }),
  ),
  {
    what: "the hash of a record",
    act: (home) => setRecord(home, "hash", "0".repeat(64)),
    verified: ["audit.changed", "audit record"],
  },
  {
    what: "the link of a record",
    act: (home) => setRecord(home, "prev", "0".repeat(64)),
    verified: ["audit.unlinked", "audit record"],
  },
  {
    what: "a record removed from the middle",
    act: async (home) => home.sql("DELETE FROM audit WHERE seq = ?", await middle(home)),
    verified: ["audit.removed", "is missing"],
  },
  {
    what: "a record removed from the middle, and those after it moved up",
    act: async (home) => {
      const gap = await middle(home);
      await home.sql("DELETE FROM audit WHERE seq = ?", gap);
      for (const { seq } of await home.sql("SELECT seq FROM audit WHERE seq > ? ORDER BY seq", gap))
        await home.sql("UPDATE audit SET seq = seq - 1 WHERE seq = ?", seq ?? 0);
    },
    ...closed,
    verified: ["audit.unlinked", "audit record"],
  },
  {
    what: "the first record removed",
    act: (home) => home.sql("DELETE FROM audit WHERE seq = 1"),
    verified: ["audit.removed", "audit record 1 is missing"],
  },
  {
    what: "the last record removed",
    act: (home) => home.sql("DELETE FROM audit WHERE seq = (SELECT max(seq) FROM audit)"),
    ...closed,
    verified: ["audit.truncated", "is missing"],
  },
  {
    what: "all records removed",
    act: (home) => home.sql("DELETE FROM audit"),
    ...closed,
    verified: ["audit.truncated", "audit record 1 is missing"],
  },
  {
    what: "two records swapped",
    act: async (home) => {
      const first = await middle(home);
      await swap(home, "audit", "seq", first, first + 1, contents);
    },
    verified: ["audit.unlinked", "audit record"],
  },
  {
    what: "a record inserted, and those after it moved down",
    act: async (home) => {
      const at = await middle(home);
      for (const { seq } of await home.sql("SELECT seq FROM audit WHERE seq >= ? ORDER BY seq DESC", at))
        await home.sql("UPDATE audit SET seq = seq + 1 WHERE seq = ?", seq ?? 0);
      await insert(home, "audit", { ...(await row(home, "audit WHERE seq = ?", at - 1)), seq: at });
    },
    ...closed,
    verified: ["audit.unlinked", "audit record"],
  },
  {
    what: "a record edited, and the whole chain computed anew",
    act: async (home) => {
      await setRecord(home, "by_whom", "nobody");
      await rechain(home, await middle(home));
    },
    ...closed,
    verified: ["audit.rewritten", "the chain was written anew"],
  },
  {
    what: "a record removed, and the whole chain computed anew",
    act: async (home) => {
      const gap = await middle(home);
      await home.sql("DELETE FROM audit WHERE seq = ?", gap);
      for (const { seq } of await home.sql("SELECT seq FROM audit WHERE seq > ? ORDER BY seq", gap))
        await home.sql("UPDATE audit SET seq = seq - 1 WHERE seq = ?", seq ?? 0);
      await rechain(home, gap);
    },
    ...closed,
    verified: ["audit.truncated", "is missing"],
  },
  {
    what: "the end cut off, and the chain gone on with, right in itself and longer than before",
    act: async (home) => {
      const { seq } = await row(home, "audit ORDER BY seq DESC LIMIT 1");
      await home.sql("DELETE FROM audit WHERE seq > ?", Number(seq) - 5);
      for (let more = 0; more < 10; more++)
        await appendRecord(home, { act: "user.added", subject: "mallory", details: "{}" });
    },
    ...closed,
    verified: ["audit.rewritten", "the chain was written anew"],
  },
];

/** RV-8: the batches of usage. */
export const onUsage: readonly Attack[] = [
  {
    what: "a use made another's",
    act: (home) => home.sql("UPDATE usage SET entry = 'guests:fresh' WHERE number = 0"),
    verified: ["usage.changed", "batch-1"],
  },
  {
    what: "a use removed",
    act: (home) => home.sql("DELETE FROM usage WHERE number = 0"),
    verified: ["usage.changed", "batch-1"],
  },
  {
    what: "a use removed, and the hash of the batch computed anew",
    act: async (home) => {
      await home.sql("DELETE FROM usage");
      await home.sql("DELETE FROM injections");
      await home.sql("UPDATE usage_batches SET hash = ?, size = 0", sha256(Buffer.from("[]")));
    },
    verified: ["usage.changed", "batch-1"],
  },
  {
    what: "a batch removed",
    act: async (home) => {
      for (const table of ["usage", "injections", "usage_batches"]) await home.sql(`DELETE FROM ${table}`);
    },
    verified: ["usage.missing", "batch-1"],
  },
  {
    what: "one word of an injection",
    act: (home) => editJson(home, "injections", "record", "inj_2", { model: "another" }),
    verified: ["usage.changed", "batch-1"],
  },
  {
    what: "an injection written in another way, with the same meaning",
    act: (home) => home.sql("UPDATE injections SET record = replace(record, '{', '{ ') WHERE id = 'inj_2'"),
    verified: ["usage.changed", "batch-1"],
  },
  {
    what: "the id that an injection is found by",
    act: (home) => home.sql("UPDATE injections SET id = 'inj_4' WHERE id = 'inj_2'"),
    verified: ["usage.changed", "batch-1"],
  },
  {
    what: "an injection removed",
    act: (home) => home.sql("DELETE FROM injections WHERE id = 'inj_2'"),
    verified: ["usage.changed", "batch-1"],
  },
  {
    what: "an injection added",
    act: async (home) => insert(home, "injections", { ...(await row(home, "injections")), number: 9, id: "inj_9" }),
    verified: ["usage.changed", "batch-1"],
  },
  {
    what: "an injection added that nobody can read",
    act: (home) => insert(home, "injections", { batch: "batch-1", number: 9, id: "inj_9", record: "" }),
    verified: ["usage.changed", "batch-1"],
  },
  {
    what: "what two requests were given, swapped",
    act: (home) => swap(home, "injections", "id", "inj_1", "inj_2", ["record"]),
    verified: ["usage.changed", "batch-1"],
  },
  {
    what: "the injections of two batches, swapped",
    act: async (home) => {
      await home.sql("UPDATE injections SET batch = 'batch-3' WHERE id = 'inj_2'");
      await home.sql("UPDATE injections SET batch = 'batch-1', number = 1 WHERE id = 'inj_3'");
      await home.sql("UPDATE injections SET batch = 'batch-2', number = 0 WHERE id = 'inj_2'");
    },
    verified: ["usage.changed", "batch-2"],
  },
  {
    what: "all injections of a batch removed, and its hash computed anew",
    act: async (home) => {
      await home.sql("DELETE FROM injections WHERE id = 'inj_3'");
      await home.sql("UPDATE usage_batches SET hash = ? WHERE id = 'batch-2'", sha256(Buffer.from("[]")));
    },
    verified: ["usage.changed", "batch-2"],
  },
  {
    what: "an injection put into a batch that never was",
    act: async (home) => insert(home, "injections", { ...(await row(home, "injections")), batch: "batch-0" }),
    verified: ["usage.stray", "batch-0"],
  },
];

/** RV-12, T18: users and API keys. */
export const onAccounts: readonly Attack[] = [
  {
    what: "a role raised",
    act: (home) => home.sql("UPDATE users SET role = 'admin' WHERE name = 'carol'"),
    verified: ["account.tampered", "carol"],
  },
  {
    what: "a user inserted",
    act: async (home) => insert(home, "users", { ...(await row(home, "users WHERE name = 'dave'")), name: "mallory" }),
    verified: ["account.tampered", "mallory"],
  },
  {
    what: "the password of one user given to another",
    act: async (home) => {
      const { password } = await row(home, "users WHERE name = 'carol'");
      await home.sql("UPDATE users SET password = ? WHERE name = 'dave'", password ?? "");
    },
    verified: ["account.tampered", "dave"],
  },
  {
    what: "an API key inserted whose secret is known",
    act: async (home) => {
      const carols = await row(home, "api_keys");
      const hash = sha256(Buffer.from(knownSecret));
      await insert(home, "api_keys", { ...carols, id: "00".repeat(8), name: "mine", role: "admin", owner: null, hash });
    },
    verified: ["account.tampered", "00".repeat(8)],
  },
  {
    what: "an API key made an admin's",
    act: (home) => home.sql("UPDATE api_keys SET role = 'admin', owner = NULL"),
    verified: ["account.tampered", "the record of key"],
  },
];

export const knownSecret = "A".repeat(43);

/** RV-13, T40, T43: providers and their secrets. */
export const onProviders: readonly Attack[] = [
  {
    what: "the origin changed",
    act: (home) => editJson(home, "llm_records", "record", "one", { origin: "https://evil.example" }),
    verified: ["provider.tampered", "one"],
  },
  {
    what: "the version changed",
    act: (home) => editJson(home, "llm_records", "record", "one", { version: 1 }),
    verified: ["provider.tampered", "one"],
  },
  {
    what: "the secrets of two swapped",
    act: (home) => swap(home, "llm_records", "id", "one", "two", ["secret"]),
    verified: ["provider.tampered", "one"],
  },
  {
    what: "the secret taken away",
    act: (home) => home.sql("UPDATE llm_records SET secret = NULL WHERE id = 'one'"),
    verified: ["provider.tampered", "one"],
  },
  {
    what: "the list of models made longer",
    act: (home) => editJson(home, "llm_records", "record", "one", { models: ["dear"] }),
    verified: ["provider.tampered", "one"],
  },
  {
    what: "a secret put where another provider reads it",
    act: async (home) => {
      const { secret } = await row(home, "llm_records WHERE id = 'one'");
      const mine = JSON.stringify({ protocol: "openai", origin: "https://evil.example", models: ["*"], version: 2 });
      await insert(home, "llm_records", { kind: "provider", id: "mine", record: mine, secret: secret ?? null });
    },
    verified: ["provider.tampered", "mine"],
  },
];

/** The store's own row. */
export const onStore: readonly Attack[] = [
  {
    what: "the identity of the store",
    act: (home) => home.sql("UPDATE store SET id = ?", "0".repeat(32)),
    closed: "keys.unusable",
    noticed: ["keys.unusable", "not the key file this store was made with"],
    verified: ["keys.unusable", "not the key file this store was made with"],
  },
  {
    what: "the seal of the store",
    act: (home) => home.sql("UPDATE store SET seal = 'none.none'"),
    closed: "keys.unusable",
    noticed: ["keys.unusable", "not the key file this store was made with"],
    verified: ["keys.unusable", "not the key file this store was made with"],
  },
  {
    what: "the identity of another store with the same key file",
    act: async (home, { neighbour }) => {
      const { id, seal } = await row(neighbour, "store");
      await home.sql("UPDATE store SET id = ?, seal = ?", id ?? "", seal ?? "");
    },
    noticed: ["ledger.forged", "guests:notes"],
    verified: ["audit.unlinked", "audit record 1"],
    without: ["house:pdf", "house:risky", "house:forms", "guests:notes", "guests:charts"],
  },
  {
    what: "the generation set back",
    act: (home) => home.sql("UPDATE store SET generation = 1"),
    verified: ["store.generation", "the generation is 1"],
  },
];
