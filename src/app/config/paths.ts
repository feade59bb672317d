import { posix } from "node:path";
import { AppError } from "../../core/error.ts";
import { nearest } from "../../core/nearest.ts";
import { safeLine } from "../../core/text.ts";
import { type Environment, variables } from "./config.ts";
import type { Config } from "./config-file.ts";
import { isStore } from "./config-values.ts";
import { userFolder } from "./user-folder.ts";

/** Where things are. Named by a person or in the user's own folders: never in the folder one stands in (T44). */
export interface Places {
  readonly configFile: string;
  /** Named by option or variable: then it has to be there. */
  readonly configWasNamed: boolean;
  readonly dataFolder: string;
  readonly keyFile: string;
  readonly checkpointFolder: string;
  readonly spoolFolder: string;
  /** Files of skills by their digests, for when the store is away (SV-7). */
  readonly cacheFolder: string;
  /** What routing finds skills with: made from the store, and made again when it is gone (RT-6). */
  readonly indexFile: string;
}

export interface PlaceOptions {
  readonly config?: string;
  readonly data?: string;
}

/** Whoever opens a store asks here first, so here a mistyped variable is refused. */
export function placesOf(environment: Environment, options: PlaceOptions = {}): Places {
  refuseUnknown(environment.unknown);
  const userConfig = userFolder(environment.configHome, environment.home, ".config");
  const named = fromOption("--config", options.config) ?? fromVariable("SKILLWARD_CONFIG", environment.config);
  const configFile = named ?? below(userConfig, "config.yaml");
  const dataFolder =
    fromOption("--data", options.data) ??
    fromVariable("SKILLWARD_DATA", environment.data) ??
    userFolder(environment.dataHome, environment.home, ".local/share");
  // Not beside a named configuration file: a repository may well hold one of those, but never the keys.
  const keyFile = fromVariable("SKILLWARD_KEYS", environment.keys) ?? below(userConfig, "keys.json");
  if (configFile === undefined || dataFolder === undefined || keyFile === undefined)
    throw homeless({ "--config <file>": configFile, "--data <folder>": dataFolder, "SKILLWARD_KEYS=<file>": keyFile });
  return {
    configFile,
    configWasNamed: named !== undefined,
    dataFolder,
    keyFile,
    checkpointFolder: posix.join(dataFolder, "checkpoints"),
    spoolFolder: posix.join(dataFolder, "spool"),
    cacheFolder: posix.join(dataFolder, "cache"),
    indexFile: posix.join(dataFolder, "routing.index"),
  };
}

export type StorePlace =
  | { readonly engine: "sqlite"; readonly file: string }
  | { readonly engine: "postgres"; readonly url: string };

/** The store to open: the one that was named, else the configuration's, else SQLite in the data folder. */
export function storeOf(named: string | null, config: Config, places: Places): StorePlace {
  if (named !== null && !isStore(named))
    throw invalid("SKILLWARD_STORE or --store must be postgres://… or the absolute path of a SQLite file");
  const store = named ?? config.store ?? posix.join(places.dataFolder, "skillward.db");
  return /^postgres(?:ql)?:/.test(store) ? { engine: "postgres", url: store } : { engine: "sqlite", file: store };
}

function refuseUnknown(names: readonly string[]): void {
  if (names.length > 0) throw invalid(names.map(sayUnknown).join("; "));
}

export function sayUnknown(name: string): string {
  const known = Object.keys(variables);
  const near = nearest(withoutPrefix(name), known.map(withoutPrefix));
  const hint = near === undefined ? `the known ones are ${known.join(", ")}` : `did you mean ${prefix}${near}?`;
  return `${safeLine(name, 100)} is not a variable Skillward knows; ${hint}`;
}

const prefix = "SKILLWARD_";

function withoutPrefix(name: string): string {
  return name.slice(prefix.length);
}

function fromOption(flag: string, value: string | undefined): string | undefined {
  if (value === "") throw invalid(`${flag} is empty; give a path or leave it out`);
  return value;
}

/** A variable holds for every folder, so a relative path in it would mean a file of whichever one stands in (T44). */
function fromVariable(name: keyof typeof variables, value: string | null): string | undefined {
  if (value !== null && !posix.isAbsolute(value)) throw invalid(`${name} must be an absolute path`);
  return value ?? undefined;
}

function below(folder: string | undefined, name: string): string | undefined {
  return folder === undefined ? undefined : posix.join(folder, name);
}

function homeless(places: Readonly<Record<string, string | undefined>>): AppError {
  const missing = Object.keys(places).filter((option) => places[option] === undefined);
  return invalid(`HOME is not set, so your own folders are not known; give ${missing.join(" and ")}`);
}

function invalid(message: string): AppError {
  return new AppError("config.invalid", message);
}
