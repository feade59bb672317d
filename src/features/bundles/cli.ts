import { AppError } from "../../core/error.ts";
import { levels } from "../../core/finding.ts";
import { profiles } from "../../core/limits.ts";
import { safeLine } from "../../core/text.ts";
import { kinds } from "../../skill/manifest.ts";
import { type Call, type Command, exit, json } from "../command/command.ts";
import type { Output } from "../command/output.ts";
import { hint, plural, progressOn } from "../command/render.ts";
import { jsonWithoutOrders, renderVisibleJson, withoutOrders } from "../command/safe-output.ts";
import type { ScanReport } from "./scan.ts";
import type { SchemaDrift } from "./schemas.ts";

const loadWorld = () => import("../../app/world/world.ts");

export const validate: Command = {
  name: "validate",
  about: "check skills and say what is wrong, with file and line",
  arguments: [{ form: "<path...>", about: "folders with skills, skill folders or SKILL.md files" }],
  options: [
    { flags: "--profile <name>", about: "what to hold them to", choices: profiles, default: "workspace" },
    json,
  ],
  examples: ["skillward validate .", "skillward validate skills --profile strict", "skillward validate skills --json"],
  run: async ({ args, options }, output) => {
    const [{ createWorld }, flow, { renderReport }] = await Promise.all([
      loadWorld(),
      import("./validate.ts"),
      import("./render-report.ts"),
    ]);
    const report = await flow.validate(createWorld().files, args, {
      // The frame has checked the choice already.
      profile: profiles.find((profile) => profile === options["profile"]) ?? "workspace",
      onProgress: progressOn(output, "checking skills"),
    });
    const isJson = options["json"] === true;
    output.print(
      isJson ? jsonWithoutOrders(JSON.stringify(report, null, 2)) : withoutOrders(renderReport(report, output.style)),
    );
    return report.passes ? exit.fine : exit.findings;
  },
};

export const schema: Command = {
  name: "schema",
  about: "write or check the JSON Schemas of SKILL.md and scope.yaml",
  arguments: [],
  options: [
    { flags: "--check", about: "change nothing; exit 1 when a file is missing, stale or different" },
    { flags: "--dir <folder>", about: "where the schemas are", default: "schema" },
    json,
  ],
  examples: ["skillward schema", "skillward schema --check", "skillward schema --dir vendor/skillward"],
  run: async ({ options }, output) => {
    const [{ createWorld }, { checkSchemas, writeSchemas }] = await Promise.all([loadWorld(), import("./schemas.ts")]);
    const folder = String(options["dir"]);
    const { files } = createWorld();
    const isCheck = options["check"] === true;
    const drift = isCheck ? await checkSchemas(files, folder) : await writeSchemas(files, folder);
    const isCurrent = drift.every(({ state }) => !isCheck && state !== "stale");
    if (options["json"] === true) output.print(JSON.stringify({ folder, current: isCurrent, drift }, null, 2));
    else output.print(isCheck ? renderCheck(folder, drift, output) : renderWrite(folder, drift));
    return isCurrent ? exit.fine : exit.findings;
  },
};

function renderCheck(folder: string, drift: readonly SchemaDrift[], output: Output): string {
  if (drift.length === 0) return `${folder}: the schemas are current`;
  const lines = drift.map(({ file, state }) => `${output.style("red", state.padEnd(9))} ${folder}/${file}`);
  return [...lines, "Run `skillward schema` to write them; delete what is stale."].join("\n");
}

function renderWrite(folder: string, drift: readonly SchemaDrift[]): string {
  if (drift.length === 0) return `${folder}: nothing to write, the schemas are current`;
  const word = { missing: "wrote", different: "wrote", stale: "stale, delete it:" };
  return drift.map(({ file, state }) => `${word[state]} ${folder}/${file}`).join("\n");
}

