import { AppError } from "../../core/error.ts";
import type { Finding } from "../../core/finding.ts";
import { nearestPath } from "../../core/nearest.ts";
import { safeLine } from "../../core/text.ts";
import type { Files } from "../../core/world.ts";
import { isNull } from "../../skill/core-value.ts";
import type { YamlEntry, YamlMap } from "../../skill/yaml.ts";
import type { Trust } from "../../sources/trust.ts";
import type { HostSets } from "../../net/host-set.ts";
import type { PrivatePairs } from "../../net/private-pairs.ts";
import type { LinkName } from "../../routing/link-names.ts";
import { plainFaults } from "./config-hosts.ts";
import { type ConfigKey, configKeys } from "./config-keys.ts";
import type { ValueFault, ValueKind } from "./config-values.ts";
import { loadText, parseTree } from "../files/yaml-file.ts";
import { isThere } from "../files/is-there.ts";
import type { SyncBounds } from "../../sources/schema.ts";

/** What the configuration file says, defaults filled in. */
export interface Config {
  /** A PostgreSQL address or the absolute path of a SQLite file; null: SQLite in the data folder. */
  readonly store: string | null;
  readonly review: {
    readonly reviewers: boolean;
    readonly decisions: Readonly<Record<Trust, 1 | 2>>;
    readonly separateAdder: boolean;
  };
  /** The default bounds of one sync (IN-16), and what else holds for all of them. */
  readonly sync: SyncBounds & {
    /** Names of folders that are not searched for skills (IN-13). */
    readonly skip: readonly string[];
    /** Whether this node runs scheduled syncs (IN-24). */
    readonly schedule: boolean;
  };
  /** Null: kept forever. */
  readonly usage: { readonly retentionDays: number | null };
  /** The only hosts that skills are fetched from (IN-3). */
  readonly github: HostSets;
  /** The only private addresses that may be called (IN-4). */
  readonly network: { readonly private: PrivatePairs };
  readonly serve: ServeConfig;
  readonly signIn: SignInConfig;
  /** Who is told when something needs review; null: nobody. May hold a secret. */
  readonly webhook: { readonly url: string | null };
  /** Whether the public door is open (SV-6). Each skill is switched on beside it. */
  readonly publish: { readonly enabled: boolean };
  readonly gateway: GatewayConfig;
  /** The chain of routing (RT-2), and the configurations whose models some links ask. */
  readonly route: {
    readonly links: readonly LinkName[];
    readonly semantic: string | null;
    readonly rerank: string | null;
    readonly llm: string | null;
  };
  /** How long a node goes on without its store (SV-7). */
  readonly degraded: { readonly maxAgeSeconds: number };
  /** An origin; null: no spans are sent. */
  readonly telemetry: { readonly endpoint: string | null };
}

/** Under which addresses this server is known. */
interface ServeConfig {
  /** In lower case; the names of loopback are not among them (T36). */
  readonly hosts: readonly string[];
  /** The origin under which browsers reach it; null: nobody said. */
  readonly publicUrl: string | null;
  /** Proxies that say from where a request came, in their canonical form. */
  readonly proxies: readonly string[];
}

/** How people sign in (SV-11). */
interface SignInConfig {
  readonly password: boolean;
  readonly proxy: ProxyConfig;
  /** Null: no service is named. */
  readonly oidc: OidcConfig | null;
}

export interface ProxyConfig {
  /** In their canonical form; none: no header is believed. */
  readonly addresses: readonly string[];
  /** In lower case. */
  readonly header: string;
}

export interface OidcConfig {
  /** To the letter. */
  readonly issuer: string;
  readonly clientId: string;
  readonly title: string;
  readonly claim: string;
  /** That of the server: an origin. */
  readonly publicUrl: string;
}

interface GatewayConfig {
  readonly bodyBytes: number;
  readonly requestsPerMinute: number;
  readonly concurrent: number;
  readonly connectSeconds: number;
  readonly headersSeconds: number;
  readonly idleSeconds: number;
  readonly logPrompts: boolean;
}

