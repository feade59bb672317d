import type { GitHubService } from "./script.ts";

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
