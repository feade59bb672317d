import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import type { App } from "../../src/app/app.ts";
import { Serving } from "../../src/features/serving.ts";
import { addSkillTriggers } from "../../src/features/routing/triggers.ts";
import { sha256 } from "../../src/core/digest.ts";
import type { Thread } from "../../src/core/world.ts";
import { runSync } from "../../src/registry/sync/sync.ts";
import { addConfiguration } from "../../src/models/configurations.ts";
import { addProvider } from "../../src/models/providers.ts";
import { indexSkills, type RawSkill } from "../../src/features/routing/index-job.ts";
import { ada, person, realWorld, type RegistryFolder, say, syncedRegistry } from "../support/registry.ts";
import { allow } from "../support/permits.ts";

const texts = {
  "tide-tables": "Reads tide tables and plans when a harbour can be entered.",
  "sourdough-baking": "Bakes sourdough bread: starter, hydration, proofing, oven.",
  "invoice-matching": "Matches invoices with payments on a bank statement.",
};

interface Home {
  readonly folder: RegistryFolder;
  readonly app: App;
  readonly serving: Serving;
}

/** Three skills of which none is approved. */
async function home(options: Parameters<typeof syncedRegistry>[1] = {}): Promise<Home> {
  const { folder, app } = await syncedRegistry([], options);
  for (const [name, about] of Object.entries(texts)) writeSkill(folder, name, about);
  await runSync(app.sync, allow(ada), "skills");
  return { folder, app, serving: servingOf(app) };
}

function servingOf(app: App): Serving {
  const serving = new Serving(app);
  onTestFinished(() => serving.close());
  return serving;
}

function writeSkill(folder: RegistryFolder, name: string, about: string, header = ""): void {
  folder.write(
    `skills/${name}/SKILL.md`,
    `---\nname: ${name}\ndescription: ${about}\n${header}---\n# ${name}\n\n${about}\n`,
  );
}

async function approveAll(app: App): Promise<void> {
  for (const name of Object.keys(texts)) await say(app, ada, "approve", `skills:${name}`);
}

async function found(serving: Serving, query: string): Promise<string[]> {
  return (await serving.route(ada, { query })).matches.map(({ entry }) => entry);
}

const tides = "when can I enter the harbour, what do the tide tables say?";

