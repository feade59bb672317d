import { type BundleFile, contractFile, scopeFile, skillFile } from "../skill/bundle.ts";
import type { FilePair } from "./file-diff.ts";
import { Steps } from "./match.ts";
import { readText } from "./read-text.ts";

/** Files that mean something by their name: one that is gone is gone, whatever has its bytes now. */
const named: ReadonlySet<string> = new Set([skillFile, scopeFile, contractFile]);

/** So much of the lines must be the same for a file to be called another one renamed. */
const alikeFrom = 0.6;
/** Lines that are looked at to find renamed files, in all; what they are not enough for is shown as removed and added. */
const mostLooks = 2_000_000;

/** Which file became which: by path, then by equal bytes, then by like text. Files that are the same are not in it. */
export function pairFiles(before: readonly BundleFile[], after: readonly BundleFile[]): readonly FilePair[] {
  const [old, now] = [byPath(before), byPath(after)];
  const changed = after.flatMap((file) => {
    const was = old.get(file.path);
    return was === undefined || was.digest === file.digest ? [] : [{ before: was, after: file }];
  });
  const gone = new Set(before.filter(({ path }) => !now.has(path)));
  const come = new Set(after.filter(({ path }) => !old.has(path)));
  const moved = [...takeEqual(gone, come), ...takeAlike(gone, come)];
  const single: FilePair[] = [
    ...[...gone].map((file) => ({ before: file, after: null })),
    ...[...come].map((file) => ({ before: null, after: file })),
  ];
  return [...changed, ...moved, ...single].toSorted(bySkillThenPath);
}

function byPath(files: readonly BundleFile[]): ReadonlyMap<string, BundleFile> {
  return new Map(files.map((file) => [file.path, file]));
}

function bySkillThenPath(a: FilePair, b: FilePair): number {
  const [x, y] = [pathOf(a), pathOf(b)];
  if (x === skillFile || y === skillFile) return Number(y === skillFile) - Number(x === skillFile);
  return Buffer.compare(Buffer.from(x), Buffer.from(y));
}

function pathOf({ before, after }: FilePair): string {
  return (after ?? before)?.path ?? "";
}

function canMove({ path }: BundleFile): boolean {
  return !named.has(path);
}

function takeEqual(gone: Set<BundleFile>, come: Set<BundleFile>): FilePair[] {
  const byDigest = new Map<string, BundleFile[]>();
  for (const file of [...gone].filter(canMove)) byDigest.set(file.digest, [...(byDigest.get(file.digest) ?? []), file]);
  return [...come].filter(canMove).flatMap((file) => {
    const was = byDigest.get(file.digest)?.shift();
    return was === undefined ? [] : [take(gone, come, was, file)];
  });
}

function take(gone: Set<BundleFile>, come: Set<BundleFile>, before: BundleFile, after: BundleFile): FilePair {
  gone.delete(before);
  come.delete(after);
  return { before, after };
}

function takeAlike(gone: Set<BundleFile>, come: Set<BundleFile>): FilePair[] {
  const steps = new Steps(mostLooks);
  const olds = [...gone].filter(canMove).flatMap(countLines);
  return [...come]
    .filter(canMove)
    .flatMap(countLines)
    .flatMap((now) => {
      const was = mostAlike(
        now,
        olds.filter(({ file }) => gone.has(file)),
        steps,
      );
      return was === undefined ? [] : [take(gone, come, was.file, now.file)];
    });
}

/** A text file by how often each of its lines is in it. Lines of white space say nothing. */
interface LineCounts {
  readonly file: BundleFile;
  readonly counts: ReadonlyMap<string, number>;
  readonly total: number;
}

function countLines(file: BundleFile): LineCounts[] {
  const text = readText(file.bytes)?.text;
  if (text === undefined) return [];
  const counts = new Map<string, number>();
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== "");
  for (const line of lines) counts.set(line, (counts.get(line) ?? 0) + 1);
  return lines.length === 0 ? [] : [{ file, counts, total: lines.length }];
}

function mostAlike(now: LineCounts, olds: readonly LineCounts[], steps: Steps): LineCounts | undefined {
  let best: { readonly old: LineCounts; readonly alike: number } | undefined;
  for (const old of olds) {
    const [small, large] = old.total < now.total ? [old, now] : [now, old];
    if (small.total < large.total * alikeFrom) continue;
    if (!steps.spend(small.counts.size)) break;
    const alike = commonLines(small, large) / large.total;
    if (alike >= alikeFrom && alike > (best?.alike ?? 0)) best = { old, alike };
  }
  return best?.old;
}

function commonLines(small: LineCounts, large: LineCounts): number {
  let common = 0;
  for (const [line, times] of small.counts) common += Math.min(times, large.counts.get(line) ?? 0);
  return common;
}
