import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { App } from "../../src/app/app.ts";
import { Serving } from "../../src/features/serving.ts";
import type { Registry } from "../../src/registry/registry.ts";
import { createLog } from "../../src/server/logs/log.ts";
import { Library } from "../../src/server/mcp/library.ts";
import { SkillSource } from "../../src/server/mcp/skill-server.ts";
import { ada, approveAnyway, RegistryFolder, say, skillText } from "../support/registry.ts";
import { addFolder } from "../../src/registry/sync/sources.ts";
import { runSync } from "../../src/registry/sync/sync.ts";
import { allow } from "../support/permits.ts";

let folder: RegistryFolder;
let app: App;
beforeAll(async () => {
  folder = new RegistryFolder();
  for (const name of ["first", "second", "third"]) folder.write(`skills/${name}/SKILL.md`, skillText(name));
  app = await folder.open();
  await addFolder(app.sync, allow(ada), folder.skills, { id: "team", trust: "community" });
  await runSync(app.sync, allow(ada), "team");
});
afterAll(() => folder.remove());

/** The skills of the registry, where something happens once, in the middle of a request. */
async function sourceWhere(happens: (use: Registry["use"]) => Registry["use"]) {
  const registry = { ...app.registry, use: happens((snapshot, entry) => app.registry.use(snapshot, entry)) };
  const serving = new Serving({ ...app, registry });
  const lines: string[] = [];
  const log = createLog({ write: (line) => void lines.push(line) }, app.world.clock);
  const source = new SkillSource(new Library(serving, log), async () => app.person);
  return { source, close: () => serving.close() };
}

function once(before: "before" | "after", act: () => Promise<unknown>) {
  return (use: Registry["use"]): Registry["use"] => {
    let isDone = false;
    const happen = async () => {
      if (!isDone) await act();
      isDone = true;
    };
    return async (snapshot, entry) => {
      if (before === "before") await happen();
      const bundle = await use(snapshot, entry);
      if (before === "after") await happen();
      return bundle;
    };
  };
}

describe("RV-10, invariant 8: one generation for one request", () => {
  test.each(["before", "after"] as const)(
    "what is taken back %s its bytes were read is not given out any more",
    async (when) => {
      await approveAnyway(app, ada, "team:first");
      const { source, close } = await sourceWhere(once(when, () => say(app, ada, "disable", "team:first")));
      await expect(source.read("skill://team/first/SKILL.md")).rejects.toThrow("Resource not found");
      await close();
    },
  );

  test("a page has the skills of one generation, whatever is approved while it is made", async () => {
    await approveAnyway(app, ada, "team:first");
    await approveAnyway(app, ada, "team:third");
    const { source, close } = await sourceWhere(once("before", () => approveAnyway(app, ada, "team:second")));
    const names = async () => (await source.list(undefined)).items.map(({ frontmatter }) => frontmatter.name);
    expect(await names()).toEqual(["first", "third"]);
    expect(await names()).toEqual(["first", "second", "third"]);
    await close();
  });
});
