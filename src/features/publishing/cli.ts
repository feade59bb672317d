import { agentNames, agentScopes } from "../../skill/agent-folders.ts";
import { listOption, textOption } from "../command/call.ts";
import { type Command, exit, storeOptions } from "../command/command.ts";
import { hint, show } from "../command/render.ts";
import { renderVisibleJson } from "../command/safe-output.ts";
import { withApp } from "../command/with-app.ts";
import { shownId } from "../skills/render.ts";
import { doorIsOff, isExportFine, renderExport, renderPublished } from "./render.ts";

export const exportSkills: Command = {
  name: "export",
  about: "write approved skills into an agent's own folder, with skillward.lock; all of them or none",
  arguments: [],
  options: [
    { flags: "--to <folder>", about: "the folder of a project, or of a person", required: true },
    {
      flags: "--agent <name>",
      about: "below it, where this agent looks; the folder itself without it",
      choices: agentNames,
    },
    {
      flags: "--scope <scope>",
      about: "whether --to is a project's or a person's",
      choices: agentScopes,
      default: "project",
    },
    { flags: "--skill <skill>", about: "only this one, by its id or name; repeat it for more", repeatable: true },
    { flags: "--configuration <id>", about: "only what is attached to this configuration" },
    { flags: "--prune", about: "take away what was exported before and is not to be there any more" },
    { flags: "--force", about: "also over what was changed there" },
    ...storeOptions,
  ],
  examples: [
    "skillward export --to . --agent claude",
    "skillward export --to ~ --agent copilot --scope user --skill brand-voice",
    "skillward export --to build/skills --configuration support --prune",
  ],
  run: withApp(async (app, call, output) => {
    const { exportApproved } = await import("./export.ts");
    const { options } = call;
    const isJson = options["json"] === true;
    const report = await exportApproved(app, {
      to: textOption(call, "to") ?? ".",
      agent: agentNames.find((name) => name === options["agent"]),
      scope: agentScopes.find((scope) => scope === options["scope"]),
      skills: listOption(call, "skill"),
      configuration: textOption(call, "configuration"),
      force: options["force"] === true,
      prune: options["prune"] === true,
    });
    output.print(isJson ? renderVisibleJson(report) : renderExport(report, output.style));
    if (!isJson) for (const note of report.notes) output.note(note);
    return isExportFine(report) ? exit.fine : exit.findings;
  }),
};

const which = { form: "<skill>", about: "an entry's id, or its name where only one has it" };

/** `skillward skill publish` and what belongs to it. */
export const publishing: readonly Command[] = [
  {
    name: "publish",
    about: "let anybody fetch what is approved of a skill, below /.well-known/agent-skills",
    arguments: [which],
    options: storeOptions,
    examples: ["skillward skill publish house:brand-voice"],
    run: withApp(async (app, call, output) => {
      const { publishSkill } = await import("./flow.ts");
      const line = await publishSkill(app, call.args[0] ?? "");
      show(output, call, line, () => renderPublished([line], output.style));
      if (!app.config.publish.enabled) hint(output, call, doorIsOff);
      return line.findings.length === 0 ? exit.fine : exit.findings;
    }),
  },
  {
    name: "unpublish",
    about: "switch that off again, whatever state the skill is in",
    arguments: [which],
    options: storeOptions,
    examples: ["skillward skill unpublish house:brand-voice"],
    run: withApp(async (app, call, output) => {
      const { unpublishSkill } = await import("./flow.ts");
      const gone = await unpublishSkill(app, call.args[0] ?? "");
      show(output, call, gone, ({ entry }) => `${shownId(entry)} is not published any more.`);
      return exit.fine;
    }),
  },
  {
    name: "published",
    about: "what is published; every byte of it is verified, exit 1 when something is not served",
    arguments: [],
    options: storeOptions,
    examples: ["skillward skill published", "skillward skill published --json"],
    run: withApp(async (app, call, output) => {
      const { listPublished } = await import("./flow.ts");
      const lines = await listPublished(app);
      show(output, call, lines, () =>
        lines.length === 0
          ? "Nothing is published. Switch a skill on: skillward skill publish <skill>"
          : renderPublished(lines, output.style),
      );
      if (lines.length > 0 && !app.config.publish.enabled) hint(output, call, doorIsOff);
      return lines.every(({ findings }) => findings.length === 0) ? exit.fine : exit.findings;
    }),
  },
];
