import { demandChange, textOption, textOrFile } from "../command/call.ts";
import { type CommandGroup, exit, storeOptions } from "../command/command.ts";
import { withApp } from "../command/with-app.ts";
import { hint, show } from "../command/render.ts";
import { renderTask, renderTasks, renderWithAttached } from "./render.ts";

const idArgument = { form: "<id>", about: "the task's id" };
const configuration = { flags: "--configuration <id>", about: "the configuration it runs with" };

const settings = [
  { flags: "--template <text>", about: "the prompt, with {{input}} where the caller's text goes" },
  { flags: "--template-file <path>", about: "the same, from a file" },
];

export const task: CommandGroup = {
  name: "task",
  about: "prompts kept for repeated use: add, list, show, set, remove",
  commands: [
    {
      name: "add",
      about: "add a task",
      arguments: [{ form: "<id>", about: "a new id: lowercase letters, digits, hyphens" }],
      options: [{ ...configuration, required: true }, ...settings, ...storeOptions],
      examples: [
        "skillward task add summary --configuration support --template 'Sum up in three lines: {{input}}'",
        "skillward task add triage --configuration support --template-file triage.md",
      ],
      run: withApp(async (app, call, output) => {
        const { taskFlow } = await loadFlow();
        const [id = ""] = call.args;
        const template = await textOrFile(call, app.world.files, "template");
        const added = await taskFlow.add(app, id, { configuration: textOption(call, "configuration"), template });
        show(output, call, added, () => renderTask(added, output.style));
        hint(output, call, `Next, put skills on it: skillward attach task:${id} <skill>`);
        return exit.fine;
      }),
    },
    {
      name: "list",
      about: "the tasks you may see",
      arguments: [],
      options: storeOptions,
      examples: ["skillward task list", "skillward task list --json"],
      run: withApp(async (app, call, output) => {
        const { taskFlow } = await loadFlow();
        const tasks = await taskFlow.list(app);
        show(output, call, tasks, () => renderTasks(tasks, output.style));
        return exit.fine;
      }),
    },
    {
      name: "show",
      about: "one task, with the skills on it and whether each can be used",
      arguments: [idArgument],
      options: storeOptions,
      examples: ["skillward task show summary"],
      run: withApp(async (app, call, output) => {
        const { showTaskWithSkills } = await import("./attach.ts");
        const { task: shown, view } = await showTaskWithSkills(app, call.args[0] ?? "");
        show(output, call, { ...shown, ...view }, () =>
          renderWithAttached(renderTask(shown, output.style), view, output.style),
        );
        hint(output, call, `Beside the skills of its configuration: skillward config show ${shown.configuration}`);
        return exit.fine;
      }),
    },
    {
      name: "set",
      about: "change a task; what is not named stays",
      arguments: [idArgument],
      options: [configuration, ...settings, ...storeOptions],
      examples: ["skillward task set summary --template-file summary.md"],
      run: withApp(async (app, call, output) => {
        const { taskFlow } = await loadFlow();
        const template = await textOrFile(call, app.world.files, "template");
        const typed = { configuration: textOption(call, "configuration"), template };
        demandChange(typed, "task set");
        const changed = await taskFlow.change(app, call.args[0] ?? "", typed);
        show(output, call, changed, () => renderTask(changed, output.style));
        return exit.fine;
      }),
    },
    {
      name: "remove",
      about: "remove a task; its skills are detached",
      arguments: [idArgument],
      options: storeOptions,
      examples: ["skillward task remove summary"],
      run: withApp(async (app, call, output) => {
        const { taskFlow } = await loadFlow();
        const [id = ""] = call.args;
        await taskFlow.remove(app, id);
        show(output, call, { removed: id }, () => `Removed task ${id}`);
        return exit.fine;
      }),
    },
  ],
};

const loadFlow = () => import("./flow-task.ts");
