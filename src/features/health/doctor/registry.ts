import { AppError } from "../../../core/error.ts";
import { safeLine } from "../../../core/text.ts";
import type { Source } from "../../../sources/schema.ts";
import { listSources } from "../../../registry/sync/sources.ts";
import { requireRight } from "../../../registry/accounts/permit.ts";
import { permitLlm } from "../../../models/context.ts";
import { listAttached } from "../../../models/attachments.ts";
import { listConfigurations } from "../../../models/configurations.ts";
import { listTasks } from "../../../models/task.ts";
import type { Inspection } from "../../../app/inspect.ts";
import { isThere } from "../../../app/files/is-there.ts";
import type { Places } from "../../../app/config/paths.ts";
import { lagsBehind } from "../rotation.ts";
import type { World } from "../../../app/world/world.ts";
import { failure, fine, warning } from "./check.ts";
import type { Check } from "../schema.ts";

const megabyte = 1_000_000;

export async function checkStore({ storePlace, store }: Inspection): Promise<Check> {
  const where = storePlace.engine === "sqlite" ? `SQLite, ${storePlace.file}` : "PostgreSQL";
  return fine("store", `${where}, version ${store.version}, ${(store.bytes / megabyte).toFixed(1)} MB`);
}

/** RV-8, T19. */
export async function checkCheckpoint({ kept, places, world }: Inspection): Promise<Check> {
  if (kept.refusal !== null) return failure("checkpoint", kept.refusal, "skillward audit verify");
  const others = await otherStores(world, places, kept.store);
  if (others.length > 0) {
    const what = `there are checkpoints of other stores here: ${others.join(", ")}`;
    return warning(
      "checkpoint",
      what,
      "if you never used another store, the database was replaced by a new one: restore it",
    );
  }
  if (kept.hasCheckpoint) return fine("checkpoint", `the store continues record ${kept.known().audit.seq}`);
  const what = `there is none in ${places.checkpointFolder}: a database that was rolled back would not be noticed`;
  return warning("checkpoint", what, "restore it from a backup; on a new node the next change makes one");
}

/** A database that was replaced by an empty one is a new store, and continues no checkpoint. */
async function otherStores({ files }: World, { checkpointFolder }: Places, store: string): Promise<readonly string[]> {
  if (!(await isThere(files, checkpointFolder))) return [];
  const { entries } = await files.list(checkpointFolder, 1000);
  const stores = entries.flatMap(({ name }) => /^([0-9a-f]{32})\.json$/.exec(name)?.[1] ?? []);
  return stores.filter((id) => id !== store);
}

/** A rotation that stopped half-way leaves the store open to the old key file as well. */
export async function checkRotation(opened: Inspection): Promise<Check> {
  if (!(await lagsBehind(opened))) return fine("rotation", "the store knows no older key file");
  return warning("rotation", "the key file was rotated, the store has not followed", "skillward keys rotate");
}

export async function checkLedger({ registry }: Inspection): Promise<Check> {
  const { facts, snapshot } = await registry.look();
  const [first] = snapshot.findings;
  if (first !== undefined)
    return failure(
      "registry",
      `findings: ${snapshot.findings.length}, the first: ${first.message}`,
      "skillward audit verify",
    );
  return fine("registry", `entries: ${facts.entries.size}, in use: ${snapshot.usable.size}`);
}

/** IN-15: also a sync that began and will not end. */
export async function checkSources(opened: Inspection): Promise<readonly Check[]> {
  const { sync, world } = opened;
  const sources = await listSources(sync, requireRight(opened, "read"));
  const checks: Check[] = [];
  for (const source of sources) {
    const { id, kind, url, hosts, status, error } = source;
    if (hosts !== null && !sync.remote.hostSets.some(({ name }) => name === hosts))
      checks.push(
        warning(
          "source",
          `${id}: no GitHub "${safeLine(hosts)}" is configured`,
          "name it under `github` in the configuration",
        ),
      );
    else if (kind === "folder" && !(await isThere(world.files, url)))
      checks.push(warning("source", `${id}: ${url} is not there`, `bring it back, or skillward source remove ${id}`));
    else if (status === "error") checks.push(warning("source", `${id}: ${error}`, `skillward source sync ${id}`));
    else if (status === "partial")
      checks.push(warning("source", `${id}: its last sync could not read all of it`, `skillward source sync ${id}`));
    else if (isStale(source, world.clock.now()))
      checks.push(
        warning(
          "source",
          `${id}: it is not synced as often as its interval says`,
          "run `skillward serve`, with `sync.schedule` on",
        ),
      );
  }
  return checks.length > 0 ? checks : [fine("source", `sources: ${sources.length}, none with an error`)];
}

/** T14: nobody is to take what is old for what is new. So many intervals may pass. */
const missedIntervals = 3;

function isStale({ enabled, interval, syncedAt }: Source, now: number): boolean {
  return enabled && interval !== null && now - (syncedAt ?? 0) > missedIntervals * interval * 1000;
}

/** RV-14: what is attached and cannot be used is shown, never silently gone. */
export async function checkAttachments(opened: Inspection): Promise<readonly Check[]> {
  const llm = permitLlm(opened, "read");
  const configurations = (await listConfigurations(llm)).map(({ id }) => `config:${id}`);
  const tasks = (await listTasks(llm)).map(({ id }) => `task:${id}`);
  const checks: Check[] = [];
  let count = 0;
  for (const target of [...configurations, ...tasks])
    for (const { entry, usable, state, reason } of await listAttached(llm, target)) {
      count++;
      const todo = `skillward review ${entry}, or skillward detach ${target} ${entry}`;
      if (!usable) checks.push(warning("attachment", `${entry} on ${target} is ${state}: ${reason}`, todo));
    }
  return checks.length > 0 ? checks : [fine("attachment", `attached skills: ${count}, all in use`)];
}

/** So far the clocks of two nodes may be apart. */
const tolerance = 5 * 60_000;

/** Who waits for a lock to go stale, or for usage to expire, trusts the clock. */
export async function checkClock({ kept, world }: Inspection): Promise<Check> {
  const [last] = await kept.read.findAudit({ limit: 1 });
  const ahead = Math.max(last?.at ?? 0, kept.known().at) - world.clock.now();
  if (ahead <= tolerance) return fine("clock", "nothing was recorded in its future");
  const what = `the last change is ${Math.round(ahead / 60_000)} minutes in the future`;
  return warning("clock", what, "set the clock of this machine, or of the one that wrote it");
}

/** A key in the environment that does not work makes every command fail. */
export async function checkApiKey(act: () => Promise<unknown>): Promise<Check> {
  try {
    await act();
    return fine("api key", "SKILLWARD_API_KEY is valid");
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return failure(
      "api key",
      `SKILLWARD_API_KEY: ${error.message}`,
      "unset it, or have a new one made: skillward key add",
    );
  }
}
