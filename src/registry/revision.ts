import { type Digest, type FileDigest, setDigest, sha256 } from "../core/digest.ts";
import { blocks, type Finding } from "../core/finding.ts";
import { parseJson } from "../core/json/json.ts";
import { storedText } from "../core/text.ts";
import type { Bundle } from "../skill/bundle.ts";
import { createBundle } from "../skill/bundle.ts";
import type { Kind } from "../skill/manifest.ts";
import { parse } from "../skill/skill.ts";
import { boundedCapabilities, type Capabilities, noCapabilities } from "../scan/capabilities.ts";
import { scannerVersion } from "../scan/version.ts";
import { isSealed, type Keys, sealText } from "./keys.ts";

export interface RevisionFile extends FileDigest {
  readonly size: number;
}

/** One immutable bundle, kept by its digest; identical files are kept once (RV-2). */
export interface RevisionRow {
  readonly digest: Digest;
  readonly folder: string;
  /** JSON of RevisionFile[]. */
  readonly files: string;
  /** JSON of Summary: derived from the bytes, and sealed so that nobody can write another (T17). */
  readonly summary: string;
  readonly seal: string;
}

/** What lists, states and catalogues need of a revision, without reading its bytes again. */
export interface Summary {
  readonly name: string;
  readonly description: string;
  readonly kind: Kind | null;
  readonly loadable: boolean;
  readonly strict: boolean;
  readonly support: "full" | "partial" | null;
  /** The tools it asks to have pre-approved. */
  readonly grants: readonly string[];
  /** Of reading it, then of the scanner (RV-6). */
  readonly findings: readonly Finding[];
  /** What it can reach for, as the scanner sees it (RV-14). */
  readonly capabilities: Capabilities;
  /** Which scanner looked at it: another one may see more. */
  readonly scanner: string;
}

export async function createRevision(bundle: Bundle & { readonly digest: Digest }, keys: Keys): Promise<RevisionRow> {
  const files = bundle.files.map(({ path, digest, bytes }) => ({ path, digest, size: bytes.length }));
  const summary = JSON.stringify(await summarise(bundle));
  const row = { digest: bundle.digest, folder: bundle.folder, files: JSON.stringify(files), summary };
  return { ...row, seal: sealText(keys, sealedText(row)) };
}

/**
 * Pure: the same bytes always have the same summary, for one version of the scanner. What depends on where they were found is the entry's: the findings
 * of loading them, and whether the folder has the skill's name.
 */
export async function summarise(bundle: Bundle): Promise<Summary> {
  // Loaded when there is something to look at: most commands never scan.
  const { scanBundle } = await import("../scan/scan.ts");
  const here = parse({ ...bundle, findings: [] }, "ingest");
  const folder = here.skill?.manifest.name ?? bundle.folder;
  const { skill, strict, findings } =
    folder === bundle.folder ? here : parse({ ...bundle, folder, findings: [] }, "ingest");
  const scan = scanBundle(bundle);
  return {
    name: skill?.manifest.name ?? bundle.folder,
    description: skill?.manifest.description ?? "",
    kind: skill?.manifest.kind ?? null,
    loadable: skill !== undefined,
    strict,
    support: skill?.support.level ?? null,
    grants: skill?.manifest.allowedTools ?? [],
    findings: [...findings, ...scan.findings],
    capabilities: boundedCapabilities(scan.capabilities),
    scanner: scannerVersion,
  };
}

/** Undefined when the row's summary is not the one that was derived from the bytes when they came in. */
export function readSummary(row: RevisionRow, keys: Keys): Summary | undefined {
  return isSealed(keys, sealedText(row), row.seal) ? parseSummary(row.summary) : undefined;
}

function parseSummary(summary: string): Summary {
  // Sealed: exactly what createRevision wrote, or one that was before there was a scanner.
  const stored: Omit<Summary, "capabilities" | "scanner"> & Partial<Summary> = JSON.parse(summary);
  return { ...stored, capabilities: stored.capabilities ?? noCapabilities, scanner: stored.scanner ?? "" };
}

function sealedText({ digest, folder, summary }: Omit<RevisionRow, "seal" | "files">): string {
  return `revision ${digest} ${folder.length} ${folder} ${summary}`;
}

export function blockingCodes({ findings }: Summary): readonly string[] {
  if (findings.length === 0) return none;
  return [...new Set(findings.filter(blocks).map(({ code }) => code))];
}

const none: readonly string[] = [];

/** The files a row lists; empty when the list cannot be read, which no digest fits. */
export function listedFiles({ files }: RevisionRow): readonly RevisionFile[] {
  const listed = parseJson(files);
  return Array.isArray(listed) ? listed.filter(isRevisionFile) : [];
}

function isRevisionFile(file: unknown): file is RevisionFile {
  if (typeof file !== "object" || file === null) return false;
  return "path" in file && typeof file.path === "string" && "digest" in file && typeof file.digest === "string";
}

/**
 * Invariant 1: the bytes that are handed on are the bytes that were hashed, here and now, against the digest a person
 * approved (T16, T17). What does not fit is named, and nothing is handed on.
 */
export function openRevision(
  row: RevisionRow,
  blobs: ReadonlyMap<Digest, Uint8Array>,
): { bundle?: Bundle & { readonly digest: Digest }; findings: readonly Finding[] } {
  const files = listedFiles(row);
  const faults: Finding[] = [];
  const read: [string, Uint8Array][] = [];
  for (const { path, digest, size } of files) {
    const bytes = blobs.get(digest);
    if (!(bytes instanceof Uint8Array)) faults.push(tampered(row, `the bytes of ${path} are missing`));
    else if (sha256(bytes) !== digest) faults.push(tampered(row, `the bytes of ${path} are not those of its digest`));
    else if (bytes.length !== size) faults.push(tampered(row, `the size of ${path} is not the one of its bytes`));
    else read.push([path, bytes]);
  }
  if (setDigest(files) !== row.digest) faults.push(tampered(row, "the list of files is not the one of its digest"));
  const bundle = createBundle(storedText(row.folder), read);
  if (faults.length > 0) return { findings: faults };
  if (bundle.digest !== row.digest) return { findings: [tampered(row, "the files do not make up its digest")] };
  return { bundle: { ...bundle, digest: row.digest }, findings: [] };
}

function tampered({ digest }: RevisionRow, what: string): Finding {
  const message = `revision ${digest.slice(0, 12)}: ${what}; the database was changed by hand`;
  return { code: "revision.tampered", level: "critical", message, at: placeOf(digest) };
}

export function missingRevision(digest: Digest): Finding {
  const message = `revision ${digest.slice(0, 12)} is not kept`;
  return { code: "revision.missing", level: "critical", message, at: placeOf(digest) };
}

/** Where findings about a revision are. */
export function placeOf(digest: Digest): Finding["at"] {
  return { file: `revision:${digest}`, line: 1 };
}
