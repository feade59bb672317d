import { execFile, spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import manifest from "../../package.json" with { type: "json" };

const run = promisify(execFile);
const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const subpaths = Object.keys(manifest.exports).filter((subpath) => subpath !== "./package.json");
const specifiers = subpaths.map((subpath) => subpath.replace(/^\./, manifest.name));

/** A user's project outside the repository: only what the tarball brings is there. */
let project = "";
let installed = "";

beforeAll(async () => {
  if (!existsSync(join(root, "dist/cli.js"))) throw new Error("dist is missing: run `npm run build` first");
  project = await mkdtemp(join(tmpdir(), "skillward-package-"));
  installed = join(project, "node_modules", manifest.name);
  await mkdir(installed, { recursive: true });
  await writeFile(join(project, "package.json"), JSON.stringify({ type: "module" }));
  await run("tar", ["-xzf", await pack(project), "-C", installed, "--strip-components=1"]);
  // What npm would install beside it: the dependencies of package.json, and nothing else.
  for (const dependency of Object.keys(manifest.dependencies)) {
    await mkdir(dirname(join(project, "node_modules", dependency)), { recursive: true });
    await symlink(join(root, "node_modules", dependency), join(project, "node_modules", dependency));
  }
});

afterAll(async () => {
  if (project) await rm(project, { recursive: true });
});

async function pack(folder: string): Promise<string> {
  const options = ["--ignore-scripts", "--json", "--pack-destination", folder];
  const { stdout } = await run("npm", ["pack", ...options], { cwd: root });
  const [tarball]: { filename: string }[] = JSON.parse(stdout);
  if (!tarball) throw new Error("npm pack made no tarball");
  return join(folder, tarball.filename);
}

async function skillward(...args: string[]): Promise<string> {
  const env = { PATH: process.env["PATH"], HOME: project };
  const bin = join(installed, manifest.bin.skillward);
  const { stdout } = await run(process.execPath, [bin, ...args], { cwd: project, env });
  return stdout;
}

describe("the public surface", () => {
  it.each(specifiers)("of %s has exactly these exports", async (specifier) => {
    const script = `console.log(JSON.stringify(Object.keys(await import("${specifier}")).sort()))`;
    const { stdout } = await run(process.execPath, ["--input-type=module", "--eval", script], { cwd: project });
    expect(JSON.parse(stdout)).toMatchSnapshot();
  });
});

const compilerOptions = { strict: true, skipLibCheck: false, module: "NodeNext", types: [], noEmit: true };

const finding = `{ code: "a", level: "low", message: "b", at: { file: "SKILL.md", line: 1 }`;

/** Every value of every subpath, and proof that none of them is `any`, which a type that leaked becomes. */
const consumer = [
  ...specifiers.map((specifier, index) => `import * as m${index} from "${specifier}";`),
  `import type { Finding } from "${manifest.name}";`,
  "type AnyIn<M> = { [K in keyof M]: 0 extends 1 & M[K] ? K : never }[keyof M];",
  ...specifiers.map((_, index) => `export const any${index}: [AnyIn<typeof m${index}>] extends [never] ? 0 : 1 = 0;`),
  `export const right: Finding = ${finding} };`,
  `import { inject, skillwardMiddleware } from "${manifest.name}/compose";`,
  `const nothing = { block: "", systemBlock: "" };`,
  `export const prompt: string = inject("a", nothing);`,
  `export const role: "user" | undefined = inject([{ role: "user" as const, content: "a" }], nothing).messages[0]?.role;`,
  `export const model: string = inject({ shape: "openai-chat", request: { model: "a" } }, nothing).request.model;`,
  `export const version: "v3" = skillwardMiddleware(nothing).specificationVersion;`,
  `import { createAgent, createSpawner, executorTool, scriptedModel, type Tool } from "${manifest.name}/agent";`,
  `import { createCapabilities, createGate, gateAiTools, gateMcp } from "${manifest.name}/scope";`,
  `const schema: Record<string, unknown> = { type: "object" };`,
  `const fixed = { type: "object", required: ["path"] } as const;`,
  `export const read: Tool = { name: "read", description: "a", inputSchema: schema, run: async ({ path }) => typeof path === "string" ? path : "" };`,
  `export const write: Tool = { ...read, inputSchema: fixed, subject: ({ path }) => typeof path === "string" ? { paths: [path] } : {} };`,
  `const answering = () => scriptedModel({ rules: [{ reply: "a" }] });`,
  `export const spawner = createSpawner({ capabilities: createCapabilities(), tools: [read, executorTool({ argv: ["a"], folder: "/" })], model: answering });`,
  `export const agent = createAgent({ folder: "a", model: answering(), tools: [read], hold: ["a"], limits: { calls: 1 } });`,
  `export const told = async () => { for await (const event of (await agent).say("a")) if (event.type === "text") { const said: string = event.text; return said; } return ""; };`,
  "// @ts-expect-error: no such option",
  `export const misspelt = createAgent({ folder: "a", model: answering(), holds: ["a"] });`,
  `const gate = createGate({ scope: null });`,
  `const ran = { execute: async ({ path }: { path: string }, _: { toolCallId: string }) => path };`,
  `export const out: Promise<string> = gateAiTools({ ran }, gate, { subjects: { ran: ({ path }) => ({ paths: [path] }) } }).ran.execute({ path: "a" }, { toolCallId: "b" });`,
  `const client = { listTools: async () => ({ tools: [{ name: "a" }] }), callTool: async (_: { name: string }) => ({ isError: false }) };`,
  `export const isError: Promise<{ isError: boolean }> = gateMcp(client, gate, { server: "a" }).callTool({ name: "a" });`,
  "// @ts-expect-error: no such field",
  `export const extra: Finding = ${finding}, colour: "red" };`,
  "// @ts-expect-error: no such level",
  `export const level: Finding["level"] = "severe";`,
].join("\n");

/** All that examples take from Node: its own types are not ours to bring. */
const nodeTypes = `
declare module "node:url" { function fileURLToPath(url: URL): string }
declare module "node:os" { function tmpdir(): string }
declare module "node:path" { function join(...parts: string[]): string }
declare module "node:fs/promises" {
  function cp(from: string, to: string, options: { recursive: true }): Promise<void>;
  function mkdir(path: string): Promise<void>;
  function mkdtemp(prefix: string): Promise<string>;
  function rm(path: string, options: { recursive: true }): Promise<void>;
  function writeFile(path: string, text: string): Promise<void>;
}
declare const process: { stdout: { write(text: string): void } };
`;

/** Programs for agents that people copy: the examples, and those of the page. */
function documented(): [name: string, program: string][] {
  const read = (path: string) => readFileSync(join(root, path), "utf8");
  const onPage = [...read("docs/agents.md").matchAll(/^```js\n\/\/ (\S+\.mjs)\n([^]*?)^```$/gm)];
  const names = ["chat-with-an-agent", "agent-with-a-scope", "sub-agents-side-by-side", "scope-a-sub-agent"];
  const examples = names.map((name) => `examples/${name}.mjs`);
  return [
    ...examples.map((path): [string, string] => [path, read(path)]),
    ...onPage.map(([, name = "", text = ""]): [string, string] => [name, text]),
  ];
}

describe("the types", () => {
  const programs = documented().map(([name, text], index) => ({ name, text, file: `program-${index}.ts` }));
  const right = "consumer.ts";
  const wrong = "wrong.ts";
  /** What the compiler reports, in lines. One run for all files: most of its time goes into the types, which are the same. */
  let report: readonly string[] = [];

  beforeAll(async () => {
    const texts = new Map([
      ["node.d.ts", nodeTypes],
      [right, consumer],
      [wrong, consumer.replaceAll("// @ts-expect-error", "//")],
      ...programs.map(({ file, text }) => [file, text] as const),
    ]);
    for (const [file, text] of texts) await writeFile(join(project, file), text);
    await writeFile(join(project, "tsconfig.json"), JSON.stringify({ compilerOptions, files: [...texts.keys()] }));
    const tsc = join(root, "node_modules/typescript/bin/tsc");
    const { stdout } = spawnSync(process.execPath, [tsc, "-p", project], { cwd: project, encoding: "utf8" });
    report = stdout.split("\n");
  });

  const errorsIn = (file: string) => report.filter((line) => line.startsWith(`${file}(`));

  it("are seen by this test: a wrong use is an error, and nothing else is", () => {
    expect(errorsIn(wrong).join("\n")).toMatch(/holds.*[^]*colour.*[^]*severe/);
    // A line that is indented belongs to the error before it.
    expect(report.filter((line) => /^\S/.test(line) && !line.startsWith(`${wrong}(`))).toEqual([]);
  });

  it("compile at the user's without our bundled dependencies, and are not any", () => {
    expect(errorsIn(right)).toEqual([]);
  });

  it.each(programs)("SC-5: hold in $name, word for word", ({ file }) => {
    expect(errorsIn(file)).toEqual([]);
  });
});

describe("the bin", () => {
  it("starts under a shell", async () => {
    expect(await readFile(join(installed, manifest.bin.skillward), "utf8")).toMatch(/^#!\/usr\/bin\/env node\n/);
  });

  it("prints the version of package.json", async () => {
    expect(await skillward("--version")).toBe(`${manifest.version}\n`);
  });

  it("keeps a registry with nothing but what the tarball brings and its one dependency", async () => {
    await skillward("source", "add", join(root, "examples/skills"), "--id", "examples");
    const listed = JSON.parse(await skillward("skill", "list", "--json"));
    expect(listed.items).toHaveLength(8);
  });

  it("is not silently empty: validate prints and exits 0 on the examples", async () => {
    expect((await skillward("validate", join(root, "examples/skills"))).trim()).not.toBe("");
  });
});

describe("the tarball", () => {
  it("carries the licences of what is bundled", async () => {
    expect(await readFile(join(installed, "dist/THIRD_PARTY_LICENSES"), "utf8")).toMatch(/^\S+ \S+ \(.+\)\n/);
  });

  it("carries no test", async () => {
    const files = await readdir(installed, { recursive: true });
    expect(files.filter((file) => file.includes(".test."))).toEqual([]);
  });
});
