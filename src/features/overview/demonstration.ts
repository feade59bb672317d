import { AppError } from "../../core/error.ts";
import type { EntryId } from "../../core/ids.ts";
import { listKeys, revokeKey } from "../../registry/accounts/api-keys.ts";
import { machinePerson, type Permit, requireRight } from "../../registry/accounts/permit.ts";
import type { AuditAct } from "../../registry/audit/audit.ts";
import { decide } from "../../registry/decide.ts";
import type { Entry } from "../../registry/entry.ts";
import type { Look } from "../../registry/registry.ts";
import { attach, listAttached } from "../../models/attachments.ts";
import { removeSource } from "../../registry/sync/sources.ts";
import type { LlmOperator } from "../../models/context.ts";
import { addConfiguration, removeConfiguration } from "../../models/configurations.ts";
import type { TargetKey } from "../../models/port.ts";
import { addProvider, removeProvider } from "../../models/providers.ts";
import { addKnownKey, revokeNamedKey } from "../people/flow.ts";
import type { App } from "../../app/app.ts";
import { asPerson } from "../../app/as-person.ts";
import { packagedDigests } from "./packaged-digests.ts";
import type { RemovedDemonstration } from "./schema.ts";
import { readNewSource } from "../sources/add.ts";
import { runSyncs } from "../sources/sync.ts";

/** One id for all of it: source, provider, configuration and key. */
export const demonstrationId = "demonstration";
const id = demonstrationId;
const configuration: TargetKey = `config:${id}`;
const shownSkills: readonly EntryId[] = [`${id}:incident-postmortem`, `${id}:recipe-scaling`];

/** Signs and changes as itself, so that the audit tells a demonstration from what people did. */
const itself = machinePerson(id);

export interface Demonstration {
  readonly configuration: string;
  /** Good until the next start (RV-12). */
  readonly key: string;
  /** What is in its prompts: attached and in use. */
  readonly skills: readonly EntryId[];
  /** What could not be prepared, and why. */
  readonly notes: readonly string[];
}

/** A source, approvals, a configuration that echoes and a key: enough to see a composed prompt in the first minute. */
export async function prepareDemonstration(machine: App, folder: string): Promise<Demonstration> {
  const app = asPerson(machine, itself);
  const permit = requireRight(app, "administer");
  const llm = { ...app.llm, permit };
  const notes = [...(await readExamples(app, permit, folder)), ...(await approvePackaged(app, permit))];
  await unlessThere(() => addProvider(llm, id, { protocol: "echo", models: ["*"] }));
  // What somebody took off later stays off.
  if (await unlessThere(() => addConfiguration(llm, id, { provider: id, model: "echo" })))
    notes.push(...(await attachShown(llm)));
  const key = await renewKey(app, permit);
  const attached = await listAttached(llm, configuration);
  const skills = attached.filter(({ usable }) => usable).map(({ entry }) => entry);
  return { configuration: id, key, skills, notes };
}

/** What it once made and what is no longer there was removed by somebody, who need not do so at every start. */
export async function wasDemonstrationRemoved(app: App): Promise<boolean> {
  const { read } = app.kept;
  const hadSource = await wasMadeByItself(app, "source.added", id);
  if (hadSource && (await read.findSource(id)) === undefined) return true;
  const hadConfiguration = await wasMadeByItself(app, "configuration.added", id);
  return hadConfiguration && (await read.findLlmRecord("configuration", id)) === undefined;
}

/** Whether it attached this by itself: nobody has done anything then. */
export function isAttachedByItself(target: TargetKey, entry: EntryId): boolean {
  return target === configuration && shownSkills.includes(entry);
}

async function readExamples(app: App, permit: Permit<"administer">, folder: string): Promise<readonly string[]> {
  const isThere = (await app.kept.read.findSource(id)) !== undefined;
  const wishes = { id, title: "Example skills", trust: "verified" } as const;
  // As a whole path: `examples/skills` could be a repository.
  const place = await app.world.files.resolve(folder);
  const { results } = isThere ? await runSyncs(app, permit, [id]) : await readNewSource(app, permit, place, wishes);
  return results.flatMap((result) =>
    "error" in result ? [`the examples were not read: ${result.error.message}`] : [],
  );
}

