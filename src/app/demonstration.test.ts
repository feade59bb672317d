import { cpSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { listAttached } from "../use/llm/attachments.ts";
import { registryFolder, statesIn } from "../../test/registry.ts";
import { prepareDemonstration } from "./demonstration.ts";
import { packagedDigests } from "./packaged-digests.ts";

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
    expect(await listAttached(app.llm, "config:demonstration")).toHaveLength(2);
  });
});
