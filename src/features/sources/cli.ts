import { readEnvironment } from "../../app/config/config.ts";
import { AppError } from "../../core/error.ts";
import type { SourceChange } from "../../sources/schema.ts";
import { onChanges, sourceKinds } from "../../sources/source.ts";
import { trusts } from "../../sources/trust.ts";
import { countOption, flagOption, listOption, textOption } from "../command/call.ts";
import { type Call, type CommandGroup, exit, storeOptions } from "../command/command.ts";
import type { Output } from "../command/output.ts";
import { hint, plural, show } from "../command/render.ts";
import { withApp } from "../command/with-app.ts";
import {
  exitOfSyncs,
  hintAtNext,
  renderAddition,
  renderSource,
  renderSources,
  renderSyncs,
  syncProgress,
} from "./render.ts";
import type { AddReport } from "./schema.ts";

const idArgument = { form: "<id>", about: "the source's id" };

const settings = [
  { flags: "--title <text>", about: "how it is shown" },
  { flags: "--trust <level>", about: "how far it is trusted", choices: trusts },
  {
    flags: "--on-change <what>",
    about: "what happens to an approved skill that changes: out of use, or the approved revision stays",
    choices: onChanges,
  },
  { flags: "--fingerprint <sha256>", about: "the publisher's fingerprint; anything else is not taken in" },
  { flags: "--max-files <count>", about: "the most files one sync reads" },
  { flags: "--max-seconds <count>", about: "the longest one sync may take" },
  { flags: "--max-bytes <count>", about: "the most bytes one sync reads" },
  { flags: "--interval <time>", about: "sync it by itself, such as every 6h or 1d; `none`: only when asked" },
  {
    flags: "--include <name>",
    about: "a folder of a repository, or a plugin of a marketplace, that is taken in; others are not",
    repeatable: true,
  },
  { flags: "--all", about: "take in every plugin of a marketplace, also of one with more than 50" },
  { flags: "--token-env <name>", about: "the environment variable that holds the token for a private repository" },
  { flags: "--token-for-owner", about: "use the token also for other repositories of the same owner in a marketplace" },
];

export const source: CommandGroup = {
  name: "source",
  about: "where skills come from: add, list, show, set, sync, remove",
  commands: [
    {
      name: "add",
      about:
        "add a repository, a marketplace, one skill or a folder, and read it; nothing is used before it is approved",
      arguments: [
        {
          form: "<source>",
          about: "owner/repo, owner/repo@ref, owner/repo/path, a GitHub address, or a folder as ./path or /path",
        },
      ],
      options: [
        { flags: "--id <id>", about: "its id; by default made from the name of the repository or folder" },
        { flags: "--ref <ref>", about: "the branch, tag or commit (all 40 digits); by default the default branch" },
        {
          flags: "--kind <kind>",
          about: "what it is taken for; by default what is there says",
          choices: ["repo", "marketplace", "file"],
        },
        { flags: "--hosts <name>", about: "which GitHub of the configuration owner/repo means" },
        { flags: "--approve", about: "of one skill: approve the digest that is read now" },
        ...settings,
        { flags: "--no-sync", about: "only add it, read nothing yet" },
        ...storeOptions,
      ],
      examples: [
        "skillward source add owner/repo",
        "skillward source add owner/repo@v1.2.0 --interval 6h",
        "skillward source add https://github.com/owner/repo/blob/main/skills/pdf/SKILL.md",
        "skillward source add ./skills --id house --trust first_party",
      ],
      run: withApp(async (app, call, output) => {
        const { addSource } = await import("./add.ts");
        const sync = call.options["sync"] !== false;
        const onProgress = syncProgress(output);
        const report = await addSource(app, call.args[0] ?? "", { sync, ...readAddition(call) }, { onProgress });
        output.progress("");
        show(output, call, report, () => renderAddition(report, output.style));
        hintAtSync(output, call, report);
        const code = exitOfSyncs(report);
        return code === exit.fine && report.notApproved !== null ? exit.findings : code;
      }),
    },
    {
      name: "list",
      about: "the sources, with when and how they were last synced",
      arguments: [],
      options: storeOptions,
      examples: ["skillward source list", "skillward source list --json"],
      run: withApp(async (app, call, output) => {
        const { listSourceLines } = await import("./flow.ts");
        const sources = (await listSourceLines(app)).map((line) => line.source);
        show(output, call, sources, () => renderSources(sources, output.style));
        const failed = sources.filter(({ status }) => status === "error").length;
        if (failed > 0)
          hint(output, call, `${plural(failed, "source")} with an error: skillward source show <id> says which`);
        return exit.fine;
      }),
    },
    {
      name: "show",
      about: "one source, where it stands and what was proven, and how many of its skills are in which state",
      arguments: [idArgument],
      options: storeOptions,
      examples: ["skillward source show house"],
      run: withApp(async (app, call, output) => {
        const { showSource } = await import("./flow.ts");
        show(output, call, await showSource(app, call.args[0] ?? ""), (view) => renderSource(view, output.style));
        return exit.fine;
      }),
    },
    {
      name: "set",
      about: "change what is set about a source",
      arguments: [idArgument],
      options: [
        ...settings,
        { flags: "--no-token", about: "forget its token" },
        { flags: "--no-token-for-owner", about: "use the token for its own repository alone" },
        { flags: "--enable", about: "sync it again" },
        { flags: "--disable", about: "do not sync it any more" },
        ...storeOptions,
      ],
      examples: ["skillward source set house --on-change hold", "skillward source set house --disable"],
      run: withApp(async (app, call, output) => {
        const { setSource } = await import("./flow.ts");
        const change = readChange(call);
        const view = await setSource(app, call.args[0] ?? "", change);
        show(output, call, view, () => renderSource(view, output.style, false));
        if (change.include !== undefined && view.source.enabled)
          hint(output, call, `It counts from the next sync on: skillward source sync ${view.source.id}`);
        return exit.fine;
      }),
    },
    {
      name: "sync",
      about: "read sources again and take in what changed",
      arguments: [{ form: "[id...]", about: "the sources; without one, all of them" }],
      options: [
        {
          flags: "--repair",
          about: "write the bytes of unchanged skills again too, over rows that were changed by hand",
        },
        ...storeOptions,
      ],
      examples: ["skillward source sync", "skillward source sync house --json"],
      run: withApp(async (app, call, output) => {
        const { syncSources } = await import("./sync.ts");
        const repair = call.options["repair"] === true;
        const report = await syncSources(app, call.args, { repair, onProgress: syncProgress(output) });
        output.progress("");
        show(output, call, report, () => renderSyncs(report, output.style));
        hintAtNext(output, call, report);
        return exitOfSyncs(report);
      }),
    },
    {
      name: "remove",
      about: "remove a source; its skills go out of use, their history stays",
      arguments: [idArgument],
      options: storeOptions,
      examples: ["skillward source remove house"],
      run: withApp(async (app, call, output) => {
        const { dropSource } = await import("./flow.ts");
        const removed = await dropSource(app, call.args[0] ?? "");
        show(output, call, removed, ({ source: removedId, orphaned }) => {
          const left =
            orphaned === 0 ? "it had no skills" : `${plural(orphaned, "skill")} out of use, their history stays`;
          return `Removed ${output.style("bold", removedId)}: ${left}`;
        });
        return exit.fine;
      }),
    },
  ],
};

