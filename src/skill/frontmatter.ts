import type { Finding } from "../core/finding.ts";
import type { SkillLimits } from "../core/limits.ts";
import { skillFile } from "./bundle.ts";
import { headerLine } from "./document.ts";
import { type FaultCode, finding } from "./faults.ts";
import { quoteBrokenValues } from "./repair.ts";
import { parseYaml, type YamlMap } from "./yaml.ts";

export interface Frontmatter {
  /** Null when the file has no header, absent when the header cannot be read. */
  readonly root?: YamlMap | null;
  readonly findings: readonly Finding[];
}

/** Faults behind which there may be prose that only looks like YAML. */
const repairable: ReadonlySet<string> = new Set<FaultCode>(["yaml.invalid", "yaml.alias", "yaml.key"]);

/** Reads the header's YAML, a second time with its broken values quoted when the first try fails (SK-4). */
export function readFrontmatter(header: string | null, bounds: SkillLimits): Frontmatter {
  if (header === null)
    return { root: null, findings: [finding("header.missing", "there is no front-matter", skillFile)] };
  const { root, fault } = parseYaml(header, bounds);
  if (fault === undefined) return { root, findings: [] };

  const repaired = repairable.has(fault.code) ? quoteBrokenValues(header) : undefined;
  const second = repaired && parseYaml(repaired.header, bounds);
  if (second?.root === undefined) return { findings: [say(fault.code, fault.message, fault.line)] };
  const message = "a value that YAML cannot read was read as if quoted; put it in quotes";
  return { root: second.root, findings: repaired?.lines.map((line) => say("yaml.repaired", message, line)) ?? [] };
}

/** `line` counts from the header's first. */
function say(code: FaultCode, message: string, line: number): Finding {
  return finding(code, message, skillFile, line + headerLine - 1);
}