/** Reads a configuration: all mistakes at once. With any finding it is not to be used. */
export function parseConfig(text: string, file: string): { config: Config; findings: readonly Finding[] } {
  const { root, fault } = parseTree(text);
  const reader = new ConfigReader(file);
  if (fault === undefined) reader.collect(root);
  else reader.say("config.unreadable", fault.message, fault.line);
  const config = reader.config();
  return { config, findings: reader.findings.toSorted((a, b) => a.at.line - b.at.line) };
}

const paths: readonly string[] = Object.values(configKeys).map(({ path }) => path);
const sections: ReadonlySet<string> = new Set(paths.flatMap(sectionsOf));

/** `a.b.c` lies in `a` and in `a.b`. */
function sectionsOf(path: string): string[] {
  const words = path.split(".");
  return words.slice(1).map((_, at) => words.slice(0, at + 1).join("."));
}

class ConfigReader {
  readonly findings: Finding[] = [];
  readonly #entries = new Map<string, YamlEntry>();
  readonly #file: string;

  constructor(file: string) {
    this.#file = safeLine(file, 240);
  }

  collect(map: YamlMap, above = ""): void {
    for (const [word, entry] of map.entries) {
      const path = above + word;
      // A word with a dot is no path: read as one it could stand beside the nested key, and one of them would be lost.
      if (word.includes(".")) this.#sayUnknown(path, entry, "write one word on each level, nested");
      else if (paths.includes(path)) this.#entries.set(path, entry);
      else if (sections.has(path)) this.#collectSection(path, entry);
      else this.#sayUnknown(path, entry, hintFor(path));
    }
  }

