import { expect } from "vitest";
import type { App } from "../../src/app/app.ts";
import { syncSources } from "../../src/features/sources/sync.ts";
import type { Entry } from "../../src/registry/entry.ts";
import type { Snapshot } from "../../src/registry/snapshot.ts";
import type { FakeGitHub } from "../../src/testing/github/script.ts";
import type { Random } from "../support/crash-skills.ts";
import { ada, say } from "../support/registry.ts";
import { placeOf, type Publisher } from "./source-publisher.ts";
import type { SyncResult } from "../../src/registry/schema.ts";
import type { SyncFailure } from "../../src/features/sources/schema.ts";

/** What is kept of one source. */
interface Rows {
  readonly pin: string | null;
  readonly entries: ReadonlyMap<string, Entry>;
  readonly all: string;
}

export async function rowsOf({ kept }: App, id: string): Promise<Rows> {
  const source = await kept.read.findSource(id);
  const entries = await kept.read.listEntries({ source: id, after: "", limit: 1000 });
  const provenance = await kept.read.listProvenance(id, { after: "", limit: 1000 });
  const { status: _, error: __, syncedAt: ___, ...standing } = source ?? { pin: null };
  const all = JSON.stringify([standing, entries, provenance]);
  return { pin: standing.pin, entries: new Map(entries.map((entry) => [entry.path, entry])), all };
}

/** Syncs of a source whose answers may be wrong, each held to all that must not happen. */
export class Storm {
  readonly met = new Map<string, number>();
  readonly #app: App;
  readonly #github: FakeGitHub;
  readonly #publisher: Publisher;
  readonly #random: Random;
  /** What was approved, and was there ever since. */
  readonly #approved = new Map<string, string>();

  constructor(app: App, github: FakeGitHub, publisher: Publisher, random: Random) {
    [this.#app, this.#github, this.#publisher, this.#random] = [app, github, publisher, random];
  }

  async sync(id: keyof typeof mostRequests): Promise<SyncResult | SyncFailure> {
    const before = await rowsOf(this.#app, id);
    const asked = this.#github.requests.length;
    const [result] = (await syncSources(this.#app, [id])).results;
    if (result === undefined) throw new Error("nothing was synced");
    const requests = this.#github.requests.length - asked;
    const after = await rowsOf(this.#app, id);
    this.#meet(result.status === "error" ? result.error.code : result.status);
    expectBounded(id, requests);
    if (result.status === "error") expectUntouched(before, after);
    else expectProgress(this.#publisher, result, before, after);
    await this.#publisher.upstream.expectFaithful(this.#app, placeOf);
    await this.#expectUsable(after);
    return result;
  }

  async #expectUsable({ entries }: Rows): Promise<void> {
    for (const { id, present } of entries.values()) if (!present) this.#approved.delete(id);
    const { snapshot } = await this.#app.registry.look();
    for (const [entry, digest] of this.#approved) {
      const { state, reason } = snapshot.standings.get(entry) ?? {};
      // IN-9: a commit that was named by its id and cannot be found on a branch blocks, also when nobody could say.
      const isOpen = state === "blocked" && reason?.endsWith(": pin.unreachable") === true;
      if (isOpen && entry.startsWith("market:acme/fixed/")) this.#meet("pin.unreachable");
      else await expectInUse(this.#app, snapshot, entry, digest);
    }
  }

  /** Somebody looks at what is new. */
  async approve(): Promise<void> {
    const { facts, snapshot } = await this.#app.registry.look();
    for (const { id, current } of facts.entries.values()) {
      const state = snapshot.standings.get(id)?.state ?? "";
      if (!["new", "pending", "held"].includes(state) || facts.loading.has(id) || this.#random(2) === 0) continue;
      await say(this.#app, ada, "approve", id);
      this.#approved.set(id, current);
    }
  }

  #meet(what: string): void {
    this.met.set(what, (this.met.get(what) ?? 0) + 1);
  }
}

/** Three tries of every question that there is when all is well. */
const mostRequests = { skills: 3 * 10, market: 3 * 27 };

function expectBounded(id: keyof typeof mostRequests, requests: number): void {
  expect(requests).toBeLessThanOrEqual(mostRequests[id]);
}

/** A sync that failed has changed nothing, nor moved the pin. */
function expectUntouched(before: Rows, after: Rows): void {
  expect(after.all).toBe(before.all);
}

/** IN-21: what is upstream is not orphaned; the pin is the one of before, or the right one. */
function expectProgress(publisher: Publisher, { source, status }: SyncResult, before: Rows, after: Rows): void {
  const isNew = after.pin === publisher.pin(source);
  // Word that nothing changed may be a lie: nobody can tell, and nothing changes by it.
  if (!isNew) expect([after.pin, source === "market" || after.all === before.all]).toEqual([before.pin, true]);
  const upstream = publisher.present(source);
  const present = [...after.entries.values()].filter((entry) => entry.present).map(({ path }) => path);
  const stayed = [...upstream.keys()].filter((path) => before.entries.get(path)?.present === true);
  expect(present).toEqual(expect.arrayContaining(stayed));
  if (status === "ok" && isNew) expect(present.toSorted()).toEqual([...upstream.keys()].toSorted());
}

/** T8: the last approved bytes stay in use, whatever happens on the way. */
async function expectInUse({ registry }: App, snapshot: Snapshot, entry: string, digest: string): Promise<void> {
  expect([entry, snapshot.usable.get(entry)?.digest]).toEqual([entry, digest]);
  expect((await registry.use(snapshot, entry)).digest).toBe(digest);
}
