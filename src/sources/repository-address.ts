import { AppError } from "../core/error.ts";
import { safeLine } from "../core/text.ts";
import type { HostSet, HostSets } from "../net/host-set.ts";
import { type Repository, repositoryNamed } from "./repository.ts";

/** A URL of a GitHub, taken apart as text: what a parser would repair is refused instead (IN-3, T1). */
export interface Address {
  readonly repository: Repository;
  readonly service: "web" | "raw";
  /** Behind the repository, decoded once, each without slashes; whether they are names of anything is not said here. */
  readonly rest: readonly string[];
}

/** Everything with a colon before its first slash is meant as an address. */
export function isAddress(text: string): boolean {
  return /^[^/?#]*:/.test(text);
}

/** Rejects with `host.refused` for where it leads, with `usage.invalid` for what is behind that. */
export function parseAddress(text: string, sets: HostSets): Address {
  const [, scp, ssh, path = ""] = /^(?:git@([^/:@]+):|ssh:\/\/git@([^/:@]+)\/)(.*)$/is.exec(text) ?? [];
  const host = scp ?? ssh;
  if (host !== undefined) return overSsh(host, path, sets);
  const [, scheme = "", authority = "", behind = ""] = /^(https?):\/\/([^/?#]*)([^?#]*)/i.exec(text) ?? [];
  const origin = originOf(scheme, authority);
  if (origin === undefined) throw refused(authority);
  const [place, ...others] = placesOf(sets).filter((each) => each.origin === origin && isBelow(behind, each.path));
  if (place === undefined) throw unknownOrigin(scheme, authority, sets);
  // Where one service lies below another, as `/raw` on an installation of one's own, the longer path is meant.
  const { hosts, service, path: base } = others.reduce((a, b) => (b.path.length > a.path.length ? b : a), place);
  const [owner = "", name = "", ...rest] = segmentsOf(behind.slice(base.length));
  return { repository: demandRepository(hosts, owner, name), service, rest: rest.map(decoded) };
}

/** Read as https: nothing is ever asked over ssh. */
function overSsh(host: string, path: string, sets: HostSets): Address {
  const set = sets.find(({ web }) => hostOf(web) === host.toLowerCase());
  if (set === undefined) throw unknownHost(host, sets);
  const [owner = "", name = "", ...rest] = segmentsOf(`/${path}`);
  if (rest.length > 0) throw usage(`an address with git@ names a repository and nothing in it; write ${forms}`);
  return { repository: demandRepository(set, owner, name), service: "web", rest };
}

interface Place {
  readonly hosts: HostSet;
  readonly service: "web" | "raw";
  readonly origin: string;
  readonly path: string;
}

function placesOf(sets: HostSets): Place[] {
  return sets.flatMap((hosts) => [placeOf(hosts, "web"), placeOf(hosts, "raw")].filter((place) => place !== undefined));
}

function placeOf(hosts: HostSet, service: "web" | "raw"): Place | undefined {
  const [, scheme = "", authority = "", path = ""] = /^(https?):\/\/([^/]+)(\/.*)?$/i.exec(hosts[service]) ?? [];
  const origin = originOf(scheme, authority);
  return origin === undefined ? undefined : { hosts, service, origin, path: path.replace(/\/$/, "") };
}

/** Lower case, without the port that goes without saying. Undefined where it is not plainly a host and a port (T1). */
function originOf(scheme: string, authority: string): string | undefined {
  const [, host = "", port] = /^([A-Za-z0-9.-]+|\[[0-9A-Fa-f:.]+\])(?::([1-9][0-9]{0,4}))?$/.exec(authority) ?? [];
  if (scheme === "" || host === "") return undefined;
  const usual = scheme.toLowerCase() === "https" ? "443" : "80";
  return `${scheme}://${host}`.toLowerCase() + (port === undefined || port === usual ? "" : `:${port}`);
}

function hostOf(base: string): string {
  return /^https?:\/\/([^/:]+)/i.exec(base)?.[1]?.toLowerCase() ?? "";
}

function isBelow(path: string, base: string): boolean {
  return path === base || path.startsWith(`${base}/`);
}

function segmentsOf(path: string): readonly string[] {
  if (!/^[\x21-\x7e]*$/.test(path))
    throw usage("an address has no spaces and no letters beyond ASCII in it; copy it from the browser");
  const segments = path.replace(/\/$/, "").split("/").slice(1);
  if (segments.includes("")) throw usage("an address has no empty names between slashes");
  return segments;
}

/** Decoded once, and then still one name: no slash of either kind may come out of it (T2). */
function decoded(segment: string): string {
  const name = decodedText(segment);
  if (name === undefined || /[/\\]/.test(name))
    throw usage(`"${safeLine(segment, 40)}" is no plain name: encoded slashes are not read`);
  return name;
}

function decodedText(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}

function demandRepository(hosts: HostSet, owner: string, name: string): Repository {
  const repository = repositoryNamed(hosts, owner, name);
  if (repository !== undefined) return repository;
  if (owner === "" || name === "") throw usage(`the address names no repository; write ${forms}`);
  throw usage(`"${safeLine(owner, 40)}/${safeLine(name, 100)}" is no name of a repository; write ${forms}`);
}

const forms = "owner/repo, owner/repo@ref or the address of a repository, folder or file";

function usage(message: string): AppError {
  return new AppError("usage.invalid", message);
}

/** The text is not repeated: there may be a password in it. */
function refused(authority: string): AppError {
  const why = authority.includes("@") ? "has a user name or password in it" : "is no https address with a plain host";
  return new AppError("host.refused", `the address ${why}; write ${forms}`);
}

function unknownOrigin(scheme: string, authority: string, sets: HostSets): AppError {
  const other = scheme.toLowerCase() === "http" ? originOf("https", authority) : undefined;
  if (other !== undefined && placesOf(sets).some(({ origin }) => origin === other))
    return new AppError("host.refused", "plain http is not asked; write https://");
  return unknownHost(authority, sets);
}

function unknownHost(host: string, sets: HostSets): AppError {
  const known = sets.map(({ web }) => web).join(", ");
  return new AppError(
    "host.refused",
    `"${safeLine(host, 80)}" is not where repositories are taken from (${known}); an administrator names further GitHubs in the server's configuration`,
  );
}
