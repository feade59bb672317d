import { AppError } from "../../../core/error.ts";
import { authenticate } from "../../../registry/accounts/authenticate.ts";
import { requireRight } from "../../../registry/accounts/permit.ts";
import type { App } from "../../../app/app.ts";
import type { Environment } from "../../../app/config/config.ts";
import { type Config, loadConfig } from "../../../app/config/config-file.ts";
import { type Inspection, inspect, inspectBeside } from "../../../app/inspect.ts";
import { isThere } from "../../../app/files/is-there.ts";
import { type PlaceOptions, type Places, placesOf, storeOf } from "../../../app/config/paths.ts";
import type { World } from "../../../app/world/world.ts";
import { checked, failure, fine } from "./check.ts";
import {
  checkDataFolder,
  checkKeyFile,
  checkNode,
  checkSpool,
  checkSystem,
  checkVariables,
  checkWorkspace,
} from "./machine.ts";
import { type Asking, checkOutside, nobody, notAsked, planAsking } from "./outside.ts";
import {
  checkApiKey,
  checkAttachments,
  checkCheckpoint,
  checkClock,
  checkLedger,
  checkRotation,
  checkSources,
  checkStore,
} from "./registry.ts";
import type { Check, Diagnosis } from "../schema.ts";

export interface DoctorOptions extends PlaceOptions, Reaching {
  /** The workspace to look at: the folder one stands in. */
  readonly workspace: string;
}

interface Reaching {
  /** Nobody elsewhere is asked. */
  readonly offline?: boolean | undefined;
}

/** Looks at everything a working Skillward stands on, changes none of it, and goes on past whatever is broken (SV-10). */
export async function diagnose(world: World, environment: Environment, options: DoctorOptions): Promise<Diagnosis> {
  return diagnosisOf(await gathered(examine(world, environment, options)));
}

/** The same, check by check: who waits sees what there is so far. Others are asked last, since that takes longest. */
export async function* examine(
  world: World,
  environment: Environment,
  options: DoctorOptions,
): AsyncGenerator<Check, void> {
  yield checkNode(world);
  yield checkSystem(world);
  yield* checkVariables(environment);
  const asking = yield* checkInstallation(world, environment, options);
  yield* await checkWorkspace(world, options.workspace);
  yield* await asking();
}

/** The same of a node that runs, for an admin of it. What it was started with and from where was looked at then. */
export async function diagnoseNode(app: App, { offline = false }: Reaching = {}): Promise<Diagnosis> {
  const { world, places } = app;
  requireRight(app, "administer");
  const looking = { world, places, apiKey: null, webhookSecret: app.secrets.webhook, offline };
  return diagnosisOf([
    checkNode(world),
    checkSystem(world),
    ...(await gathered(withOthers(checkPlaces(looking, () => inspectBeside(app))))),
  ]);
}

export function diagnosisOf(checks: readonly Check[]): Diagnosis {
  return { passes: checks.every(({ state }) => state === "ok"), checks };
}

async function gathered(checks: AsyncGenerator<Check, void>): Promise<readonly Check[]> {
  const all: Check[] = [];
  for await (const check of checks) all.push(check);
  return all;
}

/** Checks of what is here, and at their end how the others are asked. */
type Checks = AsyncGenerator<Check, Asking>;

async function* withOthers(checks: Checks): AsyncGenerator<Check, void> {
  const asking = yield* checks;
  yield* await asking();
}

async function* checkInstallation(world: World, environment: Environment, options: DoctorOptions): Checks {
  // Said already; and whoever looks does so as the account at the machine.
  const asked = { ...environment, unknown: [], apiKey: null };
  let places: Places;
  try {
    places = placesOf(asked, options);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    yield failure("folders", error.message, "docs/configuration.md says where they are");
    return nobody;
  }
  const { apiKey, webhookSecret } = environment;
  const { offline = false } = options;
  return yield* checkPlaces({ world, places, apiKey, webhookSecret, offline }, (config) =>
    inspect({ world, environment: asked, places, config, storePlace: storeOf(asked.store, config, places) }),
  );
}

interface Looking {
  readonly world: World;
  readonly places: Places;
  /** Of the environment; null: nobody acts by one. */
  readonly apiKey: string | null;
  readonly webhookSecret: string | null;
  readonly offline: boolean;
}

async function* checkPlaces(looking: Looking, open: (config: Config) => Promise<Inspection>): Checks {
  const { world, places, webhookSecret } = looking;
  const { config, check } = await readConfig(world, places);
  const todo = "check its rights";
  yield check;
  if (config !== undefined) yield* checkOutside(config, webhookSecret);
  yield* await checked("data", todo, () => checkDataFolder(world, places));
  const asking = config === undefined ? nobody : yield* checkOpened(looking, () => open(config));
  yield* await checked("spool", todo, () => checkSpool(world, places));
  return asking;
}

async function readConfig({ files }: World, places: Places): Promise<{ config?: Config; check: Check }> {
  try {
    const config = await loadConfig(files, places.configFile, places.configWasNamed);
    const what = (await isThere(files, places.configFile)) ? "" : " is not there: everything has its default";
    return { config, check: fine("configuration", `${places.configFile}${what}`) };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const todo = "correct it; until then the store is not looked at";
    return { check: failure("configuration", error.message.replaceAll("\n", "; "), todo) };
  }
}

async function* checkOpened({ world, places, apiKey, offline }: Looking, open: () => Promise<Inspection>): Checks {
  let opened: Inspection | undefined;
  const store = await checked("store", todoOfStore, async () => {
    try {
      opened = await open();
      return await checkStore(opened);
    } catch (error) {
      // Nothing is wrong with a machine on which Skillward was never used.
      if (error instanceof AppError && error.code === "record.missing") return fine("store", error.message);
      throw error;
    }
  });
  const hasStore = store.some(({ state }) => state !== "ok") || opened !== undefined;
  yield* store;
  yield* await checked("keys", "see docs/audit.md about the key file", () => checkKeyFile(world, places, hasStore));
  if (opened === undefined) return nobody;
  try {
    yield* checkRegistry(opened, apiKey);
    return offline ? notAsked : await planAsking(opened);
  } finally {
    await opened.close();
  }
}

/** What cannot be reached has nothing to do with keys. */
function todoOfStore({ code }: AppError): string {
  if (code === "store.failed") return "see that it is there, and that SKILLWARD_STORE or `store` names it";
  return code === "keys.unusable" ? "see the key file below" : "docs/operations.md says what to do";
}

async function* checkRegistry(opened: Inspection, apiKey: string | null): AsyncGenerator<Check, void> {
  const verify = "skillward audit verify";
  yield* await checked("checkpoint", verify, () => checkCheckpoint(opened));
  yield* await checked("rotation", verify, () => checkRotation(opened));
  yield* await checked("registry", verify, () => checkLedger(opened));
  yield* await checked("source", verify, () => checkSources(opened));
  yield* await checked("attachment", verify, () => checkAttachments(opened));
  yield* await checked("clock", verify, () => checkClock(opened));
  if (apiKey !== null) yield await checkApiKey(() => authenticate(opened.accounts, apiKey));
}
