import { posix } from "node:path";
import { AppError } from "../../core/error.ts";
import type { Finding } from "../../core/finding.ts";
import { safeLine } from "../../core/text.ts";
import type { Files, FilesToWrite, FileToPlace, Folders } from "../../core/world.ts";
import { agentFinding } from "../../agent/agent-faults.ts";
import { commandsIn, type SkillCase } from "../../agent/evaluation/skill-case.ts";
import {
  caseEnding,
  type CaseRoom,
  type FileFault,
  findCases,
  loadCaseFiles,
  withRoom,
} from "../../agent/evaluation/case-files.ts";
import { judgeRun } from "../../agent/evaluation/judge.ts";
import { readCase } from "../../agent/evaluation/read-case.ts";
import { type OpenAgent, runCase } from "../../agent/evaluation/run-case.ts";
import { firstDifference, transcriptOf } from "../../agent/evaluation/transcript.ts";
import { scriptedModel } from "../../models/scripted.ts";
import { someOf } from "../../scope/lists.ts";
import { loadText, parseTree } from "../../app/files/yaml-file.ts";
import { isThere } from "../../app/files/is-there.ts";
import { shownPath } from "../bundles/named-folders.ts";

/** What became of one case. */
export interface CaseOutcome {
  /** The case, as it was named. */
  readonly file: string;
  readonly name: string;
  readonly state: "passed" | "failed" | "skipped";
  /** What it wants granted beyond files: with any of it, it is run only where commands are allowed (T44). */
  readonly commands: readonly string[];
  readonly runs: number;
  readonly passed: number;
  /** Of the runs, how many passed; null when there were none. */
  readonly rate: number | null;
  /** What failed, each once, with the runs it failed in. */
  readonly failures: readonly { readonly why: string; readonly runs: readonly number[] }[];
  /** What else there is to say, such as why it was skipped. */
  readonly notes: readonly string[];
  /** What its agents noticed. */
  readonly findings: readonly Finding[];
}

export interface SkillsEvaluation {
  /** Null: each case's own script answered. */
  readonly model: string | null;
  readonly minRate: number;
  /** Every case that was run has the rate, and every case can be read. */
  readonly passes: boolean;
  readonly cases: readonly CaseOutcome[];
  /** What is wrong with cases. With any of them nothing was run. */
  readonly findings: readonly Finding[];
}

export interface EvaluateSkillsOptions {
  /** A configured model, instead of the scripts. */
  readonly model?: string | undefined;
  /** How often each case is run, instead of what it says. */
  readonly runs?: number | undefined;
  readonly minRate?: number | undefined;
  /** Writes the golden transcripts. */
  readonly update?: boolean | undefined;
  /** Also runs cases that grant themselves commands. For whoever has read them: it is their machine. */
  readonly allowCommands?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((done: number, total: number, name: string) => void) | undefined;
}

/** What the flow needs of the world. */
export interface EvaluationWorld {
  readonly files: Files & FilesToWrite;
  readonly folders: Folders;
  readonly openAgent: OpenAgent;
}

/** A case that can be run, with all that lies in its workspace. */
interface ReadyCase {
  readonly file: string;
  readonly of: SkillCase;
  readonly files: readonly FileToPlace[];
  /** Where its transcript is kept. */
  readonly golden: string;
}

/** Runs every case of a folder (AG-9), each run in a workspace of its own. All are read before the first one costs anything. */
export async function evaluateSkills(
  world: EvaluationWorld,
  path: string,
  options: EvaluateSkillsOptions = {},
): Promise<SkillsEvaluation> {
  const { model = null, minRate = 1, onProgress } = options;
  if (options.update === true && model !== null)
    throw new AppError("usage.invalid", "--update keeps what the scripts of the cases answer: leave out --model");
  const { ready, findings } = await readCases(world, path);
  if (findings.length > 0) return { model, minRate, passes: false, cases: [], findings };
  const cases: CaseOutcome[] = [];
  for (const each of ready) {
    onProgress?.(cases.length, ready.length, each.of.name);
    cases.push(await evaluateCase(world, each, { ...options, minRate }));
  }
  if (cases.every(({ state }) => state === "skipped"))
    throw new AppError("usage.invalid", `every case was skipped, and nothing was proven: ${wayOn(cases, options)}`);
  return { model, minRate, passes: cases.every(({ state }) => state !== "failed"), cases, findings };
}

function wayOn(cases: readonly CaseOutcome[], { allowCommands }: EvaluateSkillsOptions): string {
  const held = allowCommands === true ? [] : cases.filter(({ commands }) => commands.length > 0);
  const ways = [
    ...(held.length > 0 ? ["--allow-commands runs those that want commands, once you have read them"] : []),
    ...(held.length < cases.length ? ["give them scripts, or --model"] : []),
  ];
  return ways.join("; ");
}

async function readCases(
  world: EvaluationWorld,
  path: string,
): Promise<{ readonly ready: readonly ReadyCase[]; readonly findings: readonly Finding[] }> {
  const { folder, cases } = await findCases(world.files, path);
  const shown = path.endsWith(caseEnding) ? posix.dirname(shownPath(path)) : shownPath(path);
  const ready: ReadyCase[] = [];
  const findings: Finding[] = [];
  for (const inside of cases) {
    const read = await readOne(world, posix.join(folder, inside), posix.join(shown, inside));
    if (Array.isArray(read)) findings.push(...read);
    else ready.push(read);
  }
  return { ready, findings };
}

const mostBytes = 1024 * 1024;

