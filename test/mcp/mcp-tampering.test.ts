import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { App } from "../../src/app/app.ts";
import { sha256 } from "../../src/core/digest.ts";
import { serveApp } from "../../src/cli/serve/serve-app.ts";
import type { RunningServer } from "../../src/server/server.ts";
import { evilText, type GatewayAttack, onBytes, onRows, onWords } from "../support/gateway-attacks.ts";
import { digestsOf, inUse, type SkillName, TamperedStore } from "../support/gateway-tampered.ts";
import { call } from "../support/http-serving.ts";

/** Each is approved; `retired` and `fresh` are in the store too, and never to be read. */
const approved: readonly SkillName[] = [...inUse, "spare"];
const never: readonly SkillName[] = ["retired", "fresh"];
const accept = { accept: "application/json, text/event-stream" };

let store: TamperedStore;
let app: App;
let server: RunningServer;
let session: string;
let answers = "";

beforeAll(async () => {
  store = await TamperedStore.create("SQLite");
  app = await store.home.open();
  server = await serveApp(app, { host: "127.0.0.1", port: 0, log: { write: () => {} } });
  const clientInfo = { name: "test", version: "1" };
  const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo };
  const json = { jsonrpc: "2.0", id: 0, method: "initialize", params };
  const opened = await call(server, "/mcp", { key: store.key, headers: accept, json });
  session = String(opened.headers["mcp-session-id"]);
});

afterAll(async () => {
  await server.stop();
  await app.close();
  await store.remove();
});

/** One message of a host, and the very bytes of the answer kept. */
async function ask(method: string, params: object) {
  const headers = { ...accept, "mcp-session-id": session };
  const json = { jsonrpc: "2.0", id: 1, method, params };
  const { text } = await call(server, "/mcp", { key: store.key, headers, json });
  answers += text;
  return JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? "{}");
}

const uriOf = (name: SkillName, file = "SKILL.md") => `skill://skills/${name}/${file}`;

/** The hash of SKILL.md as a resource; null: it is refused. */
async function readBy(name: SkillName): Promise<string | null> {
  const { result } = await ask("resources/read", { uri: uriOf(name) });
  return result === undefined ? null : sha256(Buffer.from(result.contents[0].text));
}

/** Whether a tool gives out its instructions. */
async function isLoaded(name: SkillName): Promise<boolean> {
  const { result } = await ask("tools/call", { name: "load_skill", arguments: { skill: `skills:${name}` } });
  return result.isError !== true && JSON.stringify(result).includes(`How to be good at ${name}.`);
}

/** Exactly the approved bytes of all but some, and nothing at all of those. */
async function expectWithout(gone: readonly SkillName[]): Promise<void> {
  for (const name of approved)
    expect([name, await readBy(name)]).toEqual([name, gone.includes(name) ? null : digestsOf(name).skill]);
  for (const name of never) expect([name, await readBy(name)]).toEqual([name, null]);
  for (const name of ["drawing", "retired"] as const)
    expect([name, await isLoaded(name)]).toEqual([name, name === "drawing" && !gone.includes(name)]);
  const more = await ask("resources/read", { uri: uriOf("drawing", "references/more.md") });
  expect(more.result?.contents[0].text).toBe(gone.includes("drawing") ? undefined : "More about it.\n");
  await ask("tools/call", { name: "read_skill_file", arguments: { skill: "drawing", path: "references/more.md" } });
  await ask("tools/call", { name: "find_skill", arguments: { query: "What drawing does and when to use it" } });
  await ask("resources/directory/read", { uri: "skill://skills/drawing" });
}

/** What is listed was verified when it was first asked for: true of what was approved, whatever the store holds by now. */
async function expectTrueList(): Promise<void> {
  const { result } = await ask("skills/list", {});
  for (const { uri, resources } of result.skills as { uri: string; resources: { uri: string; digest: string }[] }[]) {
    const name = approved.find((each) => uri === uriOf(each));
    const own = resources.find((file) => file.uri === uri);
    expect(own?.digest).toBe(`sha256:${name === undefined ? "" : digestsOf(name).skill}`);
  }
}

test("SV-5: as long as nobody touches it, the store is served as it was approved", async () => {
  await expectWithout([]);
  expect(answers).toContain("How to be good at drawing.");
});

const attacks: Readonly<Record<string, readonly GatewayAttack[]>> = {
  "T17: bytes, checksums and lists": onBytes,
  "T17, T31: rows": onRows.filter(({ what }) => what !== "the generation set back"),
  "T18: signed words": onWords,
};

describe.each(Object.entries(attacks))("invariant 1: a hand in the database behind a running server; %s", (_, some) => {
  test.each(some.map((attack) => [attack.what, attack] as const))("%s", async (_what, attack) => {
    const { gone: named = ["drawing"], live = null } = attack;
    // What takes all that are attached takes the one beside them too.
    const gone: readonly SkillName[] = named.length === inUse.length ? approved : named;
    // A process that has seen the latest generation.
    expect(await readBy("spare")).not.toBeNull();
    answers = "";
    try {
      await attack.act(store.home);
      // What was verified before is known by its digest; what is read is read anew.
      await expectWithout(live === null ? [] : gone);
      await store.raiseGeneration();
      await expectWithout(gone);
      await expectTrueList();
      expect(answers).not.toContain(evilText);
    } finally {
      await store.restore();
    }
  });
});

test("T17: one byte of a bundled file: nothing of the skill is given out, and the log says why", async () => {
  const digest = sha256(Buffer.from("More about it.\n"));
  try {
    await store.home.sql("UPDATE blobs SET bytes = ? WHERE digest = ?", Buffer.from("More about me.\n"), digest);
    answers = "";
    expect([await readBy("drawing"), await isLoaded("drawing")]).toEqual([null, false]);
    const { error } = await ask("resources/read", { uri: uriOf("drawing", "references/more.md") });
    expect(error.message).toBe("skills:drawing is not what was approved any more; the server's log says why");
    expect(answers).not.toContain("about me");
  } finally {
    await store.restore();
  }
});
