import { type Digest, sha256 } from "../core/digest.ts";
import type { Finding } from "../core/finding.ts";
import { limits } from "../core/limits.ts";
import { skillFile } from "./bundle.ts";
import type { SkillDocument } from "./document.ts";
import { type FaultCode, finding } from "./faults.ts";

export interface Body {
  readonly text: string;
  readonly checksum: Digest;
  readonly findings: readonly Finding[];
}

const advisedLines = 500;
/** A line that asks to be replaced by a command's output: other clients run it, Skillward never does. */
const command = /(?:^|\s)!`[^`]+`/;

/** The instructions, hashed over the very bytes that are handed on (SK-6). */
export function readBody({ body, bodyText: text, bodyLine }: SkillDocument): Body {
  const lines = text.trimEnd().split(/\r\n|\n|\r/);
  const findings: Finding[] = [];
  const say = (code: FaultCode, message: string, line = bodyLine) =>
    findings.push(finding(code, message, skillFile, line));

  if (text === "") say("body.empty", "there are no instructions after the front-matter");
  if (lines.length > advisedLines) say("body.long", `${lines.length} lines; at most ${advisedLines} are advised`);
  // CO-6: said here, before anybody wonders why it is in no prompt.
  if (body.length > limits.budget)
    say("body.budget", `the body has ${body.length} bytes; all skills of a prompt have ${limits.budget} by default`);
  const hasCommands = text.includes("!`");
  const commands = hasCommands ? lines.flatMap((line, at) => (command.test(line) ? [bodyLine + at] : [])) : [];
  if (commands.length > 0)
    say("command.ignored", `${commands.length} embedded command(s) are not run: ${listOf(commands)}`, commands[0]);
  return { text, checksum: sha256(body), findings };
}

function listOf(lines: readonly number[]): string {
  const shown = lines.slice(0, 10).join(", ");
  return lines.length > 10 ? `lines ${shown} and more` : `line ${shown}`;
}
