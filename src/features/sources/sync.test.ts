import { expect, test } from "vitest";
import { addFolder } from "../../registry/sync/sources.ts";
import { ada, realWorld, registryFolder } from "../../../test/support/registry.ts";
import { Live } from "./sync.ts";
import { runToldSync } from "./sync.ts";
import { allow } from "../../../test/support/permits.ts";
import type { LiveEvent } from "./schema.ts";

test("IN-23: a sync that ends by what nobody foresaw blames nobody, and repeats nothing of it", async () => {
  const files = { ...realWorld.files };
  const folder = registryFolder({ world: { files } });
  folder.writeSkill("pdf");
  const app = await folder.open();
  await addFolder(app.sync, allow(ada), folder.skills, { id: "skills" });
  const live = new Live();
  const told: LiveEvent[] = [];
  live.listen((event) => told.push(event));
  files.list = () => Promise.reject(new TypeError("/var/lib/skillward is not iterable"));
  await expect(runToldSync(app.sync, allow(ada), "skills", {}, live)).rejects.toThrow(TypeError);
  expect(told.at(-1)).toEqual({
    is: "synced",
    source: "skills",
    result: {
      source: "skills",
      status: "error",
      error: { code: "internal", message: "the sync broke off, and the log says why; sync it again" },
    },
  });
});
