import { scannerVersion } from "./version.ts";

/** Whether an older scanner than this one looked at something. What a newer one said stays: it may have seen more. */
export function isByOlder(scanner: string): boolean {
  return compare(numbersIn(scanner), numbersIn(scannerVersion)) < 0;
}

export function isByNewer(scanner: string): boolean {
  return compare(numbersIn(scanner), numbersIn(scannerVersion)) > 0;
}

/** `1.20.3-beta.1` as 1, 20, 3. Nothing at all is older than anything. */
function numbersIn(version: string): readonly number[] {
  const found = /^(\d{1,9})\.(\d{1,9})\.(\d{1,9})/.exec(version);
  return found === null ? [-1, 0, 0] : found.slice(1).map(Number);
}

function compare(a: readonly number[], b: readonly number[]): number {
  const at = a.findIndex((number, index) => number !== b[index]);
  return at === -1 ? 0 : (a[at] ?? 0) - (b[at] ?? 0);
}
