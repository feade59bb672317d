import { isNull } from "../../skill/core-value.ts";
import type { YamlEntry, YamlNode } from "../../skill/yaml.ts";
import { githubCom, type HostSet, type HostSets } from "../../net/host-set.ts";
import { isPairName, mayBePlain, type PrivatePairs } from "../../net/private-pairs.ts";
import { textOf, type ValueFault, type ValueKind } from "./config-values.ts";

const services = ["api", "raw", "codeload", "web"] as const;
type Service = (typeof services)[number];

const mostSets = 16;
const nameExpected =
  "a name as the key: at most 64 letters and digits, with single hyphens, dots or underscores between them";
const servicesExpected = "`api`, `raw`, `codeload` and `web` below each name, and nothing else";

/** What to write as one of the four. */
const baseExpected = {
  shape:
    "a base URL such as `https://ghe.example.org/api/v3`: scheme, host, port and plain path segments, in their usual spelling and nothing else",
  apart: "a base URL that is none of another set and lies below none of another set, but below a `web`",
  plain: "https: plain http is for a `host:port` that `network.private` has with a loopback range, and nowhere else",
};

function wrongBase(what: keyof typeof baseExpected, { service, line }: Pick<Base, "service" | "line">): ValueFault {
  return { line, expects: `as \`${service}\` ${baseExpected[what]}` };
}

/** The sets of `github` (IN-3): where skills may be fetched from besides github.com. */
export const hostSets: ValueKind<HostSets> = {
  expects: `\`name: { api, raw, codeload, web }\` for each GitHub Enterprise, at most ${mostSets}; \`{}\`: none`,
  parse: (node) => {
    if (isNull(node)) return withGithubCom([]);
    const { sets, faults } = readSets(node);
    return node.kind === "map" && node.entries.size <= mostSets && faults.length === 0
      ? withGithubCom(sets)
      : undefined;
  },
  faults: (node) => readSets(node).faults,
};

/** The lines with base URLs that would be asked in plain where others could read along (IN-3, IN-4). */
export function plainFaults(node: YamlNode, pairs: PrivatePairs): ValueFault[] {
  const isReadable = (base: string) => base.startsWith("http:") && !mayBePlain(pairs, new URL(base));
  const readable = readSets(node).bases.filter(({ base }) => isReadable(base));
  return readable.map((base) => wrongBase("plain", base));
}

/** What the file names comes first, so that a short form means it; github.com is there unless the file says what it is. */
function withGithubCom(sets: readonly HostSet[]): HostSets {
  const [first, ...others] = sets;
  if (first === undefined) return [githubCom];
  return sets.some(({ name }) => name === githubCom.name) ? [first, ...others] : [first, ...others, githubCom];
}

interface Base {
  readonly set: string;
  readonly service: Service;
  readonly base: string;
  readonly line: number;
}

interface Reading {
  readonly sets: readonly HostSet[];
  readonly bases: readonly Base[];
  readonly faults: readonly ValueFault[];
}

function readSets(node: YamlNode): Reading {
  const sets: HostSet[] = [];
  const bases: Base[] = [];
  const faults: ValueFault[] = [];
  for (const [name, entry] of node.kind === "map" ? node.entries : []) {
    if (!isSetName(name)) faults.push({ line: entry.line, expects: nameExpected });
    const read = readServices(name, entry);
    bases.push(...read.bases);
    faults.push(...read.faults);
    const set = setOf(name, read.bases);
    if (set !== undefined) sets.push(set);
  }
  const isSaid = node.kind === "map" && node.entries.has(githubCom.name);
  const others = isSaid ? [] : services.map((service) => ({ set: githubCom.name, service, base: githubCom[service] }));
  return { sets, bases, faults: [...faults, ...entangled(bases, others)] };
}

function readServices(
  set: string,
  { line, value }: YamlEntry,
): { bases: readonly Base[]; faults: readonly ValueFault[] } {
  const bases: Base[] = [];
  const faults: ValueFault[] = [];
  const entries = value.kind === "map" ? value.entries : new Map<string, YamlEntry>();
  const isWhole = entries.size === services.length && services.every((service) => entries.has(service));
  if (!isWhole) faults.push({ line, expects: servicesExpected });
  for (const service of services) {
    const entry = entries.get(service);
    if (entry === undefined) continue;
    const base = baseOf(textOf(entry.value));
    const { line: at } = entry;
    if (base === undefined) faults.push(wrongBase("shape", { service, line: at }));
    else bases.push({ set, service, base, line: at });
  }
  return { bases, faults };
}

function setOf(name: string, bases: readonly Base[]): HostSet | undefined {
  const of = (wanted: Service) => bases.find(({ service }) => service === wanted)?.base;
  const [api, raw, codeload, web] = [of("api"), of("raw"), of("codeload"), of("web")];
  if (api === undefined || raw === undefined || codeload === undefined || web === undefined) return undefined;
  return { name, api, raw, codeload, web };
}

/** The name of a host can be one. */
function isSetName(name: string): boolean {
  return name.length <= 64 && /^[A-Za-z0-9]+(?:[._-][A-Za-z0-9]+)*$/.test(name);
}

const baseShape = /^(https?):\/\/(\[[0-9a-f:.]+\]|[a-z0-9.-]+)(?::([0-9]{1,5}))?((?:\/[A-Za-z0-9._~-]+)*)\/?$/;
const longestBase = 512;

/** As it is asked: without the usual port and without a slash at its end. Nothing else is put right. */
function baseOf(text: string): string | undefined {
  const [, scheme, host, port, path = ""] = (text.length <= longestBase && baseShape.exec(text)) || [];
  if (scheme === undefined || host === undefined || !isPairName(`${host}:${port ?? "443"}`)) return undefined;
  const url = new URL(`${scheme}://${host}${port === undefined ? "" : `:${port}`}${path}`);
  // Dot segments would be resolved away: what is written must be what is asked.
  return url.pathname === (path === "" ? "/" : path) ? url.origin + path : undefined;
}

/**
 * T9: of which set an address is, and so whose token goes there, is told by its base. Nothing is ever asked of a `web`:
 * below it others may lie. The services of one set may share a place: who asks knows what for.
 */
function entangled(bases: readonly Base[], others: readonly Omit<Base, "line">[]): ValueFault[] {
  const all = [...others, ...bases];
  const lying = bases.filter((one) => all.some((other) => other.set !== one.set && liesBelow(one, other)));
  return lying.map((base) => wrongBase("apart", base));
}

/** Also when it is the same. */
function liesBelow(one: Omit<Base, "line">, other: Omit<Base, "line">): boolean {
  if (one.base === other.base) return true;
  const isAllowed = other.service === "web" && one.service !== "web";
  return one.base.startsWith(`${other.base}/`) && !isAllowed;
}
