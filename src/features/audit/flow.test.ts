import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { type AppHome, appHome } from "../../../test/support/app-home.ts";
import { day, fill } from "../../../test/registry/filled-store.ts";
import type { AuditWanted } from "../../registry/inquiry.ts";
import { expireOldUsage, exportAudit, listAudit, parseMoment } from "./flow.ts";
import { verifyStore } from "./verification.ts";

async function exported(home: AppHome): Promise<string> {
  let text = "";
  let records = 0;
  for await (const lines of exportAudit(await home.inspect(), (count) => (records = count))) text += lines;
  expect(text.trimEnd().split("\n")).toHaveLength(records + 1);
  return text;
}

const [recipe = ""] = /^```js\n([\s\S]*?)^```$/m.exec(readFileSync("docs/audit.md", "utf8"))?.slice(1) ?? [];

/** The recipe of docs/audit.md, as somebody would run it who has nothing but the file. */
function verifyElsewhere(home: AppHome, text: string): string {
  writeFileSync(home.path("verify.mjs"), recipe);
  writeFileSync(home.path("audit.jsonl"), text);
  const { stdout, stderr } = spawnSync(process.execPath, [home.path("verify.mjs"), home.path("audit.jsonl")], {
    encoding: "utf8",
  });
  return stdout === "" ? (/Error: (.*)/.exec(stderr)?.[1] ?? stderr) : stdout.trim();
}

describe.each(["SQLite", "PostgreSQL"] as const)("the audit on %s", (engine) => {
  test("RV-8: is listed the newest first, or from a record on, by act, subject, person and time", async () => {
    const home = await appHome(engine);
    await fill(home);
    const opened = await home.inspect();
    const seqs = async (wanted: Partial<AuditWanted>) =>
      (await listAudit(opened, { limit: 100, ...wanted })).map(({ seq }) => seq);
    const acts = async (wanted: Partial<AuditWanted>) =>
      (await listAudit(opened, { limit: 100, ...wanted })).map(({ act }) => act);
    const all = await seqs({});
    expect(all).toEqual([...all.keys()].map((at) => all.length - at));
    expect(await seqs({ limit: 2 })).toEqual(all.slice(0, 2));
    expect(await seqs({ before: 4 })).toEqual([3, 2, 1]);
    expect(await seqs({ after: 2, limit: 3 })).toEqual([3, 4, 5]);
    expect(await seqs({ after: 2, before: 4 })).toEqual([3]);
    expect(await acts({ act: "decision." })).toEqual(["decision.approve", "decision.approve"]);
    expect(await acts({ act: "decision.approve", subject: "CSV" })).toEqual([]);
    expect(await acts({ subject: "csv", act: "de" })).toEqual(["decision.approve"]);
    expect(await acts({ subject: "%" })).toEqual([]);
    expect(await acts({ by: "node:n" })).toEqual(["usage.batch", "usage.batch"]);
    expect(await acts({ since: home.clock.now() })).toEqual(["usage.expired", "usage.batch"]);
  });

  test("T19: an export is verified by whoever has sha256, and by nothing else of ours", async () => {
    const home = await appHome(engine);
    await fill(home);
    const text = await exported(home);
    const lines = text.trimEnd().split("\n");
    const count = lines.length - 1;
    expect(recipe.trimEnd().split("\n").length).toBeLessThanOrEqual(18);
    expect(verifyElsewhere(home, text)).toBe(`${count} records, none changed`);
    const without = (at: number) => lines.filter((_, index) => index !== at).join("\n");
    const swapped = [lines[1], lines[0], ...lines.slice(2)].join("\n");
    expect(verifyElsewhere(home, text.replace('"by":"ada"', '"by":"eve"'))).toMatch(/^record \d+ is not what it was$/);
    expect(verifyElsewhere(home, without(2))).toBe("record 3 is not what it was");
    expect(verifyElsewhere(home, swapped)).toBe("record 1 is not what it was");
    expect(verifyElsewhere(home, without(count - 1))).toBe("records are missing at the end");
    expect(verifyElsewhere(home, text.replace(/("audit":\{"seq":\d+,"hash":")./, "$1x"))).toBe(
      "the chain was written anew",
    );
  });

  test("T19: of a store that was rolled back, the checkpoint is exported as it was signed, and none is made", async () => {
    const home = await appHome(engine);
    await fill(home);
    await home.close();
    const before = await exported(home);
    await home.close();
    await home.sql("DELETE FROM audit WHERE seq = (SELECT max(seq) FROM audit)");
    const after = await exported(home);
    expect(after.trimEnd().split("\n").at(-1)).toBe(before.trimEnd().split("\n").at(-1));
    expect(verifyElsewhere(home, after)).toBe("records are missing at the end");
  });
});

test("RV-8: retention takes what is older than usage.retention-days, and the chain still proves what is left", async () => {
  const home = await appHome();
  home.write(".config/skillward/config.yaml", "usage:\n  retention-days: 30\n");
  const app = await fill(home);
  home.clock.advance(29 * day);
  expect(await expireOldUsage(app)).toMatchObject({ batches: 0 });
  home.clock.advance(2 * day);
  expect(await expireOldUsage(app)).toEqual({ before: home.clock.now() - 30 * day, batches: 1 });
  expect(await app.kept.read.usageIn("batch-new")).toEqual([]);
  const { parts, passes } = await verifyStore(await home.inspect());
  expect([passes, parts[3]?.note]).toEqual([true, expect.stringContaining("2 of them have expired")]);
  const person = { name: "grace", role: "operator", configurations: null } as const;
  await expect(expireOldUsage({ ...app, person })).rejects.toMatchObject({ code: "auth.forbidden" });
});

test("RV-8: kept forever, nothing is removed", async () => {
  const home = await appHome();
  home.write(".config/skillward/config.yaml", "usage:\n  retention-days: forever\n");
  const app = await fill(home);
  home.clock.advance(10_000 * day);
  expect(await expireOldUsage(app)).toBeNull();
  expect(await app.kept.read.usageIn("batch-new")).toHaveLength(2);
});

test("RV-8: a time is a day or a moment, in universal time unless it says otherwise", () => {
  expect(parseMoment("2026-01-31")).toBe(Date.UTC(2026, 0, 31));
  expect(parseMoment("2026-01-31T18:30")).toBe(Date.UTC(2026, 0, 31, 18, 30));
  expect(parseMoment("2026-01-31T18:30:05+02:00")).toBe(Date.UTC(2026, 0, 31, 16, 30, 5));
  for (const wrong of ["", "yesterday", "2026-13-01", "2026-02-31T25:00", "31.1.2026", "1769817600000"])
    expect(() => parseMoment(wrong)).toThrow(/is no time/);
});

test("docs/audit.md names every finding of a verification and of the usage log", () => {
  const page = readFileSync("docs/audit.md", "utf8");
  const files = ["registry/verify", "registry/verify-rows", "features/audit/checks", "features/usage/usage-outbox"];
  const sources = files.map((file) => readFileSync(`src/${file}.ts`, "utf8")).join("\n");
  const written = /["`]((?:audit|checkpoint|ledger|revision|usage)\.[a-z-]+)[" ]/g;
  const codes = new Set([...sources.matchAll(written)].map(([, code]) => code ?? ""));
  // Acts of audit records, not findings.
  for (const act of ["usage.batch", "usage.expired", "audit.ts"]) codes.delete(act);
  expect(codes.size).toBeGreaterThan(15);
  expect([...codes].filter((code) => !page.includes(`\`${code}\``))).toEqual([]);
});
