import type { App } from "../../app/app.ts";
import { startPreparing } from "../../app/route/preparing.ts";
import { startSchedule } from "../../app/schedule.ts";
import { Serving } from "../../app/serving.ts";
import { providerPolicy } from "../../net/policy.ts";
import { createGateway } from "../gateway/gateway.ts";
import { createLog, type LogStream } from "../log.ts";
import { type RunningServer, startServer } from "../server.ts";
import { preparingEvents } from "./preparing-log.ts";
import { scheduleEvents } from "./schedule-log.ts";

export interface ServeOptions {
  readonly host: string;
  /** 0: any that is free. */
  readonly port: number;
  readonly log: LogStream;
}

/** SV-1: every door of an opened app on one port, and its scheduled syncs (IN-24). Stopping it writes down what is still to be written; the app stays open. */
export async function serveApp(app: App, { host, port, log }: ServeOptions): Promise<RunningServer> {
  const serving = new Serving(app);
  const { config, world, review } = app;
  const { bodyBytes, requestsPerMinute, concurrent } = config.gateway;
  const { endpoint } = config.telemetry;
  try {
    // Where spans may not go is said now: later they would only be lost.
    if (endpoint !== null) providerPolicy(config.network.private).admit(endpoint);
    const server = await startServer({
      host,
      port,
      names: config.serve.hosts,
      serving,
      world,
      policy: review.policy,
      log,
      telemetry: endpoint === null ? null : { endpoint, transport: await serving.network() },
      bounds: { bodyBytes, perMinute: requestsPerMinute, concurrent },
      doors: [(door) => createGateway(door, serving)],
    });
    const notes = createLog(log, world.clock);
    const schedule = startSchedule(app, scheduleEvents(notes));
    const preparing = startPreparing(app, serving.routing, preparingEvents(notes));
    const stop = async () => {
      await Promise.all([server.stop(), schedule.stop(), preparing.stop()]);
      await serving.close();
    };
    return { ...server, stop };
  } catch (error) {
    await serving.close();
    throw error;
  }
}
