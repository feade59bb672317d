import { Client, type ClientOptions, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { addApiKey } from "../../src/features/people/flow.ts";
import type { App } from "../../src/app/app.ts";
import type { World } from "../../src/app/world/world.ts";
import { addFolder } from "../../src/registry/sync/sources.ts";
import { runSync } from "../../src/registry/sync/sync.ts";
import { serveApp } from "../../src/cli/serve/serve-app.ts";
import { addConfiguration } from "../../src/models/configurations.ts";
import { addProvider } from "../../src/models/providers.ts";
import { ada, approveAnyway, realWorld, type RegistryFolder, RegistryFolder as Folder } from "./registry.ts";
import { allow } from "./permits.ts";
import { permitLlm } from "../../src/models/context.ts";

/** Files of skills, by `<source>/<path of the skill>/<path of the file>`. */
export type SkillFiles = Readonly<Record<string, string | Uint8Array>>;

/** A registry whose sources are folders, served over real HTTP in this process, and official clients for it. */
export class McpHome {
  readonly folder: RegistryFolder;
  readonly app: App;
  readonly url: string;
  readonly #stop: () => Promise<void>;
  readonly #lines: string[];
  readonly #clients: Client[] = [];
  #keys = 0;

  private constructor(
    folder: RegistryFolder,
    app: App,
    server: { url: string; stop(): Promise<void> },
    lines: string[],
  ) {
    [this.folder, this.app, this.url, this.#stop, this.#lines] = [folder, app, server.url, () => server.stop(), lines];
  }

  static async create(files: SkillFiles, world: Partial<World> = {}): Promise<McpHome> {
    const folder = new Folder({ world: { clock: realWorld.clock, ...world } });
    for (const [path, content] of Object.entries(files)) folder.write(path, content);
    const app = await folder.open();
    for (const id of new Set(Object.keys(files).map((path) => path.slice(0, path.indexOf("/"))))) {
      await addFolder(app.sync, allow(ada), `${folder.root}/${id}`, { id, trust: "community" });
      await runSync(app.sync, allow(ada), id);
    }
    const lines: string[] = [];
    const log = { write: (line: string) => void lines.push(line) };
    return new McpHome(folder, app, await serveApp(app, { host: "127.0.0.1", port: 0, log }), lines);
  }

  /** Everything the server has logged. */
  get logged(): string {
    return this.#lines.join("");
  }

  get port(): number {
    return Number(new URL(this.url).port);
  }

  async approve(...entries: readonly string[]): Promise<void> {
    for (const entry of entries) await approveAnyway(this.app, ada, entry);
  }

  async configure(id: string, more: Readonly<Record<string, unknown>> = {}): Promise<void> {
    if ((await this.app.kept.read.listLlmRecords("provider")).length === 0)
      await addProvider(permitLlm(this.app, "administer"), "echo", { protocol: "echo", models: ["*"] });
    await addConfiguration(permitLlm(this.app, "operate"), id, { provider: "echo", model: "any", ...more });
  }

  async key(configurations?: readonly string[], role = "reader"): Promise<string> {
    return (await addApiKey(this.app, { name: `key-${this.#keys++}`, role, configurations })).text;
  }

  /** An official client that has connected. */
  async connect(key: string, options: ClientOptions = {}): Promise<Client> {
    const client = await connectMcp(this.url, key, options);
    this.#clients.push(client);
    return client;
  }

  /** Ends the server while its clients are there; the app stays open. */
  stopServer(): Promise<void> {
    return this.#stop();
  }

  async stop(): Promise<void> {
    for (const client of this.#clients.splice(0)) await client.close();
    await this.stopServer();
  }

  async remove(): Promise<void> {
    await this.stop();
    await this.folder.remove();
  }
}

/** An official client of the node at `url`; whoever asks for it closes it. */
export async function connectMcp(url: string, key: string, options: ClientOptions = {}): Promise<Client> {
  const client = new Client({ name: "test", version: "1.0.0" }, options);
  const headers = { authorization: `Bearer ${key}` };
  await client.connect(new StreamableHTTPClientTransport(new URL("/mcp", url), { requestInit: { headers } }));
  return client;
}
