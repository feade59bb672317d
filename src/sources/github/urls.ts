import { AppError } from "../../core/error.ts";
import type { ObjectId, Ref } from "../ref.ts";
import { fullName, type Repository } from "../repository.ts";

/** Something about a repository that the API tells. */
export function apiUrl(
  repository: Repository,
  segments: readonly string[],
  query: Readonly<Record<string, string>> = {},
): string {
  const asked = new URLSearchParams(query).toString();
  const url = below(repository, repository.hosts.api, ["repos"], segments);
  return asked === "" ? url : `${url}?${asked}`;
}

/** One file by commit and path, as the CDN has it. */
export function rawUrl(repository: Repository, commit: ObjectId, path: string): string {
  return below(repository, repository.hosts.raw, [], [commit, ...path.split("/")]);
}

/** All files of a commit in one tarball. */
export function tarballUrl(repository: Repository, commit: ObjectId): string {
  return below(repository, repository.hosts.codeload, [], ["tar.gz", commit]);
}

/** T3: a ref is asked for in its own space, never by a bare name. */
export function refSegments(ref: Ref): readonly string[] {
  if (ref.kind === "commit") return [ref.id];
  return [ref.kind === "branch" ? "heads" : "tags", ...ref.name.split("/")];
}

/**
 * T2: nothing that a segment holds can lead out of the repository. Each is checked and encoded by itself, and what a
 * parser makes of the whole must be what was written here, below the repository.
 */
function below(repository: Repository, base: string, room: readonly string[], segments: readonly string[]): string {
  const own = [...room, repository.owner, repository.name];
  const text = [base, ...own.map(encoded), ...segments.map(encoded)].join("/");
  const [url, start] = [new URL(text), new URL(base)];
  const home = [start.pathname.replace(/\/$/, ""), ...own.map(encoded)].join("/");
  const isBelow = url.pathname === home || url.pathname.startsWith(`${home}/`);
  if (url.href !== text || url.origin !== start.origin || !isBelow) throw leaving(repository);
  return text;

  function encoded(segment: string): string {
    if (!isPlain(segment)) throw leaving(repository);
    return encodeURIComponent(segment);
  }
}

/** Slashes of either kind, controls, and what would be one of them, or a dot, for who decodes twice. */
// oxlint-disable-next-line no-control-regex
const risky = /[/\\\u0000-\u001f\u007f]|%(?:2e|2f|5c|[01][0-9a-f]|7f)/i;

function isPlain(segment: string): boolean {
  return !["", ".", ".."].includes(segment) && segment.isWellFormed() && !risky.test(segment);
}

/** The path is not repeated: it is somebody else's text, and long. */
function leaving(repository: Repository): AppError {
  return new AppError(
    "egress.refused",
    `the request was not sent: a name in ${fullName(repository)} has a dot segment, a slash or a control character in it`,
  );
}
