import { type Command, lazily, storeOptions } from "../command/command.ts";

const target = { form: "<target>", about: "a configuration's id, or task:<id>" };

export const attach: Command = {
  name: "attach",
  about: "put a skill on a configuration or a task; only one that is approved",
  arguments: [target, { form: "<skill>", about: "an entry's id, or its name where only one has it" }],
  options: storeOptions,
  examples: ["skillward attach support house:brand-voice", "skillward attach task:summary brand-voice"],
  run: lazily(() => import("./commands/attach.ts")),
};

export const detach: Command = {
  name: "detach",
  about: "take a skill off a configuration or a task, whatever state it is in",
  arguments: [target, { form: "<skill>", about: "an entry's id, or its name where only one on it has that name" }],
  options: storeOptions,
  examples: ["skillward detach support house:brand-voice", "skillward detach task:summary brand-voice"],
  run: lazily(() => import("./commands/detach.ts")),
};
