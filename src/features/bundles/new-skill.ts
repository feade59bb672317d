import { createInterface } from "node:readline";
import { posix } from "node:path";
import { AppError } from "../../core/error.ts";
import { countCharacters, hasUnseen, isPublicName, safeLine } from "../../core/text.ts";
import type { Files, Folders } from "../../core/world.ts";
import { skillFile } from "../../skill/bundle.ts";
import { fields, type Kind, kinds, type Manifest } from "../../skill/manifest.ts";
import { renderManifest } from "../../skill/render-manifest.ts";
import { skillsFolder } from "../../skill/agent-folders.ts";
import { openWorkspace } from "../../workspace/workspace.ts";
import { isThere } from "../../app/files/is-there.ts";
import { isTerminal } from "../command/ask-secret.ts";
import type { Keyboard } from "../command/output.ts";
import { shownPath } from "./named-folders.ts";
import { type SkillReport, validate } from "./validate.ts";

export interface AskedSkill {
  readonly name: string;
  readonly kind: Kind;
  readonly description: string;
  /** Where its folder comes to lie; undefined: where the workspace keeps its skills. */
  readonly dir: string | undefined;
}

/** A skill that was written, and what the strict profile says of it. */
export interface NewSkill {
  readonly path: string;
  readonly passes: boolean;
  readonly report: SkillReport | null;
}

/** Writes a skill to begin with, as a whole and never over something (AG-11). */
export async function createSkill(
  world: { readonly files: Files; readonly folders: Folders },
  { name, kind, description, dir }: AskedSkill,
): Promise<NewSkill> {
  demandName(name);
  demandDescription(description);
  const path = posix.join(dir === undefined ? await usualFolder(world.files) : shownPath(dir), name);
  if (await isThere(world.files, path))
    throw new AppError("record.exists", `there is something already: ${safeLine(path, 240)}; nothing was written`);
  const text = `${renderManifest(manifestOf(name, kind, description.trim()))}\n${bodyOf(name, kind)}`;
  await world.folders.make(path, [{ path: skillFile, bytes: Buffer.from(text), executable: false }]);
  const { passes, skills } = await validate(world.files, [path], { profile: "strict" });
  return { path, passes, report: skills[0] ?? null };
}

/** Before anything is asked: a name is also a folder and what a person types. */
export function demandName(name: string): void {
  if (isPublicName(name)) return;
  throw new AppError(
    "usage.invalid",
    `"${safeLine(name, 80)}" is no name for a skill: lowercase letters, digits and single hyphens between them, at most 64, such as release-notes`,
  );
}

const { max: longestDescription } = fields.description.length;

function demandDescription(description: string): void {
  const length = countCharacters(description.trim());
  if (length === 0 || length > longestDescription)
    throw new AppError(
      "usage.invalid",
      `a description has 1 to ${longestDescription} characters; this one has ${length}`,
    );
  if (hasUnseen(description))
    throw new AppError("usage.invalid", "the description is one line, without characters that cannot be seen");
}

/** As somebody who stands in the workspace would write it. */
async function usualFolder(files: Files): Promise<string> {
  const { root } = await openWorkspace(files, undefined);
  return posix.join(posix.relative(await files.resolve("."), root), skillsFolder);
}

function manifestOf(name: string, kind: Kind, description: string): Manifest {
  return {
    name,
    description,
    license: null,
    compatibility: null,
    metadata: { kind },
    kind,
    allowedTools: null,
    disallowedTools: null,
    inputs: [],
    outputs: [],
    triggers: [],
    aliases: [],
    paths: [],
    modelInvocable: true,
    userInvocable: true,
  };
}

/** Each section says what belongs there, in words that are to be replaced. */
function bodyOf(name: string, kind: Kind): string {
  const title = name.charAt(0).toUpperCase() + name.slice(1).replaceAll("-", " ");
  return `# ${title}

One or two sentences: what is different afterwards for somebody who uses this skill. Replace everything below that is
not yours, and delete what you do not need: a short skill is read as a whole.

## When to use

- The situation, in the words that people really use when they ask for it.
- The opposite: what looks alike and is not meant, and where to go then.

${kind === "tool" ? steps : facts}
## Examples

Show one real case from beginning to end: what was asked, what was done, what came out. An example says more than three
rules, and keeps the result in the form that you want.

## What not to do

- The mistake that is easily made here, and what it costs.
- What is to be asked of a person first, instead of being decided.
`;
}

const steps = `## Steps

1. What to look at first, and how to tell that it is the right thing.
2. What to do, one action in each step. Name files, commands and figures as they are.
3. How to check the result, and what to say about it in the end.
`;

const facts = `## Facts

| what | value | where it is written down |
|---|---|---|
| a name that outsiders would not know | what it stands for | the place to look when this is out of date |

Say what is, not what to do. Write down when it was last true.
`;

type Settled = Pick<AskedSkill, "kind" | "description">;
type TypedSkill = { readonly [Field in keyof Settled]: Settled[Field] | undefined };

/** What was not given is asked of a person at a terminal, and of nobody else. */
export async function settleSkill(typed: TypedSkill, from: Keyboard, mayAsk: boolean): Promise<Settled> {
  const { kind, description } = typed;
  if (kind !== undefined && description !== undefined) return { kind, description };
  if (mayAsk && isTerminal(from)) return askFor(typed, from);
  if (description !== undefined) return { kind: "tool", description };
  throw new AppError("usage.invalid", "say what the skill does and when to use it: --description <text>");
}

const mostTries = 3;

async function askFor(typed: TypedSkill, { input, output }: Keyboard): Promise<Settled> {
  // One for all questions: what was typed ahead is not lost between two of them.
  const lines = createInterface({ input, terminal: false });
  const answers = lines[Symbol.asyncIterator]();
  const ask = async <Answer>(question: string, read: (line: string) => Answer | undefined): Promise<Answer> => {
    for (let tries = 0; tries < mostTries; tries++) {
      output.write(question);
      const line = await answers.next();
      if (line.done === true) break;
      const answer = read(line.value.trim());
      if (answer !== undefined) return answer;
    }
    throw new AppError("usage.invalid", "cancelled; nothing was written");
  };
  try {
    const kind = typed.kind ?? (await ask("Kind, tool (how to do it) or host-knowledge (what is) [tool]: ", kindOf));
    const description =
      typed.description ?? (await ask("What does it do, and when is it used? ", (line) => line || undefined));
    return { kind, description };
  } finally {
    lines.close();
  }
}

function kindOf(line: string): Kind | undefined {
  return line === "" ? "tool" : kinds.find((kind) => kind === line);
}
