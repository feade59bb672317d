import { onTestFinished } from "vitest";
import type { App } from "../../src/app/app.ts";
import { addApiKey } from "../../src/features/people/flow.ts";
import type { World } from "../../src/app/world/world.ts";
import { addFolder } from "../../src/registry/sync/sources.ts";
import { runSync } from "../../src/registry/sync/sync.ts";
import { serveApp } from "../../src/cli/serve/serve-app.ts";
import { startUpstream } from "../../src/testing/upstream/upstream.ts";
import type { Upstream } from "../../src/testing/upstream/script.ts";
import { attach } from "../../src/models/attachments.ts";
import { addConfiguration } from "../../src/models/configurations.ts";
import { addProvider } from "../../src/models/providers.ts";
import { addTask } from "../../src/models/task.ts";
import { ada, approveAnyway, realWorld, type RegistryFolder, registryFolder } from "./registry.ts";
import { allow } from "./permits.ts";
import { permitLlm } from "../../src/models/context.ts";

export interface GatewayWishes {
  /** Names and bodies of skills; each is approved and attached to both configurations. */
  readonly skills?: Readonly<Record<string, string>>;
  /** More of the configuration file, below `network`. */
  readonly config?: string;
  /** More fields of both configurations. */
  readonly configuration?: Readonly<Record<string, unknown>>;
  /** What the providers allow. */
  readonly models?: readonly string[];
  readonly trust?: "untrusted" | "community" | "verified" | "first_party";
  /** Origins on loopback, beside that of the upstream, that providers may have. */
  readonly nearby?: readonly string[];
  /** Parts of the world that are not the real ones. */
  readonly world?: Partial<World>;
}

/** The secret that both providers keep and that the upstream wants. */
export const upstreamSecret = "sk-upstream-0123456789abcdef";

/** The model of both configurations. */
export const upstreamModel = "test-model";

/**
 * A gateway over real HTTP with a real store, in this process, and a scripted model service behind it: configuration
 * `house` speaks OpenAI, `claude` Anthropic, `echo` echoes; the task `sum-up` is of `house`. The clock is the real one.
 */
export interface GatewayHome {
  readonly folder: RegistryFolder;
  readonly app: App;
  readonly upstream: Upstream;
  /** `http://127.0.0.1:<port>`. */
  readonly url: string;
  /** A key of `admin` for everything. */
  readonly key: string;
  /** Everything the server has logged. */
  logged(): string;
  newKey(role: string, configurations?: readonly string[]): Promise<string>;
  /** Stops the server; the app stays open. */
  stop(): Promise<void>;
  /** Starts it again, on another port, over the same app. */
  restart(): Promise<string>;
}

export async function gatewayHome(wishes: GatewayWishes = {}): Promise<GatewayHome> {
  const { skills = { writing: "Write plainly.\n", drawing: "Draw boldly.\n" }, trust = "community" } = wishes;
  const upstream = await startUpstream({ secret: upstreamSecret });
  onTestFinished(() => upstream.close());
  const pairs = [upstream.url, ...(wishes.nearby ?? [])].map((url) => `    "${new URL(url).host}": "127.0.0.1/32"\n`);
  const config = `network:\n  private:\n${pairs.join("")}${wishes.config ?? ""}`;
  const folder = registryFolder({ config, world: { clock: realWorld.clock, ...wishes.world } });
  for (const [name, body] of Object.entries(skills)) folder.writeSkill(name, body);
  const app = await folder.open();
  await addFolder(app.sync, allow(ada), folder.skills, { id: "skills", trust });
  await runSync(app.sync, allow(ada), "skills");
  await prepare(app, upstream, wishes, Object.keys(skills));

  const lines: string[] = [];
  const start = () => serveApp(app, { host: "127.0.0.1", port: 0, log: { write: (line) => void lines.push(line) } });
  let server = await start();
  onTestFinished(() => server.stop());
  const newKey = async (role: string, configurations?: readonly string[]) =>
    (await addApiKey(app, { name: `key-${keys++}`, role, configurations })).text;
  return {
    folder,
    app,
    upstream,
    url: server.url,
    key: await newKey("admin"),
    logged: () => lines.join(""),
    newKey,
    stop: () => server.stop(),
    restart: async () => {
      await server.stop();
      server = await start();
      return server.url;
    },
  };
}

let keys = 1;

async function prepare(app: App, upstream: Upstream, wishes: GatewayWishes, skills: readonly string[]): Promise<void> {
  const { models = ["*"], configuration = {} } = wishes;
  const origin = upstream.url;
  await addProvider(permitLlm(app, "administer"), "openai", { protocol: "openai", origin, models }, upstreamSecret);
  await addProvider(
    permitLlm(app, "administer"),
    "anthropic",
    { protocol: "anthropic", origin, models },
    upstreamSecret,
  );
  await addProvider(permitLlm(app, "administer"), "echo", { protocol: "echo", models });
  await addConfiguration(permitLlm(app, "operate"), "house", {
    provider: "openai",
    model: upstreamModel,
    ...configuration,
  });
  await addConfiguration(permitLlm(app, "operate"), "claude", {
    provider: "anthropic",
    model: upstreamModel,
    ...configuration,
  });
  await addConfiguration(permitLlm(app, "operate"), "echo", {
    provider: "echo",
    model: upstreamModel,
    ...configuration,
  });
  await addTask(permitLlm(app, "operate"), "sum-up", { configuration: "house", template: "Sum up: {{input}}" });
  for (const skill of skills) {
    await approveAnyway(app, ada, `skills:${skill}`);
    for (const target of ["config:house", "config:claude", "config:echo"])
      await attach(permitLlm(app, "operate"), target, `skills:${skill}`);
  }
}
