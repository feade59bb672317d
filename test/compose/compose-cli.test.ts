import { spawn } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, statSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { afterAll, describe, expect, onTestFinished, test } from "vitest";
import { startUpstream } from "../../src/testing/testing.ts";
import { skillwardWarm } from "../support/warm.ts";
import { type CliHome, createHomes } from "../support/cli-home.ts";

const { home, once, remove } = createHomes();
afterAll(remove);

const bodies = { writing: "Write short sentences.", naming: "Name things after what they do.", drawing: "Draw boxes." };

function write(here: CliHome, path: string, text: string): void {
  mkdirSync(join(here.folder, path, ".."), { recursive: true });
  writeFileSync(join(here.folder, path), text);
}

/** A folder with skills, and nothing else: no store, no key. */
const withFolder = once(() => {
  const made = home();
  made.skills("skills", bodies);
  return made;
});

const keyFile = ".config/skillward/compose.key";
const folder = ["compose", "--skills", "skills"];

describe("CO-3: compose --skills, without a store", () => {
  test("CO-3: the block is printed byte for byte, the same each time, and what is in it beside it", () => {
    const here = withFolder();
    const { code, out, err } = here.run([...folder, "--names", "naming,writing"]);
    const json = here.json([...folder, "--names", "naming,writing"]);
    expect(code).toBe(0);
    expect(out).toBe(json.block);
    expect(Buffer.byteLength(out)).toBe(json.bytes);
    expect(out.indexOf(bodies.naming)).toBeGreaterThan(0);
    expect(out.indexOf(bodies.writing)).toBeGreaterThan(out.indexOf(bodies.naming));
    expect(here.run([...folder, "--names", "naming,writing"]).out).toBe(out);
    expect(err).toMatch(new RegExp(`^block +${json.bytes} of 24000 bytes, ${json.tokens} tokens \\(o200k\\)$`, "m"));
    const { digest, bytes } = json.included[0];
    expect(err).toMatch(
      new RegExp(`^naming +folder:naming +${digest.slice(0, 12)} +untrusted +invoked +user +${bytes}$`, "m"),
    );
  });

  test("CO-7: --json has exactly the composition", () => {
    const here = withFolder();
    const prompt = "Name this.";
    const json = here.json([...folder, "--names", "naming", "--prompt", prompt, "--trust", "verified"]);
    const [included] = json.included;
    expect(json).toEqual({
      block: json.block,
      systemBlock: "",
      bytes: Buffer.byteLength(json.block),
      tokens: json.tokens,
      included: [{ ...included, entry: "folder:naming", name: "naming", trust: "verified", place: "user", grants: [] }],
      dropped: [],
      findings: [],
      digest: expect.stringMatching(/^[0-9a-f]{64}$/),
      prompt: `${json.block}\n\n${prompt}`,
    });
    expect(json.tokens).toBeGreaterThan(50);
    const { out } = here.run([...folder, "--names", "naming", "--prompt", prompt, "--trust", "verified"]);
    expect(out).toBe(json.prompt);
  });

  test("T44: the key is the user's, private, and nothing is written where one stands", () => {
    const here = withFolder();
    const repository = join(here.folder, "skills");
    const before = here.files().length;
    const env = { HOME: here.folder, XDG_CONFIG_HOME: "." };
    const { code, out } = skillwardWarm(["compose", "--skills", "."], { cwd: repository, env });
    expect(code).toBe(0);
    expect(out).toContain(bodies.drawing);
    expect(here.files()).toHaveLength(before + 1);
    expect(statSync(join(here.folder, keyFile)).mode & 0o777).toBe(0o600);
  });

  test("T44: without a home it is refused, with what to do, and nothing is written or printed", () => {
    const here = withFolder();
    const before = here.files();
    for (const env of [{}, { HOME: "relative", XDG_CONFIG_HOME: "skills" }] as Record<string, string>[]) {
      const { code, out, err } = skillwardWarm(folder, { cwd: here.folder, env });
      expect([code, out]).toEqual([2, ""]);
      expect(err).toContain("set HOME or XDG_CONFIG_HOME to an absolute path");
    }
    expect(here.files()).toEqual(before);
  });

  test("CO-3: a key that others can read is not used", () => {
    const here = withFolder();
    here.json(folder);
    chmodSync(join(here.folder, keyFile), 0o644);
    expect(here.refusal(folder)).toMatchObject({ exit: 3, code: "keys.unusable" });
    expect(here.run(folder).out).toBe("");
  });

  test("CO-6: without names it is all of them; those without room are dropped from the tail, and said", () => {
    const here = withFolder();
    const { bytes } = here.json([...folder, "--names", "drawing,naming"]);
    const { code, out, err } = here.run([...folder, "--budget", String(bytes)]);
    expect(code).toBe(1);
    expect(Buffer.byteLength(out)).toBeLessThanOrEqual(bytes);
    expect(err).toContain("all 3 skills of the folder; --names chooses");
    expect(err).toMatch(/^folder:writing +[0-9a-f]{12} +configuration +no room left$/m);
    expect(err).toMatch(/medium +entry:folder:writing +compose\.over-budget/);
  });

  test("invariant 6: a skill with a finding that blocks is left out with that finding", () => {
    const here = withFolder();
    write(here, "skills/broken/SKILL.md", "---\nname: broken\ndescription: Never closes.\n\nSECRET WORDS\n");
    const { code, out, err } = here.run(folder);
    expect(code).toBe(1);
    expect(out).not.toContain("SECRET WORDS");
    expect(err).toMatch(/^folder:broken +none +configuration +cannot be used$/m);
    expect(err).toMatch(/high +broken\/SKILL\.md +header\.unclosed/);
    expect(err).toMatch(/medium +entry:folder:broken +compose\.unusable .*header\.unclosed/);
  });

  test("CO-6: one that was named is never dropped; a budget that is no number is the default", () => {
    const here = withFolder();
    const named = [...folder, "--names", "naming"];
    expect(here.refusal([...named, "--budget", "100"])).toMatchObject({ exit: 1, code: "budget.exceeded" });
    expect(here.run([...named, "--budget", "none"]).err).toContain("of 24000 bytes");
  });

  test("SV-9: what does not go together, and names that are not there, are refused before a key is made", () => {
    const here = withFolder();
    const said = (...args: string[]) => here.refusal(["compose", ...args]).message;
    expect(said("--skills", "skills", "--skill=a")).toBe("--skill is for a store, and --skills does without one");
    expect(said("--config=a", "--budget=9")).toBe(
      "--budget is for the skills of a folder: give --skills <folder> as well",
    );
    expect(said()).toBe("give --config <id> for a configuration, or --skills <folder> for a folder");
    expect(said("--skills", "skills", "--names", "a,,b")).toMatch(/^--names: expected names/);
    expect(said("--skills", "skills", "--names", "wirting")).toMatch(/did you mean writing\?$/);
    mkdirSync(join(here.folder, "empty"));
    expect(said("--skills", "empty")).toMatch(/^no folder with a file named exactly SKILL\.md/);
    expect(existsSync(join(here.folder, keyFile))).toBe(false);
  });
});

