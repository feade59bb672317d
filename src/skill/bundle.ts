import { type Digest, setDigest, sha256 } from "../core/digest.ts";
import type { Finding } from "../core/finding.ts";
import { isPrintableAscii, safeLine } from "../core/text.ts";
import { finding } from "./faults.ts";

/** The files of a bundle that have a meaning of their own. The match is exact (SK-11). */
export const skillFile = "SKILL.md";
export const scopeFile = "scope.yaml";
export const contractFile = "contract.js";

export interface BundleFile {
  /** Relative to the skill's folder, with `/`. */
  readonly path: string;
  readonly bytes: Uint8Array;
  readonly digest: Digest;
}

/** The exact files of one skill, each with its sha256, and one digest over all. */
export interface Bundle {
  /** The name of the skill's folder. */
  readonly folder: string;
  /** In byte order of their paths. */
  readonly files: readonly BundleFile[];
  /** Null without a SKILL.md, or when a bound stopped the reading: a digest over a part would pass for the whole. */
  readonly digest: Digest | null;
  /** What was left out, and why. */
  readonly findings: readonly Finding[];
}

/** Makes a bundle of files from anywhere. Paths that could mischief are left out with a finding (SK-11, T23). */
export function createBundle(
  folder: string,
  files: Iterable<readonly [path: string, bytes: Uint8Array]>,
  found: { readonly findings?: readonly Finding[]; readonly complete?: boolean } = {},
): Bundle {
  const findings = [...(found.findings ?? [])];
  const sorted = [...files].toSorted(([a], [b]) => comparePaths(a, b));
  const twins = new TwinCheck(sorted.map(([path]) => path).filter((path) => namedExactly.has(path)));
  const kept: BundleFile[] = [];
  for (const [path, bytes] of sorted) {
    const fault = pathFault(path) ?? twins.faultOf(path);
    if (fault !== undefined) findings.push(fault);
    else kept.push({ path, bytes, digest: sha256(bytes) });
    if (fault === undefined && path.endsWith(`/${skillFile}`))
      findings.push(finding("bundle.nested", "a SKILL.md below a skill is a file of that skill", path));
  }
  const isWhole = found.complete !== false && kept.some(({ path }) => path === skillFile);
  return { folder, files: kept, digest: isWhole ? setDigest(kept) : null, findings };
}

/** Byte order of the UTF-8 paths, as digests sort them. */
function comparePaths(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

const longestPath = 1024;

/** Why a path may not be in a bundle, if so. Nothing is normalised: a path is fine as it is, or refused (T23). */
export function pathFault(path: string): Finding | undefined {
  const why = unsafeBecause(path);
  if (why === undefined) return undefined;
  return finding("path.unsafe", `"${safeLine(path)}" ${why}; left out`, safeLine(path));
}

function unsafeBecause(path: string): string | undefined {
  if (path === "") return "is empty";
  if (path.length > longestPath) return `is longer than ${longestPath} characters`;
  if (!path.isWellFormed()) return "is not valid Unicode";
  if (!isPrintableAscii(path) && /[\p{Cc}\u2028\u2029]/u.test(path)) return "has control characters";
  if (path.includes("\\")) return "has a backslash";
  if (path.startsWith("/") || /^[A-Za-z]:/.test(path)) return "is absolute";
  const segments = path.split("/");
  if (segments.some((segment) => segment === "" || segment === "." || segment === ".."))
    return "has an empty, `.` or `..` segment";
  if (segments.some((segment) => /[. ]$/.test(segment))) return "has a segment that ends in a dot or a space";
  return undefined;
}

/** Of their twins these are the one that stays. */
const namedExactly = new Set([skillFile, scopeFile, contractFile]);

/** One name in the tree of paths, by its first spelling. */
interface Branch {
  readonly spelling: string;
  readonly below: Map<string, Branch>;
  isFile: boolean;
}

/** Finds paths that on some system are an earlier one: the same, or the same but for case or Unicode form. */
class TwinCheck {
  readonly #root = new Map<string, Branch>();

  constructor(first: readonly string[]) {
    for (const name of first) branchOf(this.#root, name);
  }

  faultOf(path: string): Finding | undefined {
    const segments = path.split("/");
    let level = this.#root;
    for (const [at, segment] of segments.entries()) {
      const branch = branchOf(level, segment);
      if (branch.spelling !== segment)
        return twin(path, `"${safeLine(segment)}" is "${safeLine(branch.spelling)}" but for case or Unicode form`);
      if (branch.isFile) return twin(path, `"${safeLine(segment)}" is there already as a file`);
      if (at === segments.length - 1) branch.isFile = true;
      level = branch.below;
    }
    return undefined;
  }
}

function branchOf(level: Map<string, Branch>, name: string): Branch {
  const key = name.normalize("NFC").toUpperCase().toLowerCase().normalize("NFC");
  const branch = level.get(key) ?? { spelling: name, below: new Map(), isFile: false };
  level.set(key, branch);
  return branch;
}

function twin(path: string, why: string): Finding {
  return finding("path.twin", `${why}; left out`, safeLine(path));
}
