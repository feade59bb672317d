import { posix } from "node:path";
import { sha256 } from "../../core/digest.ts";
import { canonicalJson } from "../../core/canonical.ts";
import type { EntryId } from "../../core/ids.ts";
import { fieldsOf } from "../../core/json/json.ts";
import { safeLine } from "../../core/text.ts";
import type { Clock, Files } from "../../core/world.ts";
import type { Kind } from "../../skill/manifest.ts";
import type { Trust } from "../../sources/trust.ts";
import { readDocument } from "../../routing/query.ts";
import type { Document } from "../../routing/index/lexical-index.ts";
import type { ShelfEntry } from "../../routing/shelf.ts";
import { loadFolderSkills } from "../bundles/folder-skills.ts";
import { LineFault, readJsonLines, refusedFile } from "../../app/files/json-lines-file.ts";

/** A skill that can be routed to without a registry: nobody has approved it, and nothing of it goes into a prompt. */
export interface PooledSkill {
  readonly entry: ShelfEntry;
  readonly document: Document;
}

/** Something about a pool that whoever measures on it should know. */
export type OnNote = (note: string) => void;

type PoolWorld = { readonly files: Files; readonly clock: Clock };

/** Every skill of the folders and files that were named, each id once: the first one counts. */
export async function* readPool(
  world: PoolWorld,
  places: readonly string[],
  onNote: OnNote,
): AsyncGenerator<PooledSkill> {
  const seen = new Set<EntryId>();
  for (const [at, place] of places.entries()) {
    let count = 0;
    for await (const skill of readPlace(world, place, sourceOf(at), onNote)) {
      count++;
      const { id } = skill.entry;
      if (seen.has(id))
        onNote(`${safeLine(place, 240)}: the id ${safeLine(id, 240)} was there before; the first one counts`);
      else yield skill;
      seen.add(id);
    }
    if (count === 0) throw refusedFile(place, "has no skills in it that can be routed to");
  }
}

/** Ids of the second folder do not meet those of the first. */
function sourceOf(at: number): string {
  return at === 0 ? "folder" : `folder-${at + 1}`;
}

async function* readPlace(
  world: PoolWorld,
  place: string,
  source: string,
  onNote: OnNote,
): AsyncGenerator<PooledSkill> {
  const kind = await world.files.kind(await world.files.resolve(place));
  if (kind === "folder") {
    yield* readSkillFolder(world, place, source, onNote);
    return;
  }
  if (posix.extname(place).toLowerCase() === ".md")
    throw refusedFile(place, "is the file of one skill: name the folder that holds it, or a .jsonl file");
  for await (const { value } of readJsonLines(world.files, place, pooledOf)) yield value;
}

async function* readSkillFolder(
  world: PoolWorld,
  place: string,
  source: string,
  onNote: OnNote,
): AsyncGenerator<PooledSkill> {
  const { skills } = await loadFolderSkills(world, place, source);
  for (const { entry: id, name, description, digest, unusable, material } of skills) {
    const document = digest === null || material.skill === undefined ? null : readDocument(digest, material.skill);
    if (unusable !== null) onNote(`${safeLine(id, 240)} is left out: ${safeLine(unusable, 240)}`);
    else if (digest === null || document === null)
      onNote(`${safeLine(id, 240)} is left out: it is not to be routed to`);
    else yield { entry: { id, digest, name, description, trust: "untrusted" }, document };
  }
}

/** A skill as it is given, without a file. Only the first four must be there. */
export interface RoutableSkill {
  readonly id: EntryId;
  readonly name: string;
  readonly description: string;
  readonly body: string;
  readonly triggers?: readonly string[];
  readonly aliases?: readonly string[];
  /** Patterns of paths that it is meant for. */
  readonly paths?: readonly string[];
  /** `tool` without it. */
  readonly kind?: Kind;
  /** `untrusted` without it. */
  readonly trust?: Trust;
}

/** The same text is the same skill, whatever its id. */
export function pooledSkill(skill: RoutableSkill): PooledSkill {
  const { id, name, description, body, kind = "tool", trust = "untrusted" } = skill;
  const { triggers = [], aliases = [], paths = [] } = skill;
  const declared = { kind, triggers, aliases, paths };
  const digest = sha256(Buffer.from(canonicalJson({ name, description, body, ...declared })));
  return {
    entry: { id, digest, name, description, trust },
    document: { digest, name, description, body, declared },
  };
}

const most = { id: 1024, name: 256, description: 65_536, triggers: 256, trigger: 8192 };

/** `{ id, name, description, body, triggers? }`. What else a line has does not count: nobody vouches for it. */
function pooledOf(value: unknown): PooledSkill {
  const fields = fieldsOf(value);
  if (fields === undefined) throw new LineFault("expected { id, name, description, body }");
  const id = textOf(fields, "id", most.id);
  if (id === "") throw new LineFault(`id: expected 1 to ${most.id} characters`);
  return pooledSkill({
    id,
    name: textOf(fields, "name", most.name),
    description: textOf(fields, "description", most.description),
    body: textOf(fields, "body", Number.POSITIVE_INFINITY),
    triggers: triggersOf(fields),
  });
}

function textOf(fields: ReadonlyMap<string, unknown>, key: string, longest: number): string {
  const value = fields.get(key);
  if (typeof value === "string" && value.length <= longest) return value;
  const bound = Number.isFinite(longest) ? ` of at most ${longest} characters` : "";
  throw new LineFault(`${key}: expected a text${bound}`);
}

/** A list, or all in one text, as people write it. */
function triggersOf(fields: ReadonlyMap<string, unknown>): readonly string[] {
  const value: unknown = fields.get("triggers") ?? [];
  const list: readonly unknown[] = Array.isArray(value) ? value : [value];
  if (list.length > most.triggers) throw new LineFault(`triggers: expected at most ${most.triggers}`);
  return list.map((trigger) => {
    if (typeof trigger === "string" && trigger.length <= most.trigger) return trigger;
    throw new LineFault(`triggers: expected texts of at most ${most.trigger} characters`);
  });
}