async function readOne(world: EvaluationWorld, path: string, file: string): Promise<ReadyCase | Finding[]> {
  const invalid = ({ message, line }: FileFault) => agentFinding("eval.case-invalid", file, message, line);
  const { text, why } = await loadText(world.files, path, mostBytes);
  if (text === undefined) return [invalid({ message: why, line: 1 })];
  const { root, fault } = parseTree(text);
  if (fault !== undefined) return [invalid(fault)];
  const { read, findings } = readCase(root, file);
  if (read === undefined) return [...findings];
  const { files, faults } = await loadCaseFiles(world, read, posix.dirname(path));
  if (faults.length > 0) return faults.map(invalid);
  return { file, of: read, files, golden: `${path.slice(0, -caseEnding.length)}.golden.txt` };
}

type RunOptions = EvaluateSkillsOptions & { readonly minRate: number };

async function evaluateCase(world: EvaluationWorld, ready: ReadyCase, options: RunOptions): Promise<CaseOutcome> {
  const { of } = ready;
  const isScripted = options.model === undefined;
  const commands = commandsIn(of.allow);
  if (commands.length > 0 && options.allowCommands !== true)
    return skipped(
      ready,
      `it grants itself ${someOf(commands)}, which would run on this machine; read it, then say --allow-commands`,
    );
  if (isScripted && of.script === null) return skipped(ready, "it has no script; --model names a model to run it with");
  if (!isScripted && of.checks.length === 0)
    return skipped(ready, "it has only a golden transcript, which is of its script and not of another model");
  const golden = new GoldenTranscript(world.files, ready.golden, isScripted && of.golden, options.update === true);
  const runs = options.runs ?? of.runs;
  const failed = new Map<string, number[]>();
  const findings = new Map<string, Finding>();
  let passed = 0;
  for (let run = 1; run <= runs; run++) {
    const outcome = await withRoom(world, ready.files, (room) => runOnce(world, ready, room, golden, options));
    for (const why of new Set(outcome.failures)) failed.set(why, [...(failed.get(why) ?? []), run]);
    for (const finding of outcome.findings) findings.set(`${finding.code} ${finding.message}`, finding);
    if (outcome.failures.length === 0) passed++;
  }
  const rate = passed / runs;
  return {
    ...headOf(ready),
    state: rate >= options.minRate ? "passed" : "failed",
    runs,
    passed,
    rate,
    failures: [...failed].map(([why, inRuns]) => ({ why, runs: inRuns })),
    notes: golden.notes,
    findings: [...findings.values()],
  };
}

function skipped(ready: ReadyCase, why: string): CaseOutcome {
  return {
    ...headOf(ready),
    state: "skipped",
    runs: 0,
    passed: 0,
    rate: null,
    failures: [],
    notes: [why],
    findings: [],
  };
}

function headOf({ file, of }: ReadyCase): Pick<CaseOutcome, "file" | "name" | "commands"> {
  const commands = commandsIn(of.allow).map((entry) => safeLine(entry, 256));
  return { file: safeLine(file, 240), name: safeLine(of.name, 120), commands };
}

async function runOnce(
  { openAgent }: EvaluationWorld,
  { of }: ReadyCase,
  room: CaseRoom,
  golden: GoldenTranscript,
  { model, signal }: EvaluateSkillsOptions,
): Promise<{ readonly failures: readonly string[]; readonly findings: readonly Finding[] }> {
  const { workspace, home } = room;
  const answering = model ?? scriptedModel(of.script ?? { rules: [] });
  const asked = { workspace, home, model: answering, trust: of.trust, allow: of.allow };
  const { steps, findings } = await runCase(openAgent, asked, of.prompts, signal);
  const failures = await judgeRun(of.checks, steps, room);
  const difference = await golden.compare(transcriptOf(steps, room), failures.length === 0);
  const shown = findings.map((each) => withoutRoom(each, room));
  return { failures: difference === undefined ? failures : [...failures, difference], findings: shown };
}

/** The folder of a run says nothing to anybody: it is gone. */
function withoutRoom(finding: Finding, { workspace }: CaseRoom): Finding {
  const { file, line } = finding.at;
  return { ...finding, at: { file: file.replaceAll(workspace, "."), line } };
}

/** The transcript that is kept of a case. It is written only when somebody asks for that, once, and of a run that passed. */
class GoldenTranscript {
  readonly notes: string[] = [];
  readonly #files: Files & FilesToWrite;
  readonly #path: string;
  readonly #isWanted: boolean;
  #isUpdate: boolean;

  constructor(files: Files & FilesToWrite, path: string, isWanted: boolean, isUpdate: boolean) {
    this.#files = files;
    this.#path = path;
    this.#isWanted = isWanted;
    this.#isUpdate = isUpdate;
  }

  /** How a run differs from what is kept; undefined when it does not. */
  async compare(transcript: string, hasPassed: boolean): Promise<string | undefined> {
    if (!this.#isWanted) return undefined;
    const kept = await this.#kept();
    if (this.#isUpdate && hasPassed) {
      this.#isUpdate = false;
      if (kept === transcript) return undefined;
      await this.#files.write(this.#path, Buffer.from(transcript));
      this.notes.push(`the transcript was ${kept === null ? "written" : "replaced"}: look at it before you keep it`);
      return undefined;
    }
    if (kept === null) return "there is no golden transcript yet; --update writes it";
    return firstDifference(kept, transcript);
  }

  async #kept(): Promise<string | null> {
    if (!(await isThere(this.#files, this.#path))) return null;
    const { text = "" } = await loadText(this.#files, this.#path, mostBytes);
    // A checkout may have turned the ends of lines.
    return text.replaceAll("\r\n", "\n");
  }
}
