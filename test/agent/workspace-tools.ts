import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach } from "vitest";
import { createWorld } from "../../src/app/world/world.ts";
import type { ToolInput } from "../../src/agent/tool.ts";
import { createWorkspaceTools, type WorkspaceToolsOptions } from "../../src/agent/tools/workspace-tools.ts";
import { decide } from "../../src/scope/gate.ts";
import { createCapabilities } from "../../src/scope/registry.ts";
import { parsePattern } from "../../src/scope/tools/patterns.ts";

const { processes, ...world } = createWorld();
export const { files } = world;
const signal = new AbortController().signal;
export const context = { id: "agent", argv: null, capabilities: createCapabilities().view(), signal };

/** The folder around the workspace, and the workspace itself; new for each test. */
export let room = "";
export let root = "";
/** What the tools told that they were about to write. */
export let written: string[] = [];
export const at = (name: string) => join(root, name);

/** A workspace with links of every kind for each test of a file. */
export function useWorkspace(): void {
  beforeEach(() => {
    room = realpathSync(mkdtempSync(join(tmpdir(), "skillward-workspace-tools-")));
    root = join(room, "workspace");
    written = [];
    put("src/a.ts", "one\ntwo\nthree\n");
    put(".git/config", "[core]\n");
    put("node_modules/x/index.js", "two\n");
    writeFileSync(join(room, "outside.txt"), "secret two\n");
    symlinkSync("../outside.txt", at("out"));
    symlinkSync("..", at("up"));
    symlinkSync(".git", at("inner"));
    symlinkSync("src/a.ts", at("alias"));
    symlinkSync("nowhere", at("dangling"));
  });
  afterEach(() => rmSync(room, { recursive: true, force: true }));
}

export function put(path: string, text: string | Uint8Array): void {
  mkdirSync(dirname(at(path)), { recursive: true });
  writeFileSync(at(path), text);
}

export function toolNamed(name: string, options: Partial<WorkspaceToolsOptions> = {}) {
  const onWriting = (path: string) => void written.push(path);
  const tool = createWorkspaceTools({ root, files, processes, kept: [], onWriting, ...options }).find(
    (each) => each.name === name,
  );
  if (tool === undefined) throw new Error(`no tool ${name}`);
  return tool;
}

export const run = (name: string, input: ToolInput) => toolNamed(name).run(input, context);

/** What the gate says to a call of the primary, with everything granted that can be. */
export function judge(name: string, input: ToolInput) {
  const tool = toolNamed(name);
  const grant = parsePattern(name);
  const grants = grant === null ? [] : [grant];
  const host = { catalogue: new Set([name]), word: tool.policy ?? (() => "allow" as const) };
  return decide(host, null, grants, { tool: name, ...tool.subject?.(input) }).verdict;
}

/** All that is on the disk, outside of the workspace too. */
export function everything(): string[] {
  return readdirSync(room, { recursive: true, encoding: "utf8" })
    .toSorted()
    .map((name) => {
      const path = join(room, name);
      return lstatSync(path).isFile() ? `${name}: ${readFileSync(path, "latin1").slice(0, 1000)}` : name;
    });
}
