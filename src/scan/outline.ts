import type { ScanText } from "./text.ts";

interface Heading {
  readonly start: number;
  readonly depth: number;
  readonly title: string;
}

const known = new WeakMap<ScanText, readonly Heading[]>();

/** The headings that an offset stands under, in lower case: the nearest first, then those that this one stands under. */
export function headingsOver(text: ScanText, offset: number): readonly string[] {
  const headings = headingsIn(text);
  const titles: string[] = [];
  let depth = boldDepth + 1;
  for (let at = headings.length - 1; at >= 0 && depth > 1; at--) {
    const heading = headings[at];
    if (heading === undefined || heading.start > offset || heading.depth >= depth) continue;
    titles.push(heading.title);
    depth = heading.depth;
  }
  return titles;
}

function headingsIn(text: ScanText): readonly Heading[] {
  let headings = known.get(text);
  if (headings === undefined) known.set(text, (headings = headingsOf(text)));
  return headings;
}

const longestTitle = 160;

/** Lines that begin with `#` outside of code, or that are all bold. More than a person would write are not looked at. */
function headingsOf(text: ScanText): readonly Heading[] {
  if (text.kind !== "markdown") return [];
  text.steps += text.lower.length;
  const found: Heading[] = [];
  for (const { index, 1: marks, 2: title } of text.lower.matchAll(headingLine)) {
    if (found.length === mostHeadings) break;
    const kind = text.regionAt(index);
    if (title === undefined || kind === "fence" || kind === "comment" || kind === "header") continue;
    const depth = marks?.startsWith("#") === true ? marks.trim().length : boldDepth;
    found.push({ start: index, depth, title: title.slice(0, longestTitle) });
  }
  return found;
}

const mostHeadings = 2000;
/** A line in bold stands under every real heading. */
const boldDepth = 7;
const headingLine = /^[ \t]{0,3}(#{1,6}[ \t]{1,4}|\*\*(?=[^*\n]{1,160}\*\*:?[ \t]{0,4}$))([^\n]{1,400})$/gm;

/** What a text says that it is about: its file, the fields of its header and its first heading, in lower case. */
export function subjectOf(text: ScanText): string {
  const fields = ["name", "title", "description", "tags", "keywords", "category"].map(
    (name) => headerField(text, name)?.value.slice(0, longestField) ?? "",
  );
  const [first] = text.regions;
  const body = first?.kind === "header" ? first.end : 0;
  const title = headingsIn(text).find(({ start, depth }) => depth === 1 && start < body + longestField)?.title ?? "";
  // A script or a list says in its first lines what it is.
  const opening = first?.kind === "header" || title !== "" ? "" : openingOf(text.lower.slice(0, longestOpening));
  return [text.file, ...fields, title, opening].join("\n").toLowerCase();
}

/** The comment that a text begins with, or the fields with which a detection names itself. */
function openingOf(head: string): string {
  const [whole = ""] = /^(?:#![^\n]{0,80}\n)?\s{0,8}(?:"""|'''|\/\*|#|\/\/|--|;|title:)[^]{0,240}/.exec(head) ?? [];
  const [block = ""] = /^[^"'/#]{0,8}(?:"""|'''|\/\*)[^]{0,240}?(?:"""|'''|\*\/|$)/.exec(whole) ?? [];
  if (block !== "") return block;
  return whole
    .split("\n")
    .filter((line) => /^\s{0,8}(?:#|\/\/|--|;|title:|description:)/.test(line))
    .join("\n");
}

const longestField = 2000;
const longestOpening = 240;

/** A field of the header, as it stands in `text.text`: also when it goes over several lines. */
interface Field {
  readonly start: number;
  readonly end: number;
  readonly value: string;
}

const longestHeader = 20_000;

/** Read by its looks, not as YAML: a rule needs the words, and where they are. */
export function headerField(text: ScanText, name: string): Field | undefined {
  const [first] = text.regions;
  if (first?.kind !== "header") return undefined;
  const header = text.text.slice(0, Math.min(first.end, longestHeader));
  const key = `\n${name}:`;
  const found = header.toLowerCase().indexOf(key);
  if (found === -1) return undefined;
  const start = found + key.length;
  const rest = header.slice(start);
  const next = /\n(?:[a-z][\w-]{0,40}:|---)/i.exec(rest);
  const value = rest.slice(0, next?.index ?? rest.length);
  return { start, end: start + value.length, value };
}
