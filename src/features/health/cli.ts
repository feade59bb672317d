import { readEnvironment } from "../../app/config/config.ts";
import { shellWord, textOption } from "../command/call.ts";
import { type Command, type CommandGroup, exit, lookOptions, storeOptions } from "../command/command.ts";
import { hint, show } from "../command/render.ts";
import { withoutOrders } from "../command/safe-output.ts";
import { openingOptions, openStoredFor, withInspection, withStoredApp } from "../command/with-app.ts";
import { renderBackup, renderCheck, renderCount, renderKeyFile, renderRotation } from "./render.ts";
import type { Check } from "./schema.ts";

export const keys: CommandGroup = {
  name: "keys",
  about: "the key file that signs decisions and locks secrets (API keys are `skillward key`): show, rotate",
  commands: [
    {
      name: "show",
      about: "which key file it is and which keys it has; never a secret",
      arguments: [],
      options: lookOptions,
      examples: ["skillward keys show"],
      run: withInspection(async (opened, call, output) => {
        const { showKeys } = await import("./rotation.ts");
        show(output, call, await showKeys(opened), (view) => renderKeyFile(view, output.style));
        return exit.fine;
      }),
    },
    {
      name: "rotate",
      about: "sign and lock with new keys from now on; what the old ones signed stays valid",
      arguments: [],
      options: storeOptions,
      examples: ["skillward keys rotate"],
      run: async (call, output) => {
        const { rotateKeys } = await import("./rotation.ts");
        const rotation = await rotateKeys(() => openStoredFor(call));
        show(output, call, rotation, () => renderRotation(rotation, output.style));
        hint(output, call, "Copy the key file to every other node now, back it up, and start what still runs again.");
        return rotation.findings.length === 0 ? exit.fine : exit.findings;
      },
    },
  ],
};

export const backup: Command = {
  name: "backup",
  about: "copy the store and its checkpoint into a new folder, while nodes are running",
  arguments: [],
  options: [{ flags: "--to <folder>", about: "a folder that is not there yet", required: true }, ...storeOptions],
  examples: ["skillward backup --to /var/backups/skillward/monday"],
  run: withStoredApp(async (app, call, output) => {
    const { backUp } = await import("./backup.ts");
    const made = await backUp(app, textOption(call, "to") ?? "");
    show(output, call, made, () => renderBackup(made, output.style));
    if (made.database === null) {
      const file = shellWord(`${made.folder}/skillward.dump`);
      hint(output, call, `Now, and not before: pg_dump --format=custom --file=${file} "$SKILLWARD_STORE"`);
    }
    return exit.fine;
  }),
};

export const doctor: Command = {
  name: "doctor",
  about:
    "look at everything Skillward stands on here and say what to do; changes nothing, exit 1 when there is something",
  arguments: [],
  options: [{ flags: "--offline", about: "ask no GitHub and no model service how it is" }, ...lookOptions],
  examples: ["skillward doctor", "skillward doctor --offline --json"],
  run: async (call, output) => {
    const [{ createWorld }, { diagnosisOf, examine }] = await Promise.all([
      import("../../app/world/world.ts"),
      import("./doctor/doctor.ts"),
    ]);
    const { json, offline } = call.options;
    const options = { ...openingOptions(call), workspace: output.folder, offline: offline === true };
    const checks: Check[] = [];
    for await (const check of examine(createWorld(), readEnvironment(), options)) {
      checks.push(check);
      if (json !== true) output.print(withoutOrders(renderCheck(check, output.style)));
    }
    const diagnosis = diagnosisOf(checks);
    show(output, call, diagnosis, renderCount);
    return diagnosis.passes ? exit.fine : exit.findings;
  },
};
