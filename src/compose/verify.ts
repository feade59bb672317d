import { type Digest, type FileDigest, isSameText, setDigest, sha256 } from "../core/digest.ts";
import type { Finding } from "../core/finding.ts";
import { LruCache } from "../core/lru-cache.ts";
import { skillFile } from "../skill/bundle.ts";
import { parse } from "../skill/skill.ts";
import type { Chosen, Material, Verified } from "./composition.ts";
import { entryFinding } from "./findings.ts";

/** What composing needs of a SKILL.md. */
interface Reading {
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
function readSkill(bytes: Uint8Array, wanted: Digest): Reading | "tampered" | "unreadable" {
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

/**
 * CO-2: whether the bytes are the approved ones, here and now. What is returned was read out of the very bytes that
 * were hashed, so that nothing that happens to the buffer or the store afterwards can change it (T16, T17).
 */
export function verify(
  chosen: Chosen,
  material: Material | undefined,
): { verified?: Verified; findings: readonly Finding[] } {
  if (material === undefined) return { findings: [tampered(chosen, "its revision is not kept")] };
  const { files, skill: bytes, faults } = material;
  if (faults.length > 0) return { findings: faults.map((fault) => tampered(chosen, fault)) };
  if (!isListOf(files, chosen.digest))
    return { findings: [tampered(chosen, "its list of files is not the approved one")] };

  const listed = files.find(({ path }) => path === skillFile);
  if (!(bytes instanceof Uint8Array) || listed === undefined)
    return { findings: [tampered(chosen, "its SKILL.md is missing")] };
  const reading = readSkill(bytes, listed.digest);
  if (reading === "tampered")
    return { findings: [tampered(chosen, "the bytes of its SKILL.md are not the approved ones")] };
  if (reading === "unreadable") return { findings: [unreadable(chosen)] };
  return { verified: verifiedAs(chosen, reading, new Set(files.map(({ path }) => path))), findings: [] };
}

/** Whether a list of files, as the store holds it, is the one of a revision: nothing else vouches for it. */
export function isListOf(files: readonly FileDigest[], digest: Digest): boolean {
  return isSound(files) && isSameText(setDigest(files), digest);
}

const hash = /^[0-9a-f]{64}$/;

/** Each hash whole and each path once: else two different lists could encode alike. */
function isSound(files: readonly FileDigest[]): boolean {
  const areWhole = files.every(({ path, digest }) => path.isWellFormed() && hash.test(digest));
  return areWhole && new Set(files.map(({ path }) => path)).size === files.length;
}

function verifiedAs(chosen: Chosen, reading: Reading, paths: ReadonlySet<string>): Verified {
  const { name, description, body, asked } = reading;
  // CO-10: what was approved, and is asked for in these very bytes.
  const grants = [...new Set(chosen.grants)].filter((grant) => asked.includes(grant));
  return { ...chosen, name, description, body, grants, paths };
}

function tampered({ entry }: Chosen, what: string): Finding {
  return entryFinding("compose.tampered", entry, `${what}; left out: the store was changed by hand`);
}

function unreadable({ entry }: Chosen): Finding {
  return entryFinding("compose.unusable", entry, "its approved SKILL.md cannot be read as a skill; left out");
}
