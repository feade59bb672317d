import { join } from "node:path";
import { expect, onTestFinished } from "vitest";
import { type App, openApp } from "../../src/app/app.ts";
import { parseEnvironment } from "../../src/app/config/config.ts";
import { type FixedClock, fixedClock } from "../../src/testing/fixed-clock.ts";
import { type CutBy, cuttingProxy } from "./cutting-proxy.ts";
import { type GatewayHome, gatewayHome, type GatewayWishes } from "./gateway-home.ts";
import { portOf, speakers } from "./gateway-speakers.ts";
import { call, type Reply } from "./http-serving.ts";
import { realWorld } from "./registry.ts";
import { postgresPlace, type StorePlace } from "./store-engines.ts";

/** A gateway in this process that reaches its database by a way that can be cut, and another node that needs no such way. */
export interface StandbyRoom {
  readonly home: GatewayHome;
  readonly place: StorePlace;
  readonly proxy: Awaited<ReturnType<typeof cuttingProxy>>;
  /** How long things take, as the node sees it; what is written down has the real time. */
  readonly stopwatch: FixedClock;
  /** The same store, opened by another node. */
  other(): Promise<App>;
}

interface Wishes extends GatewayWishes {
  /** The way is cut by statements that hold this; empty: by all. */
  readonly cutBy?: CutBy;
}

export async function standbyRoom({ cutBy = "", config = "", ...wishes }: Wishes = {}): Promise<StandbyRoom> {
  const place = await postgresPlace();
  onTestFinished(() => place.remove());
  const proxy = await cuttingProxy(place.place, cutBy);
  onTestFinished(() => proxy.close());
  const stopwatch = fixedClock();
  const home = await gatewayHome({ ...wishes, world: { stopwatch }, config: `store: ${proxy.url}\n${config}` });
  const { root } = home.folder;
  const other = async () => {
    const variables = { HOME: root, SKILLWARD_DATA: join(root, "other"), SKILLWARD_STORE: place.place, USER: "other" };
    const app = await openApp(realWorld, parseEnvironment(variables));
    let closing: Promise<void> | undefined;
    const close = () => (closing ??= app.close());
    onTestFinished(close);
    return { ...app, close };
  };
  await keptUp({ home });
  return { home, place, proxy, stopwatch, other };
}

/** When the node could go on with all that is there now. */
export async function keptUp({ home }: Pick<StandbyRoom, "home">): Promise<void> {
  const generation = await home.app.kept.read.generation();
  await expect
    .poll(async () => figures(home))
    .toMatchObject({ degraded: 0, generation, standby_generation: generation, standby_missing: 0 });
}

/** What the node says of itself in figures. */
export async function figures(home: GatewayHome): Promise<Record<string, number>> {
  const { status, text } = await call(portOf(home), "/metrics", { key: home.key });
  expect(status).toBe(200);
  return Object.fromEntries(
    [...text.matchAll(/^skillward_(\w+) ([\d.e+-]+)$/gm)].map(([, name = "", value]) => [name, Number(value)]),
  );
}

/** Asks once in each protocol; what came to the model service. */
export async function askAll({ home }: Pick<StandbyRoom, "home">): Promise<string[]> {
  const before = home.upstream.requests.length;
  for (const speaker of speakers) expect(await speaker.ask(home)).toBe("Hello from the upstream.");
  return home.upstream.requests.slice(before).map(({ text }) => text);
}

/** What everybody who asks is told, in each protocol and by the API; nothing may come to the model service. */
export async function expectRefused({ home }: Pick<StandbyRoom, "home">, code = "store.failed"): Promise<void> {
  const before = home.upstream.requests.length;
  const asked = (path: string, json: unknown) => call(portOf(home), path, { key: home.key, json });
  const messages = [{ role: "user", content: "Hello?" }];
  const openai = await asked("/v1/chat/completions", { model: "house", messages });
  const anthropic = await asked("/v1/messages", { model: "claude", messages, max_tokens: 9 });
  const api = await asked("/api/complete", { configuration: "house", prompt: "Hello?" });
  expect([openai.status, anthropic.status, api.status]).toEqual([503, 503, 503]);
  expect([openai.json().error.code, api.json().code]).toEqual([code, code]);
  expect(home.upstream.requests).toHaveLength(before);
}

export async function readiness(home: GatewayHome): Promise<Reply> {
  return call(portOf(home), "/readyz");
}

/** The lines in its log about the store. */
export function storeNotes(home: GatewayHome): string[] {
  const lines = home
    .logged()
    .split("\n")
    .filter((line) => line !== "");
  return lines
    .map((line) => JSON.parse(line).msg)
    .filter((msg: unknown): msg is string => String(msg).startsWith("store "));
}