/** A registry with approved skills, and an echo that shows what it is given. */
const withStore = once(() => {
  const made = withFolder();
  made.json(["source", "add", "skills", "--id", "house"]);
  made.json(["review", "--approve-clean"]);
  made.json(["provider", "add", "echo", "--protocol", "echo", "--model", "any"]);
  made.json(["config", "add", "support", "--provider", "echo", "--model", "any", "--system", "You are kind."]);
  made.json(["attach", "support", "writing"]);
  made.json(["task", "add", "say", "--configuration", "support", "--template", "Say: {{input}}"]);
  made.json(["attach", "task:say", "naming"]);
  return made;
});

describe("CO-1: compose --config, with a store", () => {
  test("CO-1: configuration, then task, then what was asked for by name; and nothing is written", () => {
    const here = withStore();
    const before = here.fingerprint();
    const vias = (...more: string[]) =>
      here
        .json(["compose", "--config", "support", ...more])
        .included.map(({ entry, via }: { entry: string; via: string }) => `${via} ${entry}`);
    expect(vias()).toEqual(["configuration house:writing"]);
    expect(vias("--task", "say", "--skill", "drawing")).toEqual([
      "configuration house:writing",
      "task house:naming",
      "invoked house:drawing",
    ]);
    expect(here.fingerprint()).toBe(before);
  });

  test("CO-7: the block exactly, or the prompt with it; JSON with the generation", () => {
    const here = withStore();
    const asked = ["compose", "--config", "support", "--task", "say"];
    const json = here.json([...asked, "--prompt", "Hello."]);
    expect(here.run(asked).out).toBe(json.block);
    expect(here.run([...asked, "--prompt", "Hello."]).out).toBe(json.prompt);
    expect(json.prompt).toBe(`${json.block}\n\nHello.`);
    expect(Object.keys(json)).toEqual(
      "block systemBlock bytes tokens included dropped findings digest generation prompt".split(" "),
    );
    expect(here.run(asked).err).toMatch(new RegExp(`^generation +${json.generation}$`, "m"));
  });

  test("CO-8: what goes into the system message is printed before the rest, and counted", () => {
    const here = withStore();
    here.json(["config", "set", "support", "--placement", "system", "--system-floor", "community"]);
    const json = here.json(["compose", "--config", "support"]);
    expect(json.block).toBe("");
    const { out, err } = here.run(["compose", "--config", "support"]);
    expect(out).toBe(json.systemBlock);
    expect(err).toContain(`, ${json.bytes} of them for the system message`);
  });

  test("SV-9: --config is a configuration here, never a file; the file is the environment's", () => {
    const here = withStore();
    write(here, "bad.yaml", "sync:\n  no-such-key: 1\n");
    expect(here.refusal(["compose", "--config", "bad.yaml"]).code).toBe("record.missing");
    const env = { HOME: here.folder, USER: "tester", SKILLWARD_CONFIG: join(here.folder, "bad.yaml") };
    const { code, err } = skillwardWarm(["compose", "--config", "support"], { cwd: here.folder, env });
    expect(code).toBe(2);
    expect(err).toContain("bad.yaml");
  });

  test("CO-2: a skill that is not approved any more is left out, and said", () => {
    const here = withStore();
    here.json(["review", "writing", "--disable"]);
    const { code, out, err } = here.run(["compose", "--config", "support"]);
    expect([code, out]).toEqual([1, ""]);
    expect(err).toMatch(/^house:writing +none +configuration +cannot be used$/m);
  });

  test("RV-12: a key limited to other configurations sees nothing of it", () => {
    const here = withStore();
    here.json(["config", "add", "other", "--provider", "echo", "--model", "any"]);
    const { key } = here.json(["key", "add", "limited", "--role", "reader", "--configuration", "other"]);
    const refused = { exit: 2, code: "auth.forbidden" };
    expect(here.refusal(["compose", "--config", "support"], { as: key })).toMatchObject(refused);
    expect(here.refusal(["run", "say", "hello"], { as: key })).toMatchObject(refused);
  });
});

