import type { App } from "../../app/app.ts";
import { startPreparing } from "../../features/routing/preparing.ts";
import { startSchedule } from "../../features/sources/schedule.ts";
import { Serving } from "../../features/serving.ts";
import { startStandby } from "../../app/standby/standby.ts";
import { startWebhook } from "../../features/review/webhook.ts";
import { providerPolicy } from "../../net/policy.ts";
import { createGateway } from "../../server/gateway/gateway.ts";
import { createLog, type LogStream } from "../../server/logs/log.ts";
import { createMcp } from "../../server/mcp/mcp.ts";
import { type RunningServer, startServer } from "../../server/server.ts";
import { shelfRoutes } from "../../server/shelf/shelf.ts";
import { loadPages, webRoutes } from "../../server/web/pages.ts";
import { preparingEvents, standbyEvents, scheduleEvents, webhookEvents } from "./logs.ts";
import { openSignIn, type SignIn } from "./sign-in.ts";

export interface ServeOptions {
  readonly host: string;
  /** 0: any that is free. */
  readonly port: number;
  readonly log: LogStream;
  /** Where the pages of the web lie; without one there are none. */
  readonly pages?: string;
}

/** SV-1: every door of an opened app on one port, and its scheduled syncs (IN-24). Stopping it writes down what is still to be written; the app stays open. */
export async function serveApp(opened: App, { host, port, log, pages }: ServeOptions): Promise<RunningServer> {
  const notes = createLog(log, opened.world.clock);
  const standby = startStandby(opened, standbyEvents(notes));
  const { app } = standby;
  const serving = new Serving(app, undefined, standby);
  const { config, world, review } = app;
  const { bodyBytes, requestsPerMinute, concurrent } = config.gateway;
  const { endpoint } = config.telemetry;
  let watching: Awaited<ReturnType<App["watch"]>> | undefined;
  let signIn: SignIn | undefined;
  try {
    signIn = await openSignIn(app);
    // RV-10: one for the node, whoever made the generation and however many look on.
    watching = await app.watch((generation) => serving.live.tell({ is: "generation", generation }));
    // Where spans may not go is said now: later they would only be lost.
    if (endpoint !== null) providerPolicy(config.network.private).admit(endpoint);
    const server = await startServer({
      host,
      port,
      names: config.serve.hosts,
      proxies: config.serve.proxies,
      serving,
      world,
      policy: review.policy,
      ways: signIn.ways,
      log,
      telemetry: endpoint === null ? null : { endpoint, transport: await serving.network() },
      bounds: { bodyBytes, perMinute: requestsPerMinute, concurrent },
      doors: [
        (door) => createGateway(door, serving),
        (door) => shelfRoutes(door, config.publish.enabled ? serving.shelf : null),
        (door) => createMcp(door, serving),
        ...(await webDoors(app, pages)),
        ...signIn.doors,
      ],
    });
    const schedule = startSchedule(app, scheduleEvents(notes), serving.live);
    const preparing = startPreparing(app, serving.routing, preparingEvents(notes));
    const webhook = startWebhook(app, webhookEvents(notes, server.metrics));
    const stop = async () => {
      await Promise.all([server.stop(), schedule.stop(), preparing.stop(), webhook.stop()]);
      await Promise.all([watching?.close(), signIn?.close()]);
      await serving.close();
      await standby.stop();
    };
    return { ...server, stop };
  } catch (error) {
    await Promise.all([watching?.close(), signIn?.close()]);
    await serving.close();
    await standby.stop();
    throw error;
  }
}

async function webDoors({ world }: App, folder: string | undefined) {
  if (folder === undefined) return [];
  const pages = await loadPages(world.files, folder);
  return [() => webRoutes(pages)];
}
