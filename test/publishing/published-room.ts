import type { App } from "../../src/app/app.ts";
import { PublicShelf } from "../../src/features/publishing/public-shelf.ts";
import { listPublished } from "../../src/features/publishing/flow.ts";
import { ada, type RegistryFolder, say, syncedRegistry } from "../support/registry.ts";

export const entry = "skills:pdf";

/** A registry whose skills are all approved. */
export async function approved(skills: readonly string[] = ["pdf"]): Promise<{ folder: RegistryFolder; app: App }> {
  const made = await syncedRegistry(skills);
  for (const skill of skills) await say(made.app, ada, "approve", `skills:${skill}`);
  return made;
}

/** The names in the public index, as a node that starts now makes it. */
export async function servedNames(app: App): Promise<string[]> {
  const { bytes } = await new PublicShelf(app).index();
  return JSON.parse(Buffer.from(bytes).toString()).skills.map(({ name }: { name: string }) => name);
}

/** The findings of what is switched on, by entry. */
export async function said(app: App): Promise<Record<string, string[]>> {
  const lines = await listPublished(app);
  return Object.fromEntries(lines.map((line) => [line.entry, line.findings.map(({ code }) => code)]));
}
