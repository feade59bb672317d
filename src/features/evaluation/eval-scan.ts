import { isAtLeast, type Level } from "../../core/finding.ts";
import type { Clock, Files } from "../../core/world.ts";
import { createBundle, skillFile } from "../../skill/bundle.ts";
import { scanBundle } from "../../scan/scan.ts";
import { quantile, rounded } from "../../routing/evaluation/statistics.ts";
import { fieldsOf } from "../../core/json/json.ts";
import { LineFault, readJsonLines, refusedFile } from "../../app/files/json-lines-file.ts";

/** How well one set was judged. A ratio of nothing is null. */
interface SetQuality {
  readonly malicious: number;
  readonly benign: number;
  /** Of the malicious texts, how many have a finding of this level or above. */
  readonly recall: number | null;
  /** Of the benign texts, how many have one. */
  readonly falsePositive: number | null;
}

export type QualityBySet = Readonly<Record<string, SetQuality>>;

export interface ScanEvaluation {
  readonly n: number;
  readonly atCritical: QualityBySet;
  readonly atHigh: QualityBySet;
  /** Milliseconds that the scan of one text takes. */
  readonly msP50: number;
  readonly msP99: number;
  /** Ids of malicious texts without a finding at high, and of benign texts with one; only when they are asked for. */
  readonly missed?: readonly string[];
  readonly wrong?: readonly string[];
}

export interface EvaluateOptions {
  readonly list?: boolean;
  readonly onProgress?: (done: number) => void;
}

/** Measures the scanner on a labelled set (RV-7): each text is the SKILL.md of a skill of its own. */
export async function evaluateScan(
  { files, clock }: { readonly files: Files; readonly clock: Clock },
  path: string,
  { list = false, onProgress }: EvaluateOptions = {},
): Promise<ScanEvaluation> {
  const sets = new Map<string, Tally>();
  const times: number[] = [];
  const [missed, wrong]: [string[], string[]] = [[], []];
  for await (const labelled of readLabelled(files, path)) {
    const { heaviest, milliseconds } = timedScan(labelled, clock);
    times.push(milliseconds);
    tallyOf(sets, labelled.set).add(labelled.label, heaviest);
    const isFlagged = heaviest !== null && isAtLeast(heaviest, "high");
    if (isFlagged !== (labelled.label === "malicious")) (isFlagged ? wrong : missed).push(labelled.id);
    onProgress?.(times.length);
  }
  return {
    n: times.length,
    atCritical: qualityAt(sets, "critical"),
    atHigh: qualityAt(sets, "high"),
    msP50: rounded(quantile(times, 0.5), 2),
    msP99: rounded(quantile(times, 0.99), 2),
    ...(list ? { missed, wrong } : {}),
  };
}

/** A clock counts whole milliseconds, and most texts take less: they are scanned again until enough of them passed. */
const enoughMilliseconds = 4;
const mostRuns = 8;

function timedScan(labelled: LabelledText, clock: Clock): { heaviest: Level | null; milliseconds: number } {
  const bytes = Buffer.from(labelled.text);
  const folder = labelled.id.split("/").at(-1) || "skill";
  const start = clock.now();
  for (let runs = 1; ; runs++) {
    const { findings } = scanBundle(createBundle(folder, [[skillFile, bytes]]));
    const passed = clock.now() - start;
    if (passed >= enoughMilliseconds || runs === mostRuns)
      return { heaviest: findings[0]?.level ?? null, milliseconds: passed / runs };
  }
}

type Label = LabelledText["label"];

/** How heavy the heaviest finding of each text of a set was, by label. */
class Tally {
  readonly #heaviest: Readonly<Record<Label, (Level | null)[]>> = { malicious: [], benign: [] };

  add(label: Label, heaviest: Level | null): void {
    this.#heaviest[label].push(heaviest);
  }

  qualityAt(floor: Level): SetQuality {
    const { malicious, benign } = this.#heaviest;
    return {
      malicious: malicious.length,
      benign: benign.length,
      recall: shareAt(malicious, floor),
      falsePositive: shareAt(benign, floor),
    };
  }
}

function tallyOf(sets: Map<string, Tally>, name: string): Tally {
  const tally = sets.get(name) ?? new Tally();
  sets.set(name, tally);
  return tally;
}

function shareAt(heaviest: readonly (Level | null)[], floor: Level): number | null {
  if (heaviest.length === 0) return null;
  const flagged = heaviest.filter((level) => level !== null && isAtLeast(level, floor)).length;
  return rounded(flagged / heaviest.length, 4);
}

function qualityAt(sets: ReadonlyMap<string, Tally>, floor: Level): QualityBySet {
  const inOrder = [...sets].toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(inOrder.map(([name, tally]) => [name, tally.qualityAt(floor)]));
}

/** One text whose nature is known. */
interface LabelledText {
  readonly id: string;
  readonly set: string;
  readonly label: "malicious" | "benign";
  readonly text: string;
}

/** The set of a line that names none. */
const unnamed = "unnamed";

const mostSets = 200;

/** The texts of a labelled set, one at a time. What is no such line is refused by its number: nothing is left out. */
async function* readLabelled(files: Files, path: string): AsyncGenerator<LabelledText> {
  const [ids, sets] = [new Set<string>(), new Set<string>()];
  const parse = (value: unknown) => {
    const text = textOf(value);
    if (ids.has(text.id)) throw new LineFault("an id that was there before");
    ids.add(text.id);
    if (sets.add(text.set).size > mostSets) throw new LineFault(`more than ${mostSets} sets`);
    return text;
  };
  for await (const { value } of readJsonLines(files, path, parse)) yield value;
  if (ids.size === 0) throw refusedFile(path, "has no texts in it: nothing would be measured");
}

function textOf(value: unknown): LabelledText {
  const fields = fieldsOf(value);
  if (fields === undefined) throw new LineFault("expected { id, label, text }");
  const [id, set = unnamed, label, text] = ["id", "set", "label", "text"].map((key) => fields.get(key));
  if (typeof id !== "string" || id === "" || id.length > 256) throw new LineFault("id: expected 1 to 256 characters");
  if (typeof set !== "string" || !/^[a-z0-9][a-z0-9._-]{0,63}$/i.test(set))
    throw new LineFault("set: expected at most 64 letters, digits, dots and hyphens");
  if (label !== "malicious" && label !== "benign") throw new LineFault("label: expected malicious or benign");
  if (typeof text !== "string") throw new LineFault("text: expected a text");
  return { id, set, label, text };
}
