import { type Digest, sha256 } from "../core/digest.ts";
import type { Finding } from "../core/finding.ts";
import type { EntryId } from "../core/ids.ts";
import { isPublicName, safeLine } from "../core/text.ts";
import { type Bundle, skillFile } from "../skill/bundle.ts";
import { parse } from "../skill/skill.ts";
import { publishFinding } from "./publish-faults.ts";
import { createTarGz, fitsTar } from "./tar-gz.ts";

/** One skill as the public index has it (formats: `.well-known/agent-skills` 0.2.0), and what lies at its address. */
export interface Artifact {
  readonly name: string;
  readonly description: string;
  /** A SKILL.md alone is served as it is, several files as one archive. */
  readonly type: "skill-md" | "archive";
  /** Its last name in the address, behind the name of the skill. */
  readonly file: string;
  readonly bytes: Uint8Array;
  /** Of exactly these bytes. */
  readonly digest: Digest;
}

const longestDescription = 1024;

/** Pure. What is published of a bundle, all of it made from its bytes alone; or why nothing is. */
export function artifactOf(entry: EntryId, bundle: Bundle): Artifact | Finding {
  const { skill } = parse(bundle, "ingest");
  const name = skill?.manifest.name ?? "";
  const description = skill?.manifest.description ?? "";
  const fault = nameFault(entry, name) ?? descriptionFault(entry, description) ?? pathFault(entry, bundle);
  if (fault !== undefined) return fault;
  const [only, ...others] = bundle.files;
  const isAlone = only?.path === skillFile && others.length === 0;
  const bytes = isAlone ? only.bytes : createTarGz(bundle.files);
  const [type, file] = isAlone ? (["skill-md", skillFile] as const) : (["archive", `${name}.tar.gz`] as const);
  return { name, description, type, file, bytes, digest: sha256(bytes) };
}

export function isArtifact(made: Artifact | Finding): made is Artifact {
  return "bytes" in made;
}

function nameFault(entry: EntryId, name: string): Finding | undefined {
  if (isPublicName(name)) return undefined;
  const message = `its name "${safeLine(name, 80)}" cannot stand in the index: only lowercase letters, digits and single hyphens between them can`;
  return publishFinding("published.name", entry, message);
}

/** Readers count in UTF-16; whatever is within their bound is within the one of the specification. */
function descriptionFault(entry: EntryId, { length }: string): Finding | undefined {
  if (length > 0 && length <= longestDescription) return undefined;
  const what = length === 0 ? "it has no description" : `its description has ${length} characters`;
  return publishFinding("published.description", entry, `${what}; the index takes 1 to ${longestDescription}`);
}

function pathFault(entry: EntryId, { files }: Bundle): Finding | undefined {
  const long = files.find(({ path }) => !fitsTar(path));
  if (long === undefined) return undefined;
  const message = `the path ${safeLine(long.path, 120)} is too long for the archives that all readers know`;
  return publishFinding("published.path", entry, message);
}
