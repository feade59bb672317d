import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import type { ChainHead } from "../../src/registry/audit/audit.ts";
import type { Statement } from "../../src/registry/ledger/decision.ts";

/** What a child is to do. */
export interface Order {
  readonly folders: readonly string[];
  readonly seed: number;
  readonly rounds: number;
  /** At the n-th point of the first act of that name: die, or lose the connections to the server in its next transaction. */
  readonly at?: Point & { readonly fate: "die" | "cut" };
  /** Whether what failed because the store was away is tried again. */
  readonly isStubborn?: boolean;
}

/** The points that need the connection they began on: at any other a new one is taken, and nobody notices. */
export const inTransaction = /^before (?:insert|update|delete|commit)/i;

export interface Point {
  readonly act: string;
  readonly point: number;
}

/** One line of a child. With `act` it is an acknowledgement: what was done is not to be lost any more. */
export interface Said {
  readonly act: string;
  /** Every point the act went through. */
  readonly points: readonly string[];
  readonly store: string;
  readonly head: ChainHead;
  readonly entries: readonly (readonly [id: string, digest: string])[];
  readonly words: readonly Statement[];
  readonly batch: string;
  /** Where it ends. */
  readonly at: string;
  readonly failed: string;
}

/** A user's home with a store and two folders of skills, and all that was acknowledged there. */
export interface Site {
  readonly home: string;
  readonly folders: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly said: Partial<Said>[];
  /** Revisions that were looked at in full before. */
  readonly whole: Set<string>;
}

/** @param store where PostgreSQL is to be used: the url of an empty database */
export function makeSite(store?: string): Site {
  const root = mkdtempSync(join(tmpdir(), "skillward-crash-"));
  const folders = ["one", "two"].map((name) => join(root, name));
  const home = join(root, "home");
  for (const folder of [home, ...folders]) mkdirSync(folder);
  const environment = { HOME: home, USER: "ada", ...(store === undefined ? {} : { SKILLWARD_STORE: store }) };
  return { home, folders, environment, said: [], whole: new Set() };
}

export function removeSite({ home }: Site): void {
  rmSync(join(home, ".."), { recursive: true });
}

export interface Ended {
  readonly said: readonly Partial<Said>[];
  readonly signal: NodeJS.Signals | null;
}

/**
 * Runs a child until it ends, by itself, by its order or by `kill`.
 * @param hear called with every line, and how to kill the child
 */
export async function runChild(
  file: string,
  site: Site,
  order: Omit<Order, "folders">,
  hear: (said: Partial<Said>, kill: () => void) => void = () => {},
): Promise<Ended> {
  const child = spawn(process.execPath, [file, JSON.stringify({ ...order, folders: site.folders })], {
    env: site.environment,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const said: Partial<Said>[] = [];
  createInterface({ input: child.stdout }).on("line", (line) => {
    const word: Partial<Said> = JSON.parse(line);
    said.push(word);
    hear(word, () => child.kill("SIGKILL"));
  });
  const errors = text(child.stderr);
  const [code, signal] = await new Promise<[number | null, NodeJS.Signals | null]>((resolve) => {
    child.once("close", (...end) => resolve(end));
  });
  site.said.push(...said);
  if (code !== null && code !== 0) throw new Error(`a child ended with ${code}: ${await errors}`);
  return { said, signal };
}
