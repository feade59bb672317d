import { type Digest, sha256 } from "../core/digest.ts";
import { LruCache } from "../core/lru-cache.ts";
import { isSameText } from "../core/same-text.ts";
import { skillFile } from "../skill/bundle.ts";
import { parse } from "../skill/skill.ts";

/** What composing needs of a SKILL.md. */
export interface Reading {
  readonly name: string;
  readonly description: string;
  readonly body: string;
  /** The tools it asks to have pre-approved. */
  readonly asked: readonly string[];
}

/**
 * Hashes the bytes and reads those very bytes (CO-2, T16). `tampered`: they are not the ones of the digest.
 * `unreadable`: they are, and are no skill.
 */
export function readSkill(bytes: Uint8Array, wanted: Digest): Reading | "tampered" | "unreadable" {
  // A copy of our own: nobody else can write to it between the hashing and the reading.
  const own = new Uint8Array(bytes);
  const digest = sha256(own);
  if (!isSameText(digest, wanted)) return "tampered";
  const known = recent.get(digest);
  if (known !== undefined) return known;
  const reading = read(own);
  return reading === undefined ? "unreadable" : recent.set(digest, reading);
}

/** The folder is no part of what was approved, and nothing that is taken from here depends on it. */
function read(bytes: Uint8Array): Reading | undefined {
  const files = [{ path: skillFile, bytes, digest: "" }];
  const { skill } = parse({ folder: "", files, digest: "", findings: [] }, "ingest");
  if (skill === undefined) return undefined;
  const { name, description, allowedTools } = skill.manifest;
  return { name, description: description ?? "", body: skill.body, asked: allowedTools ?? [] };
}

/** What a reading takes beside its body, the header's bound at most. */
const overhead = 8 * 1024;

/**
 * Reading is most of what composing costs, and always the same for the same bytes: the latest readings are kept, each
 * under the hash that was computed over the bytes in hand. In characters.
 */
const recent = new LruCache<Reading>({ weight: 8 * 1024 * 1024, weightOf: ({ body }) => body.length + overhead });
