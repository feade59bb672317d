import { type Command, lazily, lookOptions } from "../command/command.ts";

export const doctor: Command = {
  name: "doctor",
  about:
    "look at everything Skillward stands on here and say what to do; changes nothing, exit 1 when there is something",
  arguments: [],
  options: [{ flags: "--offline", about: "ask no GitHub and no model service how it is" }, ...lookOptions],
  examples: ["skillward doctor", "skillward doctor --offline --json"],
  run: lazily(() => import("./commands/doctor.ts")),
};
