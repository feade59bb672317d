import { type ChildProcessByStdio, spawn, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { describe, expect, inject, onTestFinished, test } from "vitest";
import { skillward } from "../support/cli.ts";
import { createDatabase } from "../support/postgres.mjs";
import { Pty } from "../support/pty.ts";
import { skillwardWarm } from "../support/warm.ts";

class Started {
  readonly home: string;
  readonly #child: ChildProcessByStdio<null, Readable, Readable>;
  readonly ended: Promise<number | null>;
  #out = "";
  #err = "";

  constructor(home: string, args: readonly string[]) {
    this.home = home;
    this.#child = spawn(process.execPath, ["scripts/start.mjs", "--port", "0", ...args], {
      env: this.env,
      stdio: ["ignore", "pipe", "pipe"],
    });
    this.#child.stdout.on("data", (chunk: Buffer) => (this.#out += chunk.toString()));
    this.#child.stderr.on("data", (chunk: Buffer) => (this.#err += chunk.toString()));
    this.ended = new Promise((resolve) => this.#child.once("close", resolve));
    // Handed on to the server, which would outlive this process if only it were killed.
    onTestFinished(async () => void (await this.stop()));
  }

  get env(): Record<string, string> {
    return { PATH: process.env["PATH"] ?? "", HOME: this.home, SKILLWARD_DATA: join(this.home, "data") };
  }

  /** What it has printed once a line fits. */
  async printed(line: RegExp): Promise<string> {
    while (!line.test(this.#out)) {
      const more = new Promise((resolve) => this.#child.stdout.once("data", resolve));
      const code = await Promise.race([more.then(() => "more"), this.ended]);
      if (code !== "more") throw new Error(`it ended with ${code}\n${this.#out}${this.#err}`);
    }
    return this.#out;
  }

  /** What it has logged so far. */
  get logged(): string {
    return this.#err;
  }

  async stop(): Promise<number | null> {
    this.#child.kill("SIGTERM");
    return this.ended;
  }
}

function newHome(): string {
  const folder = mkdtempSync(join(tmpdir(), "skillward-start-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** The line as a shell takes it apart. */
function wordsOf(line: string): string[] {
  return [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? "");
}

async function callOf(printed: string): Promise<{ status: number; text: string }> {
  const words = wordsOf(printed.split("\n").find((line) => line.startsWith("curl ")) ?? "");
  const after = (flag: string) => words.flatMap((word, at) => (word === flag ? [words[at + 1] ?? ""] : []));
  const headers = after("-H").map((header) => header.split(": ", 2) as [string, string]);
  const url = words.find((word) => word.startsWith("http://")) ?? "";
  const answer = await fetch(url, { method: "POST", headers, body: after("-d")[0] ?? null });
  return { status: answer.status, text: await answer.text() };
}

describe("SV-1: npm start", () => {
  test("CO-18: prints one line that works at once and shows the composed prompt; each start has its own key", async () => {
    const folder = newHome();
    const first = new Started(folder, []);
    const printed = await first.printed(/^curl .*\n/m);
    const { status, text } = await callOf(printed);
    expect(status).toBe(200);
    const content: string = JSON.parse(text).choices[0].message.content;
    expect(content).toContain("[[skillward:begin ");
    expect(content).toContain("# Recipe scaling");
    expect(content.endsWith("]]\n\nScale my pancakes from 4 to 10 people.")).toBe(true);
    if (existsSync("/usr/bin/curl")) {
      const line = printed.split("\n").find((each) => each.startsWith("curl ")) ?? "";
      expect(spawnSync("sh", ["-c", line], { encoding: "utf8" }).stdout).toBe(text);
    }
    expect(await first.stop()).toBe(0);

    const second = new Started(folder, []);
    const again = await second.printed(/^curl .*\n/m);
    expect((await callOf(again)).status).toBe(200);
    const former = printed.match(/skw_[\w-]+/)?.[0] ?? "";
    expect((await callOf(again.replace(/skw_[\w-]+/, former))).status).toBe(401);
    expect(await second.stop()).toBe(0);

    const verified = skillwardWarm(["audit", "verify", "--json"], { env: second.env });
    expect(verified.code).toBe(0);
    const used = skillwardWarm(["audit", "list", "--act", "usage.", "--json"], { env: second.env });
    expect(used.out).toContain("usage.batch");
  });

  test("CO-18: a demonstration that somebody removed does not come back by itself", async () => {
    const folder = newHome();
    const first = new Started(folder, []);
    await first.printed(/^curl .*\n/m);
    const { out } = skillwardWarm(["key", "add", "mine", "--role", "admin", "--json"], { env: first.env });
    const [origin = ""] = (await first.printed(/http/)).match(/http:\/\/127\.0\.0\.1:\d+/) ?? [];
    const headers = { authorization: `Bearer ${out.match(/skw_[\w-]+/)?.[0]}` };
    expect((await fetch(`${origin}/api/demonstration`, { method: "DELETE", headers })).status).toBe(200);
    expect(await first.stop()).toBe(0);

    const second = new Started(folder, []);
    const printed = await second.printed(/--demo-again brings it back/);
    expect(await second.stop()).toBe(0);
    // There is a key, so nobody is told to make one.
    expect(printed).not.toMatch(/curl|in every prompt|key add/);
    expect(skillwardWarm(["source", "list", "--json"], { env: second.env }).out.trim()).toBe("[]");

    const again = new Started(folder, ["--demo-again"]);
    const shown = await again.printed(/^curl .*\n/m);
    expect(shown).toContain("2 skills are in every prompt of the configuration demonstration");
    expect((await callOf(shown)).text).toContain("# Recipe scaling");
  });

  test("SV-1: at a terminal it says where everything is, no line of requests, and Ctrl-C lets it finish", async () => {
    const home = newHome();
    const env = { HOME: home, SKILLWARD_DATA: join(home, "data"), NO_COLOR: "1" };
    const terminal = new Pty(process.execPath, ["scripts/start.mjs", "--port", "0"], { env, columns: 600 });
    await terminal.until("curl -sS");
    const [origin = ""] = /http:\/\/127\.0\.0\.1:\d+/.exec(terminal.raw()) ?? [];
    expect((await fetch(`${origin}/healthz`)).status).toBe(200);
    expect((await fetch(`${origin}/api/overview`)).status).toBe(401);
    terminal.press("Ctrl-C");
    await terminal.until("Stopping: what is under way is finished first.");
    expect(await terminal.ended).toBe(0);
    expect(terminal.raw()).toContain(`at a terminal      export SKILLWARD_DATA=${join(home, "data")}`);
    expect(terminal.raw()).not.toMatch(/"msg"|GET \//);
  });

  test("SV-1: with --no-demo nothing is added", async () => {
    const started = new Started(newHome(), ["--no-demo"]);
    const printed = await started.printed(/key add/);
    expect(printed).not.toContain("curl");
    const url = printed.match(/http:\/\/127\.0\.0\.1:\d+/)?.[0] ?? "";
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
    expect(await started.stop()).toBe(0);
    const listed = skillwardWarm(["source", "list", "--json"], { env: started.env });
    expect(JSON.parse(listed.out)).toMatchObject([]);
  });

  test("SV-1: --store names another store, here PostgreSQL", async () => {
    const address = await createDatabase(inject("postgres"));
    const started = new Started(newHome(), ["--store", address]);
    const printed = await started.printed(/^curl .*\n/m);
    expect(printed).toContain("PostgreSQL");
    expect(printed).not.toContain(address);
    expect((await callOf(printed)).text).toContain("# Recipe scaling");
    expect(await started.stop()).toBe(0);
    const wrong = skillward(["serve", "--store", "relative.db"], { env: started.env });
    expect([wrong.code, wrong.err]).toEqual([2, expect.stringContaining("--store must be postgres://")]);
  });

  test("RV-12: as long as there is no admin, it prints the link that makes one, and logs it nowhere", async () => {
    const folder = newHome();
    const started = new Started(folder, ["--no-demo"]);
    const printed = await started.printed(/key add/);
    const [, origin = "", token = ""] = /(http:\/\/127\.0\.0\.1:\d+)\/#\/first\/(\S+)/.exec(printed) ?? [];
    const body = JSON.stringify({ token, name: "ann", password: "correct horse battery staple" });
    const first = async () =>
      fetch(`${origin}/api/first`, { method: "POST", headers: { "content-type": "application/json" }, body });
    expect(await (await first()).json()).toMatchObject({ person: { name: "ann", role: "admin" }, isFirst: false });
    expect((await first()).status).toBe(401);
    expect(await started.stop()).toBe(0);
    expect(started.logged).toContain("POST /api/first");
    expect(started.logged).not.toContain(token);
    const again = new Started(folder, ["--no-demo"]);
    const later = await again.printed(/key add/);
    expect(later).not.toContain("/#/first/");
    const url = later.match(/http:\/\/127\.0\.0\.1:\d+/)?.[0] ?? "";
    expect(await (await fetch(`${url}/api/session`)).json()).toMatchObject({ person: null, isFirst: false });
    expect(await again.stop()).toBe(0);
  });

  test("SV-1: a port that is taken is said, with what to do", async () => {
    const folder = newHome();
    const started = new Started(folder, ["--no-demo"]);
    const port = (await started.printed(/key add/)).match(/127\.0\.0\.1:(\d+)/)?.[1] ?? "";
    const taken = skillward(["serve", "--port", port], { env: { HOME: folder } });
    expect(taken.code).toBe(2);
    expect(taken.err).toContain("choose another port (`npm start -- --port 9000`");
    expect(await started.stop()).toBe(0);
  });

  test("RV-12: a second start whose port is taken ends no key of the first", async () => {
    const first = new Started(newHome(), []);
    const printed = await first.printed(/^curl .*\n/m);
    const port = printed.match(/127\.0\.0\.1:(\d+)/)?.[1] ?? "";
    expect(skillward(["serve", "--demo", "--port", port], { env: first.env }).code).toBe(2);
    expect((await callOf(printed)).status).toBe(200);
  });
});
