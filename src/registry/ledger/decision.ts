import { canonicalJson } from "../../core/canonical.ts";
import type { Digest } from "../../core/digest.ts";
import type { EntryId } from "../../core/ids.ts";
import { isText, isTextOrNull, parseRecord } from "../../core/json/json.ts";
import { parseTrust, type Trust } from "../../sources/trust.ts";

const words = ["approve", "reject", "disable", "override"] as const;
export type Word = (typeof words)[number];

/** What every signed statement has: its place in the chain, who said it, when and why. */
interface Said {
  readonly seq: number;
  /** The digest of the statement before, so that none can be taken out unnoticed. */
  readonly prev: Digest;
  readonly by: string;
  readonly at: number;
  readonly note: string;
}

/** A person's word on one digest (RV-3). */
export interface Decision extends Said {
  readonly word: Word;
  readonly entry: EntryId;
  readonly repositoryId: number | null;
  readonly commit: string | null;
  readonly digest: Digest;
  /** What was current when it was decided; another digest than that is a rollback to a kept revision (RV-1). */
  readonly current: Digest;
  readonly trust: Trust;
  /** The tools whose pre-approval this word grants. */
  readonly grants: readonly string[];
  /** The codes of the findings that an override lifts, on this digest only. */
  readonly overrides: readonly string[];
}

export const blockKinds = ["digest", "entry", "source", "repository"] as const;
export type BlockKind = (typeof blockKinds)[number];

/** A word on everything that fits a target, whatever source or node it is on (RV-9). */
export interface BlockWord extends Said {
  readonly word: "block" | "unblock";
  readonly kind: BlockKind;
  readonly value: string;
}

/** What can stand in the ledger. */
export type Statement = Decision | BlockWord;

/** Whom a statement is about, as the ledger is searched by it. */
export function subjectOf(statement: Statement): string {
  return isDecision(statement) ? statement.entry : `${statement.kind}:${statement.value}`;
}

export function isDecision(statement: Statement): statement is Decision {
  return "entry" in statement;
}

/** The text that is signed. */
export function renderStatement(statement: Statement): string {
  return canonicalJson({ ...statement });
}

/** Undefined for anything that was not written by `renderStatement`. */
export function parseStatement(payload: string): Statement | undefined {
  const stored = parseRecord(payload);
  if (stored === undefined || !isSaid(stored)) return undefined;
  return decisionOf(stored) ?? blockWordOf(stored);
}

function isSaid(stored: Readonly<Record<string, unknown>>): stored is Readonly<Record<string, unknown>> & Said {
  const { seq, at, prev, by, note } = stored;
  return Number.isSafeInteger(seq) && Number.isSafeInteger(at) && [prev, by, note].every(isText);
}

function decisionOf(stored: Readonly<Record<string, unknown>> & Said): Decision | undefined {
  const { seq, prev, by, at, note } = stored;
  const word = words.find((known) => known === stored["word"]);
  const { entry, digest, current, commit = null, repositoryId = null, grants, overrides } = stored;
  if (word === undefined || !isText(entry) || !isText(digest) || !isText(current)) return undefined;
  if (!isTexts(grants) || !isTexts(overrides) || !isTextOrNull(commit) || !isNumberOrNull(repositoryId))
    return undefined;
  const trust = parseTrust(stored["trust"]);
  return { word, entry, repositoryId, commit, digest, current, trust, grants, overrides, seq, prev, by, at, note };
}

function blockWordOf(stored: Record<string, unknown> & Said): BlockWord | undefined {
  const { seq, prev, by, at, note, word, value } = stored;
  const kind = blockKinds.find((known) => known === stored["kind"]);
  if ((word !== "block" && word !== "unblock") || kind === undefined || !isText(value)) return undefined;
  return { word, kind, value, seq, prev, by, at, note };
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every(isText);
}

function isNumberOrNull(value: unknown): value is number | null {
  return value === null || typeof value === "number";
}
