import type { GitHubService } from "./script.ts";
import type { Repository } from "./repository.ts";

/** A request, taken apart. */
export interface Asked {
  readonly service: GitHubService;
  /** Below the base URL, each decoded. */
  readonly segments: readonly string[];
  readonly query: URLSearchParams;
  readonly token: string | undefined;
  readonly ifNoneMatch: string | undefined;
}

interface Incoming {
  readonly service: GitHubService;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Undefined when it lies beside the base URL or cannot be decoded. */
export function parseAsked({ service, path, headers }: Incoming, base: string): Asked | undefined {
  const [pathname = "", ...query] = path.split("?");
  const under = new URL(base).pathname.replace(/\/$/, "");
  if (!pathname.startsWith(`${under}/`)) return undefined;
  const segments = decoded(pathname.slice(under.length + 1).split("/"));
  return (
    segments && {
      service,
      segments,
      query: new URLSearchParams(query.join("?")),
      token: /^(?:bearer|token) +(\S+)$/i.exec(headers["authorization"] ?? "")?.[1],
      ifNoneMatch: headers["if-none-match"],
    }
  );
}

function decoded(segments: readonly string[]): readonly string[] | undefined {
  try {
    return segments.map((segment) => decodeURIComponent(segment));
  } catch {
    // Not an encoding at all: nothing lies there.
    return undefined;
  }
}

/** Base URLs of the four services. */
export interface Bases {
  readonly api: string;
  readonly raw: string;
  readonly codeload: string;
  readonly web: string;
}

/** Where an answer is given: the repository that was asked about, and the URLs under which all of it is to be found. */
export interface Place {
  readonly repository: Repository;
  readonly bases: Bases;
  /** Of the repository in the api. */
  readonly url: string;
  /** Of the repository for people. */
  readonly page: string;
  /** How many entries a recursive tree has at most. */
  readonly mostEntries: number;
}

export function createPlace(repository: Repository, bases: Bases, mostEntries: number): Place {
  const { fullName } = repository;
  return { repository, bases, url: `${bases.api}/repos/${fullName}`, page: `${bases.web}/${fullName}`, mostEntries };
}

/** GitHub's second name of everything; opaque to all who read it. */
export function nodeId(kind: string, ...parts: readonly (number | string)[]): string {
  return `${kind}_${Buffer.from(parts.join(":")).toString("base64url")}`;
}
