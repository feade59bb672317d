import type { Digest } from "../core/digest.ts";
import type { Finding } from "../core/finding.ts";
import {
  countCharacters,
  hasUnseen,
  isPrintableAscii,
  isPublicName,
  nameKey,
  nfkc,
  safeLine,
  safeName,
} from "../core/text.ts";
import { skillFile } from "./bundle.ts";
import { finding } from "./faults.ts";

const longest = 64;
/** Letters of any script, as the reference validator reads the public specification. */
const form = /^[\p{L}\p{M}0-9]+(?:-[\p{L}\p{M}0-9]+)*$/u;

/** Everything that can be said about a name that is there (formats: public specification; SK-13). */
export function checkName(name: string, folder: string, line: number): Finding[] {
  const normal = nfkc(name);
  const shown = safeLine(name, 80);
  const findings: Finding[] = [];
  const say = (code: Parameters<typeof finding>[0], message: string) =>
    findings.push(finding(code, message, skillFile, line));

  if (isPathLike(name)) say("name.path", `the name "${shown}" is written like a path`);
  if (hasUnseen(isPrintableAscii(name) ? name : name.replace(honestJoiners, "")))
    say("name.unseen", `the name "${shown}" has characters that cannot be seen`);
  const mixed = isPrintableAscii(name) ? undefined : mixedScriptWord(name);
  if (mixed !== undefined) say("name.mixed-script", `"${safeLine(mixed)}" mixes letters of different scripts`);

  const length = countCharacters(normal);
  if (length > longest) say("name.length", `the name has ${length} characters; at most ${longest} are allowed`);
  if (!(isPublicName(normal) || (form.test(normal) && normal === normal.toLowerCase())))
    say("name.format", `the name "${shown}" is not lowercase letters, digits and single hyphens between them`);
  else if (!isPrintableAscii(name)) say("name.non-ascii", `the name "${shown}" has letters beyond a to z`);
  if (normal !== nfkc(folder))
    say("name.folder", `the name "${shown}" differs from the folder's, "${safeLine(folder, 80)}"`);
  return findings;
}

/** `A / B` is a title and breaks only the form; a name that climbs or starts at a root means to be taken for a path. */
function isPathLike(name: string): boolean {
  return /^(?:[/\\~.]|[A-Za-z]:)|[/\\]\.\.?(?:[/\\]|$)|%(?:2[ef]|5c)/i.test(name);
}

const picture = /\p{Extended_Pictographic}/u.source;
const joinedScript = /[\p{Script=Arabic}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Malayalam}\p{Script=Sinhala}]/u
  .source;
/** What emoji are made of, and the joiners that some scripts are spelt with. */
const honestJoiners = new RegExp(
  `(?<=${picture})\\uFE0F|(?<=${picture}\\uFE0F?)\\u200D(?=${picture})|(?<=${joinedScript})[\\u200C\\u200D](?=${joinedScript})`,
  "gu",
);

/** Scripts whose letters can be taken for one another's: no honest word mixes two of them. */
const lookAlikes: readonly RegExp[] = [
  /\p{Script=Latin}/u,
  /\p{Script=Cyrillic}/u,
  /\p{Script=Greek}/u,
  /\p{Script=Armenian}/u,
  /\p{Script=Cherokee}/u,
  /\p{Script=Georgian}/u,
  /\p{Script=Coptic}/u,
];

function mixedScriptWord(name: string): string | undefined {
  return name.split(/[^\p{L}\p{M}\p{N}]+/u).find((word) => lookAlikes.filter((script) => script.test(word)).length > 1);
}

/** What is compared of skills that stand side by side. */
interface NamedSkill {
  readonly path: string;
  /** How its place is called where somebody reads it; without one, by its path. */
  readonly place?: string;
  readonly name: string;
  readonly digest: Digest | null;
}

/** Skills of one name: the same bytes are one skill in two places, different bytes need qualified names (SK-15). */
export function findCollisions(skills: readonly NamedSkill[]): Finding[] {
  const first = new Map<string, NamedSkill>();
  const findings: Finding[] = [];
  for (const skill of skills) {
    const key = nameKey(skill.name);
    const earlier = first.get(key);
    if (earlier === undefined) first.set(key, skill);
    else findings.push(collision(skill, earlier));
  }
  return findings;
}

function collision(skill: NamedSkill, earlier: NamedSkill): Finding {
  const [name, other] = [safeName(skill.name), safeLine(earlier.place ?? earlier.path)];
  if (skill.digest !== null && skill.digest === earlier.digest)
    return finding("set.duplicate", `"${name}" is byte for byte the skill in ${other}`, skill.path);
  return finding("set.collision", `"${name}" is also the name of the different skill in ${other}`, skill.path);
}
