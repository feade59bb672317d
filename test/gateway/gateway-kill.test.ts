import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { Spool } from "../../src/features/usage/spool.ts";
import { demandBuilt } from "../support/cli.ts";
import { seeded } from "../support/crash-skills.ts";
import { bodyOf, inUse, TamperedStore } from "../support/gateway-tampered.ts";
import { injection } from "../store/store-contract/rows.ts";
import { forRun } from "../support/long-run.ts";

/** Another one tries other points. */
const seed = Number(process.env["KILL_SEED"] ?? 20_261);

/** Of a moment of each kind at least one. */
const kills = forRun({ short: 3, long: 20 });
const clients = 4;

/** A request that was answered: when it was sent and when the whole answer was there, by one count of all that happened. */
interface Answered {
  readonly injection: string;
  readonly sent: number;
  readonly answered: number;
}

/** `skillward serve`, as people start it. */
class Serve {
  readonly answers: Answered[] = [];
  readonly #process: ChildProcess;
  readonly #store: TamperedStore;
  #url = "";
  #events = 0;

  private constructor(process: ChildProcess, store: TamperedStore) {
    [this.#process, this.#store] = [process, store];
    onTestFinished(() => void process.kill("SIGKILL"));
  }

  static async start(store: TamperedStore): Promise<Serve> {
    const env = { ...store.environment, PATH: process.env["PATH"] ?? "" };
    const args = [demandBuilt(), "serve", "--port", "0", "--no-demo", "--json"];
    const child = spawn(process.execPath, args, { env, stdio: ["ignore", "pipe", "ignore"] });
    const serve = new Serve(child, store);
    let printed = "";
    while (serve.#url === "") {
      const [chunk] = await Promise.race([once(child.stdout, "data"), once(child, "exit")]);
      if (child.exitCode !== null) throw new Error(`it has ended with ${child.exitCode}`);
      printed += String(chunk);
      serve.#url = /"url": "([^"]+)"/.exec(printed)?.[1] ?? "";
    }
    return serve;
  }

  /** False: nobody answers any more. */
  async ask(): Promise<boolean> {
    const sent = this.#events++;
    const headers = { authorization: `Bearer ${this.#store.key}`, "content-type": "application/json" };
    const url = `${this.#url}/c/house/v1/chat/completions`;
    try {
      const answer = await fetch(url, { method: "POST", headers, body: bodyOf("Which one?") });
      await answer.text();
      const id = answer.headers.get("x-skillward-injection");
      if (answer.status !== 200 || id === null) throw new Error(`it was answered with ${answer.status}`);
      this.answers.push({ injection: id, sent, answered: this.#events++ });
      return true;
    } catch (error) {
      if (error instanceof TypeError) return false;
      throw error;
    }
  }

  /** Several clients, until nobody answers them or they have asked often enough. */
  async load(most = Number.POSITIVE_INFINITY): Promise<void> {
    const client = async () => {
      while (this.answers.length < most && (await this.ask()));
    };
    await Promise.all(Array.from({ length: clients }, client));
  }

  async end(signal: "SIGKILL" | "SIGTERM"): Promise<number | null> {
    const ended = once(this.#process, "exit");
    this.#process.kill(signal);
    const [code] = await ended;
    return code;
  }
}

describe("T42, invariant 9: kill -9 of `skillward serve` under load", { timeout: 300_000 }, () => {
  let store: TamperedStore;
  beforeAll(async () => {
    store = await TamperedStore.create("SQLite");
    return () => store.remove();
  });

  /** What the store holds, in the order in which it was made. */
  async function keptInjections(): Promise<string[]> {
    const rows = await store.home.sql("SELECT id FROM injections ORDER BY batch, number");
    return rows.map(({ id }) => String(id));
  }

  async function isAnyKept(injections: readonly string[]): Promise<boolean> {
    const kept = new Set(await keptInjections());
    return injections.some((id) => kept.has(id));
  }

  function spooled(): string[] {
    const folder = join(store.home.root, "data", "spool");
    return readdirSync(folder).filter((name) => name.endsWith(".json"));
  }

  /** As a process leaves them behind that could not reach the store: batches with one injection each. */
  async function leaveInSpool(from: number, count: number): Promise<string[]> {
    const app = await store.home.open();
    const numbers = Array.from({ length: count }, (_, at) => from + at);
    const idOf = (number: number) => `inj_${String(number).padStart(24, "0")}`;
    for (const number of numbers) {
      const batch = { id: `${String(number).padStart(15, "0")}-left`, node: "left", at: 1, records: [] };
      await new Spool(app).write({ ...batch, injections: [injection(idOf(number))] });
    }
    await app.close();
    return numbers.map(idOf);
  }

  async function expectWhole(): Promise<ReadonlySet<string>> {
    expect(await store.home.verify()).toEqual([]);
    const kept = await keptInjections();
    expect(new Set(kept).size).toBe(kept.length);
    return new Set(kept);
  }

  /**
   * What is kept is a beginning of what happened: of two requests one after the other, the second is not kept without
   * the first. What came after the last batch is lost with the process, and nothing else.
   */
  function expectBeginning(answers: readonly Answered[], kept: ReadonlySet<string>): void {
    const last = Math.max(-1, ...answers.filter((each) => kept.has(each.injection)).map(({ sent }) => sent));
    const lost = answers.filter((each) => !kept.has(each.injection));
    expect(lost.filter(({ answered }) => answered < last)).toEqual([]);
  }

  test(`at ${kills} moments nobody chose (seed ${seed})`, async () => {
    const random = seeded(seed);
    const left: string[] = [];
    let [keptOfThem, lostOfThem] = [0, 0];
    for (let kill = 0; kill < kills; kill++) {
      // What was left goes first: meanwhile batches wait.
      const leftNow = await leaveInSpool(left.length, 1 + random(20));
      left.push(...leftNow);
      const serve = await Serve.start(store);
      const [answersFirst, milliseconds] = [random(130), random(15)];
      const moments = [
        async () => serve.answers.length >= answersFirst,
        () => isAnyKept(leftNow),
        () => isAnyKept(serve.answers.map((each) => each.injection)),
      ];
      const isMoment = moments[kill % moments.length] ?? (async () => true);
      const loading = serve.load();
      while (!(await isMoment())) await sleep(1);
      await sleep(milliseconds);
      await serve.end("SIGKILL");
      await loading;
      const kept = await expectWhole();
      expectBeginning(serve.answers, kept);
      const waiting = new Set(spooled().map((name) => Number(name.slice(0, 15))));
      expect(left.filter((id, number) => !kept.has(id) && !waiting.has(number))).toEqual([]);
      keptOfThem += serve.answers.filter((each) => kept.has(each.injection)).length;
      lostOfThem += serve.answers.filter((each) => !kept.has(each.injection)).length;
    }
    // Both were met, else nothing was tested.
    expect(keptOfThem).toBeGreaterThan(0);
    expect(lostOfThem).toBeGreaterThan(0);

    const gateway = await store.serve();
    const wanted = gateway.expected(inUse);
    await gateway.close();
    const whole = store.upstream.requests.filter(({ aborted }) => !aborted);
    expect(whole.filter(({ text }) => text !== wanted)).toEqual([]);
    const kept = await expectWhole();
    expect(left.filter((id) => !kept.has(id))).toEqual([]);
    expect(spooled()).toEqual([]);
  });

  test("what was answered is in the store when the next flush is over, and no kill takes it from there", async () => {
    const serve = await Serve.start(store);
    await serve.load(30);
    const ids = serve.answers.map((each) => each.injection);
    const isKept = async () => {
      const kept = new Set(await keptInjections());
      return ids.every((id) => kept.has(id));
    };
    while (!(await isKept())) await sleep(20);
    await serve.end("SIGKILL");
    expect(await isKept()).toBe(true);
    await expectWhole();
  });

  test("a server that is asked to end loses nothing", async () => {
    const serve = await Serve.start(store);
    await serve.load(30);
    expect(await serve.end("SIGTERM")).toBe(0);
    const kept = await expectWhole();
    expect(serve.answers.filter((each) => !kept.has(each.injection))).toEqual([]);
  });
});
