import { posix } from "node:path";
import { type Digest, setDigest } from "../../core/digest.ts";
import { AppError } from "../../core/error.ts";
import { type Finding, levels } from "../../core/finding.ts";
import { limits } from "../../core/limits.ts";
import { compareTexts, safeLine, safeName } from "../../core/text.ts";
import type { Files } from "../../core/world.ts";
import { type Bundle, createBundle } from "../../skill/bundle.ts";
import { finding } from "../../skill/faults.ts";
import { loadBundle } from "../../skill/load-bundle.ts";
import { parse } from "../../skill/skill.ts";
import { boundedCapabilities, type Capabilities } from "../../scan/capabilities.ts";
import { scanBundle } from "../../scan/scan.ts";
import type { NamedFolder } from "./named-folders.ts";

/** A file that was named by itself. */
export interface NamedFile {
  readonly path: string;
  readonly shown: string;
}

/** A finding, and the bytes it is about. */
export interface SeenFinding {
  readonly finding: Finding;
  /** Its real path on the disk; null when it is about more than one file. */
  readonly file: string | null;
  /** Of its file; where that has no bytes of its own, of the whole skill; null when there is neither. */
  readonly sha256: Digest | null;
}

/** One skill, or one file that was named by itself, and everything that was found in it. */
export interface Scanned {
  readonly path: string;
  readonly kind: "skill" | "file";
  readonly name: string;
  readonly digest: Digest | null;
  /** The heaviest first; within a level by file and line. */
  readonly seen: readonly SeenFinding[];
  readonly capabilities: Capabilities;
}

/** `aside`: a file that does not count as a part of the skill's bytes: the baseline, which would change what it names. */
export async function scanFolder(files: Files, folder: NamedFolder, aside: string | null): Promise<Scanned> {
  const bundle = await loadBundle(files, folder, limits.skill.workspace);
  const { skill, findings } = parse(bundle, "workspace");
  const scan = scanBundle(bundle);
  const whole = bundle.digest === null ? null : digestWithout(bundle, folder.path, aside);
  return {
    path: folder.shown,
    kind: "skill",
    name: safeName(skill?.manifest.name ?? bundle.folder),
    digest: bundle.digest,
    seen: heaviestFirst([...findings, ...scan.findings]).map((each) => ({
      finding: each,
      file: posix.join(folder.path, each.at.file),
      sha256: digestOf(bundle, each) ?? whole,
    })),
    capabilities: boundedCapabilities(scan.capabilities),
  };
}

/** A file that is no skill: only what the scanner says of it. What cannot be read is a finding too (RV-6). */
export async function scanFile(files: Files, { path, shown }: NamedFile): Promise<Scanned> {
  const name = posix.basename(path);
  const bundle = await loadAlone(files, path, name);
  const { findings, capabilities } = scanBundle(bundle);
  const [file] = bundle.files;
  const digest = file?.digest ?? null;
  const seen = heaviestFirst([...bundle.findings, ...findings]);
  return {
    path: shown,
    kind: "file",
    name: safeName(name),
    digest,
    seen: seen.map((each) => ({ finding: each, file: path, sha256: digest })),
    capabilities: boundedCapabilities(capabilities),
  };
}

async function loadAlone(files: Files, path: string, name: string): Promise<Bundle> {
  const most = limits.skill.workspace.bundleBytes;
  try {
    const bytes = await files.read(path, most);
    if (bytes instanceof Uint8Array) return createBundle(name, [[name, bytes]]);
    return unread(name, `${bytes.size} bytes; at most ${most} are read`);
  } catch (error) {
    if (error instanceof AppError) return unread(name, error.message);
    throw error;
  }
}

function unread(name: string, why: string): Bundle {
  return createBundle(name, [], { findings: [finding("path.unreadable", `${why}; not scanned`, safeLine(name))] });
}

function digestOf({ files }: Bundle, { at }: Finding): Digest | undefined {
  return files.find(({ path }) => path === at.file)?.digest;
}

function digestWithout({ files }: Bundle, folder: string, aside: string | null): Digest {
  return setDigest(files.filter(({ path }) => posix.join(folder, path) !== aside));
}

function heaviestFirst(findings: readonly Finding[]): Finding[] {
  return findings.toSorted(
    (a, b) =>
      levels.indexOf(b.level) - levels.indexOf(a.level) ||
      compareTexts(a.at.file, b.at.file) ||
      a.at.line - b.at.line ||
      compareTexts(a.code, b.code),
  );
}
