import type { Inspection } from "../../app/inspect.ts";
import { AppError } from "../../core/error.ts";
import { safeLine } from "../../core/text.ts";
import { countOption, flagOf, textOption } from "../command/call.ts";
import { type Call, type CommandGroup, exit, lookOptions, storeOptions } from "../command/command.ts";
import type { Output } from "../command/output.ts";
import { renderFindings, show, when } from "../command/render.ts";
import { withApp, withInspection } from "../command/with-app.ts";
import { renderRecords, renderVerification, renderWhere, verificationProgress } from "./render.ts";

export const audit: CommandGroup = {
  name: "audit",
  about: "what happened, and whether it still says so: list, verify, export, where, replay, expire",
  commands: [
    {
      name: "list",
      about: "the changes of state, the newest first",
      arguments: [],
      options: [
        { flags: "--act <start>", about: "only acts that begin so, such as decision or user.added" },
        { flags: "--subject <text>", about: "only subjects that contain this" },
        { flags: "--by <name>", about: "only what this person did" },
        { flags: "--since <time>", about: "only from this day (2026-01-31) or moment (2026-01-31T18:00:00Z) on" },
        { flags: "--after <seq>", about: "only records after this one, the oldest first" },
        { flags: "--before <seq>", about: "only records before this one" },
        { flags: "--limit <count>", about: "the most to show", default: "50" },
        ...lookOptions,
      ],
      examples: ["skillward audit list", "skillward audit list --act decision --since 2026-01-31 --limit 500"],
      run: withInspection(async (opened, call, output) => {
        const { listAudit, parseMoment } = await import("./flow.ts");
        const [act, subject, by, since] = ["act", "subject", "by", "since"].map((name) => textOption(call, name));
        const [after, before] = ["after", "before"].map((name) => seqOption(call, name));
        const limit = countOption(call, "limit") ?? 50;
        const from = since === undefined ? since : parseMoment(since);
        const records = await listAudit(opened, { limit, act, subject, by, since: from, after, before });
        show(output, call, records, () => renderRecords(records, output.style));
        return exit.fine;
      }),
    },
    {
      name: "verify",
      about: "verify everything that can be: chain, signed words, usage, bytes, seals; exit 1 with findings",
      arguments: [],
      options: [{ flags: "--all", about: "also the bytes of revisions that are not in use" }, ...lookOptions],
      examples: ["skillward audit verify", "skillward audit verify --all --json"],
      run: withInspection(async (opened, call, output) => {
        const { verifyStore } = await import("./verification.ts");
        const all = call.options["all"] === true;
        const report = await verifyStore(opened, { all, onProgress: verificationProgress(output) });
        show(output, call, report, () => renderVerification(report, output.style));
        return report.passes ? exit.fine : exit.findings;
      }),
    },
    {
      name: "export",
      about: "every record as a line of JSON and the signed checkpoint as the last, to be verified anywhere",
      arguments: [],
      options: [
        { flags: "--to <file>", about: "where to write it; - is standard output", default: "-" },
        ...lookOptions,
      ],
      examples: ["skillward audit export --to audit.jsonl", "skillward audit export | gzip > audit.jsonl.gz"],
      run: withInspection(async (opened, call, output) => {
        const to = String(call.options["to"]);
        const records = to === "-" ? await printExport(opened, output) : await writeExport(opened, to);
        if (to !== "-") show(output, call, { file: to, records }, () => `${records} records in ${safeLine(to, 240)}`);
        const { refusal, hasCheckpoint } = opened.kept;
        if (!hasCheckpoint)
          output.note("There is no checkpoint: nothing outside of it says how long the chain must be.");
        if (refusal === null) return exit.fine;
        output.note(`What was exported is not what the checkpoint has seen: ${refusal}`);
        return exit.findings;
      }),
    },
    {
      name: "where",
      about: "where a revision was used, by whose word, and what it is attached to now",
      arguments: [{ form: "<digest>", about: "its digest, or the first 4 digits or more" }],
      options: [
        { flags: "--each", about: "every single use with its time, instead of one line for each place" },
        { flags: "--limit <count>", about: "the most uses to show", default: "100" },
        ...lookOptions,
      ],
      examples: [
        "skillward audit where 3f9c02d1a4b5",
        "skillward audit where 3f9c02d1a4b5 --each --limit 10000 --json",
      ],
      run: withInspection(async (opened, call, output) => {
        const { whereUsed } = await import("./where.ts");
        const found = await whereUsed(opened, {
          digest: call.args[0] ?? "",
          each: call.options["each"] === true,
          limit: countOption(call, "limit") ?? 100,
        });
        show(output, call, found, () => renderWhere(found, output.style));
        return exit.fine;
      }),
    },
    {
      name: "replay",
      about: "write the usage that waits on the disk of this machine into the store",
      arguments: [],
      options: storeOptions,
      examples: ["skillward audit replay"],
      run: withApp(async (app, call, output) => {
        const { replaySpool } = await import("../usage/usage-log.ts");
        const replayed = await replaySpool(app);
        show(output, call, replayed, ({ batches, findings }) =>
          [
            `batches of usage that were written into the store: ${batches}`,
            ...renderFindings(findings, output.style),
          ].join("\n"),
        );
        return replayed.findings.length === 0 ? exit.fine : exit.findings;
      }),
    },
    {
      name: "expire",
      about: "remove usage that is older than usage.retention-days; the audit chain keeps its hashes",
      arguments: [],
      options: storeOptions,
      examples: ["skillward audit expire"],
      run: withApp(async (app, call, output) => {
        const { expireOldUsage } = await import("./flow.ts");
        const expired = await expireOldUsage(app);
        show(output, call, expired, () => {
          if (expired === null) return "Usage is kept forever (usage.retention-days): nothing was removed.";
          return `batches of usage from before ${when(expired.before)} that were removed: ${expired.batches}`;
        });
        return exit.fine;
      }),
    },
  ],
};

/** 0 is before the first one. */
function seqOption(call: Call, name: string): number | undefined {
  const text = textOption(call, name);
  if (text === undefined) return undefined;
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw new AppError("usage.invalid", `${flagOf(name)}: expected the number of a record`);
}

async function printExport(opened: Inspection, output: Output): Promise<number> {
  const { exportAudit } = await import("./flow.ts");
  let records = 0;
  for await (const lines of exportAudit(opened, (count) => (records = count))) output.print(lines.trimEnd());
  return records;
}

async function writeExport(opened: Inspection, file: string): Promise<number> {
  const { exportAudit } = await import("./flow.ts");
  let records = 0;
  const lines = exportAudit(opened, (count) => (records = count));
  await opened.world.files.write(file, asBytes(lines));
  return records;
}

async function* asBytes(lines: AsyncIterable<string>): AsyncGenerator<Uint8Array> {
  for await (const some of lines) yield Buffer.from(some);
}
