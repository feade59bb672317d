import { AppError } from "../core/error.ts";
import { hasUnseen, safeLine } from "../core/text.ts";
import type { HostSet, HostSets } from "../net/host-set.ts";
import { isRefName } from "./ref.ts";
import { type Repository, repositoryNamed, repositoryPathFault } from "./repository.ts";
import { type Address, isAddress, parseAddress } from "./repository-address.ts";

/** What a person typed, taken apart and not yet resolved (IN-2). */
export type Typed =
  | { readonly kind: "folder"; readonly path: string }
  | {
      readonly kind: "repository";
      readonly repository: Repository;
      /** A ref by its own word (`@ref`), as typed: a bare name, `heads/x`, `tags/x` or 40 hex; null: none. */
      readonly ref: string | null;
      /** Inside the repository; empty: all of it. Empty also with `mixed`. */
      readonly path: string;
      readonly mixed: MixedPath | null;
    };

/**
 * Ref and path together, as an address has them: only the repository knows where one ends. Beginning with `refs`,
 * `heads` it is a branch for sure, with `refs`, `tags` a tag; where it ends is still not known.
 */
interface MixedPath {
  readonly segments: readonly string[];
  readonly of: "tree" | "blob";
}

const longest = 4096;

/** Rejects with `host.refused` or `usage.invalid`, saying what to write instead. Quotes no more than the part that is wrong. */
export function parseTyped(text: string, sets: HostSets): Typed {
  if (text === "") throw usage(`nothing was named; write ${forms}`);
  if (text.length > longest) throw usage(`longer than ${longest} characters; write ${forms}`);
  if (/^[./]/.test(text)) return folderAt(text);
  if (text.startsWith("~")) throw usage(wholePath);
  if (/^[A-Za-z]:[\\/]/.test(text)) throw usage(localForm);
  if (isAddress(text)) return fromAddress(parseAddress(text, sets));
  return text.includes("/") ? shortForm(text, sets[0]) : folderAt(text);
}

const forms =
  "owner/repo, owner/repo@ref, owner/repo/path, an https address, or a folder's path that starts with . or /";
const wholePath = "whose folder ~ stands for is not known here; write the whole path, such as /home/ada/skills";
const localForm = "a folder is named by a path that starts with . or /, with slashes only";

function folderAt(path: string): Typed {
  if (!path.startsWith(".") && !path.startsWith("/") && path.includes("\\")) throw usage(localForm);
  if (/\p{Cc}/u.test(path)) throw usage("the folder's path has control characters in it");
  return { kind: "folder", path };
}

/** `owner/repo`, then a path, then a ref. The first `@` inside a name starts the ref, which may have slashes. */
function shortForm(text: string, hosts: HostSet): Typed {
  const [, owner = "", name = "", tail = ""] = /^([^/@]+)\/([^/@]+)(.*)$/s.exec(text) ?? [];
  const repository = repositoryNamed(hosts, owner, name);
  if (repository === undefined) throw noRepository(owner, name);
  const at = tail.startsWith("@") ? 0 : tail.search(/[^/]@/) + 1;
  const hasRef = tail.charAt(at) === "@";
  const path = pathOf(hasRef ? tail.slice(0, at) : tail);
  return { kind: "repository", repository, ref: hasRef ? refOf(tail.slice(at + 1)) : null, path, mixed: null };
}

function pathOf(written: string): string {
  const path = written.replace(/^\//, "").replace(/\/$/, "");
  const fault = insideFault(path);
  if (fault !== undefined) throw usage(fault);
  return path;
}

/** T3. Short ids stay names here: nothing but 40 digits names a commit. */
function refOf(written: string): string {
  const ref = written.replace(/^refs\/(?=(?:heads|tags)\/)/, "");
  if (/^[0-9a-f]{40}$/i.test(ref)) return ref.toLowerCase();
  if (isRefName(ref)) return ref;
  throw usage(`"${safeLine(ref, 80)}" is not what git can name a branch or tag; write owner/repo@ref`);
}

function fromAddress({ repository, service, rest }: Address): Typed {
  const plain = { kind: "repository", repository, ref: null, path: "" } as const;
  if (service === "raw") return { ...plain, mixed: mixedOf(rest, "blob") };
  const [word, ...segments] = rest;
  if (word === undefined) return { ...plain, mixed: null };
  if (word === "tree") return { ...plain, mixed: mixedOf(segments, "tree") };
  if (word === "blob" || word === "raw") return { ...plain, mixed: mixedOf(segments, "blob") };
  throw usage(`an address with /${safeLine(word, 40)} is no repository, folder (/tree/…) or file (/blob/…)`);
}

function mixedOf(segments: readonly string[], of: "tree" | "blob"): MixedPath {
  if (segments.length < (of === "tree" ? 1 : 2))
    throw usage("the address ends before it names a branch, and a file in it");
  const fault = insideFault(segments.join("/"));
  if (fault !== undefined) throw usage(fault);
  return { segments, of };
}

function insideFault(path: string): string | undefined {
  if (hasUnseen(path)) return `"${safeLine(path)}" has characters that cannot be seen`;
  const fault = repositoryPathFault(path);
  return fault === undefined ? undefined : `${fault}; name a path inside the repository`;
}

function noRepository(owner: string, name: string): AppError {
  if (owner.includes("."))
    return usage(
      `"${safeLine(owner, 40)}" owns no repositories; an address starts with https://, a folder with . or /`,
    );
  const shown = owner === "" ? "this" : `"${safeLine(owner, 40)}/${safeLine(name, 100)}"`;
  return usage(`${shown} is no name of a repository; write ${forms}`);
}

function usage(message: string): AppError {
  return new AppError("usage.invalid", message);
}
