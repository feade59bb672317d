import type { App } from "../../app/app.ts";
import { AppError } from "../../core/error.ts";
import { safeLine } from "../../core/text.ts";
import type { Bundle } from "../../skill/bundle.ts";
import { parse, type Skill } from "../../skill/skill.ts";
import { type MaterialRow, readMaterials } from "../../registry/material.ts";
import type { Snapshot, UsableEntry } from "../../registry/snapshot.ts";
import type { Log } from "../logs/log.ts";

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
export async function openApproved(
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
