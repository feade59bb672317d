import type { Skill } from "@modelcontextprotocol/server/ext/skills";
import type { App } from "../../app/app.ts";
import type { Serving } from "../../features/serving.ts";
import type { Digest } from "../../core/digest.ts";
import type { EntryId } from "../../core/ids.ts";
import { LruCache } from "../../core/lru-cache.ts";
import { safeLine } from "../../core/text.ts";
import type { Person } from "../../registry/accounts/roles.ts";
import type { UsableEntry } from "../../registry/snapshot.ts";
import type { UsageEvent } from "../../registry/usage/usage.ts";
import type { Log } from "../logs/log.ts";
import { type Approved, isUnusable, openApproved } from "./approved.ts";
import { type Offered, offer } from "./offered.ts";
import { locate } from "./skill-uri.ts";
import { type View, Views } from "./view.ts";

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
  async offeredAs(asked: Asked, entry: UsableEntry): Promise<Skill | null> {
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
function unlessShared(view: View, { id }: UsableEntry, offered: Offered & { readonly skill: Skill }): Offered {
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
