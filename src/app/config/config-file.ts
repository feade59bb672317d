import { AppError } from "../../core/error.ts";
import type { Finding } from "../../core/finding.ts";
import { nearestPath } from "../../core/nearest.ts";
import { safeLine } from "../../core/text.ts";
import type { Files } from "../../core/world.ts";
import { isNull } from "../../skill/core-value.ts";
import type { YamlEntry, YamlMap } from "../../skill/yaml.ts";
import type { HostSets } from "../../net/host-set.ts";
import type { PrivatePairs } from "../../net/private-pairs.ts";
import { plainFaults } from "./config-hosts.ts";
import {
  type ConfigKey,
  configKeys,
  type ConfigTree,
  configTree,
  type ConfigValues,
  isConfigKey,
} from "./config-keys.ts";
import type { ValueFault, ValueKind } from "./config-values.ts";
import { loadText, parseTree } from "../files/yaml-file.ts";
import { isThere } from "../files/is-there.ts";

type FileValues = ConfigValues<typeof configTree>;
type OidcValues = FileValues["signIn"]["oidc"];

/** What the configuration file says, defaults filled in. */
export interface Config extends Omit<FileValues, "signIn"> {
  readonly signIn: Omit<FileValues["signIn"], "oidc"> & {
    /** Null: no service is named. */
    readonly oidc: OidcConfig | null;
  };
}

export type ProxyConfig = FileValues["signIn"]["proxy"];

export interface OidcConfig extends OidcValues {
  readonly issuer: string;
  readonly clientId: string;
  /** That of the server: an origin. */
  readonly publicUrl: string;
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

const paths: readonly string[] = configKeys.map(({ path }) => path);
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
    const { github, ...others } = configTree;
    const values = this.#values(others);
    const { serve, signIn, network } = values;
    const oidc = this.#oidc(signIn.oidc, serve.publicUrl);
    return { ...values, github: this.#github(github, network.private), signIn: { ...signIn, oidc } };
  }

  #values<Tree extends ConfigTree>(tree: Tree): ConfigValues<Tree> {
    const values = Object.entries(tree).map(([name, part]) => [
      name,
      isConfigKey(part) ? this.#value(part) : this.#values(part),
    ]);
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- each name has the value of its own key
    return Object.fromEntries(values) as ConfigValues<Tree>;
  }

  /** Whether a host may be asked in plain is for the pairs to say: the two are read together. */
  #github(key: ConfigKey<HostSets>, pairs: PrivatePairs): HostSets {
    const said = this.#entries.get(key.path);
    const faults = said === undefined ? [] : plainFaults(said.value, pairs);
    this.#sayExpected(key.path, faults);
    const sets = this.#value(key);
    return faults.length === 0 ? sets : key.preset;
  }

  /** A service alone is not enough: what is missing beside it is said where it is named. */
  #oidc({ issuer, clientId, ...words }: OidcValues, publicUrl: string | null): OidcConfig | null {
    if (issuer === null) return null;
    if (clientId !== null && publicUrl !== null) return { issuer, clientId, ...words, publicUrl };
    const keys = configTree.signIn.oidc;
    const missing = [
      ...(clientId === null ? [keys.clientId] : []),
      ...(publicUrl === null ? [configTree.serve.publicUrl] : []),
    ];
    const line = this.#entries.get(keys.issuer.path)?.line ?? 1;
    const expects = `${missing.map(({ path }) => path).join(" and ")} beside it`;
    this.#sayExpected(keys.issuer.path, [{ line, expects }]);
    return null;
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
