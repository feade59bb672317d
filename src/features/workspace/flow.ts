import { AppError } from "../../core/error.ts";
import type { Outgoing } from "../../core/transport.ts";
import { createGitHub } from "../../sources/github/client.ts";
import type { OnFile } from "../../sources/github/fetch-skills.ts";
import type { HostSet } from "../../net/host-set.ts";
import { noteOfStaying, settleLeftovers } from "../../workspace/leftovers.ts";
import { demandLocked, openWorkspace, type Publishing } from "../../workspace/workspace.ts";
import type { Environment } from "../../app/config/config.ts";
import { loadConfig } from "../../app/config/config-file.ts";
import { openGitHubWay } from "../../app/transports.ts";
import { placesOf } from "../../app/config/paths.ts";
import { preferring } from "../../app/config/preferred-hosts.ts";
import type { World } from "../../app/world/world.ts";

export interface PublishOptions {
  /** The workspace; the nearest one without it. */
  readonly dir?: string | undefined;
  /** The GitHub that `owner/repo` means, by its name in the configuration, and that the token is for. */
  readonly hosts?: string | undefined;
  /** The name of a variable that holds a token. */
  readonly tokenEnv?: string | undefined;
  readonly accept?: readonly string[] | undefined;
  readonly onFile: OnFile;
  /** Something to be said that is part of no result. */
  readonly onNote?: ((text: string) => void) | undefined;
  /** Whether it takes a lock file to go on. */
  readonly needsLock: boolean;
}

/** A workspace opened to be changed. Whatever it asks, it asks by the user's own configuration (T44). */
export async function openPublishing(
  world: World,
  environment: Environment,
  options: PublishOptions,
): Promise<Publishing & { close(): Promise<void> }> {
  const { clock, timer, random, files, folders } = world;
  const places = placesOf(environment);
  const config = await loadConfig(files, places.configFile, places.configWasNamed);
  const sets = preferring(options.hosts, config.github);
  const token = tokenOf(environment, options.tokenEnv, sets[0]);
  const workspace = await openWorkspace(files, options.dir);
  if (options.needsLock) demandLocked(workspace);
  const disk = { files, folders, random };
  const onNote = options.onNote ?? (() => {});
  const staying = await settleLeftovers(disk, workspace.root, workspace.lock);
  for (const path of staying) onNote(noteOfStaying(path));
  const way = openGitHubWay(config, timer);
  // Opened at the first request: installing what is there already makes none.
  const transport = { send: async (request: Outgoing) => (await way.get()).send(request) };
  return {
    disk,
    workspace,
    sets,
    github: createGitHub({ transport, clock, timer, random }, { token }),
    onFile: options.onFile,
    onNote,
    accept: new Set(options.accept),
    close: () => way.close(),
  };
}

/** IN-6, T9: a token is for one GitHub, whatever others a lock file names; it is read from where a person says. */
function tokenOf(environment: Environment, variable: string | undefined, hosts: HostSet) {
  if (variable === undefined) return null;
  const secret = environment.variable(variable);
  if (secret === null)
    // The name is not repeated: somebody may have given the token itself.
    throw new AppError("usage.invalid", "--token-env: the variable it names is not set; give its name, not the token");
  return { secret, isFor: (repository: { readonly hosts: HostSet }) => repository.hosts.name === hosts.name };
}
