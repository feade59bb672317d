import { type Command, exit, storeOptions } from "../command/command.ts";
import { hint, show } from "../command/render.ts";
import { withApp } from "../command/with-app.ts";
import { shownId } from "../skills/render.ts";
import { doorIsOff, renderPublished } from "./render-export.ts";

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
