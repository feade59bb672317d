import type { Skill as OfficialSkill } from "@modelcontextprotocol/server/ext/skills";
import type { App } from "../../app/app.ts";
import type { Serving } from "../../features/serving.ts";
import type { Digest } from "../../core/digest.ts";
import type { EntryId } from "../../core/ids.ts";
import { LruCache } from "../../core/lru-cache.ts";
import { safeLine } from "../../core/text.ts";
import type { Person } from "../../registry/accounts/roles.ts";
import type { UsableEntry, Snapshot } from "../../registry/snapshot.ts";
import type { UsageEvent } from "../../registry/usage/usage.ts";
import type { Log } from "../logs/log.ts";
import { type Offered, offer } from "./offered.ts";
import { locate } from "./skill-uri.ts";
import { type View, Views } from "./view.ts";
import { AppError } from "../../core/error.ts";
import type { Bundle } from "../../skill/bundle.ts";
import { parse, type Skill } from "../../skill/skill.ts";
import { type MaterialRow, readMaterials } from "../../registry/material.ts";

/** Who asks, at this moment. Fails with `auth.failed` once the key is not valid any more. */
export type Asker = () => Promise<Person>;

/** One request: who asks, what they may read, and everything of one generation. */
export interface Asked {
  readonly app: App;
  readonly view: View;
}

/** What the doors of MCP read from: one for a node, whoever asks. */
export class Library {
  readonly serving: Serving;
  readonly views: Views;
  readonly log: Log;
  /** Made of verified bytes and known by their digest: what is in the store by now does not change it. */
  readonly #offered = new LruCache<Offered>({ weight: mostResources, weightOf });
  readonly #told = new LruCache<true>({ entries: 10_000 });

  constructor(serving: Serving, log: Log) {
    this.serving = serving;
    this.views = new Views(serving);
    this.log = log;
  }

  /** RV-10, invariant 8: all of an answer is of one generation. When a skill was taken back meanwhile, all of it again. */
  async ask<Answer>(who: Asker, act: (asked: Asked) => Promise<Answer>): Promise<Answer> {
    const person = await who();
    const app = this.serving.as(person);
    const view = await this.views.of(person);
    try {
      return await act({ app, view });
    } catch (error) {
      if (!isUnusable(error) || (await app.kept.read.generation()) === view.snapshot.generation) throw error;
      return this.ask(who, act);
    }
  }

  open({ app, view }: Asked, entry: UsableEntry): Promise<Approved> {
    return openApproved(app, view.snapshot, entry, this.log);
  }

  /** An entry as hosts are told of it; null when they are not. Nothing is left out without a line in the log (invariant 6). */
  async offeredAs(asked: Asked, entry: UsableEntry): Promise<OfficialSkill | null> {
    const key = `${entry.id} ${entry.digest}`;
    const made = this.#offered.get(key) ?? this.#offered.set(key, await offer(await this.open(asked, entry)));
    const offered = "skill" in made ? unlessShared(asked.view, entry, made) : made;
    if ("why" in offered) this.#tell(entry, offered.why);
    return "skill" in offered ? offered.skill : null;
  }

  #tell({ id, digest }: UsableEntry, why: string): void {
    const key = `${id} ${digest}`;
    if (this.#told.get(key) !== undefined) return;
    this.#told.set(key, true);
    const message = `hosts of the skills extension are not told of it: ${why}; find_skill and load_skill have it`;
    this.log.note("mcp.left-out", { entry: safeLine(id, 240), message });
  }

  /** What became of an entry in this request. It is no request of a configuration. */
  note({ app }: Asked, event: UsageEvent, { id, digest }: { readonly id: EntryId; readonly digest: Digest }): void {
    const common = { configuration: null, task: null, conversation: null, tool: null };
    const used = this.serving.noteUse({ at: app.world.clock.now(), event, entry: id, digest, ...common });
    // A read does not fail because it cannot be written down.
    used.catch((error: unknown) => this.log.failure("mcp", error));
  }
}

/** Nothing shadows anything: where two places would read as one, neither is there. */
function unlessShared(view: View, { id }: UsableEntry, offered: Offered & { readonly skill: OfficialSkill }): Offered {
  return locate(view, offered.skill.uri)?.entry.id === id
    ? offered
    : { why: "its URI could mean another skill as well" };
}

/** Files of all entries that are remembered. */
const mostResources = 100_000;

function weightOf(offered: Offered): number {
  if (!("skill" in offered)) return 1;
  const { resources } = offered.skill;
  return resources === "dynamic" ? 1 : resources.length;
}

/** A skill whose bytes are the approved ones, here and now. */
export interface Approved {
  readonly entry: UsableEntry;
  readonly bundle: Bundle;
  readonly skill: Skill;
  readonly material: MaterialRow;
}

type Proving = Pick<App, "registry" | "kept" | "keys">;

/**
 * Invariant 1, CO-11: every read hashes the very bytes that it hands on against the digest that people approved, and
 * finds their signed words where they were. What is wrong goes to the log: a hand in the database chose its words.
 */
async function openApproved(
  app: Proving,
  snapshot: Snapshot,
  entry: UsableEntry,
  log: Pick<Log, "failure">,
): Promise<Approved> {
  try {
    const bundle = await app.registry.use(snapshot, entry.id);
    const material = (await readMaterials(app, [entry])).get(entry.id);
    if (material === undefined || material.faults.length > 0) throw unproven(entry, material?.faults ?? []);
    const { skill } = parse(bundle, "ingest");
    // T17: by the bytes, not by a row that says what is in them.
    if (skill === undefined || skill.manifest.name !== entry.name) throw unproven(entry, ["its name is another one"]);
    return { entry, bundle, skill, material };
  } catch (error) {
    if (!isUnusable(error)) throw error;
    log.failure("mcp", error);
    throw new AppError(
      "entry.unusable",
      `${shown(entry)} is not what was approved any more; the server's log says why`,
    );
  }
}

/** What was refused, and may have become another thing meanwhile. */
export function isUnusable(error: unknown): boolean {
  return error instanceof AppError && error.code === "entry.unusable";
}

function unproven(entry: UsableEntry, faults: readonly string[]): AppError {
  return new AppError("entry.unusable", `${shown(entry)}: ${faults.join("; ") || "the store has nothing of it"}`);
}

function shown({ id }: UsableEntry): string {
  return safeLine(id, 240);
}
