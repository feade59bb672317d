import type { App } from "../../app/app.ts";
import { AppError } from "../../core/error.ts";
import { blockKinds, type Word } from "../../registry/ledger/decision.ts";
import { countOption, flagOf, listOption, textOption } from "../command/call.ts";
import { type Call, type Command, type CommandGroup, exit, type ExitCode, storeOptions } from "../command/command.ts";
import type { Output } from "../command/output.ts";
import { hint, progressOn, show } from "../command/render.ts";
import { withApp } from "../command/with-app.ts";
import { renderDiff } from "../skills/render-diff.ts";
import { type Part, renderBlocked, renderBlocks, renderClean, renderPart, renderQueue, renderSaid } from "./render.ts";
import type { BlockWanted, Saying } from "./schema.ts";

/** The review screen of a terminal; undefined where there is no terminal, or the list was asked for. */
export type OpenScreen = (call: Call, output: Output) => Promise<((app: App) => Promise<ExitCode>) | undefined>;

/** Without a skill the queue, with one what is put before a person, with an act the decision. */
export const review = (openScreen: OpenScreen): Command => ({
  name: "review",
  about: "at a terminal, the review screen; what waits; one skill as it is put before a person; the decision",
  arguments: [{ form: "[skill]", about: "an entry's id, or its name where only one has it" }],
  options: [
    { flags: "--diff", about: "only what changed, with the findings in place" },
    { flags: "--raw", about: "only its files as they are, with what cannot be seen made visible" },
    { flags: "--findings", about: "only the findings, and why they matter" },
    { flags: "--list", about: "only list what waits, also at a terminal" },
    { flags: "--approve", about: "let exactly the bytes of --digest be used" },
    { flags: "--reject", about: "do not let these bytes be used" },
    { flags: "--disable", about: "switch the skill off, whatever was approved before" },
    {
      flags: "--override <finding>",
      about: "lift a blocking finding, with --reason; can be repeated",
      repeatable: true,
    },
    { flags: "--digest <sha256>", about: "the digest that was shown, or at least its first 12 digits" },
    { flags: "--rollback", about: "the digest is that of an older revision" },
    { flags: "--no-grants", about: "approve without pre-approving the tools it asks for" },
    { flags: "--reason <text>", about: "why a finding is overridden" },
    { flags: "--note <text>", about: "kept with the decision" },
    {
      flags: "--approve-clean",
      about: "approve everything that waits and is clean: all of it analysed, no finding above low",
    },
    { flags: "--source <id>", about: "only what comes from this source" },
    { flags: "--limit <count>", about: "how many to list; 100 without it" },
    { flags: "--after <entry>", about: "list what comes after this entry" },
    ...storeOptions,
  ],
  examples: [
    "skillward review",
    "skillward review house:brand-voice",
    "skillward review house:brand-voice --diff",
    "skillward review house:brand-voice --approve --digest 9f86d081884c",
    'skillward review house:brand-voice --reject --note "asks for a password"',
    "skillward review --approve-clean --source house",
  ],
  run: withApp(async (app, call, output) => {
    const mode = modeOf(call);
    demandFitting(mode, call);
    if (mode === "clean") return approveWhatIsClean(app, call, output);
    if (mode === "show") return showOne(app, call, output, partOf(call));
    if (mode !== "queue") return act(app, call, output, mode);
    const screen = await openScreen(call, output);
    return screen === undefined ? listQueue(app, call, output) : screen(app);
  }),
});

const target = [
  { form: "<kind>", about: "what it is", choices: blockKinds },
  { form: "<value>", about: "its digest, id or number" },
];

export const block: CommandGroup = {
  name: "block",
  about: "what may not be used, whatever was approved: add, list, lift",
  commands: [
    {
      name: "add",
      about: "put something on the block list; it goes out of use at once, in every source",
      arguments: target,
      options: [{ flags: "--reason <text>", about: "why", required: true }, ...storeOptions],
      examples: [
        'skillward block add entry house:brand-voice --reason "leaks addresses"',
        'skillward block add source house --reason "the folder was shared"',
      ],
      run: withApp(async (app, call, output) => {
        const { addBlock } = await import("./blocks.ts");
        const blocked = await addBlock(app, blockWanted(call));
        show(output, call, blocked, () => renderBlocked(blocked, output.style));
        if (!blocked.known)
          hint(output, call, "Nothing in the registry fits it now: check what you typed. It holds for whatever comes.");
        return exit.fine;
      }),
    },
    {
      name: "list",
      about: "what is on the block list, by whom and why",
      arguments: [],
      options: storeOptions,
      examples: ["skillward block list"],
      run: withApp(async (app, call, output) => {
        const { listBlocks } = await import("./blocks.ts");
        const blocks = await listBlocks(app);
        show(output, call, blocks, () => renderBlocks(blocks, output.style));
        return exit.fine;
      }),
    },
    {
      name: "lift",
      about: "take something off the block list; what was approved may be used again",
      arguments: target,
      options: [{ flags: "--reason <text>", about: "why", required: true }, ...storeOptions],
      examples: ['skillward block lift entry house:brand-voice --reason "fixed"'],
      run: withApp(async (app, call, output) => {
        const { liftBlock } = await import("./blocks.ts");
        show(output, call, await liftBlock(app, blockWanted(call)), (lifted) => renderBlocked(lifted, output.style));
        return exit.fine;
      }),
    },
  ],
};

/** The frame has checked the choice already. */
function blockWanted(call: Call): BlockWanted {
  const [typed, value = ""] = call.args;
  const kind = blockKinds.find((known) => known === typed) ?? "entry";
  return { kind, value, reason: textOption(call, "reason") ?? "" };
}

