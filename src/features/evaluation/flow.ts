import type { App } from "../../app/app.ts";
import { asPerson } from "../../app/as-person.ts";
import { AppError } from "../../core/error.ts";
import { parseRecord } from "../../core/json/json.ts";
import { countCharacters, hasUnseen, safeLine, storedText } from "../../core/text.ts";
import { type Permit, requireRight } from "../../registry/accounts/permit.ts";
import type { Person } from "../../registry/accounts/roles.ts";
import { recordEvents } from "../../registry/audit/audit.ts";
import type { MeasuredRouting } from "../../routing/evaluation/golden.ts";
import type { RoutingReport } from "../../routing/evaluation/report.ts";
import type { EvaluationRow } from "../../routing/port.ts";
import type { IndexProgress } from "../routing/index-keeper.ts";
import { wordsFor } from "../routing/pool-routing.ts";
import type { Routing } from "../routing/routing.ts";
import { requireNoLimit, requireRightToAll } from "../skills/find.ts";
import { evaluateGolden } from "./eval-routing.ts";
import { readGoldenList } from "./golden.ts";
import type { EvaluationPage, EvaluationView } from "./schema.ts";
import type { EvaluationLine } from "../../routing/schema.ts";

/** What is kept of one run. */
export interface Measured {
  readonly title: string;
  readonly generation: number;
  readonly report: RoutingReport;
}

const kind = "routing";
/** Of these many runs the oldest go when another one comes. */
const mostKept = 500;
const longestTitle = 120;
const usualLimit = 50;

/** Before anything is measured: nobody waits for what is refused then. */
export function requireKeeping(app: App, title: string): Permit<"operate"> {
  const permit = requireRight(app, "operate");
  requireNoLimit(permit, limitedInstead);
  demandTitle(title);
  return permit;
}

/** RT-5: a run is about all skills, and names them. For one of which nothing is kept. */
export function requireMeasuring(app: App): Permit<"read"> {
  return requireRightToAll(app, limitedInstead);
}

const limitedInstead = "an evaluation concerns all of them";

function demandTitle(title: string): void {
  const isTitle = title.trim() === title && title !== "" && countCharacters(title) <= longestTitle && !hasUnseen(title);
  if (!isTitle) throw new AppError("usage.invalid", `title: expected one line of 1 to ${longestTitle} characters`);
}

/** Kept with the record of it, in one transaction. It changes nothing that anyone uses: there is no new generation. */
export async function keepEvaluation(
  app: App,
  { person }: Permit<"operate">,
  { title, generation, report }: Measured,
): Promise<EvaluationLine> {
  demandTitle(title);
  const { clock, random } = app.world;
  const by = person.name;
  const at = clock.now();
  const id = `ev_${at.toString(16).padStart(12, "0")}${Buffer.from(random.bytes(4)).toString("hex")}`;
  const said = { by, title, generation, figures: figuresOf(report) };
  // What a run was held to is no part of how well routing works.
  const kept = { id, at, line: JSON.stringify(said), report: JSON.stringify({ ...report, gate: undefined }) };
  await app.kept.transaction(async (port) => {
    await port.putEvaluation(kind, kept, mostKept);
    const details = { title, generation, ...said.figures };
    await recordEvents(port, [{ at, by, act: "evaluation.kept", subject: id, details }]);
  });
  return { id, at, ...said };
}

function figuresOf({ n, p1, mrr, abstention }: RoutingReport): EvaluationLine["figures"] {
  return { queries: n, pAt1: p1, mrr, coverage: abstention.coverage, falseFires: abstention.falseFires };
}

export async function listEvaluations(
  app: App,
  { before = "", limit = usualLimit }: { readonly before?: string | undefined; readonly limit?: number | undefined },
): Promise<EvaluationPage> {
  requireRightToAll(app, limitedInstead);
  const rows = await app.kept.read.listEvaluations(kind, { before, limit: limit + 1 });
  const page = rows.slice(0, limit);
  const schemas = await loadSchemas();
  const items = page.map((row) => lineOf(schemas, row));
  return { items, next: rows.length > limit ? (page.at(-1)?.id ?? null) : null };
}

export async function showEvaluation(app: App, id: string): Promise<EvaluationView> {
  requireRightToAll(app, limitedInstead);
  const row = await app.kept.read.findEvaluation(kind, id);
  if (row === undefined) throw new AppError("record.missing", `there is no evaluation "${safeLine(id, 80)}"`);
  const schemas = await loadSchemas();
  const report: unknown = parseRecord(storedText(row.report));
  if (!isReport(schemas, report)) throw damaged(row.id);
  return { ...lineOf(schemas, row), report };
}

/** Loaded where rows are read: most commands read none. */
const loadSchemas = () => import("../../routing/schema.ts");
type Schemas = Awaited<ReturnType<typeof loadSchemas>>;

/** A row that was changed by hand into something else is shown for what it is, so that the others can be seen. */
function lineOf({ evaluationLine }: Schemas, { id, at, line }: EvaluationRow): EvaluationLine {
  const { success, data } = evaluationLine.safeParse({ ...parseRecord(storedText(line)), id, at });
  return success ? data : { id, at, ...unreadable };
}

const unreadable: Omit<EvaluationLine, "id" | "at"> = {
  by: "",
  title: "cannot be read: it was changed by hand",
  generation: 0,
  figures: { queries: 0, pAt1: 0, mrr: 0, coverage: 0, falseFires: null },
};

/** What was kept is shown as it is, members of another version included. */
function isReport({ routingReport }: Schemas, value: unknown): value is RoutingReport {
  return routingReport.safeParse(value).success;
}

function damaged(id: string): AppError {
  return new AppError("store.failed", `the report of evaluation ${id} was changed by hand and cannot be read`);
}

export interface MeasuredRegistry extends MeasuredRouting {
  /** All of it is measured at this one, whatever is decided meanwhile. */
  readonly generation: number;
}

interface MeasureOptions {
  readonly onProgress?: (progress: IndexProgress) => void;
  readonly signal?: AbortSignal | undefined;
}

/** The registry's own routing as it is now, with everything in use to choose among. */
export async function measuredRegistry(
  app: App,
  _permit: Permit<"read">,
  { routing }: { readonly routing: Routing },
  { onProgress, signal }: MeasureOptions = {},
): Promise<MeasuredRegistry> {
  const { snapshot } = await app.registry.look();
  await routing.prepare(snapshot, { onProgress, signal });
  const shelf = await routing.shelfOf(snapshot);
  return {
    generation: snapshot.generation,
    entries: snapshot.usable,
    index: { skills: snapshot.usable.size, buildMs: null, loadMs: null, bytes: null },
    route: (query, limit) => routing.route(snapshot, query, { limit, ...(signal === undefined ? {} : { signal }) }),
    wordsFor: (query, entry) => wordsFor(shelf, query, entry),
    // Bodies stay in the store: names and descriptions are what tells skills apart here.
    bodyOf: () => "",
  };
}

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
  const permit = requireKeeping(app, title);
  const measured = await measuredRegistry(app, permit, { routing }, { signal });
  const queries = readGoldenList(golden, measured.entries);
  const report = await evaluateGolden(app.world, measured, queries, { k: depth });
  return { ...(await keepEvaluation(app, permit, { title, generation: measured.generation, report })), report };
}
