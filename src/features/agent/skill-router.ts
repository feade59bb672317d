import type { EntryId } from "../../core/ids.ts";
import { LruCache } from "../../core/lru-cache.ts";
import type { Clock, Timer } from "../../core/world.ts";
import { skillFile } from "../../skill/bundle.ts";
import type { RouteSkills } from "../../agent/agent-host.ts";
import type { AgentSkill, AgentSkills } from "../../agent/skills/agent-skill.ts";
import { readDocument } from "../../routing/query.ts";
import { buildSegment } from "../../routing/index/segment.ts";
import type { Document } from "../../routing/index/lexical-index.ts";
import { createIndex } from "../../routing/index/segmented-index.ts";
import { createShelf, type Shelf, type ShelfEntry } from "../../routing/shelf.ts";
import { orNull } from "../../core/error.ts";
import { poolChain } from "../routing/pool-routing.ts";

const mostMatches = 5;

/** Routing over the skills of an agent: by what they say, on this machine alone. Indexed at the first use of a set. */
export function skillRouter(
  world: { readonly stopwatch: Clock; readonly timer: Timer },
  skills: AgentSkills,
): RouteSkills {
  const chain = poolChain(world);
  /** What was read of the same bytes is not read again. In characters. */
  const documents = new LruCache<Document>({ weight: 32 * 1024 * 1024, weightOf: ({ body }) => body.length + 1024 });
  let [indexed, shelf]: [string, Shelf | null] = ["", null];

  const documentOf = async (skill: AgentSkill): Promise<Document | null> => {
    const digest = skill.digest ?? "";
    const known = documents.get(digest);
    if (known !== undefined) return known;
    // Not as it was any more, or gone: it is not found then.
    const bundle = await skills.read(skill).catch(orNull);
    const file = bundle?.files.find(({ path }) => path === skillFile);
    const document = file === undefined ? null : readDocument(digest, file.bytes);
    return document === null ? null : documents.set(digest, document);
  };

  const shelfOf = async (candidates: readonly AgentSkill[]): Promise<Shelf> => {
    const key = candidates.map(({ entry, digest }) => `${entry} ${digest}`).join("\n");
    if (shelf !== null && key === indexed) return shelf;
    const entries = new Map<EntryId, ShelfEntry>();
    const found = new Map<string, Document>();
    for (const skill of candidates) {
      const document = await documentOf(skill);
      if (document === null) continue;
      found.set(document.digest, document);
      const { entry: id, alias: name, description, trust } = skill;
      entries.set(id, { id, digest: document.digest, name, description, trust });
    }
    const index = createIndex(found.size === 0 ? [] : [buildSegment([...found.values()])]);
    [indexed, shelf] = [key, createShelf({ entries, index, triggers: new Map() })];
    return shelf;
  };

  return async (query, candidates) => {
    const byEntry = new Map(candidates.map((skill) => [skill.entry, skill]));
    const { matches, abstained, ambiguous } = await chain.route(await shelfOf(candidates), query, {
      limit: mostMatches,
    });
    const known = matches.flatMap(({ entry, confidence, why }) => {
      const skill = byEntry.get(entry);
      return skill === undefined ? [] : [{ skill, confidence, why }];
    });
    return { matches: known, abstained, ambiguous };
  };
}
