import { expect, test } from "vitest";
import { AppError } from "../../src/core/error.ts";
import { addFolder } from "../../src/registry/sync/sources.ts";
import { scheduleEvents } from "../../src/cli/serve/logs.ts";
import { serveApp } from "../../src/cli/serve/serve-app.ts";
import { createLog } from "../../src/server/logs/log.ts";
import { fixedClock } from "../../src/testing/fixed-clock.ts";
import { appHome } from "../support/app-home.ts";
import { handTimer } from "./leaving-store.ts";
import { ada } from "../support/registry.ts";
import { allow } from "../support/permits.ts";

function logged() {
  const lines: string[] = [];
  const read = () => lines.map((line): Record<string, unknown> => JSON.parse(line));
  return { stream: { write: (line: string) => void lines.push(line) }, read };
}

test("IN-24: a server syncs what is due and says so in its log, until it is stopped", async () => {
  const home = await appHome();
  home.writeSkill("pdf");
  const timer = handTimer();
  const app = await home.open({ timer });
  await addFolder(app.sync, allow(ada), home.path("skills"), { id: "skills", interval: 600 });
  const { stream, read } = logged();
  const server = await serveApp(app, { host: "127.0.0.1", port: 0, log: stream });
  const syncs = () => read().filter(({ msg }) => msg === "sync");
  timer.tick();
  await expect.poll(syncs).toMatchObject([{ level: "info", source: "skills", status: "ok", created: 1, findings: 0 }]);
  await server.stop();
  home.clock.advance(3_600_000);
  timer.tick();
  await app.kept.transaction(async () => {});
  expect([syncs().length, (await app.kept.read.findLock("skills"))?.token]).toEqual([1, 1]);
});

test("IN-24: what failed is in the log: our own words, and of others only their kind", () => {
  const { stream, read } = logged();
  const { onFailure } = scheduleEvents(createLog(stream, fixedClock()));
  onFailure("house", new AppError("source.limited", "no more \u202erequests"));
  onFailure(null, new AppError("store.failed", "away"));
  onFailure("house", new TypeError("a piece of a secret"));
  expect(read()).toMatchObject([
    { msg: "sync failed", source: "house", code: "source.limited", message: "no more \\u{202e}requests" },
    { level: "warn", msg: "sync failed", code: "store.failed", message: "away" },
    { msg: "failure", level: "error", request: "schedule house", error: "TypeError" },
  ]);
  expect(JSON.stringify(read())).not.toContain("a piece of a secret");
});
