import { PassThrough } from "node:stream";
import { Client, type ClientOptions } from "@modelcontextprotocol/client";
import { type Skill, SkillsClient } from "@modelcontextprotocol/client/ext/skills";
import { StdioServerTransport } from "@modelcontextprotocol/server/stdio";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { Serving } from "../../src/features/serving.ts";
import { createLog } from "../../src/server/logs/log.ts";
import { connectStdio } from "../../src/server/mcp/stdio.ts";
import { type Era, eras } from "./mcp-eras.ts";
import type { McpHome } from "../support/mcp-home.ts";
import { expectedOf, kept, leftOut, offered, skillsHome } from "./mcp-skills.ts";

let home: McpHome;
beforeAll(async () => {
  home = await skillsHome();
});
afterAll(() => home.remove());

/** The door of standard input and output, with streams of this process. */
async function overStdio(options: ClientOptions): Promise<Client> {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const serving = new Serving(home.app);
  const log = createLog({ write: () => {} }, home.app.world.clock);
  const who = async () => home.app.person;
  const connection = await connectStdio(home.app, serving, { input, output, who, log });
  const client = new Client({ name: "test", version: "1.0.0" }, options);
  // The transport of the SDK is the same at both ends.
  await client.connect(new StdioServerTransport(output, input));
  onTestFinished(async () => {
    await client.close();
    await connection.close();
    await serving.close();
  });
  return client;
}

const doors = ["HTTP", "stdio"] as const;
const cases = doors.flatMap((door) => (Object.keys(eras) as Era[]).map((era) => [door, era] as const));

async function connect(door: (typeof doors)[number], era: Era): Promise<Client> {
  return door === "HTTP" ? home.connect(await home.key(), eras[era]) : overStdio(eras[era]);
}

describe.each(cases)("SV-5: the skills extension over %s, %s", (door, era) => {
  test("SV-5, invariant 1: every approved skill is listed, and each of its files verified by the official client", async () => {
    const client = await connect(door, era);
    expect(client.getNegotiatedProtocolVersion()).toBe(era);
    expect(client.getServerCapabilities()).toMatchObject({
      extensions: { "io.modelcontextprotocol/skills": { directoryRead: true } },
      resources: { listChanged: true },
    });
    const skills = new SkillsClient(client);
    const { skills: listed, invalid } = await skills.list();
    expect(invalid).toEqual([]);
    const expected = Object.keys(offered).map(expectedOf);
    expect(listed.map(withoutHeader).toSorted(byUri)).toEqual(expected.toSorted(byUri));
    for (const entry of listed) {
      expect((await skills.get(entry.uri)).skill).toEqual(entry);
      for (const { uri } of filesOf(entry)) expect((await skills.read(entry, uri)).verified).toBe(true);
      expect(await filesBelow(skills, entry.uri.slice(0, -"/SKILL.md".length))).toEqual(
        filesOf(entry).map(({ uri, size }) => ({ uri, size })),
      );
    }
    const { resources } = await client.listResources();
    expect(resources.map(({ uri }) => uri).toSorted()).toEqual(listed.map(({ uri }) => uri).toSorted());
  });

  test("SV-5: a header is what its author wrote, every field of it", async () => {
    const skills = new SkillsClient(await connect(door, era));
    const { skill, ...rest } = await skills.get("skill://team/pdf-forms/SKILL.md");
    expect(skill.frontmatter).toEqual({
      name: "pdf-forms",
      description: "What pdf-forms does and when to use it.",
      license: "MIT",
      "allowed-tools": "Read Grep",
      metadata: { kind: "tool", version: "2.1" },
    });
    expect(rest).toEqual(era === "2026-07-28" ? { ttlMs: 0, cacheScope: "private" } : {});
  });

  test("RV-1, RV-9: what is new, changed, disabled, blocked or gone is not there, whatever is guessed", async () => {
    const client = await connect(door, era);
    const skills = new SkillsClient(client);
    for (const name of kept) {
      const root = `skill://team/${name}`;
      await expect(skills.get(`${root}/SKILL.md`)).rejects.toMatchObject({ code: -32602 });
      await expect(skills.readDirectory(root)).rejects.toMatchObject({ code: -32602 });
      for (const uri of [`${root}/SKILL.md`, `${root}/more.md`])
        await expect(client.readResource({ uri })).rejects.toMatchObject({ code: -32602 });
      for (const skill of [name, `team:${name}`, `${root}/SKILL.md`]) {
        const { isError, content } = await client.callTool({ name: "load_skill", arguments: { skill } });
        expect([isError, JSON.stringify(content).includes("secret")]).toEqual([true, false]);
      }
    }
  });

  test("T23: no URI leads anywhere but to a file of a skill, and none has a second spelling", async () => {
    const client = await connect(door, era);
    const skills = new SkillsClient(client);
    for (const uri of hostileUris) {
      const codes = [await codeOf(client.readResource({ uri })), await codeOf(skills.readDirectory(uri))];
      expect([uri.slice(0, 80), ...codes]).toEqual([uri.slice(0, 80), -32602, -32602]);
    }
  });
});

