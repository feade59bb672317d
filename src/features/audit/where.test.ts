import { describe, expect, test } from "vitest";
import { type AppHome, appHome } from "../../../test/support/app-home.ts";
import { day, fill, usage } from "../../../test/registry/filled-store.ts";
import { ada, currentOf, say } from "../../../test/support/registry.ts";
import { setBlock } from "../../registry/decide.ts";
import { runSync } from "../../registry/sync/sync.ts";
import { recordUsage, renderBatch } from "../../registry/usage/usage.ts";
import { attach } from "../../models/attachments.ts";
import { addConfiguration } from "../../models/configurations.ts";
import type { App } from "../../app/app.ts";
import { whereUsed } from "./where.ts";
import { allow } from "../../../test/support/permits.ts";
import { permitLlm } from "../../models/context.ts";

async function attachedPdf(home: AppHome): Promise<{ app: App; digest: string }> {
  const app = await fill(home);
  await addConfiguration(permitLlm(app, "operate"), "support", { provider: "one", model: "m" });
  await attach(permitLlm(app, "operate"), "config:support", "skills:pdf");
  return { app, digest: await currentOf(app, "skills:pdf") };
}

const asked = (digest: string) => ({ digest, each: false, limit: 100 });

describe.each(["SQLite", "PostgreSQL"] as const)("where a digest was used, on %s", (engine) => {
  test("RV-8: entries, words, attachments, and every place and time, also by how it begins", async () => {
    const home = await appHome(engine);
    const { app, digest } = await attachedPdf(home);
    const now = home.clock.now();
    const again = [usage({ at: now + 5, digest }), usage({ at: now + 9, digest })];
    await recordUsage(app.kept, { id: "batch-newer", node: "n", at: now, records: again, injections: [] });
    const found = await whereUsed(app, asked(digest.slice(0, 12).toUpperCase()));
    expect(found).toMatchObject({
      digest,
      entries: [
        { entry: "skills:pdf", state: "enabled", isCurrent: true, isInUse: true, attachedTo: ["config:support"] },
      ],
      decisions: [{ word: "approve", by: "ada", entry: "skills:pdf" }],
      block: null,
      more: false,
      expiredBefore: now - 400 * day,
      spooled: 0,
    });
    const place = { configuration: "support", task: null, entry: "skills:pdf" };
    expect(found.uses).toEqual([
      { ...place, conversation: "c-1", event: "injected", tool: null, times: 3, first: now, last: now + 9 },
      { ...place, conversation: null, event: "denied", tool: "shell", times: 1, first: now + 1, last: now + 1 },
    ]);
    const each = await whereUsed(app, { digest, each: true, limit: 3 });
    expect(each.uses.map((use) => ("at" in use ? use.at - now : -1))).toEqual([9, 5, 1]);
    expect(each.uses.map(({ tool }) => tool)).toEqual([null, null, "shell"]);
    expect(each.more).toBe(true);
  });

  test("RV-8: what an entry had before, what blocks it, and what still waits on the disk", async () => {
    const home = await appHome(engine);
    const { app, digest } = await attachedPdf(home);
    home.writeSkill("pdf", "Something else.\n");
    await runSync(app.sync, allow(ada), "skills");
    await setBlock(app.review, allow(ada), { word: "block", kind: "digest", value: digest, note: "leaks" });
    home.write("data/spool/1.json", renderBatch({ id: "1", node: "n", at: 1, records: [], injections: [] }));
    expect(await whereUsed(app, asked(digest))).toMatchObject({
      entries: [{ entry: "skills:pdf", state: "pending", isCurrent: false, isInUse: false }],
      block: { word: "block", note: "leaks" },
      spooled: 1,
    });
  });
});

test("RV-8: a start that several have, that none has, or that is no digest is refused and says what to do", async () => {
  const home = await appHome();
  const app = await fill(home);
  const records = ["abcd1", "abcd2"].map((start) => usage({ digest: start.padEnd(64, "0") }));
  await recordUsage(app.kept, { id: "b", node: "n", at: 1, records, injections: [] });
  const refusal = (digest: string) => whereUsed(app, asked(digest)).catch((error: unknown) => error);
  expect(await refusal("abcd")).toMatchObject({
    code: "usage.invalid",
    message: "abcd begins several digests: abcd100000000000, abcd200000000000; give more digits",
  });
  expect(await refusal("ffff1")).toMatchObject({ code: "record.missing" });
  expect(await refusal("abc")).toMatchObject({ code: "usage.invalid" });
  expect(await refusal("xyz1")).toMatchObject({ code: "usage.invalid" });
  expect(await whereUsed(app, asked("abcd2"))).toMatchObject({ entries: [], decisions: [], uses: [{ times: 1 }] });
});

test("T43: one who is limited to some configurations is not told about the others", async () => {
  const home = await appHome();
  const { app, digest } = await attachedPdf(home);
  const person = { name: "key:shop", role: "operator", configurations: ["shop"] } as const;
  await expect(whereUsed({ ...app, person }, asked(digest))).rejects.toMatchObject({ code: "auth.forbidden" });
  await say(app, ada, "disable", "skills:pdf");
});
