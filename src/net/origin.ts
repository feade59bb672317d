import { AppError } from "../core/error.ts";
import { isPrintableAscii, safeLine } from "../core/text.ts";
import type { HostSet } from "./host-set.ts";

export interface OriginGuard {
  /** The URL as it may be requested. Throws `host.refused`. */
  admit(text: string): URL;
}

/**
 * The origin guard (IN-3, T1, T2): lets through what lies below a base URL of these sets, decided on the text as it was
 * written. A parser repairs what it is given, so it comes last and must find nothing to repair. Knows nothing of
 * addresses: those are the other guard's. Throws `config.invalid` for a base that could fit no request.
 */
export function createOriginGuard(sets: readonly HostSet[], mayBePlain: (url: URL) => boolean): OriginGuard {
  const bases = sets.flatMap((set) =>
    services.map((service) => baseOf(set[service], service) ?? unusable(set, service)),
  );
  return {
    admit(text) {
      const asked = takeApart(text);
      if (asked === undefined) throw refused(notPlain);
      checkPlace(asked, bases);
      const url = parsed(asked);
      if (url === undefined) throw refused(notPlain);
      if (url.protocol === "https:" || mayBePlain(url)) return url;
      throw refused(
        `plain http is for loopback addresses in \`network.private\` only, not for ${safeLine(url.host)}; use https`,
      );
    },
  };
}

/** An address in its parts, as it was written but for the host, which is in lower case. */
interface Written {
  readonly scheme: string;
  readonly host: string;
  /** Always said. */
  readonly port: string;
  readonly path: string;
  /** With its question mark; empty where there is none. */
  readonly query: string;
}

/** Its path has no slash at the end. */
interface Base extends Omit<Written, "query"> {
  readonly service: Service;
}

type Service = Exclude<keyof HostSet, "name">;
const services: readonly Service[] = ["api", "raw", "codeload", "web"];

const name = "[A-Za-z0-9_-]+(?:\\.[A-Za-z0-9_-]+)*";
/** The scheme in lower case, a host that is a name or an address in brackets, and no room for a user name. */
const shape = new RegExp(
  `^(https?)://(${name}|\\[[0-9A-Fa-f:.]+\\])(?::([1-9][0-9]{0,4}))?(/[^?#\\\\ ]*)(\\?[^#\\\\ ]+)?$`,
);
const malformed = /%(?![0-9a-f]{2})/i;
const longest = 8192;

function takeApart(text: string): Written | undefined {
  if (text.length > longest || !isPrintableAscii(text) || malformed.test(text)) return undefined;
  const [, scheme, host = "", port, path = "", query = ""] = shape.exec(text) ?? [];
  if (scheme === undefined) return undefined;
  return { scheme, host: host.toLowerCase(), port: port ?? usualPort(scheme), path, query };
}

function usualPort(scheme: string): string {
  return scheme === "https" ? "443" : "80";
}

function checkPlace(asked: Written, bases: readonly Base[]): void {
  const host = safeLine(asked.host);
  const known = bases.filter((base) => base.host === asked.host);
  if (known.length === 0) throw refused(unknownHost(host, bases));
  const fitting = known.filter((base) => isBelow(base, asked));
  if (fitting.length === 0)
    throw refused(
      `${host} may be asked, but not by this scheme, port or path; \`github\` in the configuration says by which`,
    );
  if (!isStraight(asked.path))
    throw refused(
      `the path of its address at ${host} may lead elsewhere; leave out \`..\`, \`//\` and encoded dots and slashes`,
    );
  if (asked.query !== "" && !fitting.some(({ service }) => service === "api"))
    throw refused(`only the API is asked with a query, ${host} is not; leave out the \`?\` and what follows it`);
}

/** On the same host. */
function isBelow(base: Base, { scheme, port, path }: Written): boolean {
  if (base.scheme !== scheme || base.port !== port) return false;
  return path === base.path || path.startsWith(`${base.path}/`);
}

/** What somebody on the way may decode: then it is a step to elsewhere, or an end. */
const misleading = /%(?:2e|2f|5c|00)/i;

/** Whether each part of a path stands for itself, whoever reads it (T2). There may be a slash at its end. */
function isStraight(path: string): boolean {
  const parts = path.replace(/\/$/, "").split("/").slice(1);
  return !misleading.test(path) && !parts.some((part) => part === "" || part === "." || part === "..");
}

/** Undefined where the parser reads it in another way than it was written. */
function parsed({ scheme, host, port, path, query }: Written): URL | undefined {
  const said = `${scheme}://${host}${port === usualPort(scheme) ? "" : `:${port}`}${path}${query}`;
  if (!URL.canParse(said)) return undefined;
  const url = new URL(said);
  return url.href === said ? url : undefined;
}

function baseOf(text: string, service: Service): Base | undefined {
  const base = takeApart(`${text}/`);
  if (base === undefined || base.query !== "" || !isStraight(base.path) || parsed(base) === undefined) return undefined;
  const { scheme, host, port, path } = base;
  return { scheme, host, port, path: path.slice(0, -1), service };
}

const notPlain =
  "its address is not plainly `https://host/path`; copy it once more, without a user name, `#` or characters beyond ASCII";

function unknownHost(host: string, bases: readonly Base[]): string {
  const allowed = [...new Set(bases.map((base) => base.host))].join(", ");
  return `${host} is no host that skills may come from; those are ${safeLine(allowed, 400)}, and \`github\` in the configuration names others`;
}

/** Of the address no more than its host is repeated: the rest may hold a secret. */
function refused(why: string): AppError {
  return new AppError("host.refused", `the request was not sent: ${why}`);
}

function unusable(set: HostSet, service: Service): never {
  throw new AppError(
    "config.invalid",
    `\`github\`: \`${service}\` of ${safeLine(set.name)} cannot be used; write \`https://host\`, with a port and a path where it has them and without a slash at its end`,
  );
}
