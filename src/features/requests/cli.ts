import { trusts } from "../../sources/trust.ts";
import { type Command, lazily, storeOptions } from "../command/command.ts";

const skill = {
  flags: "--skill <skill>",
  about: "a skill for this once, by its id or name; repeat it for more",
  repeatable: true,
};

/** `--config` names a configuration here, as everywhere else in this command's words. */
const withoutConfigFile = storeOptions.filter(({ flags }) => !flags.startsWith("--config "));

export const compose: Command = {
  name: "compose",
  about:
    "print the exact text that skills add to a prompt; what is in it and what is not on standard error, exit 1 when one was dropped",
  arguments: [],
  options: [
    { flags: "--config <id>", about: "the configuration to compose for; its file is SKILLWARD_CONFIG's here" },
    { flags: "--task <id>", about: "with the skills of this task of it" },
    skill,
    { flags: "--skills <folder>", about: "compose skills of a folder instead, without a store or an approval" },
    { flags: "--names <list>", about: "of the folder only these, with commas between them" },
    { flags: "--trust <level>", about: "how far the folder is trusted; untrusted without it", choices: trusts },
    { flags: "--budget <bytes>", about: "the most bytes of the folder's skills; 24000 without it" },
    { flags: "--prompt <text>", about: "print this prompt with the block in front of it" },
    ...withoutConfigFile,
  ],
  examples: [
    "skillward compose --config support",
    "skillward compose --config support --task summary --skill brand-voice --json",
    "skillward compose --skills examples/skills --names recipe-scaling --prompt 'For ten people, please.'",
  ],
  run: lazily(() => import("./commands/compose.ts")),
};

export const run: Command = {
  name: "run",
  about: "run a task: its prompt with its skills goes to the model, the answer is printed",
  arguments: [
    { form: "<task>", about: "the task's id" },
    { form: "[input]", about: "the text for {{input}}; read from standard input without it" },
  ],
  options: [
    skill,
    { flags: "--raw", about: "print the answer byte for byte; on a terminal it is made safe all the same" },
    ...storeOptions,
  ],
  examples: ["skillward run summary 'The meeting was moved to Monday.'", "skillward run summary < minutes.txt"],
  run: lazily(() => import("./commands/run.ts")),
};
