import { AppError } from "../core/error.ts";
import { type EntryId, isSourceId } from "../core/ids.ts";
import { safeLine, safeName } from "../core/text.ts";
import {
  demandConfiguration,
  type LlmContext,
  type LlmOperator,
  type LlmReader,
  mayTouch,
  type Standing,
} from "./context.ts";
import type { LlmReads, TargetKey } from "./port.ts";
import { demandRecord, recordChange } from "./records.ts";
import { parseTask } from "./task.ts";
import type { Attached } from "./schema.ts";
import { invalid } from "./settings.ts";

/** RV-14: puts an entry that has a revision in use behind those already on `config:<id>` or `task:<id>`. */
export async function attach(context: LlmOperator, target: string, entry: EntryId): Promise<void> {
  const key = parseTarget(target);
  // RV-12: nothing is said of the entry to whoever may not touch the target.
  await demandTarget(context, context.kept.read, key);
  await demandUsable(context, entry);
  await context.kept.transaction(async (port) => {
    await demandTarget(context, port, key);
    const before = await port.listAttached(key);
    if (before.includes(entry)) throw new AppError("record.exists", `${shown(entry)} is on ${key} already`);
    await port.putAttached(key, [...before, entry]);
    await recordChange(context, port, ["skill.attached", entry], { to: key, position: before.length });
  });
}

/** Whatever state the entry is in, and also when the registry has it no more. */
export async function detach(context: LlmOperator, target: string, entry: EntryId): Promise<void> {
  const key = parseTarget(target);
  await context.kept.transaction(async (port) => {
    await demandTarget(context, port, key);
    const before = await port.listAttached(key);
    if (!before.includes(entry)) throw new AppError("record.missing", `${shown(entry)} is not on ${key}`);
    await port.putAttached(
      key,
      before.filter((each) => each !== entry),
    );
    await recordChange(context, port, ["skill.detached", entry], { from: key, position: before.indexOf(entry) });
  });
}

/** RV-14: all that is attached, in order; what is no longer usable is there with its state and reason. */
export async function listAttached(context: LlmReader, target: string): Promise<readonly Attached[]> {
  const key = parseTarget(target);
  await demandTarget(context, context.kept.read, key);
  const entries = await context.kept.read.listAttached(key);
  return Promise.all(entries.map(async (entry) => attachedAs(entry, await context.standingOf(entry))));
}

/** Where an entry is attached, as far as the person may see. */
export async function listTargetsOf(context: LlmReader, entry: EntryId): Promise<readonly TargetKey[]> {
  const { read } = context.kept;
  const targets = await read.listTargetsOf(entry);
  if (context.permit.person.configurations === null) return targets;
  const configurations = await Promise.all(targets.map((target) => configurationOf(read, target)));
  return targets.filter((_, index) => mayTouch(context.permit.person, configurations[index] ?? ""));
}

function attachedAs(entry: EntryId, standing: Standing | undefined): Attached {
  const gone: Standing = { state: "missing", reason: "the registry has no such entry any more" };
  const { state, inUse = null, reason } = standing ?? gone;
  return { entry, usable: standing !== undefined && isUsable(standing), state, inUse, reason };
}

/** The states in which a revision is in use (RV-1). */
function isUsable({ state }: Standing): boolean {
  return state === "enabled" || state === "held";
}

async function demandUsable(context: LlmContext, entry: EntryId): Promise<void> {
  const standing = await context.standingOf(entry);
  if (standing === undefined)
    throw new AppError("record.missing", `there is no entry ${shown(entry)}; check its id, or sync its source`);
  if (isUsable(standing)) return;
  const why = `${safeName(standing.state)} (${safeLine(standing.reason, 240)})`;
  throw new AppError(
    "entry.unusable",
    `${shown(entry)} is ${why}; only an entry with an approved revision is attached`,
  );
}

/** The target exists, and is within what the person is limited to. */
async function demandTarget(context: LlmReader, port: LlmReads, target: TargetKey): Promise<void> {
  const [kind, id] = kindOf(target);
  if (kind === "configuration") demandConfiguration(context.permit.person, id);
  const stored = await demandRecord(port, kind, id);
  if (kind === "task") demandConfiguration(context.permit.person, parseTask(stored).configuration);
}

async function configurationOf(port: LlmReads, target: TargetKey): Promise<string> {
  const [kind, id] = kindOf(target);
  return kind === "configuration" ? id : parseTask(await demandRecord(port, "task", id)).configuration;
}

function parseTarget(text: string): TargetKey {
  const [, kind, id = ""] = /^(config|task):([^:]*)$/.exec(text) ?? [];
  if (!isSourceId(id)) throw invalid("target", "config:<id> or task:<id>");
  return kind === "config" ? `config:${id}` : `task:${id}`;
}

function kindOf(target: TargetKey): ["configuration" | "task", string] {
  const id = target.slice(target.indexOf(":") + 1);
  return [target.startsWith("config:") ? "configuration" : "task", id];
}

function shown(entry: EntryId): string {
  return `"${safeLine(entry, 240)}"`;
}