/** Nothing but the packaged bytes is approved, and nothing that a person has had a word on. */
async function approvePackaged({ registry, review }: App, permit: Permit<"review">): Promise<readonly string[]> {
  const look = await registry.look();
  const examples = [...look.facts.entries.values()].filter(({ source }) => source === id);
  const asked = examples
    .filter((entry) => isUndecided(look, entry) && packagedDigests[entry.path] === entry.current)
    .map(({ id: entry, current }) => ({
      word: "approve" as const,
      entry,
      digest: current,
      note: "packaged with Skillward",
      withoutGrants: true,
    }));
  if (asked.length > 0) await decide(review, permit, asked);
  const other = examples.filter((entry) => isUndecided(look, entry)).length - asked.length;
  return other === 0 ? [] : [`${other} of the example skills are not as packaged and wait for your review`];
}

/** Without a word that counts, and without one of a person's: what was away has to be approved anew (IN-20). */
function isUndecided({ facts, snapshot }: Look, { id: entry }: Entry): boolean {
  const { state } = snapshot.standings.get(entry) ?? {};
  const words = facts.ledger.decisions.get(entry) ?? [];
  return state === "new" || (state === "pending" && words.every(({ by }) => by === itself.name));
}

async function attachShown(llm: LlmOperator): Promise<readonly string[]> {
  const notes: string[] = [];
  for (const entry of shownSkills) {
    try {
      await attach(llm, configuration, entry);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      notes.push(error.message);
    }
  }
  return notes;
}

/** RV-12: a key is shown once, so each start makes a new one and the former ends. */
async function renewKey(app: App, permit: Permit<"administer">): Promise<string> {
  try {
    await revokeNamedKey(app, permit, id);
  } catch (error) {
    if (!(error instanceof AppError && error.code === "record.missing")) throw error;
  }
  return (await addKnownKey(app, permit, { name: id, role: "reader", configurations: [id] })).text;
}

/** False when it is there already. */
async function unlessThere(add: () => Promise<unknown>): Promise<boolean> {
  try {
    await add();
    return true;
  } catch (error) {
    if (error instanceof AppError && error.code === "record.exists") return false;
    throw error;
  }
}

type Part = RemovedDemonstration["removed"][number];

/**
 * Takes away all that was prepared, and nothing of the same name that a person made. What was approved stays in the
 * ledger, its entries are orphaned as those of any source (IN-21). Once more, there is nothing left to remove.
 */
export async function removeDemonstration(app: App): Promise<RemovedDemonstration> {
  const permit = requireRight(app, "administer");
  const llm = { ...app.llm, permit };
  const removed: Part[] = [];
  const kept: { part: Part; why: string }[] = [];
  const take = async (part: Part, remove: () => Promise<unknown>) => {
    try {
      await remove();
      removed.push(part);
    } catch (error) {
      if (!(error instanceof AppError && error.code === "record.in-use")) throw error;
      kept.push({ part, why: error.message });
    }
  };
  // First what can be refused for a moment, by a sync that runs: then nothing is gone yet.
  if (await hasOwnSource(app)) await take("source", () => removeSource(app.sync, permit, id));
  for (const key of await ownKeys(app, permit)) await take("key", () => revokeKey(app.accounts, permit, key));
  if (await hasOwn(app, "configuration")) await take("configuration", () => removeConfiguration(llm, id));
  if (await hasOwn(app, "provider")) await take("provider", () => removeProvider(llm, id));
  return { removed, kept };
}

/** Whether there is anything of it that could be removed. */
export async function hasDemonstration(app: App): Promise<boolean> {
  return (await hasOwnSource(app)) || (await hasOwn(app, "configuration")) || (await hasOwn(app, "provider"));
}

async function hasOwnSource({ kept }: App): Promise<boolean> {
  return (await kept.read.findSource(id))?.addedBy === itself.name;
}

async function hasOwn(app: App, kind: "configuration" | "provider"): Promise<boolean> {
  const isThere = (await app.kept.read.findLlmRecord(kind, id)) !== undefined;
  return isThere && wasMadeByItself(app, `${kind}.added`, id);
}

async function ownKeys(app: App, permit: Permit<"administer">): Promise<readonly string[]> {
  const { keys } = await listKeys(app.accounts, permit);
  const named = keys.filter(({ name, state }) => name === id && state === "active");
  const own = await Promise.all(named.map(async (key) => [key.id, await wasMadeByItself(app, "key.added", key.id)]));
  return own.flatMap(([key, isOwn]) => (isOwn === true ? [String(key)] : []));
}

/** The audit knows who made what: its latest word on it counts. */
async function wasMadeByItself({ kept }: App, act: AuditAct, subject: string): Promise<boolean> {
  const records = await kept.read.findAudit({ act, subject, limit: 100 });
  return records.find((record) => record.subject === subject)?.by === itself.name;
}
