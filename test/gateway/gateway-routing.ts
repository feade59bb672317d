import { onTestFinished } from "vitest";
import type { RoutedChoice, Router } from "../../src/features/routing/router.ts";
import { Serving } from "../../src/features/serving.ts";
import type { Target } from "../../src/features/configurations/targets.ts";
import { runSync } from "../../src/registry/sync/sync.ts";
import { createGateway } from "../../src/server/gateway/gateway.ts";
import { startServer } from "../../src/server/server.ts";
import { type GatewayHome, gatewayHome, type GatewayWishes } from "../support/gateway-home.ts";
import { ada, say } from "../support/registry.ts";
import { allow } from "../support/permits.ts";
import type { InjectionRecord } from "../../src/registry/schema.ts";

/** One call of the router. */
interface Call {
  readonly target: Target;
  readonly query: string;
  readonly signal: AbortSignal | undefined;
}

/** Answers in the place of the real router; what it is not asked for, it cannot choose. */
type Choose = (call: Call) => readonly string[] | Promise<readonly string[]>;

/** Whoever says a word gets its skill: a later turn of a conversation would get another one. */
const byWord: Choose = ({ query }) =>
  ["cooking", "gardening", "sailing"].filter((word) => query.includes(word)).map((word) => `skills:${word}`);

export interface RoutingHome extends GatewayHome {
  /** What the router was asked. */
  readonly calls: readonly Call[];
  /** What each request was given. */
  readonly records: readonly InjectionRecord[];
  readonly serving: Serving;
}

interface RoutingWishes extends GatewayWishes {
  readonly choose?: Choose;
  readonly routeOn?: "first" | "last";
  readonly enabled?: boolean;
}

/** A gateway with a scripted router: `writing` is attached, `cooking`, `gardening` and `sailing` can be routed. */
export async function routingHome(wishes: RoutingWishes = {}): Promise<RoutingHome> {
  const { choose = byWord, routeOn = "first", enabled = true, configuration, ...others } = wishes;
  const routing = { routing: { enabled, routeOn }, routable: ["source:skills"] };
  const home = await gatewayHome({
    skills: { writing: "Write plainly.\n" },
    ...others,
    configuration: { ...routing, ...configuration },
  });
  await home.stop();
  for (const name of ["cooking", "gardening", "sailing"]) await approve(home, name);
  const calls: Call[] = [];
  const router: Router = {
    async chooseFor(target, query, signal): Promise<RoutedChoice> {
      calls.push({ target, query, signal });
      return { entries: await choose({ target, query, signal }), findings: [] };
    },
  };
  const serving = new Serving(home.app, router);
  const url = await serve(home, serving);
  const records: InjectionRecord[] = [];
  serving.onInjection((record) => records.push(record));
  return { ...home, url, calls, records, serving };
}

export async function approve(home: GatewayHome, name: string): Promise<void> {
  home.folder.writeSkill(name, `How to do ${name}.\n`);
  await runSync(home.app.sync, allow(ada), "skills");
  await say(home.app, ada, "approve", `skills:${name}`);
}

async function serve({ app }: GatewayHome, serving: Serving): Promise<string> {
  const server = await startServer({
    host: "127.0.0.1",
    port: 0,
    names: [],
    serving,
    world: app.world,
    policy: app.review.policy,
    log: { write: () => {} },
    telemetry: null,
    doors: [(door) => createGateway(door, serving)],
  });
  onTestFinished(async () => {
    await server.stop();
    await serving.close();
  });
  return server.url;
}

/** Which skills a text has, in the order in which they stand. */
export function skillsIn(text: string): string[] {
  const found = text.matchAll(/Write plainly\.|How to do (\w+)\./g);
  return [...found].map(([, name = "writing"]) => name);
}
