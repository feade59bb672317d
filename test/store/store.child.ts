// Works with a store in a process of its own: what it is told is its first argument, what it says are messages.
import { once } from "node:events";
import { AppError } from "../../src/core/error.ts";
import { recordChanges } from "../../src/registry/audit/audit.ts";
import type { Store, StoreWrites } from "../../src/store/store.ts";
import { openAt, type OpenOptions, type StoreAt } from "../support/store-at.ts";
import { entry } from "./store-contract/rows.ts";

/** What such a process can be told to do. */
export interface StoreOrder {
  readonly at: StoreAt;
  readonly act: "write" | "write on" | "hold" | "watch" | "open" | "try";
  /** Tells the writers apart. */
  readonly name?: string;
  readonly transactions?: number;
  readonly options?: OpenOptions;
  /** Whom the rights of files hold for; needs root. */
  readonly asNobody?: boolean;
}

const order: StoreOrder = JSON.parse(process.argv[2] ?? "");
const { at, name = "", transactions = 0, options = {} } = order;

// Nobody is left behind when the test is over.
const leave = () => process.exit(1);
process.once("disconnect", leave);

if (order.asNobody === true) {
  process.setgid?.(65_534);
  process.setuid?.(65_534);
}
await { write, "write on": writeOn, hold, watch, open: openOnly, try: attempt }[order.act]();
process.off("disconnect", leave);
process.disconnect();

/** One of several that write at once: each transaction reads, counts and writes, with its record in the chain. */
async function write(): Promise<void> {
  const store = await openAt(at, options);
  await startTogether();
  for (let number = 0; number < transactions; number++) await store.transaction((port) => count(port, number));
  await store.close();
}

async function writeOn(): Promise<void> {
  const store = await openAt(at, options);
  const told = new AbortController();
  process.once("message", () => told.abort());
  say("ready");
  for (let number = 0; !told.signal.aborted; number++) await store.transaction((port) => count(port, number));
  await store.close();
}

async function count(port: StoreWrites, number: number): Promise<void> {
  const { token } = (await port.findLock("count")) ?? { token: 0 };
  await port.putLock({ source: "count", token: token + 1, holder: name, takenAt: number, beatAt: number });
  const id = `${name}:${number}`;
  await port.putEntries([entry(id, { source: name })]);
  await recordChanges(port, [{ at: number, by: name, act: "entry.created", subject: id, details: { number } }]);
}

/** Begins to write and stays there until it is told to end. */
async function hold(): Promise<void> {
  const store = await openAt(at, options);
  await store.transaction(async (port) => {
    await count(port, 0);
    await startTogether();
  });
  await store.close();
}

async function watch(): Promise<void> {
  const store = await openAt(at, options);
  const watching = await store.watch(say);
  await startTogether();
  await watching.close();
  await store.close();
}

async function openOnly(): Promise<void> {
  await startTogether();
  const store = await openAt(at, options);
  say(await store.read.generation());
  await store.close();
}

/** Opens, reads and writes, and says what became of each. */
async function attempt(): Promise<void> {
  let store: Store | undefined;
  const opened = await outcome(async () => void (store = await openAt(at, options)));
  const read = await outcome(async () => store?.read.listEntries({ after: "", limit: 9 }));
  const written = await outcome(async () => store?.transaction((port) => count(port, 0)));
  await store?.close();
  say({ opened, read, written });
}

async function outcome(act: () => Promise<unknown>): Promise<string> {
  try {
    await act();
    return "done";
  } catch (error) {
    return error instanceof AppError ? `${error.code}: ${error.message}` : `unexpected: ${String(error)}`;
  }
}

async function startTogether(): Promise<void> {
  say("ready");
  await once(process, "message");
}

function say(word: unknown): void {
  process.send?.(word);
}
