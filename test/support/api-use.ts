import { addFolder } from "../../src/registry/sync/sources.ts";
import { runSync } from "../../src/registry/sync/sync.ts";
import type { ApiRoom } from "./api-room.ts";
import { ada, approveAnyway } from "./registry.ts";
import { allow } from "./permits.ts";

/** Skills by name and body as the source `skills`, each approved as it stands. */
export async function approveSkills(room: ApiRoom, skills: Readonly<Record<string, string>>): Promise<void> {
  const { folder, app } = room;
  for (const [name, body] of Object.entries(skills)) folder.writeSkill(name, body);
  const isThere = (await app.kept.read.findSource("skills")) !== undefined;
  if (!isThere) await addFolder(app.sync, allow(ada), folder.skills, { id: "skills", trust: "community" });
  await runSync(app.sync, allow(ada), "skills");
  for (const name of Object.keys(skills)) await approveAnyway(app, ada, `skills:${name}`);
}

/** A provider that echoes and a configuration of the same name, through the API. */
export async function echoConfiguration(room: ApiRoom, id = "echo", fields: object = {}): Promise<void> {
  await done(room, "POST", "/api/providers", { id, protocol: "echo", models: ["*"] });
  await done(room, "POST", "/api/configurations", { id, provider: id, model: "m", ...fields });
}

export async function attachAll(room: ApiRoom, target: string, names: readonly string[]): Promise<void> {
  for (const name of names) await done(room, "PUT", `/api/${target}/attached/${segment(`skills:${name}`)}`);
}

/** A call that has to work; what it answers. */
// oxlint-disable-next-line typescript/no-explicit-any
export async function done(room: ApiRoom, method: string, path: string, json?: unknown, key?: string): Promise<any> {
  const reply = await room.call(method, path, { ...(json === undefined ? {} : { json }), ...(key ? { key } : {}) });
  if (reply.status !== 200) throw new Error(`${method} ${path} answered ${reply.status}: ${reply.text}`);
  return reply.json();
}

/** One part of a path, whatever it holds. */
export function segment(text: string): string {
  return encodeURIComponent(text);
}

/** How long the audit chain is: nothing that changes anything leaves it alone. */
export async function auditLength({ app }: Pick<ApiRoom, "app">): Promise<number> {
  return (await app.kept.read.auditHead()).seq;
}
