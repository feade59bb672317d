import type { Digest } from "../../core/digest.ts";
import { AppError } from "../../core/error.ts";
import { isSourceId, parseEntryId } from "../../core/ids.ts";
import { nearest } from "../../core/nearest.ts";
import { safeLine } from "../../core/text.ts";
import { requireRight } from "../../registry/accounts/permit.ts";
import { setBlock } from "../../registry/decide.ts";
import type { BlockKind } from "../../registry/ledger/decision.ts";
import type { Look } from "../../registry/registry.ts";
import type { App } from "../../app/app.ts";
import { requireRightToAll } from "../skills/find.ts";
import type { Blocked, BlockWanted } from "./schema.ts";
import type { BlockWord } from "../../registry/schema.ts";

/** RV-9. What is not known may be blocked too: it is kept out before it ever comes. */
export async function addBlock(app: App, { kind, value: typed, reason: note }: BlockWanted): Promise<Blocked> {
  const permit = requireRight(app, "administer");
  const look = await app.registry.look();
  const value = valueOf(look, kind, typed);
  const standing = look.facts.ledger.blocks.get(`${kind}:${value}`);
  if (standing !== undefined)
    throw new AppError(
      "record.exists",
      `${kind} ${safeLine(value, 240)} is blocked already: ${safeLine(standing.note)}`,
    );
  const block = await setBlock(app.review, permit, { word: "block", kind, value, note });
  return { block, known: await isKnown(app, look, kind, value), changed: await changedSince(app, look) };
}

export async function liftBlock(app: App, { kind, value: typed, reason: note }: BlockWanted): Promise<Blocked> {
  const permit = requireRight(app, "administer");
  const look = await app.registry.look();
  const value = demandBlocked(look, kind, typed);
  const block = await setBlock(app.review, permit, { word: "unblock", kind, value, note });
  return { block, known: await isKnown(app, look, kind, value), changed: await changedSince(app, look) };
}

/** The blocks that stand. */
export async function listBlocks(app: App): Promise<readonly BlockWord[]> {
  requireRightToAll(app, "blocks concern all of them");
  return [...(await app.registry.look()).facts.ledger.blocks.values()];
}

/** What is blocked, in the one form that is compared. What could never fit anything is refused. */
function valueOf(look: Look, kind: BlockKind, typed: string): string {
  const wrong = (rule: string) => new AppError("usage.invalid", `"${safeLine(typed)}" is no ${kind} to block: ${rule}`);
  if (kind === "digest") return digestOf(look, typed) ?? fail(wrong("give its 64 hex digits"));
  if (kind === "entry" && parseEntryId(typed) === undefined)
    throw wrong("give its id, as `skillward skill list` shows it");
  if (kind === "source" && !isSourceId(typed)) throw wrong("give its id, as `skillward source list` shows it");
  if (kind === "repository" && !/^[1-9][0-9]{0,15}$/.test(typed)) throw wrong("give its number at GitHub");
  return typed;
}

function fail(error: AppError): never {
  throw error;
}

/** A whole digest, or the start of one that is current or was decided on. */
function digestOf({ facts }: Look, typed: string): Digest | undefined {
  const start = typed.toLowerCase();
  if (/^[0-9a-f]{64}$/.test(start)) return start;
  const known = /^[0-9a-f]{12,}$/.test(start) ? [...facts.summaries.keys()] : [];
  const [only, ...others] = known.filter((digest) => digest.startsWith(start));
  return others.length === 0 ? only : undefined;
}

async function isKnown({ kept }: App, { facts }: Look, kind: BlockKind, value: string): Promise<boolean> {
  if (kind === "digest") return (await kept.read.findRevisions([value])).length > 0;
  if (kind === "entry") return facts.entries.has(value);
  if (kind === "source") return facts.sources.has(value);
  return [...facts.entries.values()].some(({ repositoryId }) => String(repositoryId) === value);
}

async function changedSince({ registry }: App, before: Look): Promise<number> {
  return Math.abs((await registry.look()).snapshot.usable.size - before.snapshot.usable.size);
}

function demandBlocked({ facts }: Look, kind: BlockKind, typed: string): string {
  const values = [...facts.ledger.blocks.values()].filter((block) => block.kind === kind).map(({ value }) => value);
  const fitting = values.filter((value) => value === typed || (kind === "digest" && isStartOf(typed, value)));
  const [only, ...others] = fitting;
  if (only !== undefined && others.length === 0) return only;
  const near = nearest(typed, values);
  const hint = near === undefined ? "`skillward block list` shows what is" : `did you mean ${safeLine(near, 240)}?`;
  throw new AppError("record.missing", `${kind} ${safeLine(typed)} is not blocked; ${hint}`);
}

function isStartOf(typed: string, digest: Digest): boolean {
  return typed.length >= 12 && digest.startsWith(typed.toLowerCase());
}
