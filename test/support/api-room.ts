import { addApiKey } from "../../src/features/people/flow.ts";
import type { App } from "../../src/app/app.ts";
import { type Role, roles } from "../../src/registry/accounts/roles.ts";
import { serveApp } from "../../src/cli/serve/serve-app.ts";
import { type ApiDocument, conformityOf } from "./api-conformity.ts";
import { call as send, type Reply } from "./http-serving.ts";
import { RegistryFolder } from "./registry.ts";

export interface ApiRoomWishes {
  /** The configuration file's text. */
  readonly config?: string;
  /** One that is open already, such as `remoteRegistry` gives; it stays open when the room closes. */
  readonly registry?: { readonly folder: RegistryFolder; readonly app: App };
  /** Where the pages of the web lie; without one there are none. */
  readonly pages?: string;
}

interface ApiCall {
  /** A key's text; null: nobody. Without it, the key of an admin. */
  readonly key?: string | null;
  readonly json?: unknown;
  readonly headers?: Record<string, string>;
}

/** The JSON API over real HTTP with a real store, in this process, behind everything a request goes through. */
export interface ApiRoom {
  readonly url: string;
  readonly port: number;
  readonly folder: RegistryFolder;
  readonly app: App;
  /** What the server says of itself. */
  readonly document: ApiDocument;
  /** Of a key that stands for itself, limited to nothing. */
  keyOf(role: Role): string;
  /** Of one that is limited to configurations, which must be there. */
  limitedKey(configurations: readonly string[], role?: "reader" | "operator"): Promise<string>;
  /** Fails when the answer, or what was taken, is not as the description says. */
  call(method: string, path: string, asked?: ApiCall): Promise<Reply>;
  logged(): string;
  /** The server alone. */
  stop(): Promise<void>;
  /** All of it. */
  close(): Promise<void>;
}

/** The clock stands: nobody would get another request by waiting. */
export const manyRequests = "gateway:\n  requests-per-minute: 100000\n  concurrent: 10000\n";

export async function openApiRoom({ config = "", registry, pages }: ApiRoomWishes = {}): Promise<ApiRoom> {
  const folder = registry?.folder ?? new RegistryFolder({ config: `${config}${manyRequests}` });
  const app = registry?.app ?? (await folder.open());
  const lines: string[] = [];
  const log = { write: (line: string) => void lines.push(line) };
  const server = await serveApp(app, { host: "127.0.0.1", port: 0, log, ...(pages === undefined ? {} : { pages }) });
  const keys = new Map<Role, string>();
  for (const role of roles) keys.set(role, (await addApiKey(app, { name: `a-${role}`, role })).text);
  const keyOf = (role: Role) => keys.get(role) ?? "";
  const { document, demandConformity } = await described(server, keyOf("admin"));
  let limited = 0;
  return {
    url: server.url,
    port: server.port,
    folder,
    app,
    document,
    keyOf,
    limitedKey: async (configurations, role = "operator") =>
      (await addApiKey(app, { name: `limited-${limited++}`, role, configurations })).text,
    async call(method, path, { key = keyOf("admin"), json, headers = {} } = {}) {
      const reply = await send(server, path, { method, json, headers, ...(key === null ? {} : { key }) });
      demandConformity({ method, path, json, reply });
      return reply;
    },
    logged: () => lines.join(""),
    stop: () => server.stop(),
    async close() {
      await server.stop();
      if (registry === undefined) await folder.remove();
    },
  };
}

async function described(server: { port: number }, key: string) {
  const document: ApiDocument = (await send(server, "/api/openapi.json", { key })).json();
  return { document, demandConformity: conformityOf(document) };
}
