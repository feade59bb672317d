import type { Digest } from "../core/digest.ts";
import { blocks, type Finding } from "../core/finding.ts";
import { limits, type Profile, type SkillLimits, withDefaults } from "../core/limits.ts";
import { type Bundle, skillFile } from "./bundle.ts";
import type { Value } from "./core-value.ts";
import { readBody, splitDocument } from "./document.ts";
import { finding, isRefused } from "./faults.ts";
import { readFrontmatter } from "./frontmatter.ts";
import { readHeader } from "./header.ts";
import type { Manifest } from "./manifest.ts";
import { type Contract, readSidecars, type SkillScope } from "./sidecars.ts";
import { type Support, supportOf } from "./support.ts";

/** A parsed bundle. */
export interface Skill {
  readonly folder: string;
  readonly manifest: Manifest;
  /** The header as any YAML reader sees it, unknown fields included. */
  readonly frontmatter: { readonly [key: string]: Value };
  readonly body: string;
  /** sha256 over exactly the body's bytes (SK-6). */
  readonly bodyChecksum: Digest;
  readonly support: Support;
  readonly scope: SkillScope;
  readonly contract: Contract | null;
  /** Meets the public specification to the letter. */
  readonly strict: boolean;
  readonly digest: Digest;
}

export interface Parsed {
  /** Present when the skill is loadable in this profile. */
  readonly skill?: Skill;
  /** Meets the public specification, whatever the profile (SK-5). */
  readonly strict: boolean;
  /** Meets the profile, and nothing in it blocks. */
  readonly passes: boolean;
  readonly findings: readonly Finding[];
}

/**
 * Bytes to a parsed skill. Never throws, on any bytes; runs nothing of the bundle. `skill` is there when the bundle
 * can be loaded (in `ingest`: with name and description); the stricter profiles load like `workspace` and judge more
 * in `passes`.
 */
export function parse(bundle: Bundle, profile: Profile, wanted: Partial<SkillLimits> = {}): Parsed {
  const bounds = withDefaults<SkillLimits>(limits.skill[profile], wanted);
  const content = readContent(bundle, profile, bounds);
  const findings = [...bundle.findings, ...content.findings];
  const strict = content.parts !== undefined && !isRefused(findings, "strict");
  const passes = !isRefused(findings, profile) && !findings.some(blocks);
  const loadable = !isRefused(findings, profile === "ingest" ? "ingest" : "workspace");
  if (!loadable || content.parts === undefined || bundle.digest === null) return { strict, passes: false, findings };
  return {
    skill: { ...content.parts, folder: bundle.folder, strict, digest: bundle.digest },
    strict,
    passes,
    findings,
  };
}

type Content = Omit<Skill, "folder" | "strict" | "digest">;

function readContent(
  bundle: Bundle,
  profile: Profile,
  bounds: SkillLimits,
): { parts?: Content; findings: readonly Finding[] } {
  const file = bundle.files.find(({ path }) => path === skillFile);
  if (file === undefined) return { findings: missingFile(bundle) };

  const { document, findings } = splitDocument(file.bytes, bounds);
  if (document === undefined) return { findings };
  const yaml = readFrontmatter(document.header, bounds);
  findings.push(...yaml.findings);
  if (yaml.root === undefined) return { findings };

  const header = readHeader(yaml.root, bundle.folder, profile, bounds);
  const body = readBody(document);
  const { manifest, scope, contract, ...sidecars } = readSidecars(bundle, header, bounds);
  findings.push(...header.findings, ...body.findings, ...sidecars.findings);

  const paths = new Set(bundle.files.map(({ path }) => path));
  const support = supportOf(body.text, header.manifest.allowedTools !== null, paths);
  const { frontmatter } = header;
  const { text, checksum: bodyChecksum } = body;
  return { parts: { manifest, frontmatter, body: text, bodyChecksum, support, scope, contract }, findings };
}

/** Silent when the bundle already says why SKILL.md is not there: it was left out, or a bound came first. */
function missingFile(bundle: Bundle): Finding[] {
  const said = bundle.findings.some(({ code, at }) => at.file === skillFile || code.startsWith("bundle."));
  return said ? [] : [finding("file.missing", "there is no SKILL.md", skillFile)];
}
