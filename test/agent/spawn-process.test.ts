import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, test } from "vitest";

const run = promisify(execFile);
const built = (entry: string) => JSON.stringify(new URL(`../../dist/${entry}.js`, import.meta.url).href);

/** What a program that uses the published library prints, in a process of its own. */
async function printed(program: string): Promise<string[]> {
  const head = `import { createSpawner } from ${built("agent")};
    import { createCapabilities } from ${built("scope")};
    const capabilities = createCapabilities();
    const answer = async () => ({ text: "x", finish: "stop", tokens: { input: null, output: null } });
    process.on("exit", (code) => console.log("exit", code));`;
  const given = ["--input-type=module", "--eval", `${head}\n${program}`];
  const { stdout, stderr } = await run(process.execPath, given, { timeout: 50_000 });
  expect(stderr).toBe("");
  return stdout.trim().split("\n");
}

test("SC-5: a deadline keeps the process: whoever waits is told, also when nothing else goes on", async () => {
  const program = `const spawner = createSpawner({ capabilities, tools: [], model: () => ({ answer: () => new Promise(() => {}) }) });
    const { done } = await spawner.spawn({ task: "x", timeout: 100 });
    console.log((await done).end);`;
  expect(await printed(program)).toEqual(["timeout", "exit 0"]);
});

test("SC-5: what has ended keeps no process", async () => {
  const program = `const spawner = createSpawner({ capabilities, tools: [], model: () => ({ answer }) });
    const begun = performance.now();
    console.log((await (await spawner.spawn({ task: "x" })).done).end);
    process.on("exit", () => console.log(performance.now() - begun < 60_000));`;
  expect(await printed(program)).toEqual(["finished", "exit 0", "true"]);
});

test("SC-10: contracts end with their spawn: no thread is left when the spawner is closed", async () => {
  const code = `export default { name: "c", version: "1", preconditions: Array.from({ length: 9 }, (_, i) => ({ name: "p" + i, severity: "SOFT", check() { for (;;); } })) };`;
  const program = `const origin = { contract: { digest: "0".repeat(64), code: ${JSON.stringify(code)} } };
    capabilities.register({ name: "k", description: "k", allowedTools: "*", executionProtocol: [] }, origin);
    const workers = () => process.getActiveResourcesInfo().filter((name) => name === "MessagePort").length;
    const spawner = createSpawner({ capabilities, tools: [], model: () => ({ answer }) });
    const asked = Array.from({ length: 3 }, () => spawner.spawn({ task: "x", skills: ["k"], timeout: 400 }));
    for (const { status, error } of await Promise.all(asked)) console.log(status, error);
    await spawner.close();
    console.log(workers());`;
  const refused = "forbidden it was over before it began: timeout";
  expect(await printed(program)).toEqual([refused, refused, refused, "0", "exit 0"]);
});
