import { AppError } from "../../core/error.ts";
import { parseJson } from "../../core/json/json.ts";
import { safeLine } from "../../core/text.ts";
import type { Files } from "../../core/world.ts";
import { trusts } from "../../sources/trust.ts";
import { countOption, demandChange, listOption, textOption, textOrFile } from "../command/call.ts";
import { type Call, type Command, type CommandGroup, exit, storeOptions } from "../command/command.ts";
import { hint, renderFindings, show } from "../command/render.ts";
import { withApp } from "../command/with-app.ts";
import { renderUnion, shownId } from "../skills/render.ts";
import {
  hintRouting,
  renderAttached,
  renderConfiguration,
  renderConfigurations,
  renderWithAttached,
} from "./render.ts";

const idArgument = { form: "<id>", about: "the configuration's id" };
const provider = { flags: "--provider <id>", about: "the provider that answers" };
const model = { flags: "--model <name>", about: "the model to ask for" };

const settings = [
  { flags: "--system <text>", about: "the system prompt" },
  { flags: "--system-file <path>", about: "the system prompt, from a file" },
  {
    flags: "--parameter <name=value>",
    about: "sent with every request, such as temperature=0.2; repeat it for more",
    repeatable: true,
  },
  { flags: "--placement <role>", about: "the message that skills are put in", choices: ["user", "system"] },
  {
    flags: "--routable <entry>",
    about: "what routing may choose: an entry's id, or source:<id> for all of a source; repeat it for more",
    repeatable: true,
  },
  { flags: "--route <switch>", about: "choose skills by what is asked", choices: ["on", "off"] },
  { flags: "--route-on <message>", about: "which user message routing reads", choices: ["first", "last"] },
  { flags: "--route-accept <number>", about: "ask no further link from this confidence on, 0 to 1, or default" },
  { flags: "--route-margin <number>", about: "how far it must be ahead of the next, 0 to 1, or default" },
  { flags: "--route-floor <number>", about: "choose nothing when a fit is less likely than this, 0 to 1, or default" },
  { flags: "--budget <bytes>", about: "the most bytes of skills in one prompt" },
  {
    flags: "--context-tokens <count>",
    about: "how much the model can read, or unknown; skills then take at most a quarter of it",
  },
  { flags: "--trust-floor <level>", about: "do not use skills of less trust", choices: trusts },
  { flags: "--system-floor <level>", about: "keep skills of less trust out of the system message", choices: trusts },
];

export const config: CommandGroup = {
  name: "config",
  about: "how an application talks to a model, and with which skills: add, list, show, set, remove",
  commands: [
    {
      name: "add",
      about: "add a configuration",
      arguments: [{ form: "<id>", about: "a new id: lowercase letters, digits, hyphens" }],
      options: [{ ...provider, required: true }, { ...model, required: true }, ...settings, ...storeOptions],
      examples: [
        "skillward config add support --provider openai --model gpt-4o --system-file support.md",
        "skillward config add try --provider try --model any --route on --routable source:house",
      ],
      run: withApp(async (app, call, output) => {
        const { configurationFlow } = await loadFlow();
        const [id = ""] = call.args;
        const added = await configurationFlow.add(app, id, await readConfiguration(call, app.world.files));
        show(output, call, added, () => renderConfiguration(added, output.style));
        hintRouting(output, call, added);
        hint(output, call, `Next, put skills on it: skillward attach ${id} <skill>`);
        return exit.fine;
      }),
    },
    {
      name: "list",
      about: "the configurations you may see",
      arguments: [],
      options: storeOptions,
      examples: ["skillward config list", "skillward config list --json"],
      run: withApp(async (app, call, output) => {
        const { configurationFlow } = await loadFlow();
        const configurations = await configurationFlow.list(app);
        show(output, call, configurations, () => renderConfigurations(configurations, output.style));
        return exit.fine;
      }),
    },
    {
      name: "show",
      about: "one configuration, with the skills on it and whether each can be used",
      arguments: [idArgument],
      options: storeOptions,
      examples: ["skillward config show support"],
      run: withApp(async (app, call, output) => {
        const { showConfigurationWithSkills } = await import("./attach.ts");
        const { configuration, view } = await showConfigurationWithSkills(app, call.args[0] ?? "");
        show(output, call, { ...configuration, ...view }, () =>
          renderWithAttached(renderConfiguration(configuration, output.style), view, output.style),
        );
        return exit.fine;
      }),
    },
    {
      name: "set",
      about: "change a configuration; what is not named stays, a list is replaced as a whole",
      arguments: [idArgument],
      options: [
        provider,
        model,
        ...settings,
        { flags: "--no-parameter", about: "send no parameters from now on" },
        { flags: "--no-routable", about: "let routing choose among what is attached only" },
        ...storeOptions,
      ],
      examples: [
        "skillward config set support --model gpt-4o-mini",
        "skillward config set support --route on --routable source:house",
      ],
      run: withApp(async (app, call, output) => {
        const { configurationFlow } = await loadFlow();
        const typed = await readConfiguration(call, app.world.files);
        demandChange(typed, "config set");
        const changed = await configurationFlow.change(app, call.args[0] ?? "", typed);
        show(output, call, changed, () => renderConfiguration(changed, output.style));
        hintRouting(output, call, changed);
        return exit.fine;
      }),
    },
    {
      name: "remove",
      about: "remove a configuration that no task uses; its skills are detached",
      arguments: [idArgument],
      options: storeOptions,
      examples: ["skillward config remove support"],
      run: withApp(async (app, call, output) => {
        const { configurationFlow } = await loadFlow();
        const [id = ""] = call.args;
        await configurationFlow.remove(app, id);
        show(output, call, { removed: id }, () => `Removed configuration ${id}`);
        return exit.fine;
      }),
    },
  ],
};

