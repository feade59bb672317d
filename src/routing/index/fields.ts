import { parseJson } from "../../core/json/json.ts";
import { type Kind, kinds } from "../../skill/manifest.ts";
import type { Declared, Document } from "./lexical-index.ts";

/** What a document is made of, as words are counted; the place of each is its bit in a posting. At most eight. */
export const fields = [
  "name",
  "description",
  "declared",
  "headings",
  "occasions",
  "prose",
  "code",
  "exceptions",
] as const;

export type Field = (typeof fields)[number];

/** What a skill says of itself, in the order of `fields`. */
export const surfaceFields: ReadonlySet<Field> = new Set(["name", "description", "declared", "occasions"]);

/** Up to how often a word counts. What a skill says of itself, it says once: saying it ten times is baiting (T32). */
export const mostTimes: readonly number[] = fields.map((field) => (surfaceFields.has(field) ? 2 : 255));

export const fieldCount = fields.length;

/** Of a body only so many characters count: what a skill is for stands at its beginning. */
const longestBody = 8_192;
const longestName = 256;
const longestDescription = 8_192;

/** A document's text by field, each within its bound. */
export function fieldTexts({ name, description, body, declared }: Document): Readonly<Record<Field, string>> {
  const { triggers, aliases } = boundedDeclared(declared);
  const { said, exceptions } = descriptionParts(description.slice(0, longestDescription));
  const outline = outlineOf(body.slice(0, longestBody));
  return {
    ...outline,
    name: name.slice(0, longestName),
    description: said,
    declared: [...triggers, ...aliases].join("\n"),
    exceptions: `${exceptions}\n${outline.exceptions}`,
  };
}

/** So many of each list count, each so long: what one skill says must not weigh on all. */
const mostListed = 64;
const longestListed = 256;

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Lists that a skill declares, bounded: the same for matching, and for what is kept. */
export function boundedDeclared({ kind, triggers, aliases, paths }: Declared): Declared {
  return { kind, triggers: bounded(triggers), aliases: bounded(aliases), paths: bounded(paths) };
}

function bounded(list: readonly string[]): readonly string[] {
  return list.slice(0, mostListed).map((text) => text.slice(0, longestListed).toWellFormed());
}

/** What a document says of itself, to be kept as it is said. */
export function encodeDeclared({ kind, triggers, aliases, paths }: Declared): Uint8Array {
  return encoder.encode(JSON.stringify([kind, triggers, aliases, paths]));
}

/** Undefined when the bytes say nothing of the kind. */
export function decodeDeclared(bytes: Uint8Array): Declared | undefined {
  const value = parseJson(decoder.decode(bytes));
  if (!Array.isArray(value)) return undefined;
  const [kind, ...lists]: readonly unknown[] = value;
  const [triggers, aliases, paths] = lists.map((list) =>
    Array.isArray(list) && list.every((each) => typeof each === "string") ? list : undefined,
  );
  if (!isKind(kind) || triggers === undefined || aliases === undefined || paths === undefined) return undefined;
  return { kind, triggers, aliases, paths };
}

function isKind(value: unknown): value is Kind {
  return kinds.some((kind) => kind === value);
}

/** A body by what its lines are for. */
export interface Outline {
  readonly headings: string;
  /** What says when the skill is to be used. */
  readonly occasions: string;
  readonly prose: string;
  readonly code: string;
  /** What says when it is not. */
  readonly exceptions: string;
}

const occasion =
  /when to (?:use|activate|apply|invoke|trigger)|use (?:this )?(?:skill )?(?:when|for|if|cases?)|trigger|activation|activate|invoke (?:this|when)|example (?:prompts?|quer|requests?|usage)|usage examples?|sample (?:prompts?|quer)|user (?:says|asks|requests?|intent)|何时|触发|使用场景|适用/i;
const exception =
  /\b(?:do not|don['’]?t|not) (?:use|for|trigger|invoke|activate|apply|intended|when)\b|\bnot (?:to use|for use)\b|\bout of scope\b|\bskip (?:when|if|for)\b|\bnever use\b|\bwhen not\b|不要|不适用/i;
const occasionLine = /\buse (?:this skill )?when\b|\btriggers?\b.{0,20}:/i;
const fence = /^ {0,8}(?:```|~~~)/;
const heading = /^ {0,3}#{1,6}[ \t](.*)/;
const boldLine = /^ {0,8}\*\*([^*]{3,60})\*\*:?[ \t]{0,8}$/;

/** Of a line only so much is looked at to see what it is: one may be as long as the body. */
const longestLooked = 512;

export function outlineOf(body: string): Outline {
  const parts = { headings: "", occasions: "", prose: "", code: "", exceptions: "" };
  let isCode = false;
  let section: "prose" | "occasions" | "exceptions" = "prose";
  for (const line of body.split("\n")) {
    const looked = line.slice(0, longestLooked);
    const title = isCode ? undefined : (heading.exec(looked) ?? boldLine.exec(looked))?.[1];
    if (fence.test(looked)) isCode = !isCode;
    else if (isCode) parts.code += `${line}\n`;
    else if (title !== undefined) {
      section = sectionOf(title);
      if (section === "prose") parts.headings += `${title}\n`;
    } else parts[sectionOfLine(looked, section)] += `${line}\n`;
  }
  return parts;
}

function sectionOf(title: string): "prose" | "occasions" | "exceptions" {
  if (exception.test(title)) return "exceptions";
  return occasion.test(title) ? "occasions" : "prose";
}

function sectionOfLine(line: string, section: "prose" | "occasions" | "exceptions") {
  if (section === "occasions" && exception.test(line)) return "exceptions";
  return section === "prose" && occasionLine.test(line) ? "occasions" : section;
}

/** Where a sentence ends, or what is said changes from what a skill is for to what it is not for. */
const sentenceEnd =
  /(?<=[.!?。；;])\s{1,8}|\n|(?<!\b(?:DO|Do) )(?=\b(?:DO NOT|Do not|Don't|NOT) (?:use|USE|for|FOR)\b)|(?<!\b(?:NOT|not|Don't) )(?=\b(?:USE FOR|Use for|WHEN|Use when)\b)/;

/** A description without the sentences that say what the skill is not for, and those. */
export function descriptionParts(description: string): { readonly said: string; readonly exceptions: string } {
  const sentences = description.split(sentenceEnd);
  return {
    said: sentences.filter((sentence) => !isException(sentence)).join("\n"),
    exceptions: sentences.filter(isException).join("\n"),
  };
}

function isException(sentence: string): boolean {
  return exception.test(sentence.slice(0, longestLooked));
}