export const newSkill: Command = {
  name: "new",
  about: "begin a skill: a SKILL.md to fill in, checked at once",
  arguments: [{ form: "<name>", about: "lowercase letters, digits and hyphens; also the name of its folder" }],
  options: [
    { flags: "--kind <kind>", about: "how to do something, or what is; asked for, else tool", choices: kinds },
    { flags: "--description <text>", about: "what it does and when to use it; asked for at a terminal" },
    { flags: "--dir <folder>", about: "where its folder comes to lie; else .agents/skills of the workspace" },
    { flags: "--yes", about: "do not ask" },
    json,
  ],
  examples: [
    "skillward new release-notes",
    'skillward new release-notes --kind tool --description "Writes release notes from merged work. Use before a release."',
    'skillward new staging-cluster --kind host-knowledge --dir skills --description "What runs on the staging cluster."',
  ],
  run: async (call, output) => {
    const [{ createWorld }, { createSkill, demandName, settleSkill }, { renderReport }, { shellWord, textOption }] =
      await Promise.all([
        loadWorld(),
        import("./new-skill.ts"),
        import("./render-report.ts"),
        import("../command/call.ts"),
      ]);
    const [name = ""] = call.args;
    demandName(name);
    const isJson = call.options["json"] === true;
    const typed = {
      kind: kinds.find((each) => each === textOption(call, "kind")),
      description: textOption(call, "description"),
    };
    const settled = await settleSkill(typed, output.keyboard, call.options["yes"] !== true && !isJson);
    const written = await createSkill(createWorld(), { name, ...settled, dir: textOption(call, "dir") });
    const { path, passes, report } = written;
    if (isJson) output.print(jsonWithoutOrders(renderVisibleJson(written)));
    else {
      const skills = report === null ? [] : [report];
      output.print(withoutOrders(renderReport({ profile: "strict", passes, skills, findings: [] }, output.style)));
    }
    const file = shellWord(`${path}/SKILL.md`);
    hint(output, call, `Now write ${file}, and check it with: skillward validate ${shellWord(path)} --profile strict`);
    hint(output, call, `Then try it: skillward chat --model <provider>/<model>, and type /skills:${name}`);
    return passes ? exit.fine : exit.findings;
  },
};

export const scan: Command = {
  name: "scan",
  about: "look for what is hostile in skills, their scripts and their references; exit 1 with findings",
  arguments: [{ form: "<path...>", about: "folders with skills, skill folders, SKILL.md files or single text files" }],
  options: [
    {
      flags: "--format <name>",
      about: "how to print it: github for the log of a workflow, sarif for code scanning",
      choices: ["text", "json", "sarif", "github"],
      default: "text",
    },
    {
      flags: "--fail-on <level>",
      about: "the lightest finding that fails",
      choices: ["low", "medium", "high", "critical"],
      default: "high",
    },
    { flags: "--baseline <file>", about: "findings that were accepted; they are shown and do not fail" },
    {
      flags: "--write-baseline",
      about: "accept what is found now, for exactly these bytes, in the file of --baseline",
    },
    json,
  ],
  examples: [
    "skillward scan .",
    "skillward scan skills --format sarif > skillward.sarif",
    "skillward scan skills --baseline .skillward-baseline.json",
  ],
  run: async (call, output) => {
    const format = formatOf(call);
    const baseline = baselineOf(call);
    const [{ createWorld }, flow] = await Promise.all([loadWorld(), import("./scan.ts")]);
    const report = await flow.scan(createWorld().files, call.args, {
      // The frame has checked the choice already.
      failOn: levels.find((level) => level === call.options["failOn"]) ?? "high",
      ...(baseline === undefined ? {} : { baseline }),
      onProgress: progressOn(output, "scanning"),
    });
    output.print(await renderAs(format, report, output, baseline !== undefined));
    if (report.written !== null)
      output.note(`${plural(report.written, "accepted finding")} in ${safeLine(baseline?.file ?? "", 240)} now`);
    return report.passes ? exit.fine : exit.findings;
  },
};

function formatOf({ options }: Call): string {
  const { format = "text", json: isJson } = options;
  if (isJson === true && format !== "json" && format !== "text")
    throw new AppError("usage.invalid", `give --json or --format ${String(format)}, not both`);
  return isJson === true ? "json" : String(format);
}

function baselineOf({ options: { baseline, writeBaseline } }: Call): { file: string; write: boolean } | undefined {
  const write = writeBaseline === true;
  if (typeof baseline === "string") return { file: baseline, write };
  if (!write) return undefined;
  throw new AppError(
    "usage.invalid",
    "--write-baseline needs the name of the file: --baseline .skillward-baseline.json",
  );
}

async function renderAs(format: string, report: ScanReport, output: Output, hasBaseline: boolean): Promise<string> {
  const { folder, style } = output;
  if (format === "json") return jsonWithoutOrders(renderVisibleJson(report));
  const { renderScan, renderScanSum } = await import("./render-scan.ts");
  if (format === "text") return renderScan(report, style);
  const { renderAnnotations, sarifOf } = await import("./sarif.ts");
  if (format === "github")
    return [...renderAnnotations(report, folder), withoutOrders(renderScanSum(report, style))].join("\n");
  const [{ explanations }, { version }] = await Promise.all([
    import("../../scan/rules.ts"),
    import("../../core/version.ts"),
  ]);
  return jsonWithoutOrders(
    renderVisibleJson(sarifOf(report, { version, here: folder, rules: explanations, hasBaseline })),
  );
}