describe("CO-14: run", () => {
  test("CO-14: the task's prompt with its skills goes to the model; the injection is written down", () => {
    const here = withStore();
    const { block } = here.json(["compose", "--config", "support", "--task", "say"]);
    const { code, out, err } = here.run(["run", "say", "hello"]);
    expect(code).toBe(0);
    expect(out).toContain("You are kind.");
    expect(out).toContain(`${block}\n\nSay: hello`);
    const [, id = ""] = /^2 skills injected, 0 dropped, generation \d+: (inj_[0-9a-f]{24})$/m.exec(err) ?? [];
    const kept = here.database.prepare("SELECT record FROM injections WHERE id = ?").get(id) as { record: string };
    expect(JSON.parse(kept.record)).toMatchObject({ operation: "task", task: "say", by: "machine:tester" });
  });

  test("CO-14: --json is the answer, its tokens and the injection", () => {
    const here = withStore();
    const json = here.json(["run", "say", "hello", "--skill", "drawing"]);
    expect(Object.keys(json).toSorted()).toEqual("findings finish injection text tokens".split(" "));
    expect(json.injection).toMatchObject({ included: 3, dropped: 0 });
    expect(json.text).toContain(bodies.drawing);
  });

  test("CO-19, T34: what the model says is made visible, also in a pipe; --raw hands it on", () => {
    const here = withStore();
    const hostile = "\u001b]0;owned\u0007 \u009b31m \u202e ![x](https://example.com/?q=1)";
    const shown = String.raw`Say: \u{1b}]0;owned\u{7} \u{9b}31m \u{202e} ![x](https://example.com/?q=1)`;
    expect(here.run(["run", "say"], { input: hostile }).out.endsWith(`${shown}\n`)).toBe(true);
    expect(here.run(["run", "say", "--raw"], { input: hostile }).out.endsWith(`Say: ${hostile}`)).toBe(true);
    const { out } = here.run(["run", "say", "--json"], { input: hostile });
    expect(out).not.toMatch(/[\u0080-\u009f\u202e]/);
    expect(JSON.parse(out).text.endsWith(`Say: ${hostile}`)).toBe(true);
  });

  test("CO-14: the input is read from standard input as it stands, and only as UTF-8", () => {
    const here = withStore();
    const { text } = here.json(["run", "say"], { input: "\ufeffone\r\ntwo\n" });
    expect(text.endsWith("Say: \ufeffone\r\ntwo\n")).toBe(true);
    const before = here.fingerprint();
    expect(here.refusal(["run", "say"], { input: new Uint8Array([0x61, 0xff]) }).message).toMatch(/not valid UTF-8/);
    expect(here.refusal(["run", "say"], { input: Buffer.alloc(17 * 2 ** 20, 0x61) }).message).toMatch(/more than/);
    expect(here.refusal(["run", "nothing", "hello"])).toMatchObject({ exit: 2, code: "record.missing" });
    expect(here.fingerprint()).toBe(before);
  });

  test("CO-14: Ctrl-C stops the request; the process ends by the signal, and what was sent is written down", async () => {
    const here = withStore();
    const upstream = await startUpstream();
    onTestFinished(() => upstream.close());
    upstream.always({ hang: "before-headers" });
    const { host } = new URL(upstream.url);
    here.configure(`network:\n  private:\n    "${host}": 127.0.0.1/32\n`);
    here.json(["provider", "add", "slow", "--protocol", "openai", "--origin", upstream.url, "--model", "small"]);
    here.json(["config", "set", "support", "--provider", "slow", "--model", "small"]);
    const env = { PATH: process.env["PATH"] ?? "", HOME: here.folder, USER: "tester" };
    const child = spawn(process.execPath, [resolve("dist/cli.js"), "run", "say", "hello"], { cwd: here.folder, env });
    onTestFinished(() => void child.kill("SIGKILL"));
    const ended = new Promise((done) => child.on("close", (code, signal) => done([code, signal])));
    await upstream.received(1);
    child.kill("SIGINT");
    expect(await ended).toEqual([null, "SIGINT"]);
    await upstream.gone(1);
    const { count } = here.database.prepare("SELECT count(*) AS count FROM injections").get() as { count: number };
    expect(count).toBe(1);
  });
});
