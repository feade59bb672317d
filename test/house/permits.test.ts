import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import * as permits from "../../src/registry/accounts/permit.ts";
import type { Permit } from "../../src/registry/accounts/permit.ts";
import { stateChangesIn } from "./state-changes.ts";

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** Where a machine acts by itself, and why it may. The audit names it. */
const machines: Readonly<Record<string, string>> = {
  "src/app/app.ts": "the account at the machine can read the key file, which is more than any role allows",
  "src/features/overview/demonstration.ts": "signs the demonstration, so that the audit tells it from what people did",
  "src/features/routing/model-links.ts": "asks the models that the configuration file names for routing",
  "src/features/sources/schedule.ts": "makes the syncs that an admin scheduled",
};

/** State changes that no right of a person stands behind, and why that is as it should be. */
const withoutPermit: Readonly<Record<string, string>> = {
  "src/app/standby/surviving-app.ts: survivingApp": "wraps the transaction that whoever has a permit opens",
  "src/features/review/webhook.ts: RunningWebhook.#begin": "remembers how far the receiver was told",
  "src/features/review/webhook.ts: RunningWebhook.#claim": "remembers which node tells the receiver",
  "src/features/review/webhook.ts: RunningWebhook.#settle": "remembers how far the receiver was told",
  "src/registry/accounts/first-admin.ts: addFirstAdmin": "there is nobody yet who has a right; the sealed link counts",
  "src/registry/accounts/sessions.ts: closeSession": "the secret of the session is the proof",
  "src/registry/accounts/sessions.ts: open": "the password or the identity provider is the proof",
  "src/registry/accounts/sessions.ts: touchSession": "the secret of the session is the proof",
  "src/registry/accounts/users.ts: changeUser": "private; its callers have a permit or know the user's own password",
  "src/registry/accounts/users.ts: insertUser": "in the transaction of addUser, which has one, or of addFirstAdmin",
  "src/registry/audit/audit.ts: recordChanges": "writes the record of a change in the transaction of that change",
  "src/registry/audit/audit.ts: recordEvents": "writes the record of an event in the transaction of that event",
  "src/registry/guard.ts: acceptRollback": "the account at the machine asks for it when it opens the store",
  "src/registry/guard.ts: createIdentity": "a new store gets its identity before there is any account",
  "src/registry/guard.ts: guardStore": "wraps every transaction with the check of the chain",
  "src/registry/ledger/ledger-head.ts: LedgerWriter.constructor": "appends in the transaction of decide or setBlock",
  "src/registry/sync/lock.ts: heldLock": "keeps the lock of a sync that has a permit alive",
  "src/registry/sync/lock.ts: takeLock": "taken by runSync, which has one, before anything is written",
  "src/registry/sync/read.ts: keepRevisions": "keeps bytes by their digest during runSync; no entry points to them yet",
  "src/registry/sync/remote.ts: dropToken": "in the transaction of changeSource or removeSource, which have one",
  "src/registry/sync/remote.ts: keepToken": "in the transaction of addSource or changeSource, which have one",
  "src/registry/sync/schedule.ts: claim": "private to runDue, which has one",
  "src/registry/sync/schedule.ts: dueAt": "private to runDue, which has one",
  "src/registry/sync/schedule.ts: recallAstray": "private to runDue, which has one",
  "src/registry/usage/usage.ts: recordUsage": "a node says what it did; nobody asks it to",
  "src/routing/vectors/vectors-embedding.ts: Making.#keep": "keeps figures that are computed from what is in use",
};

const room = "src/registry/accounts/permit.ts";

