import { type Finding, levels } from "../../base/finding.ts";
import type { Bundle } from "../../ingest/skill/bundle.ts";
import { parse } from "../../ingest/skill/skill.ts";
import type { Capabilities } from "../capabilities.ts";
import { reviewFaults } from "../review-faults.ts";
import { type Layer, layersIn } from "./decode.ts";
import { capabilitiesOf, hostsIn } from "./facts.ts";
import { readFile } from "./files.ts";
import { type Encoding, findingsOf } from "./found.ts";
import type { Rule } from "./rule.ts";
import { rules } from "./rules.ts";
import { ScanText } from "./text.ts";

/** What the scanner makes of a bundle (RV-6). */
export interface Scan {
  /** The heaviest first; within a level by file and line. */
  readonly findings: readonly Finding[];
  readonly capabilities: Capabilities;
  /** Every host that is named anywhere, also where it is only a link. */
  readonly hosts: readonly string[];
  /** Characters that were looked at, once for each pattern: the same on every machine (T26). */
  readonly steps: number;
}

/** So deep is what was encoded decoded again (RV-6). */
const deepest = 3;

/** Pure, never throws, on any bytes. Scripts and references are scanned as SKILL.md is. */
export function scanBundle(bundle: Bundle, chosen: readonly Rule[] = rules): Scan {
  const findings: Finding[] = [];
  const texts: ScanText[] = [];
  for (const file of bundle.files) {
    const read = readFile(file);
    findings.push(...read.findings);
    if (read.text === null) continue;
    const scanned = scanText(new ScanText(file.path, read.text), chosen);
    findings.push(...scanned.findings);
    texts.push(...scanned.texts);
  }
  const { skill } = parse(bundle, "ingest");
  const capabilities = capabilitiesOf(texts, skill?.manifest.allowedTools ?? []);
  return {
    findings: bounded(heaviestFirst(findings)),
    capabilities,
    hosts: hostsIn(texts),
    steps: texts.reduce((sum, { steps }) => sum + steps, 0),
  };
}

/** Every rule over a text, then over what is encoded in it, layer by layer. All texts that were read are handed out. */
function scanText(text: ScanText, chosen: readonly Rule[], depth = 0, inside?: Encoding): ScannedText {
  const findings = chosen.flatMap((rule) => findingsOf(rule, text, inside));
  const texts = [text];
  for (const layer of depth === deepest ? [] : layersIn(text)) {
    const decoded = new ScanText(text.file, layer.text, "markdown");
    const scanned = scanText(decoded, chosen, depth + 1, inside ?? placeOf(layer, text));
    findings.push(...scanned.findings);
    texts.push(...scanned.texts);
  }
  return { findings, texts };
}

interface ScannedText {
  readonly findings: readonly Finding[];
  readonly texts: readonly ScanText[];
}

function placeOf({ from, start, end }: Layer, text: ScanText): Encoding {
  return { from, line: text.lineInRaw(start), excerpt: text.raw.slice(start, end) };
}

/** So many are kept of one bundle. */
const mostFindings = 200;

/** The heaviest of every kind, whatever comes: what blocks is decided by its code. The rest is counted, not silent. */
function bounded(findings: readonly Finding[]): readonly Finding[] {
  if (findings.length <= mostFindings) return findings;
  const codes = new Set<string>();
  const isFirst = findings.map(({ code }) => codes.size < codes.add(code).size);
  let room = mostFindings - codes.size;
  const kept = findings.filter((_, at) => isFirst[at] === true || room-- > 0);
  const left = findings.length - kept.length;
  const more = `${left} more findings, of kinds that are listed`;
  return [
    ...kept,
    { code: "scan.more", level: reviewFaults["scan.more"].level, message: more, at: { file: "SKILL.md", line: 1 } },
  ];
}

function heaviestFirst(findings: readonly Finding[]): Finding[] {
  return findings.toSorted(
    (a, b) =>
      levels.indexOf(b.level) - levels.indexOf(a.level) || compare(a.at.file, b.at.file) || a.at.line - b.at.line,
  );
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
