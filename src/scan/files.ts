import type { Finding, Level } from "../core/finding.ts";
import type { BundleFile } from "../skill/bundle.ts";
import { lenientText, textOf } from "./charset.ts";
import { type BinaryKind, endsAsZip, groupOfName, isAsNamed, kindOfBytes } from "./magic.ts";

/** A file as the scanner can read it. What it cannot read is never clean: there is a finding for it (RV-6, T25). */
export interface ReadFile {
  /** Null: it is not text. */
  readonly text: string | null;
  /** What another reader may take it for: scanned as well. Of what is not text, all that can be read in it. */
  readonly other?: string;
  readonly findings: readonly Finding[];
}

interface UnreadKind {
  readonly id: string;
  readonly level: Level;
  readonly title: string;
  readonly why: string;
}

const kinds = {
  media: {
    id: "unread.media",
    level: "low",
    title: "a picture, a sound, a film or a font, which is not looked into",
    why: "It is what its name says it is. Text can be in it all the same: in the picture for a model that sees, in its notes for a script that reads them. Look at it if the skill tells an agent to open it.",
  },
  document: {
    id: "unread.document",
    level: "medium",
    title: "a document in a format that is not looked into",
    why: "What it says, and what macros are in it, is not known. Open it in a safe place, or ask for it as plain text.",
  },
  archive: {
    id: "unread.archive",
    level: "high",
    title: "an archive, which is not looked into",
    why: "Whatever is packed in it comes along unseen and is unpacked on the machine of whoever uses the skill. Ask for the files themselves.",
  },
  program: {
    id: "unread.program",
    level: "high",
    title: "compiled code, which cannot be read",
    why: "Nobody can tell what it does from its bytes. Ask for the source, and for how it was built.",
  },
  disguised: {
    id: "unread.disguised",
    level: "critical",
    title: "a file that is not what its name says",
    why: "A program, an archive or a script under the name of a picture or a text is there to be overlooked. Do not approve it without knowing why.",
  },
  encoding: {
    id: "unread.encoding",
    level: "medium",
    title: "text that is not UTF-8",
    why: "Readers disagree on what such bytes say: what was scanned may not be what an agent reads. Save it as UTF-8.",
  },
  binary: {
    id: "unread.binary",
    level: "high",
    title: "a file of an unknown kind that is no text",
    why: "It could not be scanned, and nothing is known of what it holds. Find out what it is before you approve.",
  },
  rest: {
    id: "unread.rest",
    level: "high",
    title: "a text that is longer than what is scanned",
    why: "Only its first megabyte was scanned. Nobody reads so much by hand: ask for smaller files.",
  },
} as const satisfies Record<string, UnreadKind>;

/** What there is to say of a file that could not be read, or not all of it: explained as rules are. */
export const unreadKinds: readonly UnreadKind[] = Object.values(kinds);

/** As much of a text as is scanned. */
const longestText = 1024 * 1024;

/** Never throws, on any bytes. */
export function readFile({ path, bytes }: Pick<BundleFile, "path" | "bytes">): ReadFile {
  const head = bytes.subarray(0, longestText);
  const read = textOf(head);
  // An archive of texts reads as text with some NULs between.
  const isBinary = read === undefined || (read.text.includes("\0") && kindOfBytes(bytes) !== undefined);
  if (isBinary) return unreadFile(path, bytes);
  const findings: Finding[] = [];
  if (isOutOfName(path, read.text)) findings.push(finding(path, "disguised", "it is text"));
  if (read.text.startsWith("%PDF-")) findings.push(finding(path, "document", "PDF"));
  if (read.encoding !== "UTF-8") findings.push(finding(path, "encoding", read.encoding));
  if (head.length < bytes.length) findings.push(restOf(path, bytes));
  const other = read.encoding === "UTF-8" ? undefined : lenientText(head);
  return { text: read.text, ...(other === undefined || other === read.text ? {} : { other }), findings };
}

function unreadFile(path: string, bytes: Uint8Array): ReadFile {
  const group = kindOfBytes(bytes)?.group;
  const isShown = group === "media" || group === "document";
  const findings = [unread(path, bytes)];
  // A shell runs a picture, too, if a line of it is a command.
  return { text: null, ...(isShown ? { other: printable(bytes) } : {}), findings };
}

/** So many characters in a row are no accident. */
const shortestRun = 16;

function printable(bytes: Uint8Array): string {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, longestText)).toString("latin1");
  return (text.match(/[\t\n\r\x20-\x7e]+/g) ?? []).filter((run) => run.length >= shortestRun).join("\n");
}

function unread(path: string, bytes: Uint8Array): Finding {
  const kind = kindOfBytes(bytes);
  const size = `${bytes.length} bytes`;
  if (kind === undefined) return finding(path, "binary", size);
  if (!isAsNamed(path, kind)) return finding(path, "disguised", `its bytes are ${kind.name}`);
  if (kind.group === "media" && endsAsZip(bytes))
    return finding(path, "disguised", `${kind.name}, with a zip behind it`);
  return finding(path, isDocument(path, kind) ? "document" : kind.group, `${kind.name}, ${size}`);
}

/** A document may be a zip inside. */
function isDocument(path: string, { group }: BinaryKind): boolean {
  return group === "archive" && groupOfName(path) === "document";
}

/** Text under the name of a picture, an archive or a program. What stands for a file in Git LFS is text as well. */
function isOutOfName(path: string, text: string): boolean {
  const group = groupOfName(path);
  if (group === undefined || group === "text" || group === "document" || text === "") return false;
  return !(text.length < 1024 && text.startsWith("version https://git-lfs.github.com/spec/"));
}

function restOf(path: string, { length }: Uint8Array): Finding {
  const rest = finding(path, "rest", `${length} bytes`);
  // What is not run can do less.
  return isScript(path) ? rest : { ...rest, level: "medium" };
}

function isScript(path: string): boolean {
  return !/\.(?:md|mdx|markdown|txt|rst|adoc|json|jsonl|ya?ml|toml|xml|svg|html?|css|csv|tsv|log|lock)$/i.test(path);
}

function finding(path: string, kind: keyof typeof kinds, says: string): Finding {
  const { id, level, title } = kinds[kind];
  return { code: id, level, message: `${title}: ${says}`, at: { file: path, line: 1 } };
}