/** The program, without the store itself and the published fakes. */
const sources = new Map(
  readdirSync(join(root, "src"), { recursive: true, encoding: "utf8" })
    .map((name) => `src/${name.replaceAll("\\", "/")}`)
    .filter((path) => path.endsWith(".ts") && !path.endsWith(".test.ts") && !/^src\/(?:store|testing)\//.test(path))
    .map((path) => [path, readFileSync(join(root, path), "utf8")]),
);

function placesOf(pattern: RegExp, files: ReadonlyMap<string, string> = sources): readonly string[] {
  return [...files].filter(([, source]) => pattern.test(source)).map(([path]) => path);
}

function unpermittedIn(files: ReadonlyMap<string, string>): readonly string[] {
  const changes = [...files].flatMap(([path, source]) => stateChangesIn(path, source));
  return changes.flatMap(({ name, isPermitted }) => (isPermitted ? [] : [name]));
}

/** Ways to a permit that do not go through the check: another instance, or a cast. */
const forgery =
  /\bnew CheckedRight\b|\bas (?:unknown as )?(?:Permit|CheckedRight)\b|<(?:Permit|CheckedRight)<[^>]*>>\s*\w/;

describe("RV-12, T43: whoever changes state needs a permit", () => {
  it("a machine acts by itself in these places alone", () => {
    const calls = placesOf(/\bmachinePerson\(/).filter((path) => path !== room);
    expect(calls.toSorted()).toEqual(Object.keys(machines).toSorted());
    // Nor does anybody write the person of a machine down without that function.
    expect(placesOf(/role: "admin",\s*configurations: null/)).toEqual([room]);
  });

  it("state changes without a permit are these alone, each for a reason", () => {
    expect(unpermittedIn(sources).toSorted()).toEqual(Object.keys(withoutPermit).toSorted());
  });

  it.each([
    [
      "opens a transaction",
      "export async function drop({ kept }: Context, id: string) { await kept.transaction(act); }",
    ],
    ["opens one in a method", "export class Sources { async #drop() { return this.#kept.transaction(act); } }"],
    ["opens one as a value", "const drop = async (kept: Kept) => kept.transaction(act);"],
    ["is handed the writing half", "export async function drop(port: SyncWrites, id: string) { await port.drop(id); }"],
    ["is handed a part of it", 'export async function drop(port: Pick<Writes, "drop">) { await port.drop(); }'],
  ])("finds a change that %s", (_how, source) => {
    expect(unpermittedIn(new Map([["src/a.ts", source]]))).toHaveLength(1);
  });

  it.each([
    ["takes one", 'async function drop(c: Context, permit: Permit<"administer">) { await c.kept.transaction(act); }'],
    ["has one in its context", "async function drop(context: LlmOperator) { await context.kept.transaction(act); }"],
    [
      "checks the right",
      'async function drop(app: App) { requireRight(app, "review"); await app.kept.transaction(act); }',
    ],
  ])("leaves a change that %s", (_how, source) => {
    expect(unpermittedIn(new Map([["src/a.ts", source]]))).toEqual([]);
  });
});

describe("RV-12, T43: a permit is made by the check of a right alone", () => {
  it("its class is exported as a type and made in one place", () => {
    expect(Object.keys(permits).toSorted()).toEqual(["machinePerson", "requireRight"]);
    expect(placesOf(forgery)).toEqual([room]);
    expect(sources.get(room)?.match(/new CheckedRight\b/g)).toHaveLength(1);
  });

  it.each([
    "const permit = new CheckedRight(person, right);",
    'const permit = { person } as Permit<"read">;',
    'const permit = { person } as unknown as CheckedRight<"read">;',
    'const permit = <Permit<"read">>person;',
  ])("finds %s", (source) => {
    expect(placesOf(forgery, new Map([["src/a.ts", source]]))).toEqual(["src/a.ts"]);
  });

  it("no object that looks alike is one, and a smaller right is not a larger one", () => {
    const person = { name: "ada", role: "admin", configurations: null } as const;
    const read = permits.requireRight({ person, policy: { reviewers: true } }, "read");
    // @ts-expect-error -- the class has a private field
    const lookAlike: Permit<"read"> = { person, right: "read" };
    // @ts-expect-error -- whoever may read may not administer by that
    const larger: Permit<"administer"> = read;
    expect([lookAlike, larger]).toHaveLength(2);
  });
});
