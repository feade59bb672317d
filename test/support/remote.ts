import { onTestFinished } from "vitest";
import type { App } from "../../src/app/app.ts";
import { addSource } from "../../src/features/sources/add.ts";
import { syncSources } from "../../src/features/sources/sync.ts";
import type { World } from "../../src/app/world/world.ts";
import type { FakeGitHub, Fault, FaultKind, FileContent } from "../../src/testing/github/script.ts";
import { startGitHub } from "../../src/testing/github/github.ts";
import { until } from "./loopback.ts";
import { type RegistryFolder, registryFolder, skillText } from "./registry.ts";
import type { SyncResult } from "../../src/registry/schema.ts";
import type { SourceAddition } from "../../src/features/sources/schema.ts";

export interface RemoteOptions {
  /** Lines of the configuration besides those that name the fake. */
  readonly config?: string;
  readonly world?: Partial<World>;
}

/** A registry whose only GitHub is a fake on loopback, over real HTTP through the real client and guards. */
export async function remoteRegistry(options: RemoteOptions = {}): Promise<{
  readonly github: FakeGitHub;
  readonly folder: RegistryFolder;
  readonly app: App;
}> {
  const github = await startGitHub();
  onTestFinished(() => github.close());
  const config = `${github.configuration("here")}\n${options.config ?? ""}`;
  const folder = registryFolder({ config, ...(options.world !== undefined && { world: options.world }) });
  return { github, folder, app: await folder.open() };
}

/** Adds what is typed; the result of its first sync, which must not fail. */
export async function added(app: App, typed: string, wishes: SourceAddition = {}): Promise<SyncResult> {
  const { results } = await addSource(app, typed, wishes);
  return demandResult(results[0]);
}

/** One more sync, which must not fail. */
export async function synced(app: App, id: string): Promise<SyncResult> {
  return demandResult((await syncSources(app, [id])).results[0]);
}

/** One more sync, which must fail: its code and message. */
export async function notSynced(app: App, id: string): Promise<{ readonly code: string; readonly message: string }> {
  const [result] = (await syncSources(app, [id])).results;
  if (result?.status !== "error") throw new Error(`the sync of ${id} did not fail`);
  return result.error;
}

function demandResult(result: Awaited<ReturnType<typeof syncSources>>["results"][number] | undefined): SyncResult {
  if (result === undefined || result.status === "error") throw new Error(`not synced: ${JSON.stringify(result)}`);
  return result;
}

/** Files of skills below a folder, each with a body of its own. */
export function skillFiles(names: readonly string[], below = "skills"): Record<string, FileContent> {
  return Object.fromEntries(names.map((name) => [`${below}/${name}/SKILL.md`, skillText(name)]));
}

/** What reached the fake since a moment: the service and path of each request. */
export function asked(github: FakeGitHub, since = 0): string[] {
  return github.requests.slice(since).map(({ service, path }) => `${service} ${path}`);
}

/** A fault that says when it is taken. */
export function noted(fault: Fault, onTaken: (how: FaultKind) => void): Fault {
  const { how } = fault;
  return {
    ...(fault.on === undefined ? {} : { on: fault.on }),
    get how() {
      onTaken(how);
      return how;
    },
  };
}

/** The next answer to this begins and does not end, until it may: resolves when somebody waits for it. */
export async function stalled(github: FakeGitHub, on: RegExp): Promise<void> {
  const taken = new Promise<number>((resolve) => {
    github.next(noted({ on, how: "stall" }, () => resolve(github.requests.length - 1)));
  });
  const at = await taken;
  await until(() => github.requests[at]?.status === 200);
}
