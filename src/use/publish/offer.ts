import type { Finding } from "../../base/finding.ts";
import { safeName } from "../../base/text.ts";
import type { Capabilities } from "../../review/capabilities.ts";
import type { Candidate, Judgement } from "./candidate.ts";
import type { LockedSkill } from "./lock.ts";

/** A skill as it is shown to whoever decides on it, before a byte is written. */
export interface OfferedSkill {
  readonly folder: string;
  readonly source: string;
  readonly hosts: string;
  readonly path: string;
  readonly ref: string | null;
  readonly commit: string;
  readonly tree: string;
  readonly proof: LockedSkill["proof"];
  readonly digest: string;
  readonly name: string;
  readonly description: string | null;
  readonly allowedTools: readonly string[] | null;
  readonly files: readonly { readonly path: string; readonly bytes: number; readonly executable: boolean }[];
  readonly findings: readonly Finding[];
  /** What it can reach for, as the scanner sees it (RV-14). */
  readonly capabilities: Capabilities;
  /** Codes that stand in the way until they are accepted, and those that were. */
  readonly refused: readonly string[];
  readonly accepted: readonly string[];
}

export function offerOf(
  { folder, locked, bundle, skill, findings, capabilities }: Candidate,
  { refusing, accepted }: Judgement,
): OfferedSkill {
  const { source, hosts, path, ref, commit, tree, proof, digest } = locked;
  const executable = new Set(locked.executable);
  return {
    folder,
    source,
    hosts,
    path,
    ref,
    commit,
    tree,
    proof,
    digest,
    name: safeName(skill?.manifest.name ?? folder),
    description: skill?.manifest.description ?? null,
    allowedTools: skill?.manifest.allowedTools ?? null,
    files: bundle.files.map((file) => ({
      path: file.path,
      bytes: file.bytes.length,
      executable: executable.has(file.path),
    })),
    findings,
    capabilities,
    refused: [...new Set(refusing.map(({ code }) => code))],
    accepted,
  };
}
