import type { App } from "../../../app/app.ts";
import { countWaiting } from "../../review/queue.ts";
import type { RouteView } from "../route-query.ts";
import { openTypedPool, poolChain } from "../pool-routing.ts";
import { Serving } from "../../serving.ts";
import { createWorld } from "../../../app/world/world.ts";
import { AppError } from "../../../core/error.ts";
import { safeLine } from "../../../core/text.ts";
import { kinds as allKinds } from "../../../skill/manifest.ts";
import type { Snapshot } from "../../../registry/snapshot.ts";
import { listOption, textOption } from "../../command/call.ts";
import { type Call, exit, type ExitCode, type Run } from "../../command/command.ts";
import type { Output } from "../../command/output.ts";
import { hint, progressOn, show, waitsForReview } from "../../command/render.ts";
import { renderRoute } from "../render-route.ts";
import { withApp } from "../../command/with-app.ts";

export const run: Run = (call, output) =>
  output.untilInterrupted((signal) =>
    (listOption(call, "skills") === undefined ? routeInStore : routeInPool)(call, output, signal),
  );

async function routeInStore(call: Call, output: Output, signal: AbortSignal): Promise<ExitCode> {
  const act = withApp(async (app) => {
    const serving = new Serving(app);
    try {
      const { snapshot } = await app.registry.look();
      await prepared(serving, snapshot, output, signal);
      const view = await serving.route(app.person, { ...askedIn(call), signal });
      const code = print(call, output, { ...view, findings: [...serving.routing.findings, ...view.findings] });
      if (snapshot.usable.size === 0) hint(output, call, await whyEmpty(app));
      return code;
    } finally {
      await serving.close();
    }
  });
  return act(call, output);
}

async function prepared(serving: Serving, snapshot: Snapshot, output: Output, signal: AbortSignal): Promise<void> {
  const counting = progressOn(output, "indexing");
  const { failure } = await serving.routing.prepare(snapshot, {
    onProgress: ({ done, of }) => counting(done, of),
    signal,
  });
  signal.throwIfAborted();
  if (failure !== null) output.note(`Vectors could not be made: ${messageOf(failure)}`);
}

function messageOf(failure: unknown): string {
  return failure instanceof AppError ? safeLine(failure.message, 300) : "for a reason that nobody foresaw";
}

async function whyEmpty(app: App): Promise<string> {
  const waiting = await countWaiting(app);
  if (waiting === 0) return "Add skills first: skillward source add <owner/repo or folder>";
  return `No skill is approved yet; ${waitsForReview(waiting)}`;
}

async function routeInPool(call: Call, output: Output, signal: AbortSignal): Promise<ExitCode> {
  const world = createWorld();
  const pool = await openTypedPool(world, call, output);
  const { query, kinds, paths, limit } = askedIn(call);
  const routed = await poolChain(world).route(pool.shelf, query, {
    ...(kinds === undefined ? {} : { kinds }),
    ...(paths === undefined ? {} : { context: { paths } }),
    limit,
    signal,
  });
  const nameOf = (entry: string) => pool.shelf.entries.get(entry)?.name ?? entry;
  const matches = routed.matches.map((match) => ({ ...match, name: nameOf(match.entry) }));
  return print(call, output, { generation: 0, ...routed, matches });
}

function askedIn(call: Call) {
  const kind = allKinds.find((each) => each === textOption(call, "kind"));
  return {
    query: call.args[0] ?? "",
    configuration: textOption(call, "for"),
    kinds: kind === undefined ? undefined : [kind],
    paths: listOption(call, "path"),
    limit: limitOf(textOption(call, "limit") ?? ""),
  };
}

function limitOf(text: string): number {
  if (/^[1-9]\d?$/.test(text)) return Number(text);
  throw new AppError("usage.invalid", "--limit: expected a number from 1 to 99");
}

function print(call: Call, output: Output, view: RouteView): ExitCode {
  show(output, call, view, () => renderRoute(view, call.options["explain"] === true, output.style));
  return view.abstained ? exit.findings : exit.fine;
}
