import { SKILL_LIMITS, type Skill, SkillCatalogError, skillEntry } from "@modelcontextprotocol/server/ext/skills";
import { canonicalJson, type Plain } from "../../core/canonical.ts";
import { isPublicName, safeLine } from "../../core/text.ts";
import { skillFile } from "../../skill/bundle.ts";
import type { Approved } from "./library.ts";
import { rootOf, uriIn } from "./skill-uri.ts";

/** An approved skill as hosts of the extension are told of it; or why they are not. Such a one is left to the tools. */
export type Offered = { readonly skill: Skill } | { readonly why: string };

/**
 * SEP-2640: every file with its digest and size, and the header as it was approved. Whatever a conforming host would refuse
 * to load, or could not verify, is not offered to it: one such entry and the official client takes none.
 */
export async function offer({ entry, bundle, skill }: Approved): Promise<Offered> {
  const { name } = skill.manifest;
  if (!isPublicName(name)) return { why: "its name is none of the public specification" };
  const root = rootOf(entry);
  if (root === null) return { why: "its place in its source cannot be written as a URI" };
  const bytes = bundle.files.reduce((sum, file) => sum + file.bytes.length, 0);
  if (bundle.files.length > SKILL_LIMITS.files || bytes > SKILL_LIMITS.bytes)
    return { why: `it has ${bundle.files.length} files and ${bytes} bytes, more than every host takes` };
  const resources = bundle.files.flatMap((file) => {
    const uri = uriIn(root, file.path);
    return uri === null ? [] : [{ uri, digest: `sha256:${file.digest}`, size: file.bytes.length }];
  });
  if (resources.length < bundle.files.length) return { why: "the name of a file cannot be written as a URI" };
  const read = await officialReading(name, bundle.files.find(({ path }) => path === skillFile)?.bytes);
  if ("why" in read) return read;
  // Two readers that see two headers: the person who approved it saw one of them.
  if (writtenAs(read.frontmatter) !== writtenAs(skill.frontmatter))
    return { why: "its header reads otherwise to the official reader" };
  return { skill: { uri: `${root}/${skillFile}`, frontmatter: read.frontmatter, resources } };
}

/** The header as the official client reads it when it verifies, held to the rules that it holds it to. */
async function officialReading(
  name: string,
  bytes: Uint8Array = new Uint8Array(),
): Promise<Pick<Skill, "frontmatter"> | { readonly why: string }> {
  try {
    return await skillEntry(name, { [skillFile]: bytes });
  } catch (error) {
    if (!(error instanceof SkillCatalogError)) throw error;
    return { why: safeLine(error.problems.map(({ message }) => message).join("; "), 240) };
  }
}

/** Both were read from YAML: there is nothing in them but values of JSON. */
function writtenAs(frontmatter: object): string {
  const plain: Plain = JSON.parse(JSON.stringify(frontmatter));
  return canonicalJson(plain);
}
