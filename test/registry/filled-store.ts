import type { App } from "../../src/app/app.ts";
import { addKey } from "../../src/registry/accounts/api-keys.ts";
import { addUser } from "../../src/registry/accounts/users.ts";
import { addFolder } from "../../src/registry/sync/sources.ts";
import { runSync } from "../../src/registry/sync/sync.ts";
import { expireUsage, recordUsage, type UsageRecord } from "../../src/registry/usage/usage.ts";
import { addProvider, setProviderSecret } from "../../src/models/providers.ts";
import type { AppHome } from "../support/app-home.ts";
import { ada, currentOf, say } from "../support/registry.ts";
import { allow } from "../support/permits.ts";
import { permitLlm } from "../../src/models/context.ts";

export const day = 86_400_000;

export function usage(patch: Partial<UsageRecord> = {}): UsageRecord {
  const place = { configuration: "support", task: null, conversation: "c-1", tool: null };
  return { at: 1, event: "injected", entry: "skills:pdf", digest: "d".repeat(64), ...place, ...patch };
}

/** One of everything that can be verified: words, usage of now and of long ago, a user, a key, two secrets. */
export async function fill(home: AppHome): Promise<App> {
  home.writeSkill("pdf");
  home.writeSkill("csv", "Count the columns.\n");
  const app = await home.open();
  await addFolder(app.sync, allow(ada), home.path("skills"), { id: "skills" });
  await runSync(app.sync, allow(ada), "skills");
  for (const entry of ["skills:pdf", "skills:csv"]) await say(app, ada, "approve", entry);
  await addUser(app.accounts, allow(ada), { name: "grace", role: "reader", password: "correct horse battery" });
  await addKey(app.accounts, allow(ada), { name: "ci", role: "reader" });
  for (const id of ["one", "two"]) {
    await addProvider(permitLlm(app, "administer"), id, {
      protocol: "openai",
      origin: "https://models.example.org",
      models: ["m"],
    });
    await setProviderSecret(permitLlm(app, "administer"), id, `secret-of-${id}`);
  }
  await useBatches(app, home);
  return app;
}

async function useBatches(app: App, home: AppHome): Promise<void> {
  const digest = await currentOf(app, "skills:pdf");
  const at = home.clock.now();
  await recordUsage(app.kept, {
    id: "batch-old",
    node: "n",
    at,
    records: [usage({ at, digest, conversation: "old" })],
    injections: [],
  });
  home.clock.advance(500 * day);
  const now = home.clock.now();
  const denied = usage({ at: now + 1, digest, event: "denied", conversation: null, tool: "shell" });
  const records = [usage({ at: now, digest }), denied];
  await recordUsage(app.kept, { id: "batch-new", node: "n", at: now, records, injections: [] });
  await expireUsage(app.kept, allow(ada), now - 400 * day, now);
}
