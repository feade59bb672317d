import type { Digest } from "../core/digest.ts";
import type { Finding } from "../core/finding.ts";
import type { SkillLimits } from "../core/limits.ts";
import { type Bundle, contractFile, scopeFile, skillFile } from "./bundle.ts";
import { finding } from "./faults.ts";
import type { Header } from "./header.ts";
import type { Manifest } from "./manifest.ts";
import { parseScope, type ScopeDeclaration } from "./scope-file.ts";

/** `unusable`: a scope.yaml is there and cannot be read, so the skill may not be used in a scope (SK-4). */
export type SkillScope =
  | { readonly state: "none" }
  | { readonly state: "unusable" }
  | { readonly state: "declared"; readonly declaration: ScopeDeclaration };

/** A bundle's contract: found, named, and not run (SK-16). */
export interface Contract {
  readonly file: string;
  readonly digest: Digest;
}

interface Sidecars {
  /** As it was, or without what its kind may not carry. */
  readonly manifest: Manifest;
  readonly scope: SkillScope;
  readonly contract: Contract | null;
  readonly findings: readonly Finding[];
}

/** The optional files beside SKILL.md that change what a skill is: one is read, the other only noticed. */
export function readSidecars(bundle: Bundle, { manifest, lineOf }: Header, bounds: SkillLimits): Sidecars {
  const scopeBytes = bundle.files.find(({ path }) => path === scopeFile)?.bytes;
  const contract = bundle.files.find(({ path }) => path === contractFile) ?? null;
  if (manifest.kind === "host-knowledge")
    return knowledgeOnly(manifest, lineOf, scopeBytes !== undefined, contract !== null);

  const { scope, findings } = readScope(scopeBytes, bounds);
  if (contract === null) return { manifest, scope, contract, findings };
  const { path: file, digest } = contract;
  return { manifest, scope, contract: { file, digest }, findings: [...findings, inert()] };
}

function inert(): Finding {
  return finding(
    "contract.inert",
    "the contract is not run; a host opts in with `allowContract` per load",
    contractFile,
  );
}

function readScope(
  bytes: Uint8Array | undefined,
  bounds: SkillLimits,
): { scope: SkillScope; findings: readonly Finding[] } {
  if (bytes === undefined) return { scope: { state: "none" }, findings: [] };
  const { declaration, findings } = parseScope(bytes, bounds);
  return { scope: declaration === undefined ? { state: "unusable" } : { state: "declared", declaration }, findings };
}

/** SK-7: host knowledge carries no grants, no contract and no scope. What it brings is ignored, and said. */
function knowledgeOnly(
  manifest: Manifest,
  lineOf: Header["lineOf"],
  hasScope: boolean,
  hasContract: boolean,
): Sidecars {
  const findings: Finding[] = [];
  const ignore = (what: string, file: string, line = 1) =>
    findings.push(finding("kind.carries", `host knowledge carries no ${what}; it is ignored`, file, line));
  for (const [field, value] of [
    ["allowed-tools", manifest.allowedTools],
    ["disallowed-tools", manifest.disallowedTools],
  ] as const)
    if (value !== null) ignore(field, skillFile, lineOf(field));
  if (hasScope) ignore(scopeFile, scopeFile);
  if (hasContract) ignore(contractFile, contractFile);
  const bare = { ...manifest, allowedTools: null, disallowedTools: null };
  return { manifest: bare, scope: { state: "none" }, contract: null, findings };
}
