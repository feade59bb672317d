import type { Person } from "../registry/accounts/roles.ts";
import { asPerson } from "./as-person.ts";
import type { App } from "./app.ts";
import { measuredRegistry } from "./eval-registry.ts";
import { evaluateGolden } from "./eval-routing.ts";
import { demandKeeping, type EvaluationView, keepEvaluation } from "./evaluations.ts";
import { readGoldenList } from "./golden.ts";
import type { Routing } from "./route/routing.ts";

/** A set of golden queries, and under which title what comes of it is kept (RT-8). */
export interface AskedEvaluation {
  readonly title: string;
  /** Each as a line of a golden file has it. */
  readonly golden: readonly unknown[];
  readonly signal?: AbortSignal | undefined;
}

/** How deep MRR looks, as for the command. */
const depth = 10;

/** Measures the registry's own routing, and keeps what came of it. */
export async function evaluateRegistry(
  machine: App,
  routing: Routing,
  person: Person,
  { title, golden, signal }: AskedEvaluation,
): Promise<EvaluationView> {
  const app = asPerson(machine, person);
  demandKeeping(app, title);
  const measured = await measuredRegistry(app, { routing }, { signal });
  const queries = readGoldenList(golden, measured.entries);
  const report = await evaluateGolden(app.world, measured, queries, { k: depth });
  return { ...(await keepEvaluation(app, { title, generation: measured.generation, report })), report };
}
