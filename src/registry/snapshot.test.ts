import { describe, expect, test } from "vitest";
import { ada, bob, currentOf, say, stateIn, syncedRegistry } from "../../test/support/registry.ts";
import { rowDigest } from "./ledger/ledger.ts";
import { changeSource } from "./sync/sources.ts";
import { runSync } from "./sync/sync.ts";
import { allow } from "../../test/support/permits.ts";

const pdf = "skills:pdf";
const asking = "allowed-tools: Read Write\n";

async function usable(app: Awaited<ReturnType<typeof syncedRegistry>>["app"]) {
  return (await app.registry.look()).snapshot.usable.get(pdf);
}

describe("RV-10: what may be used", () => {
  test("is there with the name, description, trust and grants that were approved", async () => {
    const { folder, app } = await syncedRegistry();
    folder.writeSkill("pdf", "Do it.\n", asking);
    await runSync(app.sync, allow(ada), "skills");
    await say(app, ada, "approve", pdf);
    expect(await usable(app)).toEqual({
      id: pdf,
      digest: await currentOf(app, pdf),
      name: "pdf",
      description: "What pdf does and when to use it.",
      trust: "community",
      grants: ["Read", "Write"],
      approvals: [(await app.kept.read.ledgerOf(pdf)).map(rowDigest).at(-1)],
    });
  });

  test("is nothing else: every other state has none", async () => {
    const { app } = await syncedRegistry(["pdf", "xls"]);
    await say(app, ada, "reject", pdf);
    const { snapshot } = await app.registry.look();
    expect([...snapshot.usable]).toEqual([]);
    for (const [id, why] of [
      [pdf, "reject"],
      ["skills:xls", "nobody has decided"],
      ["skills:no", "no such entry"],
    ] as const)
      await expect(app.registry.use(snapshot, id)).rejects.toMatchObject({
        code: "entry.unusable",
        message: expect.stringContaining(why),
      });
  });

  test("has the lower of the trust that was signed and the source's", async () => {
    const { folder, app } = await syncedRegistry();
    await say(app, ada, "approve", pdf);
    await changeSource(app.sync, allow(ada), "skills", { trust: "first_party" });
    expect((await usable(app))?.trust).toBe("community");
    await changeSource(app.sync, allow(ada), "skills", { trust: "untrusted" });
    expect((await usable(app))?.trust).toBe("untrusted");
    // By hand in the database it is not raised either.
    folder.sql("UPDATE sources SET record = replace(record, 'untrusted', 'first_party')");
    const { snapshot } = await (await folder.open()).registry.look();
    expect(snapshot.usable.get(pdf)?.trust).toBe("untrusted");
  });

  test("of an entry that is held is the approved revision, not the one that waits", async () => {
    const { folder, app } = await syncedRegistry(["pdf"], { onChange: "hold" });
    await say(app, ada, "approve", pdf);
    const approved = await currentOf(app, pdf);
    folder.writeSkill("pdf", "Other words.\n");
    await runSync(app.sync, allow(ada), "skills");
    const { snapshot } = await app.registry.look();
    const { digest, files } = await app.registry.use(snapshot, pdf);
    expect(digest).toBe(approved);
    expect(Buffer.from(files[0]?.bytes ?? []).toString()).toContain("Do it.");
  });
});

describe("RV-5: where two people must approve, a grant takes both", () => {
  const two = { config: "review:\n  decisions:\n    community: 2\n" };

  async function askingRegistry() {
    const registry = await syncedRegistry(["pdf"], two);
    registry.folder.writeSkill("pdf", "Do it.\n", asking);
    await runSync(registry.app.sync, allow(ada), "skills");
    return registry;
  }

  test.each([
    [false, false, ["Read", "Write"]],
    [true, false, []],
    [false, true, []],
  ])("ada without grants %j, bob without %j", async (first, second, grants) => {
    const { app } = await askingRegistry();
    await say(app, ada, "approve", pdf, { withoutGrants: first });
    await say(app, bob, "approve", pdf, { withoutGrants: second });
    expect((await usable(app))?.grants).toEqual(grants);
  });

  test("one person's later word alone grants nothing", async () => {
    const { folder, app } = await askingRegistry();
    await say(app, ada, "approve", pdf, { withoutGrants: true });
    await say(app, bob, "approve", pdf, { withoutGrants: true });
    folder.writeSkill("pdf", "Do something else.\n", asking);
    await runSync(app.sync, allow(ada), "skills");
    await say(app, ada, "approve", pdf);
    folder.writeSkill("pdf", "Do it.\n", asking);
    await runSync(app.sync, allow(ada), "skills");
    await say(app, bob, "approve", pdf);
    expect(await stateIn(app, pdf)).toBe("enabled");
    expect((await usable(app))?.grants).toEqual([]);
  });
});

test("RV-5: a source that is trusted less now asks for as many people as it would now", async () => {
  const { app } = await syncedRegistry(["pdf"], { config: "review:\n  decisions:\n    untrusted: 2\n" });
  await say(app, ada, "approve", pdf);
  expect(await stateIn(app, pdf)).toBe("enabled");
  await changeSource(app.sync, allow(ada), "skills", { trust: "untrusted" });
  expect(await stateIn(app, pdf)).toBe("pending");
  await say(app, bob, "approve", pdf);
  expect(await stateIn(app, pdf)).toBe("enabled");
});
