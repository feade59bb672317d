import { hasUnseen } from "../core/text.ts";

/** 40 lowercase hex digits: the only form in which an object of git is named. */
export type ObjectId = string;

/** What a source follows, never a bare name: a branch, a tag, or one commit for good (IN-7, T3). */
export type Ref =
  | { readonly kind: "branch"; readonly name: string }
  | { readonly kind: "tag"; readonly name: string }
  | { readonly kind: "commit"; readonly id: ObjectId };

export function isObjectId(text: string): boolean {
  return /^[0-9a-f]{40}$/.test(text);
}

/** `heads/…`, `tags/…` or 40 hex: how a ref is kept and how it is asked for. */
export function renderRef(ref: Ref): string {
  if (ref.kind === "commit") return ref.id;
  return `${ref.kind === "branch" ? "heads" : "tags"}/${ref.name}`;
}

/** The one reading of what `renderRef` writes; undefined for anything else, also for names git would not have (T3). */
export function parseRef(text: string): Ref | undefined {
  if (isObjectId(text)) return { kind: "commit", id: text };
  const [, space, name = ""] = /^(heads|tags)\/(.+)$/s.exec(text) ?? [];
  if (space === undefined || !isRefName(name)) return undefined;
  return { kind: space === "heads" ? "branch" : "tag", name };
}

/** In bytes: a ref is also a file, and no file system has longer names once `.lock` is behind them. */
const longestName = 244;

/** By the rules of `git check-ref-format`, never like an option, and without characters that nobody sees. */
export function isRefName(name: string): boolean {
  if (name === "" || name === "@" || name.startsWith("-")) return false;
  if (name.length > longestName || Buffer.byteLength(name) > longestName) return false;
  // oxlint-disable-next-line no-control-regex
  if (/[\u0000-\u0020\u007f~^:?*[\\]|\.\.|@\{|\.$/.test(name) || hasUnseen(name)) return false;
  return name.split("/").every((part) => part !== "" && !part.startsWith(".") && !part.endsWith(".lock"));
}
