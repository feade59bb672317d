import type { App } from "../../app/app.ts";
import { AppError } from "../../core/error.ts";
import { safeLine } from "../../core/text.ts";
import type { Snapshot } from "../../registry/snapshot.ts";
import { kinds } from "../../skill/manifest.ts";
import { listOption, textOption } from "../command/call.ts";
import { type Call, type Command, type CommandGroup, type ExitCode, exit, storeOptions } from "../command/command.ts";
import type { Output } from "../command/output.ts";
import { hint, progressOn, renderFindings, show, waitsForReview } from "../command/render.ts";
import { withApp } from "../command/with-app.ts";
import type { Serving } from "../serving.ts";
import { renderRoute, renderTriggerList, renderTriggers } from "./render.ts";
import type { RouteView } from "./route-query.ts";

export const route: Command = {
  name: "route",
  about: "say which skill fits a request, and why; exit 1 when none does",
  arguments: [{ form: "<query>", about: "what somebody asks for, as they would write it" }],
  options: [
    { flags: "--explain", about: "show each link of the chain: what it found, its evidence, its time, why it stopped" },
    {
      flags: "--skills <place>",
      about: "route among the skills of a folder or a .jsonl[.gz] pool instead, without a store; repeat it for more",
      repeatable: true,
    },
    { flags: "--for <configuration>", about: "only among what routing may choose for this configuration" },
    { flags: "--kind <kind>", about: "only skills of this kind", choices: kinds },
    { flags: "--path <file>", about: "a file that the work is about; repeat it for more", repeatable: true },
    { flags: "--limit <n>", about: "at most so many matches", default: "5" },
    ...storeOptions,
  ],
  examples: [
    'skillward route "reconcile these invoices with the bank statement"',
    'skillward route "make the recipe serve ten" --skills examples/skills --explain',
    'skillward route "why is the plan different from what runs?" --path infra/main.tf --for support --json',
  ],
  run: (call, output) =>
    output.untilInterrupted((signal) =>
      (listOption(call, "skills") === undefined ? routeInStore : routeInPool)(call, output, signal),
    ),
};

async function routeInStore(call: Call, output: Output, signal: AbortSignal): Promise<ExitCode> {
  const act = withApp(async (app) => {
    const { Serving } = await import("../serving.ts");
    const serving = new Serving(app);
    try {
      const { snapshot } = await app.registry.look();
      await prepared(serving, snapshot, output, signal);
      const view = await serving.route(app.person, { ...askedIn(call), signal });
      const code = print(call, output, { ...view, findings: [...serving.routing.findings, ...view.findings] });
      if (snapshot.usable.size === 0) hint(output, call, await whyEmpty(app));
      return code;
    } finally {
      await serving.close();
    }
  });
  return act(call, output);
}

async function prepared(serving: Serving, snapshot: Snapshot, output: Output, signal: AbortSignal): Promise<void> {
  const counting = progressOn(output, "indexing");
  const { failure } = await serving.routing.prepare(snapshot, {
    onProgress: ({ done, of }) => counting(done, of),
    signal,
  });
  signal.throwIfAborted();
  if (failure !== null) output.note(`Vectors could not be made: ${messageOf(failure)}`);
}

function messageOf(failure: unknown): string {
  return failure instanceof AppError ? safeLine(failure.message, 300) : "for a reason that nobody foresaw";
}

async function whyEmpty(app: App): Promise<string> {
  const { countWaiting } = await import("../review/queue.ts");
  const waiting = await countWaiting(app);
  if (waiting === 0) return "Add skills first: skillward source add <owner/repo or folder>";
  return `No skill is approved yet; ${waitsForReview(waiting)}`;
}

async function routeInPool(call: Call, output: Output, signal: AbortSignal): Promise<ExitCode> {
  const [{ createWorld }, { poolChain }, { openTypedPool }] = await Promise.all([
    import("../../app/world/world.ts"),
    import("./pool-routing.ts"),
    import("./typed-pool.ts"),
  ]);
  const world = createWorld();
  const pool = await openTypedPool(world, call, output);
  const { query, kinds: wanted, paths, limit } = askedIn(call);
  const routed = await poolChain(world).route(pool.shelf, query, {
    ...(wanted === undefined ? {} : { kinds: wanted }),
    ...(paths === undefined ? {} : { context: { paths } }),
    limit,
    signal,
  });
  const nameOf = (entry: string) => pool.shelf.entries.get(entry)?.name ?? entry;
  const matches = routed.matches.map((match) => ({ ...match, name: nameOf(match.entry) }));
  return print(call, output, { generation: 0, ...routed, matches });
}

function askedIn(call: Call) {
  const kind = kinds.find((each) => each === textOption(call, "kind"));
  return {
    query: call.args[0] ?? "",
    configuration: textOption(call, "for"),
    kinds: kind === undefined ? undefined : [kind],
    paths: listOption(call, "path"),
    limit: limitOf(textOption(call, "limit") ?? ""),
  };
}

function limitOf(text: string): number {
  if (/^[1-9]\d?$/.test(text)) return Number(text);
  throw new AppError("usage.invalid", "--limit: expected a number from 1 to 99");
}

function print(call: Call, output: Output, view: RouteView): ExitCode {
  show(output, call, view, () => renderRoute(view, call.options["explain"] === true, output.style));
  return view.abstained ? exit.findings : exit.fine;
}

const skillArgument = { form: "<skill>", about: "an entry's id, or its name where only one has it" };

export const trigger: CommandGroup = {
  name: "trigger",
  about: "phrases by which skills are found, set by an admin: add, list, remove",
  commands: [
    {
      name: "add",
      about: "set phrases for a skill; a query that holds one is taken for it, whatever its trust",
      arguments: [skillArgument, { form: "<phrase...>", about: "words of a query, up to 200 characters" }],
      options: storeOptions,
      examples: ['skillward trigger add house:brand-voice "tone of voice" "how we write"'],
      run: withApp(async (app, call, output) => {
        const { addSkillTriggers } = await import("./triggers.ts");
        const [skill = "", ...phrases] = call.args;
        const done = await addSkillTriggers(app, skill, phrases);
        show(output, call, done, () => renderTriggers(done, output.style));
        return exit.fine;
      }),
    },
    {
      name: "list",
      about: "all phrases, by skill",
      arguments: [],
      options: storeOptions,
      examples: ["skillward trigger list", "skillward trigger list --json"],
      run: withApp(async (app, call, output) => {
        const { listSkillTriggers } = await import("./triggers.ts");
        const listed = await listSkillTriggers(app);
        show(output, call, listed, () => renderTriggerList(listed, output.style));
        if (call.options["json"] !== true)
          for (const line of renderFindings(listed.findings, output.style)) output.note(line);
        return listed.findings.length === 0 ? exit.fine : exit.findings;
      }),
    },
    {
      name: "remove",
      about: "take phrases away from a skill, whatever state it is in",
      arguments: [skillArgument, { form: "[phrase...]", about: "those to take away; without any, all of them" }],
      options: storeOptions,
      examples: [
        'skillward trigger remove house:brand-voice "how we write"',
        "skillward trigger remove house:brand-voice",
      ],
      run: withApp(async (app, call, output) => {
        const { removeSkillTriggers } = await import("./triggers.ts");
        const [skill = "", ...phrases] = call.args;
        const left = await removeSkillTriggers(app, skill, phrases);
        show(output, call, left, () => renderTriggers(left, output.style));
        return exit.fine;
      }),
    },
  ],
};
