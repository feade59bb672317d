import { AppError } from "../base/error.ts";
import type { EntryId } from "../base/ids.ts";
import type { Person } from "../registry/accounts/roles.ts";
import { decide } from "../registry/decide.ts";
import type { Entry } from "../registry/entry.ts";
import type { Look } from "../registry/registry.ts";
import { attach, listAttached } from "../use/llm/attachments.ts";
import { addConfiguration } from "../use/llm/configurations.ts";
import { addProvider } from "../use/llm/providers.ts";
import { addApiKey, revokeApiKey } from "./api-keys.ts";
import type { App } from "./app.ts";
import { packagedDigests } from "./packaged-digests.ts";
import { addSource } from "./add-source.ts";
import { syncSources } from "./syncs.ts";

/** One id for all of it: source, provider, configuration and key. */
const id = "demonstration";
const shownSkills = ["incident-postmortem", "recipe-scaling"];

/** Signs and changes as itself, so that the audit tells a demonstration from what people did. */
const itself: Person = { name: id, role: "admin", configurations: null };

export interface Demonstration {
  readonly configuration: string;
  /** Good until the next start (RV-12). */
  readonly key: string;
  readonly skills: readonly EntryId[];
  /** What could not be prepared, and why. */
  readonly notes: readonly string[];
}

/** A source, approvals, a configuration that echoes and a key: enough to see a composed prompt in the first minute. */
export async function prepareDemonstration(machine: App, folder: string): Promise<Demonstration> {
  const app: App = { ...machine, person: itself, llm: { ...machine.llm, person: itself } };
  const notes = [...(await readExamples(app, folder)), ...(await approvePackaged(app))];
  await unlessThere(() => addProvider(app.llm, id, { protocol: "echo", models: ["*"] }));
  // What somebody took off later stays off.
  if (await unlessThere(() => addConfiguration(app.llm, id, { provider: id, model: "echo" })))
    notes.push(...(await attachShown(app)));
  const key = await renewKey(app);
  const attached = await listAttached(app.llm, `config:${id}`);
  return { configuration: id, key, skills: attached.map(({ entry }) => entry), notes };
}

async function readExamples(app: App, folder: string): Promise<readonly string[]> {
  const isThere = (await app.kept.read.findSource(id)) !== undefined;
  const wishes = { id, title: "Example skills", trust: "verified" } as const;
  // As a whole path: `examples/skills` could be a repository.
  const place = await app.world.files.resolve(folder);
  const { results } = isThere ? await syncSources(app, [id]) : await addSource(app, place, wishes);
  return results.flatMap((result) =>
    "error" in result ? [`the examples were not read: ${result.error.message}`] : [],
  );
}

/** Nothing but the packaged bytes is approved, and nothing that a person has had a word on. */
async function approvePackaged({ registry, review }: App): Promise<readonly string[]> {
  const look = await registry.look();
  const examples = [...look.facts.entries.values()].filter(({ source }) => source === id);
  const asked = examples
    .filter((entry) => isNew(look, entry) && packagedDigests[entry.path] === entry.current)
    .map(({ id: entry, current }) => ({
      word: "approve" as const,
      entry,
      digest: current,
      note: "packaged with Skillward",
      withoutGrants: true,
    }));
  if (asked.length > 0) await decide(review, itself, asked);
  const other = examples.filter((entry) => isNew(look, entry)).length - asked.length;
  return other === 0 ? [] : [`${other} of the example skills are not as packaged and wait for your review`];
}

function isNew({ snapshot }: Look, { id: entry }: Entry): boolean {
  return snapshot.standings.get(entry)?.state === "new";
}

async function attachShown({ llm }: App): Promise<readonly string[]> {
  const notes: string[] = [];
  for (const name of shownSkills) {
    try {
      await attach(llm, `config:${id}`, `${id}:${name}`);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      notes.push(error.message);
    }
  }
  return notes;
}

/** RV-12: a key is shown once, so each start makes a new one and the former ends. */
async function renewKey(app: App): Promise<string> {
  try {
    await revokeApiKey(app, id);
  } catch (error) {
    if (!(error instanceof AppError && error.code === "record.missing")) throw error;
  }
  return (await addApiKey(app, { name: id, role: "reader", configurations: [id] })).text;
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
