import { join } from "node:path";
import { beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { addSource } from "../../src/features/sources/add.ts";
import { setSource, showSource } from "../../src/features/sources/flow.ts";
import { syncSources } from "../../src/features/sources/sync.ts";
import { attachSkill, detachSkill, showAttached } from "../../src/features/configurations/attach.ts";
import { composeStored } from "../../src/features/configurations/compositions.ts";
import { prepareDemonstration, removeDemonstration } from "../../src/features/overview/demonstration.ts";
import { addApiKey, revokeApiKey } from "../../src/features/people/flow.ts";
import { exportApproved } from "../../src/features/publishing/export.ts";
import { showSkill } from "../../src/features/skills/flow.ts";
import { Serving } from "../../src/features/serving.ts";
import { addConfiguration } from "../../src/models/configurations.ts";
import { permitLlm } from "../../src/models/context.ts";
import { addProvider } from "../../src/models/providers.ts";
import { addTask } from "../../src/models/task.ts";
import { ada, say, skillText } from "../support/registry.ts";
import { openApiRoom, type ApiRoom } from "../support/api-room.ts";

const checks = vi.hoisted(() => ({ count: 0 }));

vi.mock("../../src/registry/accounts/permit.ts", async (load) => {
  const permits = await load<typeof import("../../src/registry/accounts/permit.ts")>();
  const requireRight: typeof permits.requireRight = (user, right) => {
    checks.count++;
    return permits.requireRight(user, right);
  };
  return { ...permits, requireRight };
});

let room: ApiRoom;
beforeEach(async () => {
  room = await openApiRoom();
  onTestFinished(() => room.close());
  const { app, folder } = room;
  folder.writeSkill("pdf", "Read it.\n");
  for (const other of ["again", "examples"]) folder.write(`${other}/notes/SKILL.md`, skillText("notes"));
  await addSource(app, folder.skills, { id: "skills" });
  await say(app, ada, "approve", "skills:pdf");
  await addProvider(permitLlm(app, "administer"), "echo", { protocol: "echo", models: ["*"] });
  await addConfiguration(permitLlm(app, "operate"), "house", { provider: "echo", model: "small" });
  await addTask(permitLlm(app, "operate"), "sum-up", { configuration: "house", template: "Sum up: {{input}}" });
});

/** How often a right is checked meanwhile. */
async function countChecks(act: () => Promise<unknown>): Promise<number> {
  checks.count = 0;
  await act();
  return checks.count;
}

const key = { name: "ci", role: "reader" };

test("RV-12: a flow checks the right of a person once", async () => {
  const { app, folder } = room;
  const target = { to: folder.root, force: false, prune: false, agent: "claude" } as const;
  const serving = new Serving(app);
  onTestFinished(() => serving.close());
  const golden = [{ query: "read a pdf", expected: ["skills:pdf"] }];
  const counts = {
    "source add": await countChecks(() => addSource(app, join(folder.root, "again"), { id: "again" })),
    "source sync": await countChecks(() => syncSources(app, ["skills"])),
    "source set": await countChecks(() => setSource(app, "skills", { title: "Ours" })),
    "source show": await countChecks(() => showSource(app, "skills")),
    "skill show": await countChecks(() => showSkill(app, "skills:pdf")),
    "attach to a configuration": await countChecks(() => attachSkill(app, "house", "skills:pdf")),
    "attach to a task": await countChecks(() => attachSkill(app, "task:sum-up", "skills:pdf")),
    "show what is attached": await countChecks(() => showAttached(app, "task:sum-up")),
    compose: await countChecks(() => composeStored(app, { configuration: "house" })),
    "export a configuration": await countChecks(() => exportApproved(app, { ...target, configuration: "house" })),
    "export everything": await countChecks(() => exportApproved(app, target)),
    detach: await countChecks(() => detachSkill(app, "house", "skills:pdf")),
    "key add": await countChecks(() => addApiKey(app, key)),
    "key revoke": await countChecks(() => revokeApiKey(app, "ci")),
    evaluate: await countChecks(() => serving.evaluate(app.person, { title: "First", golden })),
    "prepare the demonstration": await countChecks(() => prepareDemonstration(app, join(folder.root, "examples"))),
    "prepare it again": await countChecks(() => prepareDemonstration(app, join(folder.root, "examples"))),
    "remove the demonstration": await countChecks(() => removeDemonstration(app)),
  };
  expect(counts).toEqual(Object.fromEntries(Object.keys(counts).map((flow) => [flow, 1])));
});
