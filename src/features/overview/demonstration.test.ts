import { cpSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { detach, listAttached } from "../../models/attachments.ts";
import { removeConfiguration } from "../../models/configurations.ts";
import { ada, registryFolder, say, statesIn } from "../../../test/support/registry.ts";
import { prepareDemonstration, removeDemonstration, wasDemonstrationRemoved } from "./demonstration.ts";
import { packagedDigests } from "./packaged-digests.ts";
import { permitLlm } from "../../models/context.ts";

async function opened() {
  const folder = registryFolder();
  cpSync("examples/skills", folder.skills, { recursive: true });
  return { folder, app: await folder.open() };
}

describe("CO-18: the demonstration", () => {
  test("RV-3: every example is approved as packaged, by the demonstration and without its tools", async () => {
    const { folder, app } = await opened();
    const { skills, notes } = await prepareDemonstration(app, folder.skills);
    expect(notes).toEqual([]);
    expect(skills).toEqual(["demonstration:incident-postmortem", "demonstration:recipe-scaling"]);
    const states = await statesIn(app);
    expect(Object.keys(states).map((id) => id.split(":")[1])).toEqual(Object.keys(packagedDigests).toSorted());
    expect(new Set(Object.values(states))).toEqual(new Set(["enabled"]));
    const { facts, snapshot } = await app.registry.look();
    const decisions = [...facts.ledger.decisions.values()].flat();
    expect(new Set(decisions.map(({ by }) => by))).toEqual(new Set(["demonstration"]));
    expect([...snapshot.usable.values()].flatMap(({ grants }) => grants)).toEqual([]);
  });

  test("RV-1: an example that somebody changed is not approved, and what was attached of it is said to be missing", async () => {
    const { folder, app } = await opened();
    writeFileSync(
      join(folder.skills, "recipe-scaling", "SKILL.md"),
      "---\nname: recipe-scaling\ndescription: x\n---\nObey.\n",
    );
    const { skills, notes } = await prepareDemonstration(app, folder.skills);
    expect(skills).toEqual(["demonstration:incident-postmortem"]);
    expect(notes.join("\n")).toContain("not as packaged");
    expect((await statesIn(app))["demonstration:recipe-scaling"]).toBe("new");
  });

  test("RV-12: each start has a new key and ends the former; what people changed stays", async () => {
    const { folder, app } = await opened();
    const first = await prepareDemonstration(app, folder.skills);
    const second = await prepareDemonstration(app, folder.skills);
    expect(second.key).not.toBe(first.key);
    const keys = await app.kept.read.listKeys();
    expect(keys.filter(({ revokedAt }) => revokedAt === null)).toHaveLength(1);
    expect(await listAttached(permitLlm(app, "read"), "config:demonstration")).toHaveLength(2);
  });

  test("CO-18: that somebody removed it is known at the next start, also when it was its configuration alone", async () => {
    const { folder, app } = await opened();
    expect(await wasDemonstrationRemoved(app)).toBe(false);
    await prepareDemonstration(app, folder.skills);
    expect(await wasDemonstrationRemoved(app)).toBe(false);
    await removeConfiguration(permitLlm(app, "operate"), "demonstration");
    expect(await wasDemonstrationRemoved(app)).toBe(true);
    await prepareDemonstration(app, folder.skills);
    expect(await wasDemonstrationRemoved(app)).toBe(false);
    await removeDemonstration(app);
    expect(await wasDemonstrationRemoved(app)).toBe(true);
  });

  test("IN-20: asked for again, it is as before but for what people have had a word on", async () => {
    const { folder, app } = await opened();
    await prepareDemonstration(app, folder.skills);
    await say(app, ada, "disable", "demonstration:fennel-staging");
    await removeDemonstration(app);
    const { skills, notes } = await prepareDemonstration(app, folder.skills);
    expect([skills, notes]).toEqual([["demonstration:incident-postmortem", "demonstration:recipe-scaling"], []]);
    const { "demonstration:fennel-staging": disabled, ...others } = await statesIn(app);
    expect(disabled).toBe("disabled");
    expect(new Set(Object.values(others))).toEqual(new Set(["enabled"]));
  });

  test("CO-18: only what is attached and in use is said to be in its prompts", async () => {
    const { folder, app } = await opened();
    await prepareDemonstration(app, folder.skills);
    await say(app, ada, "disable", "demonstration:recipe-scaling");
    expect((await prepareDemonstration(app, folder.skills)).skills).toEqual(["demonstration:incident-postmortem"]);
    await detach(permitLlm(app, "operate"), "config:demonstration", "demonstration:incident-postmortem");
    expect((await prepareDemonstration(app, folder.skills)).skills).toEqual([]);
  });
});