  config(): Config {
    const keys = configKeys;
    return {
      store: this.#value(keys.store),
      review: {
        reviewers: this.#value(keys.reviewers),
        decisions: {
          untrusted: this.#value(keys.untrusted),
          community: this.#value(keys.community),
          verified: this.#value(keys.verified),
          first_party: this.#value(keys.firstParty),
        },
        separateAdder: this.#value(keys.separateAdder),
      },
      sync: {
        files: this.#value(keys.files),
        seconds: this.#value(keys.seconds),
        bytes: this.#value(keys.bytes),
        skip: this.#value(keys.skip),
        schedule: this.#value(keys.schedule),
      },
      usage: { retentionDays: this.#value(keys.retentionDays) },
      ...this.#network(),
      ...this.#serve(),
      webhook: { url: this.#value(keys.webhook) },
      publish: { enabled: this.#value(keys.publish) },
      gateway: this.#gateway(),
      route: {
        links: this.#value(keys.routeLinks),
        semantic: this.#value(keys.routeSemantic),
        rerank: this.#value(keys.routeRerank),
        llm: this.#value(keys.routeLlm),
      },
      degraded: { maxAgeSeconds: this.#value(keys.degradedMaxAge) },
      telemetry: { endpoint: this.#value(keys.telemetry) },
    };
  }

  /** Whether a host may be asked in plain is for the pairs to say: the two are read together. */
  #network(): Pick<Config, "github" | "network"> {
    const { github, private: pairs } = configKeys;
    const network = { private: this.#value(pairs) };
    const said = this.#entries.get(github.path);
    const faults = said === undefined ? [] : plainFaults(said.value, network.private);
    this.#sayExpected(github.path, faults);
    const sets = this.#value(github);
    return { network, github: faults.length === 0 ? sets : github.preset };
  }

  #serve(): Pick<Config, "serve" | "signIn"> {
    const keys = configKeys;
    const publicUrl = this.#value(keys.publicUrl);
    return {
      serve: { hosts: this.#value(keys.hosts), publicUrl, proxies: this.#value(keys.proxies) },
      signIn: {
        password: this.#value(keys.signInPassword),
        proxy: { addresses: this.#value(keys.proxyAddresses), header: this.#value(keys.proxyHeader) },
        oidc: this.#oidc(publicUrl),
      },
    };
  }

  /** A service alone is not enough: what is missing beside it is said where it is named. */
  #oidc(publicUrl: string | null): OidcConfig | null {
    const keys = configKeys;
    const [issuer, clientId] = [this.#value(keys.oidcIssuer), this.#value(keys.oidcClientId)];
    const [title, claim] = [this.#value(keys.oidcTitle), this.#value(keys.oidcClaim)];
    if (issuer === null) return null;
    if (clientId !== null && publicUrl !== null) return { issuer, clientId, title, claim, publicUrl };
    const missing = [
      ...(clientId === null ? [keys.oidcClientId] : []),
      ...(publicUrl === null ? [keys.publicUrl] : []),
    ];
    const line = this.#entries.get(keys.oidcIssuer.path)?.line ?? 1;
    const expects = `${missing.map(({ path }) => path).join(" and ")} beside it`;
    this.#sayExpected(keys.oidcIssuer.path, [{ line, expects }]);
    return null;
  }

  #gateway(): GatewayConfig {
    return {
      bodyBytes: this.#value(configKeys.bodyBytes),
      requestsPerMinute: this.#value(configKeys.requestsPerMinute),
      concurrent: this.#value(configKeys.concurrent),
      connectSeconds: this.#value(configKeys.connectSeconds),
      headersSeconds: this.#value(configKeys.headersSeconds),
      idleSeconds: this.#value(configKeys.idleSeconds),
      logPrompts: this.#value(configKeys.logPrompts),
    };
  }

  say(code: `config.${string}`, message: string, line: number): void {
    this.findings.push({ code, level: "high", message: safeLine(message, 320), at: { file: this.#file, line } });
  }

  #collectSection(path: string, { value, line }: YamlEntry): void {
    if (value.kind === "map") this.collect(value, `${path}.`);
    else if (!isNull(value)) this.say("config.wrong-value", `${path}: expected keys below it, each on a line`, line);
  }

  /** What stands there is not repeated: it may hold a password. */
  #value<Value>({ path, kind, preset }: ConfigKey<Value>): Value {
    const entry = this.#entries.get(path);
    if (entry === undefined) return preset;
    const value = kind.parse(entry.value);
    if (value !== undefined) return value;
    this.#sayExpected(path, faultsOf(kind, entry));
    return preset;
  }

  #sayExpected(path: string, faults: readonly ValueFault[]): void {
    for (const { line, expects } of faults) this.say("config.wrong-value", `${path}: expected ${expects}`, line);
  }

  #sayUnknown(path: string, { line }: YamlEntry, hint: string): void {
    this.say("config.unknown-key", `${safeLine(path, 100)}: not a known key; ${hint}`, line);
  }
}

/** The parts of a value that are wrong, or else all of it. */
function faultsOf<Value>({ expects, faults }: ValueKind<Value>, { value, line }: YamlEntry): readonly ValueFault[] {
  const parts = faults?.(value) ?? [];
  return parts.length > 0 ? parts : [{ line, expects }];
}

function hintFor(path: string): string {
  const near = nearestPath(path, [...paths, ...sections]);
  return near === undefined ? "docs/configuration.md lists them" : `did you mean \`${near}\`?`;
}

const mostBytes = 256 * 1024;

/** The configuration in force. A file that a person named must be there; the one in its usual place need not be. */
export async function loadConfig(files: Files, path: string, wasNamed: boolean): Promise<Config> {
  if (!(await isThere(files, path))) {
    if (wasNamed) throw refused(`there is no file ${safeLine(path, 240)}; name one that is there`);
    return parseConfig("", path).config;
  }
  // Links are followed: this is a path of the user's own, and often a link into where they keep such files.
  const { text, why } = await loadText(files, await files.resolve(path), mostBytes);
  if (text === undefined) throw refused(`${safeLine(path, 240)}: ${why}`);
  const { config, findings } = parseConfig(text, path);
  if (findings.length === 0) return config;
  const lines = findings.map(({ at, message }) => `${at.file}:${at.line} ${message}`);
  throw refused(["correct the following and try again", ...lines].join("\n"));
}

function refused(why: string): AppError {
  return new AppError("config.invalid", `the configuration cannot be used: ${why}`);
}
