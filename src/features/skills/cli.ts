import { states } from "../../registry/state.ts";
import { countOption, textOption } from "../command/call.ts";
import { type CommandGroup, exit, storeOptions } from "../command/command.ts";
import { show } from "../command/render.ts";
import { withApp } from "../command/with-app.ts";
import { renderRevisions, renderSkill, renderSkills } from "./render.ts";

const which = { form: "<skill>", about: "an entry's id, or its name where only one has it" };

/** Publishing adds its own commands to it (`cli/commands.ts`). */
export const skill: CommandGroup = {
  name: "skill",
  about: "the skills of the registry: list, show, diff, revisions, publish, unpublish, published",
  commands: [
    {
      name: "list",
      about: "every skill with its state",
      arguments: [],
      options: [
        { flags: "--state <state>", about: "only those in this state", choices: states },
        { flags: "--source <id>", about: "only what comes from this source" },
        { flags: "--limit <count>", about: "how many to list; 100 without it" },
        { flags: "--after <entry>", about: "list what comes after this entry" },
        ...storeOptions,
      ],
      examples: ["skillward skill list", "skillward skill list --state enabled --json"],
      run: withApp(async (app, call, output) => {
        const { listSkills } = await import("./flow.ts");
        const skills = await listSkills(app, {
          state: states.find((state) => state === call.options["state"]),
          source: textOption(call, "source"),
          limit: countOption(call, "limit"),
          after: textOption(call, "after"),
        });
        show(output, call, skills, () => renderSkills(skills, call, output.style));
        return skills.noticed.length === 0 ? exit.fine : exit.findings;
      }),
    },
    {
      name: "show",
      about: "everything about one skill; every byte of it is verified",
      arguments: [which],
      options: storeOptions,
      examples: ["skillward skill show house:brand-voice", "skillward skill show brand-voice --json"],
      run: withApp(async (app, call, output) => {
        const { showSkill } = await import("./flow.ts");
        const view = await showSkill(app, call.args[0] ?? "");
        show(output, call, view, () => renderSkill(view, output.style));
        return view.noticed.length + view.revision.tampering.length === 0 ? exit.fine : exit.findings;
      }),
    },
    {
      name: "diff",
      about: "what is different from the revision in use, or the one approved last",
      arguments: [which],
      options: storeOptions,
      examples: ["skillward skill diff house:brand-voice"],
      run: withApp(async (app, call, output) => {
        const [{ diffSkill }, { renderDiff }] = await Promise.all([
          import("./revisions.ts"),
          import("./render-diff.ts"),
        ]);
        const diff = await diffSkill(app, call.args[0] ?? "");
        show(output, call, diff, () => renderDiff(diff, [], output.style));
        return diff.tampering.length === 0 ? exit.fine : exit.findings;
      }),
    },
    {
      name: "revisions",
      about: "the revisions that are kept, the newest first",
      arguments: [which],
      options: storeOptions,
      examples: ["skillward skill revisions house:brand-voice"],
      run: withApp(async (app, call, output) => {
        const { listRevisions } = await import("./revisions.ts");
        const kept = await listRevisions(app, call.args[0] ?? "");
        show(output, call, kept, ({ revisions }) => renderRevisions(revisions, output.style));
        return exit.fine;
      }),
    },
  ],
};
