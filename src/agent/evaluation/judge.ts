import { parseJson } from "../../core/json/json.ts";
import { safeLine } from "../../core/text.ts";
import type { TooLarge } from "../../core/world.ts";
import type { Value } from "../../skill/core-value.ts";
import { longestMatched } from "./read-checks.ts";
import type { CaseRoom } from "./case-files.ts";
import type { RecordedCall, RecordedStep } from "./run-case.ts";
import type { CaseCheck, Check } from "./skill-case.ts";

/** Whether something is so, and what was seen, in words that follow the name of the check. */
interface Seen {
  /** Null: it cannot be told, so that neither the check nor its opposite holds. */
  readonly holds: boolean | null;
  readonly saw: string;
}

/** What was judged of a run, with a word for everything that is not as it should be. */
export async function judgeRun(
  checks: readonly CaseCheck[],
  steps: readonly RecordedStep[],
  room: Pick<CaseRoom, "read" | "before">,
): Promise<readonly string[]> {
  const failures = steps.flatMap((step) => (step.is === "fault" ? [step.text] : []));
  for (const { check, isNot, line } of checks) {
    const { holds, saw } = await look(check, steps, room);
    if (holds !== !isNot) failures.push(`line ${line}: ${isNot ? "not " : ""}${nameOf(check)}: ${saw}`);
  }
  return failures;
}

function nameOf(check: Check): string {
  switch (check.is) {
    case "toolCalled":
    case "toolDenied":
    case "toolCalledWith":
      return `${check.is} ${safeLine(check.tool, 64)}`;
    case "fileContains":
      return `${check.is} ${safeLine(check.path, 120)} "${safeLine(check.text, 80)}"`;
    case "fileModified":
      return `${check.is} ${safeLine(check.path, 120)}`;
    case "responseContains":
      return `${check.is} "${safeLine(check.text, 80)}"`;
    case "responseMatches":
      return `${check.is} ${safeLine(String(check.pattern), 120)}`;
    case "skillInvoked":
    case "skillRouted":
      return `${check.is} ${safeLine(check.skill, 64)}`;
  }
}

async function look(
  check: Check,
  steps: readonly RecordedStep[],
  room: Pick<CaseRoom, "read" | "before">,
): Promise<Seen> {
  const calls = steps.filter((step) => step.is === "call");
  const made = calls.filter(({ denied }) => denied === null);
  switch (check.is) {
    case "toolCalled":
      return seenAmong(
        made.map(({ tool }) => tool),
        check.tool,
        "called",
      );
    case "toolDenied":
      return seenAmong(
        calls.filter(({ denied }) => denied !== null).map(({ tool }) => tool),
        check.tool,
        "denied",
      );
    case "toolCalledWith":
      return seenWith(
        made.filter(({ tool }) => tool === check.tool),
        check,
      );
    case "fileContains":
      return seenIn(await room.read(check.path), check.text);
    case "fileModified":
      return seenChange(room.before(check.path), await room.read(check.path));
    case "responseContains": {
      const response = responseOf(steps);
      return { holds: response.includes(check.text), saw: `the response is "${safeLine(response, 200)}"` };
    }
    case "responseMatches":
      return seenMatch(responseOf(steps), check.pattern);
    case "skillInvoked":
      return seenUse(steps, ["invoked", "loaded"], check.skill);
    case "skillRouted":
      return seenUse(steps, ["routed"], check.skill);
  }
}

function seenAmong(names: readonly string[], wanted: string, what: string): Seen {
  return { holds: names.includes(wanted), saw: `${what}: ${listed(names)}` };
}

function seenUse(steps: readonly RecordedStep[], uses: readonly string[], wanted: string): Seen {
  const used = steps.filter((step) => step.is === "skill").filter(({ use }) => uses.includes(use));
  const holds = used.some(({ name, entry }) => name === wanted || entry === wanted);
  return { holds, saw: `the agent recorded: ${listed(used.map(({ name }) => name))}` };
}

const mostListed = 10;

function listed(names: readonly string[]): string {
  const all = [...new Set(names)];
  const shown = all.slice(0, mostListed).map((name) => safeLine(name, 64));
  const more = all.length - shown.length;
  return all.length === 0 ? "none" : shown.join(", ") + (more > 0 ? ` and ${more} more` : "");
}

function seenWith(calls: readonly RecordedCall[], wanted: Extract<Check, { is: "toolCalledWith" }>): Seen {
  const holds = calls.some(({ input }) => {
    const given = input === null ? undefined : parseJson(input);
    return isPart(wanted.input, given, isSame) && isPart(wanted.contains, given, isWithin);
  });
  const inputs = calls.slice(0, mostListed).map(({ input }) => safeLine(input ?? "a sub-agent's", 160));
  return { holds, saw: `called with: ${inputs.length === 0 ? "none" : inputs.join("; ")}` };
}

type SameText = (wanted: string, given: string) => boolean;
const isSame: SameText = (wanted, given) => wanted === given;
const isWithin: SameText = (wanted, given) => given.includes(wanted);

/** Every field that is wanted is there; others may be too. Lists have to be of the same length. */
function isPart(wanted: Value, given: unknown, fits: SameText): boolean {
  if (typeof wanted === "string") return typeof given === "string" && fits(wanted, given);
  if (typeof wanted !== "object" || wanted === null) return wanted === given;
  if (typeof given !== "object" || given === null || Array.isArray(given) !== Array.isArray(wanted)) return false;
  const fields = new Map<string, unknown>(Object.entries(given));
  const parts: [string, Value][] = Object.entries(wanted);
  if (Array.isArray(wanted) && fields.size !== parts.length) return false;
  return parts.every(([key, value]) => fields.has(key) && isPart(value, fields.get(key), fits));
}

function seenIn(bytes: Uint8Array | TooLarge | null, text: string): Seen {
  if (bytes === null) return { holds: false, saw: "there is no such file" };
  if (!(bytes instanceof Uint8Array)) return { holds: null, saw: `its ${bytes.size} bytes are more than are read` };
  return { holds: Buffer.from(bytes).includes(text), saw: `the file has ${bytes.length} bytes` };
}

/** What is too large to be read is not what it was: no case begins with as much. */
function seenChange(before: Uint8Array | null, after: Uint8Array | TooLarge | null): Seen {
  if (before === null)
    return { holds: after !== null, saw: after === null ? "there is no such file" : "it was created" };
  if (after === null) return { holds: true, saw: "it was deleted" };
  const isSameAsBefore = after instanceof Uint8Array && Buffer.from(before).equals(after);
  return { holds: !isSameAsBefore, saw: isSameAsBefore ? "it is as it was" : "it was changed" };
}

/** What the model said in all of the run. What a tool or a command said is not its response. */
function responseOf(steps: readonly RecordedStep[]): string {
  return steps.flatMap((step) => (step.is === "answer" ? [step.text] : [])).join("\n");
}

function seenMatch(response: string, pattern: RegExp): Seen {
  if (response.length > longestMatched)
    return {
      holds: null,
      saw: `the response has more than the ${longestMatched} characters that a pattern is held against`,
    };
  return { holds: pattern.test(response), saw: `the response is "${safeLine(response, 200)}"` };
}
