import { posix } from "node:path";
import { AppError } from "../../core/error.ts";
import type { EntryId } from "../../core/ids.ts";
import { fieldsOf } from "../../core/json/json.ts";
import { nearest } from "../../core/nearest.ts";
import { nameKey, safeLine } from "../../core/text.ts";
import type { GoldenQuery, Wanted } from "../../routing/evaluation/golden.ts";
import type { ShelfEntry } from "../../routing/shelf.ts";
import { LineFault, readJsonLines, refusedFile } from "../../app/files/json-lines-file.ts";
import type { Files } from "../../core/world.ts";

/** Characters of each text, and how many names one line may have. */
export const mostInGolden = { query: 65_536, kind: 32, note: 1000, names: 1000, name: 1024 };

type Entries = ReadonlyMap<EntryId, ShelfEntry>;

/**
 * Reads queries of a golden set (RT-8), their names looked up among the skills that can be chosen. What cannot be meant as
 * it stands is a `LineFault`: a name that nobody has would be a miss for ever, or a negative that never fires.
 */
function goldenReader(entries: Entries): (value: unknown) => Omit<GoldenQuery, "at"> {
  const book = new NameBook(entries);
  return (value) => goldenOf(value, book);
}

/** The same of values that lie in no file; they are told apart by their number. */
export function readGoldenList(values: readonly unknown[], entries: Entries): readonly GoldenQuery[] {
  const read = goldenReader(entries);
  return values.map((value, index) => {
    const at = `golden ${index + 1}`;
    try {
      return { ...read(value), at };
    } catch (error) {
      throw error instanceof LineFault ? new AppError("usage.invalid", `${at}: ${error.message}`) : error;
    }
  });
}

function goldenOf(value: unknown, book: NameBook): Omit<GoldenQuery, "at"> {
  const fields = fieldsOf(value);
  if (fields === undefined) throw new LineFault('expected { "query", "expected" } or { "query", "not" }');
  const query = fields.get("query");
  if (typeof query !== "string" || query.trim() === "" || query.length > mostInGolden.query)
    throw new LineFault(`query: expected 1 to ${mostInGolden.query} characters`);
  return {
    query,
    wanted: wantedOf(fields, book),
    kind: wordOf(fields, "kind", mostInGolden.kind),
    note: wordOf(fields, "note", mostInGolden.note),
  };
}

function wantedOf(fields: ReadonlyMap<string, unknown>, book: NameBook): Wanted {
  const [hasExpected, hasNot] = [fields.has("expected"), fields.has("not")];
  if (hasExpected === hasNot)
    throw new LineFault(`${hasNot ? "has both" : "has neither"} "expected" ${hasNot ? "and" : "nor"} "not": give one`);
  const key = hasNot ? "not" : "expected";
  const value = fields.get(key);
  if (value === null && hasExpected) return { is: "none" };
  const entries = new Set(namesOf(key, value).flatMap((name) => book.find(key, name)));
  return { is: hasNot ? "not" : "one-of", entries };
}

function namesOf(key: string, value: unknown): readonly string[] {
  const names: readonly unknown[] = Array.isArray(value) ? value : [value];
  const or = key === "expected" ? "; null says that no skill fits" : "";
  if (names.length === 0) throw new LineFault(`${key}: an empty list${or}`);
  if (names.length > mostInGolden.names) throw new LineFault(`${key}: more than ${mostInGolden.names} names`);
  return names.map((name) => {
    if (typeof name === "string" && name !== "" && name.length <= mostInGolden.name) return name;
    throw new LineFault(`${key}: expected the id or name of a skill, or a list of them${or}`);
  });
}

function wordOf(fields: ReadonlyMap<string, unknown>, key: string, most: number): string | null {
  const value = fields.get(key);
  if (value === undefined || value === null) return null;
  if (typeof value === "string" && value.length <= most) return value;
  throw new LineFault(`${key}: expected a text of at most ${most} characters`);
}

/** Looking for what was meant costs time for each name that there is. */
const mostCompared = 5000;

/** Skills by id and by name. */
class NameBook {
  readonly #entries: Entries;
  readonly #byName = new Map<string, ShelfEntry[]>();

  constructor(entries: Entries) {
    this.#entries = entries;
    for (const entry of entries.values()) {
      const key = nameKey(entry.name);
      const named = this.#byName.get(key);
      if (named === undefined) this.#byName.set(key, [entry]);
      else named.push(entry);
    }
  }

  /** The entries that a name stands for: several only where their bytes are the same. */
  find(key: string, name: string): readonly EntryId[] {
    if (this.#entries.has(name)) return [name];
    const named = this.#byName.get(nameKey(name)) ?? [];
    if (named.length === 0) throw new LineFault(`${key}: ${this.#unknown(name)}`);
    const ids = named.map(({ id }) => id);
    if (new Set(named.map(({ digest }) => digest)).size > 1)
      throw new LineFault(
        `${key}: ${ids.length} different skills are named "${safeLine(name)}"; name one by its id: ${listed(ids)}`,
      );
    return ids;
  }

  #unknown(name: string): string {
    const names = [...this.#entries.values()].slice(0, mostCompared).map((entry) => entry.name);
    const near = nearest(name, names);
    const hint =
      near === undefined
        ? "correct the name, or measure the skills that it is among"
        : `did you mean ${safeLine(near)}?`;
    return `no skill "${safeLine(name)}" among the ${this.#entries.size} that can be chosen; ${hint}`;
  }
}

const mostListed = 5;

function listed(ids: readonly string[]): string {
  const shown = ids.slice(0, mostListed).map((id) => safeLine(id, 240));
  return shown.join(", ") + (ids.length > mostListed ? ` and ${ids.length - mostListed} more` : "");
}

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
