import { safeLine } from "../core/text.ts";
import type { BundleFile } from "../skill/bundle.ts";
import { readText } from "./read-text.ts";
import type { Delta } from "./diff.ts";
import type { ComparedFile } from "./file-diff.ts";

const script =
  /\.(?:sh|bash|zsh|fish|py|pyw|js|mjs|cjs|jsx|ts|mts|cts|tsx|rb|pl|php|lua|ps1|psm1|bat|cmd|vbs|wsf|scpt|command)$/i;

/** Files that a machine can run, and those nobody can read: new, changed or gone. */
export function executableChanges(files: readonly ComparedFile[]): readonly Delta[] {
  return files.flatMap(({ pair: { before, after } }) => {
    const [was, is] = [before === null ? null : whyLooked(before), after === null ? null : whyLooked(after)];
    if (was === null && is === null) return [];
    const change = is === null ? "removed" : was === null ? "added" : "changed";
    const file = is === null ? before : after;
    if (file === null) return [];
    const from =
      before !== null && after !== null && before.path !== after.path ? `, was ${safeLine(before.path)}` : "";
    const what = `${safeLine(file.path, 240)} (${is ?? was}${from})`;
    return [{ kind: "file", change, what, at: change === "removed" ? null : { file: file.path, line: 1 } } as const];
  });
}

function whyLooked({ path, bytes }: BundleFile): string | null {
  const read = readText(bytes);
  if (read === undefined) return "not text";
  if (read.bad > 0) return "not all of it is UTF-8";
  const [first, second] = bytes;
  return script.test(path) || (first === 0x23 && second === 0x21) ? "can be run" : null;
}
