import type { Finding } from "../../core/finding.ts";
import { safeLine } from "../../core/text.ts";
import { coreValue } from "../../skill/core-value.ts";
import type { YamlMap } from "../../skill/yaml.ts";
import { parseScript, type Script } from "../../models/scripted-rules.ts";
import { CaseReader, presentIn } from "./case-reader.ts";
import { readChecks, readPath } from "./read-checks.ts";
import { type CaseFile, mostRuns, type SkillCase } from "./skill-case.ts";

const words = [
  "name",
  "description",
  "skills",
  "files",
  "prompts",
  "script",
  "trust",
  "allow",
  "runs",
  "checks",
  "golden",
] as const;

const mostItems = 100;
const longestLine = 1024;
const longestText = 262_144;

/** A case out of its YAML. With a finding there is none: half a case would prove something else than what was meant. */
export function readCase(
  root: YamlMap,
  file: string,
):
  | { readonly read: SkillCase; readonly findings?: undefined }
  | { readonly read?: undefined; readonly findings: readonly Finding[] } {
  const reader = new CaseReader(file);
  reader.refuseUnknown(root, words, "field of a case");
  const read: SkillCase = {
    name: reader.text(root, "name", longestLine, "needed") ?? "",
    description: reader.text(root, "description", longestText),
    skills: reader.items(root, "skills", mostItems).map((node) => {
      return { folder: reader.textOf(node, "skills", longestLine), line: node.line };
    }),
    files: readFiles(reader, root),
    prompts: readPrompts(reader, root),
    script: readScript(reader, root),
    trust: reader.flag(root, "trust", true),
    allow: reader.items(root, "allow", mostItems).map((node) => reader.textOf(node, "allow", longestLine)),
    runs: reader.count(root, "runs", mostRuns),
    checks: readChecks(reader, root),
    golden: reader.flag(root, "golden", false),
  };
  if (!root.entries.has("checks") && !read.golden)
    reader.say("the case has neither checks nor a golden transcript: it would prove nothing", root.line);
  return reader.findings.length === 0 ? { read } : { findings: reader.findings };
}

function readPrompts(reader: CaseReader, root: YamlMap): readonly string[] {
  if (presentIn(root, "prompts") === undefined)
    reader.say("prompts: expected what a person says, one item for each line", root.line);
  return reader.items(root, "prompts", mostItems).map((node) => reader.textOf(node, "prompts", longestText));
}

function readFiles(reader: CaseReader, root: YamlMap): readonly CaseFile[] {
  const entry = presentIn(root, "files");
  const map = entry && reader.map(entry.value, "files", "paths with what the files contain");
  const [paths, folders] = [new Set<string>(), new Set<string>()];
  return [...(map?.entries ?? [])].map(([word, { value, line }]) => {
    const path = readPath(reader, { kind: "scalar", text: word, plain: false, commented: false, line }, "files");
    const above = path.split("/").map((_, index, names) => names.slice(0, index).join("/"));
    for (const folder of above) folders.add(folder);
    paths.add(path);
    if (folders.has(path) || above.some((folder) => paths.has(folder)))
      reader.say(`files: "${safeLine(path)}" would be a file and a folder`, line);
    // An empty file is a file too.
    const isText = value.kind === "scalar" && value.text.length <= longestText;
    if (!isText) reader.say(`files: expected a text of at most ${longestText} characters`, line);
    return { path, text: isText ? value.text : "" };
  });
}

function readScript(reader: CaseReader, root: YamlMap): Script | null {
  const entry = presentIn(root, "script");
  if (entry === undefined) return null;
  const { script, findings } = parseScript(JSON.stringify(coreValue(entry.value)));
  for (const { message } of findings) reader.say(message, entry.line);
  return script;
}