type Mode = "queue" | "show" | "clean" | "approve" | "reject" | "disable" | "override";

/** The options that mean something beside each; any other one is a mistake that is said. */
const fitting: Readonly<Record<Mode, readonly string[]>> = {
  queue: ["source", "limit", "after", "list"],
  show: ["diff", "raw", "findings"],
  clean: ["source", "grants", "note"],
  approve: ["digest", "rollback", "grants", "override", "reason", "note"],
  reject: ["digest", "rollback", "reason", "note"],
  disable: ["digest", "reason", "note"],
  override: ["digest", "rollback", "override", "reason"],
};

function modeOf(call: Call): Mode {
  const acts = (["approve", "reject", "disable"] as const).filter((word) => call.options[word] === true);
  const isClean = call.options["approveClean"] === true;
  const overrides = listOption(call, "override") !== undefined;
  if (acts.length + Number(isClean) > 1)
    throw usage("one act at a time: --approve, --reject, --disable or --approve-clean");
  if (isClean) return call.args.length === 0 ? "clean" : refuse("--approve-clean takes no skill, only --source");
  const mode = acts[0] ?? (overrides ? "override" : undefined);
  if (mode === undefined) return call.args.length === 0 ? "queue" : "show";
  return call.args.length > 0 ? mode : refuse(`name the skill to ${mode}; \`skillward review\` lists what waits`);
}

/** One part at a time. */
function partOf({ options }: Call): Part {
  const parts = (["diff", "raw", "findings"] as const).filter((part) => options[part] === true);
  return parts.length > 1 ? refuse("one part at a time: --diff, --raw or --findings") : (parts[0] ?? "all");
}

function demandFitting(mode: Mode, { options }: Call): void {
  const known = [...new Set(Object.values(fitting).flat())];
  const isGiven = (name: string) => (name === "grants" ? options[name] === false : options[name] !== undefined);
  const wrong = known.find((name) => isGiven(name) && !fitting[mode].includes(name));
  if (wrong === undefined) return;
  const flag = wrong === "grants" ? "--no-grants" : flagOf(wrong);
  const acts = (["approve", "reject", "disable", "override", "clean"] as const).filter((each) =>
    fitting[each].includes(wrong),
  );
  const goesWith = acts.map((each) => (each === "clean" ? "--approve-clean" : flagOf(each)));
  const alone = fitting.show.includes(wrong) ? "is for one skill, without an act" : "is for the list, without a skill";
  const rule = goesWith.length === 0 ? alone : `goes with ${goesWith.join(", ")}`;
  throw usage(`${flag} ${rule}`);
}

function refuse(message: string): never {
  throw usage(message);
}

function usage(message: string): AppError {
  return new AppError("usage.invalid", message);
}

async function listQueue(app: App, call: Call, output: Output): Promise<ExitCode> {
  const { reviewQueue } = await import("./queue.ts");
  const wanted = {
    source: textOption(call, "source"),
    limit: countOption(call, "limit"),
    after: textOption(call, "after"),
  };
  const queue = await reviewQueue(app, wanted);
  show(output, call, queue, () => renderQueue(queue, call, output.style));
  if (queue.items.length > 0) hint(output, call, "Look at one: skillward review <entry>");
  return queue.noticed.length === 0 ? exit.fine : exit.findings;
}

async function showOne(app: App, call: Call, output: Output, part: Part): Promise<ExitCode> {
  const { readRaw, showReview } = await import("./flow.ts");
  const typed = call.args[0] ?? "";
  const view = await showReview(app, typed);
  // A person reads what is new as it is; a program asks for it.
  const isWanted = part === "raw" || (part === "all" && view.diff.from === null && call.options["json"] !== true);
  const raw = isWanted && view.revision.tampering.length === 0 ? await readRaw(app, typed) : [];
  const value = part === "raw" ? { ...view, raw } : view;
  show(output, call, value, () => renderPart(part, view, raw, output.style));
  return view.noticed.length + view.revision.tampering.length === 0 ? exit.fine : exit.findings;
}

async function act(app: App, call: Call, output: Output, word: Word): Promise<ExitCode> {
  const { say } = await import("./flow.ts");
  const typed = call.args[0] ?? "";
  const saying = sayingOf(call, word);
  const said = await say(app, typed, saying).catch((error: unknown) => showWhatMoved(app, typed, error, call, output));
  show(output, call, said, () => renderSaid(said, output.style));
  return exit.fine;
}

function sayingOf(call: Call, word: Word): Saying {
  return {
    act: word,
    digest: textOption(call, "digest"),
    rollback: call.options["rollback"] === true,
    withoutGrants: call.options["grants"] === false,
    overrides: listOption(call, "override") ?? [],
    reason: textOption(call, "reason"),
    note: textOption(call, "note"),
  };
}

/** RV-5: when the digest moved meanwhile nothing is signed, and what is there now is shown. */
async function showWhatMoved(app: App, typed: string, error: unknown, call: Call, output: Output): Promise<never> {
  if (error instanceof AppError && error.code === "review.stale") {
    const { diffSkill } = await import("../skills/revisions.ts");
    hint(output, call, renderDiff(await diffSkill(app, typed), [], output.style));
  }
  throw error;
}

async function approveWhatIsClean(app: App, call: Call, output: Output): Promise<ExitCode> {
  const { approveClean } = await import("./approve-clean.ts");
  const report = await approveClean(app, {
    source: textOption(call, "source"),
    withoutGrants: call.options["grants"] === false,
    note: textOption(call, "note"),
    onProgress: progressOn(output, "approving"),
  });
  show(output, call, report, () => renderClean(report, output.style));
  return exit.fine;
}
