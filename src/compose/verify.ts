import { type Digest, type FileDigest, setDigest } from "../core/digest.ts";
import type { Finding } from "../core/finding.ts";
import { isSameText } from "../core/same-text.ts";
import { skillFile } from "../skill/bundle.ts";
import type { Chosen, Material, Verified } from "./composition.ts";
import { entryFinding } from "./findings.ts";
import { type Reading, readSkill } from "./reading.ts";

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
