import { createHmac } from "node:crypto";
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { onTestFinished } from "vitest";
import type { App } from "../../src/app/app.ts";
import { startWebhook, type Webhook, type WebhookEvents } from "../../src/features/review/webhook.ts";
import type { World } from "../../src/app/world/world.ts";
import { addFolder } from "../../src/registry/sync/sources.ts";
import { runSync } from "../../src/registry/sync/sync.ts";
import { type AppHome, appHome } from "../support/app-home.ts";
import { handTimer, until } from "../support/loopback.ts";
import { ada, realWorld } from "../support/registry.ts";
import type { EngineName } from "../support/store-at.ts";
import { allow } from "../support/permits.ts";

export const secret = "whsec_c2VjcmV0IG9mIHRoZSByZWNlaXZlciBmb3IgdGVzdHM=";

/** One request as it came. */
export interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly message: {
    id: string;
    event: string;
    at: string;
    entries: { entry: string }[];
    total: number;
    link: string;
  };
}

/** Somebody who is told, on loopback: answers by script, and keeps all that came. */
export interface Receiver {
  readonly url: string;
  readonly received: readonly Received[];
  /** How the next ones are answered; then with 204 again. `hang`: not at all. */
  next(...answers: readonly (number | "hang" | { readonly redirect: string })[]): void;
  /** Resets every connection until it is back. The port stays open, so that nobody else can get it meanwhile. */
  away(): void;
  back(): void;
}

export async function startReceiver(): Promise<Receiver> {
  const received: Received[] = [];
  const answers: (number | "hang" | { readonly redirect: string })[] = [];
  const take = async (incoming: IncomingMessage, response: ServerResponse) => {
    const body = await text(incoming);
    received.push({ headers: incoming.headers, body, message: JSON.parse(body) });
    const answer = answers.shift() ?? 204;
    if (answer === "hang") return;
    if (typeof answer === "number") response.writeHead(answer).end();
    else response.writeHead(307, { location: answer.redirect }).end();
  };
  const server = createServer((incoming, response) => void take(incoming, response));
  let isAway = false;
  server.on("connection", (socket) => void (isAway && socket.resetAndDestroy()));
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const close = async () => {
    const closed = new Promise((resolve) => void server.close(resolve));
    server.closeAllConnections();
    await closed;
  };
  onTestFinished(close);
  return {
    url: `http://127.0.0.1:${port}/hooks/1?token=of-the-receiver`,
    received,
    next: (...more) => void answers.push(...more),
    away() {
      isAway = true;
      server.closeAllConnections();
    },
    back: () => void (isAway = false),
  };
}

/** As the receiver does it, with code of its own: Standard Webhooks. */
export function isVerified({ headers, body }: Received, known = secret): boolean {
  const key = known.startsWith("whsec_") ? Buffer.from(known.slice(6), "base64") : Buffer.from(known);
  const signed = [headers["webhook-id"], headers["webhook-timestamp"], body].join(".");
  return headers["webhook-signature"] === `v1,${createHmac("sha256", key).update(signed).digest("base64")}`;
}

/** One node that tells. */
export interface Node {
  readonly app: App;
  readonly webhook: Webhook;
  /** What it said: `delivered 2`, `failed upstream.invalid`, `idle config.invalid`. */
  readonly said: string[];
  /** Milliseconds that were waited after each failure. */
  readonly waits: number[];
  /** Two seconds pass for what looks again and again; no deadline does. */
  look(): void;
}

export interface WebhookRoom {
  readonly home: AppHome;
  readonly receiver: Receiver;
  /** Begins to tell, at the present end of the chain if nobody has before. */
  start(world?: Partial<World>, known?: string | null): Promise<Node>;
  /** Adds skills to the folder and takes them in. */
  sync(...skills: readonly string[]): Promise<void>;
  reader(): Promise<Record<string, unknown> | undefined>;
}

export async function webhookRoom(engine: EngineName = "SQLite", more = ""): Promise<WebhookRoom> {
  const [home, receiver] = [await appHome(engine), await startReceiver()];
  const { host } = new URL(receiver.url);
  const network = `network:\n  private:\n    "${host}": "127.0.0.1/32"\n`;
  home.write(".config/skillward/config.yaml", `${network}webhook:\n  url: ${receiver.url}\n${more}`);
  const app = await home.open();
  home.writeSkill("before");
  await addFolder(app.sync, allow(ada), home.path("skills"), { id: "skills" });
  await runSync(app.sync, allow(ada), "skills");
  const reader = async () => (await home.sql("SELECT * FROM readers"))[0];
  return {
    home,
    receiver,
    reader,
    start: async (world = {}, known = secret) => {
      const node = await startNode(home, world, known);
      if (known !== null) while ((await reader()) === undefined) await realWorld.timer.after(2);
      return node;
    },
    async sync(...skills) {
      for (const skill of skills) home.writeSkill(skill);
      await runSync(app.sync, allow(ada), "skills");
    },
  };
}

async function startNode(home: AppHome, world: Partial<World>, known: string | null): Promise<Node> {
  const hand = handTimer();
  const timer = { ...realWorld.timer, every: (each: number, act: () => void) => hand.every(each, act) };
  const opened = await home.open({ timer, ...world });
  const app = { ...opened, secrets: { oidc: null, webhook: known } };
  const [said, waits]: [string[], number[]] = [[], []];
  const codeOf = (error: unknown) => String(error instanceof Error && "code" in error ? error.code : error);
  const events: WebhookEvents = {
    onDelivered: ({ entries }) => void said.push(`delivered ${entries}`),
    onFailure(error, failed) {
      said.push(`failed ${codeOf(error)}`);
      waits.push(failed.waits);
    },
    onIdle: (error) => void said.push(`idle ${codeOf(error)}`),
  };
  const webhook = startWebhook(app, events);
  onTestFinished(() => webhook.stop());
  return { app, webhook, said, waits, look: () => hand.pass(2_000) };
}

/** Lets a node look until it has said so much. */
export async function saidBy(node: Node, count: number): Promise<string[]> {
  await until(() => {
    node.look();
    return node.said.length >= count;
  });
  return node.said;
}
