import { AppError } from "../../base/error.ts";
import { authenticate } from "../../registry/accounts/authenticate.ts";
import type { Environment } from "../config.ts";
import { type Config, loadConfig } from "../config-file.ts";
import { type Inspection, inspect } from "../inspect.ts";
import { isThere } from "../is-there.ts";
import { type PlaceOptions, type Places, placesOf, storeOf } from "../paths.ts";
import type { World } from "../world.ts";
import { type Check, checked, failure, fine } from "./check.ts";
import { checkDataFolder, checkKeyFile, checkNode, checkSpool, checkVariables, checkWorkspace } from "./machine.ts";
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

export interface Diagnosis {
  /** Nothing to do. */
  readonly passes: boolean;
  readonly checks: readonly Check[];
}

export interface DoctorOptions extends PlaceOptions {
  /** The workspace to look at: the folder one stands in. */
  readonly workspace: string;
}

/** Looks at everything a working Skillward stands on, changes none of it, and goes on past whatever is broken (SV-10). */
export async function diagnose(world: World, environment: Environment, options: DoctorOptions): Promise<Diagnosis> {
  const checks = [
    checkNode(world),
    ...checkVariables(environment),
    ...(await checkInstallation(world, environment, options)),
    ...(await checkWorkspace(world, options.workspace)),
  ];
  return { passes: checks.every(({ state }) => state === "ok"), checks };
}

async function checkInstallation(
  world: World,
  environment: Environment,
  options: DoctorOptions,
): Promise<readonly Check[]> {
  // Said already; and whoever looks does so as the account at the machine.
  const asked = { ...environment, unknown: [], apiKey: null };
  let places: Places;
  try {
    places = placesOf(asked, options);
  } catch (error) {
    if (error instanceof AppError)
      return [failure("folders", error.message, "docs/configuration.md says where they are")];
    throw error;
  }
  const { config, check } = await readConfig(world, places);
  const todo = "check its rights";
  return [
    check,
    ...(await checked("data", todo, () => checkDataFolder(world, places))),
    ...(config === undefined ? [] : await checkOpened(world, { asked, environment, places, config })),
    ...(await checked("spool", todo, () => checkSpool(world, places))),
  ];
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

interface Asked {
  readonly asked: Environment;
  readonly environment: Environment;
  readonly places: Places;
  readonly config: Config;
}

async function checkOpened(world: World, { asked, environment, places, config }: Asked): Promise<readonly Check[]> {
  let opened: Inspection | undefined;
  const store = await checked("store", "see the key file below, or docs/configuration.md", async () => {
    try {
      opened = await inspect({
        world,
        environment: asked,
        places,
        config,
        storePlace: storeOf(asked.store, config, places),
      });
      return await checkStore(opened);
    } catch (error) {
      // Nothing is wrong with a machine on which Skillward was never used.
      if (error instanceof AppError && error.code === "record.missing") return fine("store", error.message);
      throw error;
    }
  });
  const hasStore = store.some(({ state }) => state !== "ok") || opened !== undefined;
  const keys = await checked("keys", "see docs/audit.md about the key file", () =>
    checkKeyFile(world, places, hasStore),
  );
  if (opened === undefined) return [...store, ...keys];
  try {
    return [...store, ...keys, ...(await checkRegistry(opened, environment))];
  } finally {
    await opened.close();
  }
}

async function checkRegistry(opened: Inspection, { apiKey }: Environment): Promise<readonly Check[]> {
  const verify = "skillward audit verify";
  const checks = [
    await checked("checkpoint", verify, () => checkCheckpoint(opened)),
    await checked("rotation", verify, () => checkRotation(opened)),
    await checked("registry", verify, () => checkLedger(opened)),
    await checked("source", verify, () => checkSources(opened)),
    await checked("attachment", verify, () => checkAttachments(opened)),
    await checked("clock", verify, () => checkClock(opened)),
  ];
  if (apiKey !== null) checks.push([await checkApiKey(() => authenticate(opened.accounts, apiKey))]);
  return checks.flat();
}
