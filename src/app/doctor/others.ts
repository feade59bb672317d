import { AppError } from "../../base/error.ts";
import type { Inspection } from "../inspect.ts";
import { WayOut } from "../way-out.ts";
import { type Check, failure, fine } from "./check.ts";
import { planGitHub } from "./github.ts";
import { known, type Probe, runProbes } from "./probe.ts";
import { planProviders } from "./providers.ts";

/** Asks everybody elsewhere, once. */
export type Asking = () => Promise<readonly Check[]>;

export const nobody: Asking = async () => [];

export const notAsked: Asking = async () => [fine("network", "nobody elsewhere was asked, as it was wished")];

/** Whom to ask is read while the store is open; they are asked when there is no more to see here. */
export async function planAsking(opened: Inspection): Promise<Asking> {
  const { world, config, github } = opened;
  const models = new WayOut(config, world.timer);
  const probes = [
    ...(await planned("github", () => planGitHub(opened))),
    ...(await planned("provider", () => planProviders(opened, models))),
  ];
  return async () => {
    try {
      return await runProbes(probes, world.timer);
    } finally {
      await Promise.all([github.close(), models.close()]);
    }
  };
}

/** What cannot be read in the store keeps nobody else from being asked. */
async function planned(name: string, plan: () => Promise<readonly Probe[]>): Promise<readonly Probe[]> {
  try {
    return await plan();
  } catch (error) {
    if (error instanceof AppError) return [known(failure(name, error.message, "skillward audit verify"))];
    throw error;
  }
}
