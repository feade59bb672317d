import { canonicalJson } from "../../core/canonical.ts";
import { isText, isTextOrNull, parseRecord } from "../../core/json/json.ts";
import { parseTrust } from "../../sources/trust.ts";
import type { BlockWord, Decision } from "../schema.ts";

export const decisionWords = ["approve", "reject", "disable", "override"] as const;
export type Word = (typeof decisionWords)[number];

export const blockKinds = ["digest", "entry", "source", "repository"] as const;
export type BlockKind = (typeof blockKinds)[number];

type Said = Omit<BlockWord, "word" | "kind" | "value">;

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
  const word = decisionWords.find((known) => known === stored["word"]);
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