const targetArgument = { form: "<target>", about: "a configuration's id, or task:<id>" };

export const attach: Command = {
  name: "attach",
  about: "put a skill on a configuration or a task; only one that is approved",
  arguments: [targetArgument, { form: "<skill>", about: "an entry's id, or its name where only one has it" }],
  options: storeOptions,
  examples: ["skillward attach support house:brand-voice", "skillward attach task:summary brand-voice"],
  run: withApp(async (app, call, output) => {
    const { attachSkill } = await import("./attach.ts");
    const [target = "", skill = ""] = call.args;
    const done = await attachSkill(app, target, skill);
    const said = `Attached ${shownId(done.entry)} to ${done.target}`;
    show(output, call, done, () =>
      [said, "", renderAttached(done.attached, output.style), ...renderUnion(done.capabilities, output.style)].join(
        "\n",
      ),
    );
    if (call.options["json"] !== true)
      for (const line of renderFindings(done.findings, output.style)) output.note(line);
    return exit.fine;
  }),
};

export const detach: Command = {
  name: "detach",
  about: "take a skill off a configuration or a task, whatever state it is in",
  arguments: [
    targetArgument,
    { form: "<skill>", about: "an entry's id, or its name where only one on it has that name" },
  ],
  options: storeOptions,
  examples: ["skillward detach support house:brand-voice", "skillward detach task:summary brand-voice"],
  run: withApp(async (app, call, output) => {
    const { detachSkill } = await import("./attach.ts");
    const [target = "", skill = ""] = call.args;
    const done = await detachSkill(app, target, skill);
    const said = `Detached ${shownId(done.entry)} from ${done.target}`;
    show(output, call, done, () => `${said}\n\n${renderAttached(done.attached, output.style)}`);
    return exit.fine;
  }),
};

const loadFlow = () => import("./flow.ts");

/** The fields of a configuration that were typed; the others are undefined. */
async function readConfiguration(call: Call, files: Files): Promise<Readonly<Record<string, unknown>>> {
  return {
    provider: textOption(call, "provider"),
    model: textOption(call, "model"),
    systemPrompt: await textOrFile(call, files, "system"),
    parameters: parametersOf(listOption(call, "parameter")),
    placement: textOption(call, "placement"),
    routable: listOption(call, "routable"),
    routing: routingOf(call),
    budget: countOption(call, "budget"),
    contextTokens: contextOf(call),
    trustFloor: textOption(call, "trustFloor"),
    systemFloor: textOption(call, "systemFloor"),
  };
}

/** `unknown` takes back what was said of it. */
function contextOf(call: Call): number | null | undefined {
  return textOption(call, "contextTokens") === "unknown" ? null : countOption(call, "contextTokens");
}

function routingOf(call: Call): Readonly<Record<string, unknown>> | undefined {
  const route = textOption(call, "route");
  const typed = {
    enabled: route === undefined ? undefined : route === "on",
    accept: thresholdOf(call, "routeAccept"),
    margin: thresholdOf(call, "routeMargin"),
    floor: thresholdOf(call, "routeFloor"),
    routeOn: textOption(call, "routeOn"),
  };
  return Object.values(typed).every((value) => value === undefined) ? undefined : typed;
}

/** `default` is the router's own. */
function thresholdOf(call: Call, name: string): number | string | null | undefined {
  const text = textOption(call, name);
  if (text === "default") return null;
  return text !== undefined && /^\d{1,15}(?:\.\d{1,15})?$/.test(text) ? Number(text) : text;
}

function parametersOf(pairs: readonly string[] | undefined): Readonly<Record<string, unknown>> | undefined {
  if (pairs === undefined) return undefined;
  const typed = pairs.map(parameterOf);
  const twice = typed.find(([name], index) => typed.findIndex(([other]) => other === name) !== index);
  if (twice !== undefined) throw new AppError("usage.invalid", `--parameter ${safeLine(twice[0], 80)} is given twice`);
  return Object.fromEntries(typed);
}

function parameterOf(pair: string): [name: string, value: unknown] {
  const equals = pair.indexOf("=");
  if (equals > 0) return [pair.slice(0, equals), typedValue(pair.slice(equals + 1))];
  throw new AppError("usage.invalid", `--parameter ${safeLine(pair, 80)}: expected name=value`);
}

/** `0.2` and `true` are what they look like; a text that looks like one is quoted: `'"0.2"'`. */
function typedValue(text: string): unknown {
  const value = parseJson(text);
  return value === undefined ? text : value;
}
