import type { Digest } from "../core/digest.ts";
import type { Finding } from "../core/finding.ts";
import { hasUnseen, isPrintableAscii } from "../core/text.ts";
import { skillFile } from "../skill/bundle.ts";
import { parse } from "../skill/skill.ts";
import type { Document } from "./index/lexical-index.ts";
import { routeFinding } from "./route-faults.ts";

/** A query as the links read it. */
export interface Query {
  /** Normalised (NFC), bounded and without control characters; what was cut is a finding of the chain. */
  readonly text: string;
  /** Files that the work is about, with `/`. Those that only the text names are still in the text. */
  readonly paths: readonly string[];
}

/** So much is read of either end of a long text: a request stands before what was pasted, or behind it. */
const longestEnd = 4096;
const mostPaths = 64;
const longestPath = 1024;

export interface ReadQuery {
  readonly query: Query;
  readonly findings: readonly Finding[];
}

export function readQuery(text: string, paths: readonly string[] = []): ReadQuery {
  const kept = paths.filter((path) => path !== "" && path.length <= longestPath).slice(0, mostPaths);
  const query = { text: normalised(bothEnds(text)), paths: kept.map(pathOf) };
  const findings = [];
  if (text.length > longestEnd * 2) findings.push(cutText(text.length));
  if (kept.length < paths.length) findings.push(cutPaths(paths.length, kept.length));
  return { query: Object.freeze(query), findings };
}

/** Nothing that a link could read. */
export function isEmpty({ text }: Query): boolean {
  if (text.trim() === "") return true;
  return hasUnseen(text) && Array.from(text).every((character) => character.trim() === "" || hasUnseen(character));
}

function bothEnds(text: string): string {
  if (text.length <= longestEnd * 2) return text;
  return `${text.slice(0, longestEnd)}\n${text.slice(-longestEnd)}`;
}

/** More marks than any letter has: putting a long run of them in order takes the square of its length (T26). */
const runOfMarks = /(\p{M}{32})\p{M}+/gu;
/** White space stays what it is. */
const controls = /(?!\s)\p{Cc}/gu;

function normalised(text: string): string {
  if (isPrintableAscii(text)) return text;
  return text.toWellFormed().replace(controls, " ").replace(runOfMarks, "$1").normalize("NFC");
}

function pathOf(path: string): string {
  return normalised(path)
    .replaceAll("\\", "/")
    .replace(/^(?:\.\/)+/, "");
}

function cutText(length: number): Finding {
  const read = `the first and the last ${longestEnd.toLocaleString("en")} characters`;
  return routeFinding(
    "route.query-cut",
    "query",
    `the query has ${length.toLocaleString("en")} characters: ${read} are read`,
  );
}

function cutPaths(all: number, kept: number): Finding {
  const bounds = `at most ${mostPaths} of at most ${longestPath.toLocaleString("en")} characters each`;
  return routeFinding("route.query-cut", "query", `${kept} of ${all} paths are read: ${bounds}`);
}

/**
 * What of a SKILL.md is indexed; null for a skill that is not to be routed: it says so itself, or it has no description
 * to be chosen by. Whoever calls has hashed these bytes.
 */
export function readDocument(digest: Digest, bytes: Uint8Array): Document | null {
  const files = [{ path: skillFile, bytes, digest: "" }];
  const { skill } = parse({ folder: "", files, digest: "", findings: [] }, "ingest");
  if (skill === undefined) return null;
  const { name, description, kind, triggers, aliases, paths, modelInvocable } = skill.manifest;
  if (!modelInvocable || description === null || description === "") return null;
  return { digest, name, description, body: skill.body, declared: { kind, triggers, aliases, paths } };
}
