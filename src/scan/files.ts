import type { Finding, Level } from "../core/finding.ts";
import type { BundleFile } from "../skill/bundle.ts";
import { type BinaryKind, endsAsZip, groupOfName, isAsNamed, kindOfBytes } from "./magic.ts";

/** A file as the scanner can read it. What it cannot read is never clean: there is a finding for it (RV-6, T25). */
interface ReadFile {
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

/** Bytes as text, and how they were written. */
interface ReadText {
  readonly text: string;
  readonly encoding: "UTF-8" | "UTF-16" | "Latin-1";
}

/** Undefined: they are no text. A few controls, also NUL, do not make a text something else: rules look for them. */
function textOf(bytes: Uint8Array): ReadText | undefined {
  if (hasMark(bytes)) return utf16(bytes, bytes[0] === 0xfe);
  const nul = nulShare(bytes);
  const wide =
    nul.odd > 0.4 && nul.even < 0.1
      ? utf16(bytes, false)
      : nul.even > 0.4 && nul.odd < 0.1
        ? utf16(bytes, true)
        : undefined;
  if (wide !== undefined && bytes.length >= 8 && !control.test(wide.text) && isMostlyAscii(wide.text)) return wide;
  const utf8 = decode("utf-8", bytes);
  if (utf8 !== undefined) return isText(utf8) ? { text: utf8, encoding: "UTF-8" } : undefined;
  const latin1 = decode("windows-1252", bytes);
  return latin1 !== undefined && !control.test(latin1) && isMostlyAscii(latin1)
    ? { text: latin1, encoding: "Latin-1" }
    : undefined;
}

/** A byte-order mark of UTF-16. */
function hasMark([first, second]: Uint8Array): boolean {
  return (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
}

/**
 * What bytes that are not UTF-8 say to a reader who takes them for it all the same, as shells and models do: what is
 * wrong is passed over, and so is NUL.
 */
function lenientText(bytes: Uint8Array): string | undefined {
  const marked = hasMark(bytes) ? bytes.subarray(2) : bytes;
  const text = new TextDecoder("utf-8").decode(marked).replaceAll("\0", "");
  return isText(text) && isMostlyAscii(text) ? text : undefined;
}

// oxlint-disable-next-line no-control-regex
const control = /[\0-\x08\x0e-\x1a]/;

function utf16(bytes: Uint8Array, isBigEndian: boolean): ReadText | undefined {
  const text = decode(isBigEndian ? "utf-16be" : "utf-16le", bytes.subarray(0, bytes.length - (bytes.length % 2)));
  return text !== undefined && isText(text) ? { text, encoding: "UTF-16" } : undefined;
}

/** A text may be cut in the middle of a character: its end is not waited for. */
function decode(encoding: string, bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes, { stream: true });
  } catch {
    return undefined;
  }
}

const looked = 4096;

/** How many of the bytes at even and at odd places are NUL: in UTF-16, ASCII has one at every other place. */
function nulShare(bytes: Uint8Array): { readonly even: number; readonly odd: number } {
  const head = bytes.subarray(0, looked);
  let [even, odd] = [0, 0];
  for (let at = head.indexOf(0); at !== -1; at = head.indexOf(0, at + 1)) {
    if (at % 2 === 0) even++;
    else odd++;
  }
  const half = Math.max(1, head.length / 2);
  return { even: even / half, odd: odd / half };
}

/** In a short text a few are much. */
const fewControls = 16;

function isText(text: string): boolean {
  // oxlint-disable-next-line no-control-regex
  const controls = text.match(/[\0-\x08\x0e-\x1a\x1c-\x1f]/g)?.length ?? 0;
  return controls <= fewControls + text.length / 10;
}

function isMostlyAscii(text: string): boolean {
  return (text.match(/[^\0-\x7f]/g)?.length ?? 0) * 3 <= text.length;
}