test("SV-5: unknown pages, skills and directories are refused as the extension says", async () => {
  const skills = new SkillsClient(await home.connect(await home.key()));
  await expect(skills.list({ cursor: "no cursor" })).rejects.toMatchObject({ code: -32602 });
  await expect(skills.get("skill://team/pdf-forms")).rejects.toMatchObject({ code: -32602 });
  await expect(skills.get("skill://team/pdf-forms/references/FORMS.md")).rejects.toMatchObject({ code: -32602 });
  await expect(skills.readDirectory("skill://team/pdf-forms/SKILL.md")).rejects.toMatchObject({ code: -32602 });
  await expect(skills.readDirectory("skill://team")).rejects.toMatchObject({ code: -32602 });
});

test("invariant 6: what no host could verify is left out, said in the log once, and there for the tools", async () => {
  const client = await home.connect(await home.key());
  await new SkillsClient(client).list();
  await new SkillsClient(client).list();
  for (const entry of Object.keys(leftOut)) {
    const said = home.logged.split("\n").filter((line) => line.includes("mcp.left-out") && line.includes(`"${entry}"`));
    expect([entry, said.length]).toEqual([entry, 1]);
    const { isError, content } = await client.callTool({ name: "load_skill", arguments: { skill: entry } });
    expect([entry, isError ?? false, JSON.stringify(content).includes("Do it.")]).toEqual([entry, false, true]);
  }
});

/** What a hand could write instead of `skill://team/pdf-forms/SKILL.md`. */
const hostileUris = [
  "skill://team/pdf-forms/references/../SKILL.md",
  "skill://team/other/../pdf-forms/SKILL.md",
  "skill://team/pdf-forms/../fresh/SKILL.md",
  "skill://team/pdf-forms/%2e%2e/fresh/SKILL.md",
  "skill://team/pdf-forms/..%2ffresh%2fSKILL.md",
  "skill://team/pdf-forms%2FSKILL.md",
  "skill://team/pdf-forms/./SKILL.md",
  "skill://team/pdf-forms//SKILL.md",
  "skill://team/pdf-forms/SKILL.md/",
  "skill://team/pdf-forms/SKILL.md?x",
  "skill://team/pdf-forms/SKILL.md#x",
  "skill://team/pdf-forms/SKILL%2Emd",
  "skill://team/pdf-forms/SKILL.md%00",
  "skill://team/pdf-forms/\0SKILL.md",
  "skill://team/pdf-forms/skill.md",
  "skill://TEAM/pdf-forms/SKILL.md",
  "skill://team:80/pdf-forms/SKILL.md",
  "skill://user@team/pdf-forms/SKILL.md",
  "skill:///team/pdf-forms/SKILL.md",
  "skill:team/pdf-forms/SKILL.md",
  "SKILL://team/pdf-forms/SKILL.md",
  "skill://team/pdf-forms/../../../../etc/passwd",
  "skill://team//etc/passwd",
  "skill://%2e%2e/etc/passwd",
  "file:///etc/passwd",
  "https://team/pdf-forms/SKILL.md",
  "skill://team/folder-name/SKILL.md",
  "skill://team/pdf-forms/pdf-forms/SKILL.md",
  `skill://team/${"a/".repeat(2500)}SKILL.md`,
  `skill://team/${"a".repeat(5000)}`,
  "skill://",
  "",
];

async function codeOf(asking: Promise<unknown>): Promise<unknown> {
  return asking.then(
    () => "answered",
    (error: { code?: unknown }) => error.code,
  );
}

function withoutHeader({ uri, resources }: Skill) {
  return { uri, resources: filesOf({ resources }).toSorted(byUri) };
}

function filesOf({ resources }: Pick<Skill, "resources">) {
  return resources === "dynamic" ? [] : resources.toSorted(byUri);
}

function byUri(a: { uri: string }, b: { uri: string }): number {
  return a.uri < b.uri ? -1 : 1;
}

async function filesBelow(skills: SkillsClient, folder: string): Promise<{ uri: string; size: number | undefined }[]> {
  const { resources } = await skills.readDirectory(folder);
  const below = await Promise.all(
    resources.map(async ({ uri, mimeType, size }) =>
      mimeType === "inode/directory" ? filesBelow(skills, uri) : [{ uri, size }],
    ),
  );
  return below.flat().toSorted(byUri);
}
