import { type Kind, kinds } from "../../../ingest/skill/manifest.ts";
import type { Declared } from "./lexical-index.ts";

/** So many of each list count, each so long: what one skill says must not weigh on all. */
const mostListed = 64;
const longestListed = 256;

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Lists that a skill declares, bounded: the same for matching, and for what is kept. */
export function boundedDeclared({ kind, triggers, aliases, paths }: Declared): Declared {
  return { kind, triggers: bounded(triggers), aliases: bounded(aliases), paths: bounded(paths) };
}

function bounded(list: readonly string[]): readonly string[] {
  return list.slice(0, mostListed).map((text) => text.slice(0, longestListed).toWellFormed());
}

/** What a document says of itself, to be kept as it is said. */
export function encodeDeclared({ kind, triggers, aliases, paths }: Declared): Uint8Array {
  return encoder.encode(JSON.stringify([kind, triggers, aliases, paths]));
}

/** Undefined when the bytes say nothing of the kind. */
export function decodeDeclared(bytes: Uint8Array): Declared | undefined {
  const value = parsed(decoder.decode(bytes));
  if (!Array.isArray(value)) return undefined;
  const [kind, ...lists]: readonly unknown[] = value;
  const [triggers, aliases, paths] = lists.map(textsOf);
  if (!isKind(kind) || triggers === undefined || aliases === undefined || paths === undefined) return undefined;
  return { kind, triggers, aliases, paths };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isKind(value: unknown): value is Kind {
  return kinds.some((kind) => kind === value);
}

function textsOf(value: unknown): readonly string[] | undefined {
  return Array.isArray(value) && value.every((each) => typeof each === "string") ? value : undefined;
}
