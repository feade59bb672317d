import { posix } from "node:path";
import { AccountHistory } from "../registry/accounts/account-history.ts";
import type { AccountsContext } from "../registry/accounts/port.ts";
import { authenticate } from "../registry/accounts/authenticate.ts";
import { machinePerson } from "../registry/accounts/permit.ts";
import type { Person } from "../registry/accounts/roles.ts";
import type { DecideContext, ReviewPolicy } from "../registry/decide.ts";
import { demandOwnKeys, type Guarded, guardStore } from "../registry/guard.ts";
import { type Keys, loadKeys } from "../registry/keys.ts";
import { createRegistry, type Registry } from "../registry/registry.ts";
import type { SyncContext } from "../registry/sync/port.ts";
import type { Store, StoreReads, StoreWrites } from "../store/store.ts";
import type { LlmContext } from "../models/context.ts";
import type { Environment } from "./config/config.ts";
import { type Config, loadConfig } from "./config/config-file.ts";
import { type LazyTransport, openGitHubWay } from "./transports.ts";
import { loadKeyFile, makeKeyFile } from "./key-file.ts";
import { type Places, placesOf, type StorePlace, storeOf } from "./config/paths.ts";
import type { World } from "./world/world.ts";

export interface AppOptions {
  readonly config?: string;
  readonly data?: string;
  /** Wins over `SKILLWARD_STORE` and the configuration. */
  readonly store?: string;
  /** Go on with a database that is behind its checkpoint (RV-8). */
  readonly acceptRollback?: boolean;
}

/** What every flow works with, wired once. */
export interface Contexts {
  readonly world: World;
  readonly config: Config;
  readonly places: Places;
  readonly storePlace: StorePlace;
  /** Who asks. */
  readonly person: Person;
  /** What an admin set about rights and reviews. */
  readonly policy: ReviewPolicy;
  readonly keys: Keys;
  readonly kept: Guarded<StoreReads, StoreWrites>;
  readonly registry: Registry;
  readonly sync: SyncContext;
  readonly review: DecideContext;
  readonly accounts: AccountsContext;
  readonly llm: LlmContext;
  /** The way to where skills are fetched. */
  readonly github: LazyTransport;
  /** What this server proves itself with to others (SV-11): of the environment alone, kept nowhere. */
  readonly secrets: { readonly oidc: string | null; readonly webhook: string | null };
}

/** Skillward opened for use. */
export interface App extends Contexts {
  /** Says when there is a new generation, whoever made it (RV-10). */
  watch: Store["watch"];
  readonly pulse: Store["pulse"];
  hangUp: Store["hangUp"];
  close(): Promise<void>;
}

/** Opens the store that the options, the environment and the configuration name, in this order. */
export async function openApp(world: World, environment: Environment, options: AppOptions = {}): Promise<App> {
  const opening = await findStore(world, environment, options);
  await world.files.makePrivateFolder(opening.places.dataFolder);
  const store = await openStore(world, opening.storePlace);
  try {
    const keys = await keysOf(world, store, opening.places.keyFile);
    const kept = await guarded(opening, keys, store, options);
    const contexts = await wire(opening, keys, kept);
    const close = async () => {
      await contexts.github.close();
      await store.close();
    };
    const { pulse } = store;
    const watch: App["watch"] = (onGeneration) => store.watch(onGeneration);
    return { ...contexts, watch, pulse, hangUp: (what) => store.hangUp(what), close };
  } catch (error) {
    await store.close();
    throw error;
  }
}

/** Where everything is that is about to be opened, and by whom. */
export interface Opening {
  readonly world: World;
  readonly environment: Environment;
  readonly places: Places;
  readonly config: Config;
  readonly storePlace: StorePlace;
}

export async function findStore(world: World, environment: Environment, options: AppOptions): Promise<Opening> {
  const places = placesOf(environment, options);
  const config = await loadConfig(world.files, places.configFile, places.configWasNamed);
  const store = options.store ?? environment.store;
  return { world, environment, places, config, storePlace: storeOf(store, config, places) };
}

/** Each engine is loaded when it is asked for. */
async function openStore(world: World, place: StorePlace): Promise<Store> {
  if (place.engine === "postgres")
    return (await import("../store/postgres/postgres.ts")).openPostgres(place.url, { timer: world.timer });
  await world.files.makePrivateFolder(posix.dirname(place.file));
  return (await import("../store/sqlite/sqlite.ts")).openSqlite(place.file, { timer: world.timer });
}

/** A store that was made is opened with the key file it was made with, and with no other. */
async function keysOf({ files, random }: World, store: Store, path: string): Promise<Keys> {
  await files.tidy(path);
  const identity = await store.read.storeIdentity();
  if (identity === undefined) return loadKeys(await makeKeyFile(files, random, path));
  const keys = loadKeys(await loadKeyFile(files, path));
  demandOwnKeys(identity, keys, path);
  return keys;
}

function guarded({ world, environment, places }: Opening, keys: Keys, store: Store, options: AppOptions) {
  const { clock, random, files } = world;
  const { checkpointFolder } = places;
  const acceptRollback = options.acceptRollback === true;
  const by = personAtMachine(world, environment).name;
  return guardStore(store, { keys, files, clock, random, checkpointFolder, acceptRollback, by });
}

export async function wire(
  { environment, ...opening }: Opening,
  keys: Keys,
  kept: Guarded<StoreReads, StoreWrites>,
): Promise<Contexts> {
  const { world, config } = opening;
  const { clock, random } = world;
  const accounts = { kept, keys, clock, random, policy: config.review, history: new AccountHistory() };
  const person =
    environment.apiKey === null
      ? personAtMachine(world, environment)
      : await authenticate(accounts, environment.apiKey);
  const secrets = { oidc: environment.oidcSecret, webhook: environment.webhookSecret };
  return wireParts({ ...opening, person, keys, secrets }, kept);
}

type Parts = Pick<Contexts, "world" | "config" | "places" | "storePlace" | "person" | "keys" | "secrets">;

/** Everything that follows from what is known already, over what is kept. */
export function wireParts(
  { world, config, places, storePlace, person, keys, secrets }: Parts,
  kept: Guarded<StoreReads, StoreWrites>,
): Contexts {
  const { clock, timer, random, files, holders } = world;
  const policy = config.review;
  const github = openGitHubWay(config, timer);
  const { skip } = config.sync;
  const remote = { transport: () => github.get(), hostSets: config.github, clock, timer, random, skip };
  const registry = createRegistry({ kept, keys, decisionsNeeded: policy.decisions });
  const standingOf = async (entry: string) => (await registry.look()).snapshot.standings.get(entry);
  return {
    world,
    config,
    places,
    storePlace,
    person,
    policy,
    keys,
    kept,
    registry,
    sync: { kept, registry, keys, clock, files, holders, policy, bounds: config.sync, remote },
    github,
    secrets,
    review: { kept, keys, clock, policy },
    accounts: { kept, keys, clock, random, policy, history: new AccountHistory() },
    llm: { kept, keys, clock, random, standingOf },
  };
}

/** Whoever can read the key file at the machine itself is its admin. */
function personAtMachine(world: World, { account }: Environment): Person {
  return machinePerson(`machine:${account ?? world.account() ?? "unknown"}`);
}
