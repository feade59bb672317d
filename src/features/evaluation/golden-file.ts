import { posix } from "node:path";
import type { EntryId } from "../../core/ids.ts";
import { safeLine } from "../../core/text.ts";
import type { Files } from "../../core/world.ts";
import type { GoldenQuery } from "../../routing/evaluation/golden.ts";
import type { ShelfEntry } from "../../routing/shelf.ts";
import { goldenReader } from "./golden.ts";
import { readJsonLines, refusedFile } from "../../app/files/json-lines-file.ts";

const mostLines = 1_000_000;

/** The queries of a golden file (RT-8). What cannot be meant as it stands is refused by its line. */
export async function readGolden(
  files: Files,
  path: string,
  entries: ReadonlyMap<EntryId, ShelfEntry>,
): Promise<readonly GoldenQuery[]> {
  const golden: GoldenQuery[] = [];
  for await (const { line, value } of readJsonLines(files, path, goldenReader(entries))) {
    golden.push({ ...value, at: `${safeLine(posix.basename(path), 120)}:${line}` });
    if (golden.length > mostLines) throw refusedFile(path, `has more than ${mostLines} lines; split it`);
  }
  if (golden.length === 0) throw refusedFile(path, "has no queries in it: nothing would be measured");
  return golden;
}
