import type { Finding, Level } from "../core/finding.ts";
import type { Profile } from "../core/limits.ts";
import { safeLine } from "../core/text.ts";

interface Fault {
  readonly level: Level;
  /** The profiles in which a skill with this fault is refused, whatever its level. */
  readonly fails: readonly Profile[];
  /** What it means and what to do, for the reference in the documentation. */
  readonly why: string;
}

const everywhere: readonly Profile[] = ["workspace", "ingest", "strict", "registry"];
const needed: readonly Profile[] = ["ingest", "strict", "registry"];
const spec: readonly Profile[] = ["strict", "registry"];
const incomplete: readonly Profile[] = ["workspace", "ingest", "registry"];
const owned: readonly Profile[] = ["registry"];
const never: readonly Profile[] = [];

type Row = (fails: readonly Profile[], why: string) => Fault;
const info: Row = (fails, why) => ({ level: "info", fails, why });
const low: Row = (fails, why) => ({ level: "low", fails, why });
const medium: Row = (fails, why) => ({ level: "medium", fails, why });
const high: Row = (fails, why) => ({ level: "high", fails, why });

/** Everything that can be wrong with a skill on its way from bytes to a parsed skill. One row each. */
export const faults = {
  "file.missing": high(everywhere, "The folder has no readable file named exactly SKILL.md."),
  "file.size": high(everywhere, "SKILL.md is larger than may be read. Move detail to references/."),
  "file.utf8": high(everywhere, "SKILL.md is not valid UTF-8. Save it as UTF-8."),
  "file.bom": info(never, "SKILL.md starts with a byte order mark. It is ignored; some readers refuse it."),
  "header.missing": medium(needed, "SKILL.md does not begin with a `---` line and front-matter."),
  "header.unclosed": high(everywhere, "The front-matter has no closing `---` line of its own."),
  "header.size": high(everywhere, "The front-matter is larger than may be read."),
  "body.size": high(everywhere, "The body is larger than may be read. Move detail to references/."),
  "body.empty": low(never, "There are no instructions after the front-matter."),
  "body.long": info(
    never,
    "The body has more than 500 lines: every use pays for all of them. Move detail to references/.",
  ),
  "body.budget": low(
    never,
    "The body alone is larger than what all skills together may take in a prompt, 24,000 bytes unless a configuration says otherwise: it is left out there. Move detail to references/.",
  ),

  "yaml.invalid": high(everywhere, "The YAML cannot be read, also not with its values quoted."),
  "yaml.repaired": low(
    spec,
    "A value that YAML cannot read, such as one with `: `, was read as if quoted. Quote it: other readers refuse it.",
  ),
  "yaml.comment": low(
    never,
    "Text after ` #` is a comment to YAML and is not read. Quote the value if it belongs to it.",
  ),
  "yaml.shape": high(everywhere, "The YAML is not a map of keys to values."),
  "yaml.documents": high(everywhere, "The YAML has more than one document."),
  "yaml.duplicate": high(everywhere, "A key stands twice. Readers disagree on which one counts, so neither does."),
  "yaml.anchor": high(everywhere, "YAML anchors are not read."),
  "yaml.alias": high(everywhere, "YAML aliases are not read: they can expand without bound."),
  "yaml.merge": high(everywhere, "YAML merge keys are not read."),
  "yaml.tag": high(everywhere, "YAML tags and directives are not read: they choose types and code."),
  "yaml.key": high(everywhere, "A YAML key is a list or a map."),
  "yaml.depth": high(everywhere, "The YAML is nested deeper than may be read."),
  "yaml.nodes": high(everywhere, "The YAML has more keys and values than may be read."),
  "yaml.nul": high(everywhere, "A value has a NUL character."),

  "name.missing": medium(needed, "There is no name. In a workspace the folder's name stands in."),
  "name.length": medium(spec, "The name is longer than 64 characters."),
  "name.format": medium(spec, "A name is lowercase letters, digits and single hyphens between them."),
  "name.folder": low(spec, "The name differs from the folder's. Rename one of them."),
  "name.non-ascii": info(
    never,
    "The name has letters beyond a to z. The public specification allows them; some readers do not.",
  ),
  "name.path": high(everywhere, "The name is written like a path. A name is never used as one; this one means to be."),
  "name.unseen": high(everywhere, "The name has characters that cannot be seen, so two names can look alike."),
  "name.mixed-script": high(
    everywhere,
    "A word of the name mixes scripts whose letters look alike, such as Latin and Cyrillic.",
  ),

  "description.missing": medium(
    needed,
    "There is no description. The skill can be invoked by name, but is neither routed nor catalogued.",
  ),
  "description.vague": info(
    owned,
    "The description is too short for a router to select on. Say what the skill does and when to use it.",
  ),

  "field.type": medium(spec, "A field has a value of the wrong shape; what is not text is read as empty."),
  "field.length": medium(spec, "A field is empty or longer than the public specification allows."),
  "field.unknown": info(
    spec,
    "The public specification does not know this field. It is kept and shown; strict readers refuse the file.",
  ),
  "field.bounds": medium(
    spec,
    "The unknown fields together are larger, deeper or more than is kept. Those named were dropped.",
  ),
  "field.twice": medium(never, "A field is given under two spellings. The public one counts."),
  "tools.bounds": medium(
    owned,
    "A list of tools is longer than is kept, or an entry of it is. Those named were dropped.",
  ),
  "tools.form": info(
    never,
    "The public specification writes tools as one string with spaces. Lists and commas are read too.",
  ),

  "kind.unknown": medium(owned, "The kind is neither `tool` nor `host-knowledge`; it is read as `tool`."),
  "kind.missing": info(owned, "The kind is not stated. Write `metadata.kind: tool` or `host-knowledge`."),
  "kind.carries": medium(owned, "A host-knowledge skill carries no tools, no scope and no contract. They are ignored."),
  "hooks.ignored": medium(never, "The header declares hooks. Skillward never runs them; other clients may."),
  "command.ignored": medium(
    never,
    "A body line asks to be replaced by a command's output. Skillward never runs it; other clients may.",
  ),

  "scope.unreadable": high(owned, "scope.yaml cannot be read, so the skill cannot be used in a scope."),
  "scope.missing": high(owned, "scope.yaml lacks a required field, so the skill cannot be used in a scope."),
  "scope.type": high(owned, "A field of scope.yaml has the wrong shape, so the skill cannot be used in a scope."),
  "scope.unknown": high(
    owned,
    "scope.yaml has a field nobody reads. A misspelt restriction would not restrict, so the scope is not used.",
  ),
  "scope.repeats": low(
    owned,
    "Name and description are SKILL.md's and are not repeated in scope.yaml. They are ignored.",
  ),
  "contract.inert": info(never, "The bundle has a contract.js. It never runs on load; a host opts in for each load."),

  "path.link": high(never, "A symbolic link is never followed and is left out of the bundle."),
  "path.special": high(never, "A device, pipe or socket is left out of the bundle."),
  "path.unsafe": high(
    never,
    "The path could leave the folder or mean different things on different systems. The file is left out.",
  ),
  "path.twin": high(
    never,
    "Two paths differ only by case or Unicode form: on some systems they are one file. The second is left out.",
  ),
  "path.unreadable": high(never, "The file or folder cannot be read and is left out of the bundle."),
  "bundle.files": high(incomplete, "The folder has more files than a bundle may have."),
  "bundle.bytes": high(incomplete, "The folder has more bytes than a bundle may have."),
  "bundle.nested": low(never, "A SKILL.md below a skill's folder is a file of that skill, not a skill of its own."),

  "skill.none": high(never, "There is no skill here: no folder with a file named exactly SKILL.md."),
  "skill.case": medium(never, "A file is named almost SKILL.md. The match is exact: rename it."),
  "set.duplicate": low(never, "Two folders hold the same bytes."),
  "set.collision": medium(never, "Two different skills share a name. Each needs its qualified name."),
  "folder.unreadable": high(never, "A folder cannot be listed; skills in it were not seen."),
  "walk.link": low(never, "A symbolic link is not followed; name what it points to if skills are there."),
  "walk.bounds": high(never, "The search for skills reached a bound; what lies beyond was not seen."),
} satisfies Record<string, Fault>;

export type FaultCode = keyof typeof faults;

const longestMessage = 320;

/** Messages may quote what was found, so they are made safe to show here, once and for all (SK-13). */
export function finding(code: FaultCode, message: string, file: string, line = 1): Finding {
  return { code, level: faults[code].level, message: safeLine(message, longestMessage), at: { file, line } };
}

const table: ReadonlyMap<string, Fault> = new Map(Object.entries<Fault>(faults));

export function faultOf(code: string): Pick<Fault, "why"> | undefined {
  return table.get(code);
}

/** True when one of the findings alone refuses the skill in this profile. */
export function isRefused(findings: readonly Finding[], profile: Profile): boolean {
  return findings.some(({ code }) => table.get(code)?.fails.includes(profile) === true);
}
