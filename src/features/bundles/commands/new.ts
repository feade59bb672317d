import { createInterface } from "node:readline";
import { createSkill, demandName } from "../new-skill.ts";
import { createWorld } from "../../../app/world/world.ts";
import { AppError } from "../../../core/error.ts";
import { type Kind, kinds } from "../../../skill/manifest.ts";
import { isTerminal } from "../../command/ask-secret.ts";
import { jsonWithoutOrders, withoutOrders } from "../../command/build-log.ts";
import { shellWord, textOption } from "../../command/call.ts";
import { type Call, exit, type ExitCode, type Run } from "../../command/command.ts";
import type { Keyboard, Output } from "../../command/output.ts";
import { hint } from "../../command/render.ts";
import { renderReport } from "../render-report.ts";
import { renderVisibleJson } from "../../command/safe-output.ts";

export const run: Run = (call, output) => writeNew(call, output, output.keyboard);

/** The command with another keyboard, for tests. */
export async function writeNew(call: Call, output: Output, from: Keyboard): Promise<ExitCode> {
  const name = call.args[0] ?? "";
  demandName(name);
  const { kind, description } = await settle(call, from);
  const written = await createSkill(createWorld(), { name, kind, description, dir: textOption(call, "dir") });
  const { path, passes, report } = written;
  if (call.options["json"] === true) output.print(jsonWithoutOrders(renderVisibleJson(written)));
  else {
    const skills = report === null ? [] : [report];
    output.print(withoutOrders(renderReport({ profile: "strict", passes, skills, findings: [] }, output.style)));
  }
  const file = shellWord(`${path}/SKILL.md`);
  hint(output, call, `Now write ${file}, and check it with: skillward validate ${shellWord(path)} --profile strict`);
  hint(output, call, `Then try it: skillward chat --model <provider>/<model>, and type /skills:${name}`);
  return passes ? exit.fine : exit.findings;
}

interface Settled {
  readonly kind: Kind;
  readonly description: string;
}

/** What was not given is asked of a person at a terminal, and of nobody else. */
async function settle(call: Call, from: Keyboard): Promise<Settled> {
  const kind = kinds.find((each) => each === textOption(call, "kind"));
  const description = textOption(call, "description");
  if (kind !== undefined && description !== undefined) return { kind, description };
  const mayAsk = isTerminal(from) && call.options["yes"] !== true && call.options["json"] !== true;
  if (mayAsk) return askFor({ kind, description }, from);
  if (description !== undefined) return { kind: "tool", description };
  throw new AppError("usage.invalid", "say what the skill does and when to use it: --description <text>");
}

const mostTries = 3;

async function askFor(
  given: { readonly [Field in keyof Settled]: Settled[Field] | undefined },
  { input, output }: Keyboard,
): Promise<Settled> {
  // One for all questions: what was typed ahead is not lost between two of them.
  const lines = createInterface({ input, terminal: false });
  const typed = lines[Symbol.asyncIterator]();
  const ask = async <Answer>(question: string, read: (line: string) => Answer | undefined): Promise<Answer> => {
    for (let tries = 0; tries < mostTries; tries++) {
      output.write(question);
      const line = await typed.next();
      if (line.done === true) break;
      const answer = read(line.value.trim());
      if (answer !== undefined) return answer;
    }
    throw new AppError("usage.invalid", "cancelled; nothing was written");
  };
  try {
    const kind = given.kind ?? (await ask("Kind, tool (how to do it) or host-knowledge (what is) [tool]: ", kindOf));
    const description =
      given.description ?? (await ask("What does it do, and when is it used? ", (line) => line || undefined));
    return { kind, description };
  } finally {
    lines.close();
  }
}

function kindOf(line: string): Kind | undefined {
  return line === "" ? "tool" : kinds.find((kind) => kind === line);
}