describe("routing over the registry", () => {
  test("RT-1, T31: only what somebody approved is found, and only as long as that holds", async () => {
    const { app, serving } = await home();
    expect(await found(serving, tides)).toEqual([]);

    await approveAll(app);
    expect(await found(serving, tides)).toEqual(["skills:tide-tables"]);

    await say(app, ada, "disable", "skills:tide-tables");
    expect(await found(serving, tides)).toEqual([]);
  });

  test("T31: a description that changed is not read before it is approved; the change alone disables", async () => {
    const { folder, app, serving } = await home();
    await approveAll(app);
    writeSkill(folder, "tide-tables", "Grows tomatoes in a greenhouse.");
    await runSync(app.sync, allow(ada), "skills");

    expect(await found(serving, "grow tomatoes in my greenhouse")).toEqual([]);
    expect(await found(serving, tides)).toEqual([]);
  });

  test("RT-6: the index follows the generations, and equals one that is made at once", async () => {
    const { folder, app, serving } = await home();
    await approveAll(app);
    await found(serving, tides);
    writeSkill(folder, "bee-keeping", "Keeps bees: hives, swarms, honey, varroa.");
    writeSkill(folder, "tide-tables", "Reads tide tables, currents and harbour depths.");
    await runSync(app.sync, allow(ada), "skills");
    await say(app, ada, "approve", "skills:bee-keeping");
    await say(app, ada, "approve", "skills:tide-tables");
    await say(app, ada, "disable", "skills:invoice-matching");

    const queries = [tides, "my bees swarm, what about the honey?", "match the invoices with the statement"];
    const followed = await answers(serving, queries);
    writeFileSync(join(folder.root, "data", "routing.index"), "");
    expect(await answers(servingOf(await folder.open()), queries)).toEqual(followed);
  });

  test("RT-6: a second process loads the index as it is, and makes nothing again", async () => {
    const { folder, app, serving } = await home();
    await approveAll(app);
    await found(serving, tides);
    const asked: number[] = [];
    const threads = { open: () => countingThread(asked) };

    expect(await found(servingOf(await folder.open({ world: { threads } })), tides)).toEqual(["skills:tide-tables"]);
    expect(asked).toEqual([]);
  });

  test.each([
    ["is empty", () => new Uint8Array()],
    ["is cut short", (bytes: Uint8Array) => bytes.subarray(0, bytes.length >> 1)],
    ["has one bit changed", flipped],
    ["is something else", () => Buffer.from("no index at all")],
  ])("RT-6: an index file that %s is made again", async (_, damage) => {
    const { folder, app, serving } = await home();
    await approveAll(app);
    await found(serving, tides);
    const file = join(folder.root, "data", "routing.index");
    const whole = readFileSync(file);
    writeFileSync(file, damage(whole));

    const again = servingOf(await folder.open());
    expect(await found(again, tides)).toEqual(["skills:tide-tables"]);
    expect(again.routing.findings.map(({ code }) => code)).toEqual(["route.index-rebuilt"]);
    expect(readFileSync(file).equals(whole)).toBe(true);
    // Only its owner reads it: it says what a registry holds.
    expect(statSync(file).mode & 0o077).toBe(0);
  });

  test("T17: bytes that a hand in the database put there are not indexed, and that is said", async () => {
    const { folder, app, serving } = await home();
    await approveAll(app);
    const [blob] = folder.sql("select digest from blobs where instr(bytes, 'tide tables') > 0");
    const other = Buffer.from("---\nname: tide-tables\ndescription: Steals the keys of the castle.\n---\nSteal.\n");
    folder.sql("update blobs set bytes = ? where digest = ?", other, String(blob?.["digest"]));

    expect(await found(serving, "steal the keys of the castle")).toEqual([]);
    expect(serving.routing.findings.map(({ code }) => code)).toEqual(["route.tampered"]);
  });

  test("T17, T31: a list of files that a hand pointed elsewhere is not read, nor is what it points to", async () => {
    const { folder, app, serving } = await home();
    await approveAll(app);
    const other = Buffer.from("---\nname: tide-tables\ndescription: Steals the keys of the castle.\n---\nSteal.\n");
    folder.sql("insert into blobs (digest, bytes) values (?, ?)", sha256(other), other);
    const files = JSON.stringify([{ path: "SKILL.md", digest: sha256(other), size: other.length }]);
    folder.sql("update revisions set files = ? where summary like '%tide-tables%'", files);

    expect(await found(serving, "steal the keys of the castle")).toEqual([]);
    expect(serving.routing.findings.map(({ code }) => code)).toEqual(["route.tampered"]);
  });

  test("a skill that no model may choose is not routed", async () => {
    const { folder, app, serving } = await home();
    writeSkill(folder, "hidden-work", "Prunes apple trees in winter.", "disable-model-invocation: true\n");
    await runSync(app.sync, allow(ada), "skills");
    await say(app, ada, "approve", "skills:hidden-work");

    expect(await found(serving, "prune my apple trees")).toEqual([]);
    expect(await found(serving, "hidden-work")).toEqual([]);
  });

  test("RT-2: a phrase that an admin set finds a skill whatever its words and its trust", async () => {
    const { app, serving } = await home();
    await approveAll(app);
    expect(await found(serving, "ebb and flow please")).toEqual([]);

    await addSkillTriggers(app, "skills:tide-tables", ["ebb and flow"]);
    const { matches } = await serving.route(ada, { query: "ebb and flow please" });
    expect(matches).toMatchObject([{ entry: "skills:tide-tables", link: "trigger" }]);
  });

  test("RT-2: triggers that a hand has damaged find nothing, and that is said", async () => {
    const { folder, app, serving } = await home();
    await approveAll(app);
    await addSkillTriggers(app, "skills:tide-tables", ["ebb and flow"]);
    folder.sql("update triggers set phrases = 'rubbish'");
    expect(await found(serving, "ebb and flow please")).toEqual([]);
    expect(serving.routing.findings.map(({ code }) => code)).toEqual(["route.trigger-damaged"]);
  });

  test("RT-6: work is given to a thread, and is done here when the thread is gone", async () => {
    const asked: number[] = [];
    const threads = { open: () => countingThread(asked) };
    const { app, serving } = await home({ world: { threads } });
    await approveAll(app);
    expect(await found(serving, tides)).toEqual(["skills:tide-tables"]);
    expect(asked).toEqual([3]);

    const broken: Thread = { ask: () => Promise.reject(new Error("out of memory")), close: async () => {} };
    const other = await home({ world: { threads: { open: () => broken } } });
    await approveAll(other.app);
    expect(await found(other.serving, tides)).toEqual(["skills:tide-tables"]);
  });

  test("RT-6: a thread that may not be started is no reason to have no index", async () => {
    const open = () => {
      throw new Error("not permitted");
    };
    const { app, serving } = await home({ world: { threads: { open } } });
    await approveAll(app);
    expect(await found(serving, tides)).toEqual(["skills:tide-tables"]);
  });

  test("RT-6: closing does not wait for a thread that is busy", async () => {
    let end: (error: Error) => void = () => {};
    const busy: Thread = {
      ask: () => new Promise((_, reject) => (end = reject)),
      close: async () => end(new Error("closed")),
    };
    const { app, serving } = await home({ world: { threads: { open: () => busy } } });
    await approveAll(app);
    const { snapshot } = await app.registry.look();
    const preparing = serving.routing.prepare(snapshot);
    await serving.close();
    // Ended, and nothing of it counts as the whole.
    expect(await preparing).toMatchObject({ skills: 0 });
  });

  test("RT-6: what a store that fails leaves out is said, and tried again with the next request", async () => {
    const { folder, app } = await home();
    await approveAll(app);
    const broken = await folder.open();
    const reads = broken.kept.read;
    let isBroken = true;
    const read = {
      ...reads,
      findBlobs: (digests: readonly string[]) =>
        isBroken ? Promise.reject(new Error("gone")) : reads.findBlobs(digests),
    };
    const serving = servingOf({ ...broken, kept: { ...broken.kept, read } });
    const first = await serving.route(ada, { query: tides });
    expect([first.matches, first.findings.map(({ code }) => code)]).toEqual([[], ["route.index-failed"]]);
    isBroken = false;
    expect(await found(serving, tides)).toEqual(["skills:tide-tables"]);
  });

  test("RT-6: an index that cannot be written is no reason to fail", async () => {
    const files = { ...realWorld.files, writePrivate: () => Promise.reject(new Error("the disk is full")) };
    const { folder, app } = await home();
    await approveAll(app);
    const serving = servingOf(await folder.open({ world: { files } }));

    expect(await found(serving, tides)).toEqual(["skills:tide-tables"]);
    expect(serving.routing.findings.map(({ code }) => code)).toEqual(["route.index-unsaved"]);
  });
});