/** What was typed about a source. The frame has checked the choices already. */
function readChange(call: Call): SourceChange {
  const fingerprint = textOption(call, "fingerprint");
  return {
    title: textOption(call, "title"),
    trust: trusts.find((trust) => trust === call.options["trust"]),
    onChange: onChanges.find((what) => what === call.options["onChange"]),
    fingerprint: fingerprint === "none" ? null : fingerprint,
    maxFiles: countOption(call, "maxFiles"),
    maxSeconds: countOption(call, "maxSeconds"),
    maxBytes: countOption(call, "maxBytes"),
    enabled: switchOf(call),
    interval: intervalOf(call),
    include: includeOf(call),
    token: tokenOf(call),
    tokenForOwner: flagOption(call, "tokenForOwner"),
  };
}

const units: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400 };

/** `90m`, `6h`, `1d`, or seconds; `none`: only when asked. */
function intervalOf(call: Call): number | null | undefined {
  const text = textOption(call, "interval");
  if (text === undefined || text === "none") return text === undefined ? undefined : null;
  const [, count = "", unit = ""] = /^([1-9]\d{0,8})([smhd]?)$/.exec(text) ?? [];
  if (count === "") throw new AppError("usage.invalid", "--interval: expected a time such as 30m, 6h or 1d, or none");
  return Number(count) * (units[unit || "s"] ?? 1);
}

/** Several at once with commas between them; `--all`: everything, also of a marketplace with many plugins (IN-14). */
function includeOf(call: Call): readonly string[] | null | undefined {
  const named = listOption(call, "include")
    ?.flatMap((text) => text.split(","))
    .map((name) => name.trim());
  if (call.options["all"] !== true) return named;
  if (named !== undefined) throw new AppError("usage.invalid", "give --all or --include, not both");
  return ["*"];
}

/** The secret itself is never an argument: others at the machine could read it there (IN-6). */
function tokenOf(call: Call): string | null | undefined {
  if (call.options["token"] === false) return null;
  const name = textOption(call, "tokenEnv");
  if (name === undefined) return undefined;
  const token = readEnvironment().variable(name);
  if (token !== null) return token;
  // The name is not repeated: somebody may have given the token itself.
  throw new AppError("usage.invalid", "--token-env: the variable it names is not set; give its name, not the token");
}

function switchOf({ options }: Call): boolean | undefined {
  const [on, off] = [options["enable"] === true, options["disable"] === true];
  if (on && off) throw new AppError("usage.invalid", "give --enable or --disable, not both");
  return on || off ? on : undefined;
}

/** It is added, however its first sync ended. */
function hintAtSync(output: Output, call: Call, report: AddReport): void {
  const { id } = report.source;
  if (report.results.length === 0) hint(output, call, `Nothing of it was read yet: skillward source sync ${id}`);
  else if (report.results[0]?.status === "error")
    hint(
      output,
      call,
      `It stays added. Try again: skillward source sync ${id}; take it out: skillward source remove ${id}`,
    );
  hintAtNext(output, call, report);
}

function readAddition(call: Call) {
  const kind = sourceKinds.filter((each) => each !== "folder").find((each) => each === call.options["kind"]);
  const [ref, hosts] = [textOption(call, "ref"), textOption(call, "hosts")];
  const approve = call.options["approve"] === true;
  return { id: textOption(call, "id"), ref, hosts, kind, approve, ...readChange(call) };
}