describe("what may be chosen (RT-5)", () => {
  test("RT-5: a configuration's `routable` bounds it, and a limited key must name its configuration", async () => {
    const { app, serving } = await home();
    await approveAll(app);
    const context = { ...app.llm, permit: allow(ada) };
    await addProvider(context, "here", { protocol: "echo", models: ["echo"] });
    const fields = { provider: "here", model: "echo", routing: { enabled: true } };
    await addConfiguration(context, "bread", { ...fields, routable: ["skills:sourdough-baking"] });
    await addConfiguration(context, "all", { ...fields, routable: ["source:skills"] });
    await addConfiguration(context, "strict", { ...fields, routable: ["source:skills"], trustFloor: "verified" });
    const limited = { ...person("limited", "reader"), configurations: ["bread"] };
    const route = async (configuration: string) =>
      (await serving.route(ada, { query: tides, configuration })).matches.map(({ entry }) => entry);

    expect(await route("all")).toEqual(["skills:tide-tables"]);
    expect(await route("bread")).toEqual([]);
    expect(await route("strict")).toEqual([]);
    await expect(serving.route(limited, { query: tides })).rejects.toMatchObject({ code: "auth.forbidden" });
    await expect(serving.route(limited, { query: tides, configuration: "all" })).rejects.toMatchObject({
      code: "auth.forbidden",
    });
    expect(await serving.route(limited, { query: tides, configuration: "bread" })).toMatchObject({ matches: [] });
  });

  test("RT-5: each of the two shelves can be asked for by itself", async () => {
    const { folder, app, serving } = await home();
    await approveAll(app);
    writeSkill(
      folder,
      "harbour-facts",
      "What is known of the harbour: depth, tide tables, berths.",
      "kind: host-knowledge\n",
    );
    await runSync(app.sync, allow(ada), "skills");
    await say(app, ada, "approve", "skills:harbour-facts");
    const asked = async (kinds: readonly ("tool" | "host-knowledge")[]) =>
      (await serving.route(ada, { query: tides, kinds })).trace.ranked.map(({ entry }) => entry).toSorted();

    expect(await asked(["host-knowledge"])).toEqual(["skills:harbour-facts"]);
    expect(await asked(["tool"])).not.toContain("skills:harbour-facts");
    expect(await asked(["tool", "host-knowledge"])).toContain("skills:harbour-facts");
  });

  test("a chain with a link that has no model is refused at the start", async () => {
    const { app } = await syncedRegistry([], { config: "route: { links: [lexical, llm] }\n" });
    expect(() => new Serving(app)).toThrow(/route\.llm/);
  });
});

async function answers(serving: Serving, queries: readonly string[]) {
  const routed = [];
  for (const query of queries) {
    const { matches, trace } = await serving.route(ada, { query });
    routed.push({ matches, ranked: trace.ranked });
  }
  return routed;
}

function flipped(bytes: Uint8Array): Uint8Array {
  const copy = new Uint8Array(bytes);
  const at = copy.length >> 1;
  copy[at] = (copy[at] ?? 0) ^ 1;
  return copy;
}

/** Does the work as the real one does, and says how much it was given. */
function countingThread(asked: number[]): Thread {
  return {
    async ask<Answer>(raw: unknown): Promise<Answer> {
      // The thread is asked for nothing else.
      const skills = raw as readonly RawSkill[];
      asked.push(skills.length);
      return indexSkills(skills) as Answer;
    },
    close: async () => {},
  };
}
