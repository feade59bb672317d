import { isForTheLog, TooMany } from "../../features/http/statuses.ts";
import { requireRightToAll } from "../../features/skills/find.ts";
import { type LiveEvent, liveEvent } from "../../features/sources/schema.ts";
import { toldFailure } from "../../features/sources/sync.ts";
import type { Person } from "../../registry/accounts/roles.ts";
import { type Door, personOf, type Wire } from "../door.ts";
import { whoAsks } from "../guard/guard.ts";
import type { Api } from "./api.ts";
import type { Operations } from "./operations.ts";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import type { HttpBindings } from "@hono/node-server";

const mostOfOne = 8;
const mostOfAll = 500;
const beatMilliseconds = 15_000;

/** SV-3: what happens, as it happens. Bounded in number, and in what waits for a reader (T41). */
export function mountEvents(operations: Operations, door: Door, api: Api): void {
  const open = new Map<EventStream, string>();
  const streams = door.metrics.gauge("skillward_event_streams", "Streams of events that are open.");
  // They have no end of their own: a stop would wait for them.
  door.stopping.addEventListener("abort", () => [...open.keys()].forEach((stream) => stream.end()), { once: true });
  operations.getRaw(
    {
      path: "/api/events",
      summary: "Server-sent events: new generations, and how syncs go on.",
      answer: liveEvent,
      type: "text/event-stream",
    },
    async ({ env }) => {
      const { outgoing, exchange } = env;
      const person = personOf(exchange);
      demandEvents(door, person);
      const { name } = person;
      demandRoom(open, name);
      // It is counted here, and must not take a place among the requests that run.
      exchange.leave();
      const stream = new EventStream({ outgoing, mayRead: () => mayStillRead(door, env) });
      if (door.stopping.aborted || env.incoming.method === "HEAD") return sent(() => stream.end());
      open.set(stream, name);
      streams.set(open.size);
      const stopListening = api.live.listen((event) => stream.take(event));
      const beats = door.timer.every(beatMilliseconds, () => void stream.beat());
      outgoing.once("close", () => {
        beats.stop();
        stopListening();
        open.delete(stream);
        streams.set(open.size);
      });
      // After it has begun to listen: no generation comes in between unheard.
      return sent(async () => stream.take({ is: "generation", generation: await door.served.generation() }));
    },
  );
}

/** RV-12: they tell of every source. */
function demandEvents({ policy }: Door, person: Person): void {
  requireRightToAll({ person, policy }, "events concern all of them");
}

async function sent(act: () => unknown): Promise<Response> {
  await act();
  return RESPONSE_ALREADY_SENT;
}

function demandRoom(open: ReadonlyMap<EventStream, string>, name: string): void {
  const own = [...open.values()].filter((each) => each === name).length;
  if (own >= mostOfOne) throw new TooMany(`${mostOfOne} streams of events are open for this principal; close one`, 5);
  if (open.size >= mostOfAll) throw new TooMany("too many streams of events are open; ask again later", 30);
}

/** By what was shown when the stream began, as it counts now. A store that is away ends the stream, and it is asked for again. */
async function mayStillRead(door: Door, env: Wire["Bindings"]): Promise<boolean> {
  try {
    const person = await whoAsks(door, env);
    demandEvents(door, person);
    return person.name === env.exchange.person?.name;
  } catch (error) {
    if (isForTheLog(error)) door.log.failure(env.exchange.id, error);
    return false;
  }
}

/** What may wait for one reader: whoever reads more slowly than events come is cut off (T41). */
const mostUnread = 256 * 2 ** 10;
/** Findings that an event carries; all of them are in the answer to whoever asked for the sync. */
const mostFindings = 20;

interface StreamOptions {
  readonly outgoing: HttpBindings["outgoing"];
  /** Whether who reads may still do so. Asked at every generation, when somebody can have lost it, and at every beat. */
  readonly mayRead: () => Promise<boolean>;
}

/** One reader of what happens (SV-3). Nothing of it is kept: whoever comes again asks for the state. */
class EventStream {
  readonly #outgoing: HttpBindings["outgoing"];
  readonly #mayRead: () => Promise<boolean>;
  #told = -1;
  #latest = -1;
  #isAsking = false;

  constructor({ outgoing, mayRead }: StreamOptions) {
    this.#outgoing = outgoing;
    this.#mayRead = mayRead;
    outgoing.writeHead(200, { "content-type": "text/event-stream", "x-accel-buffering": "no" });
    this.#write("retry: 2000\n\n");
  }

  take(event: LiveEvent): void {
    if (event.is === "generation") void this.#raise(event.generation);
    else this.#tell(event);
  }

  /** Says nothing, and keeps what lies between from taking the connection for dead. */
  async beat(): Promise<void> {
    if (await this.#mayRead()) this.#write(": still here\n\n");
    else this.end();
  }

  /** What has not been read by then is not waited for. */
  end(): void {
    if (this.#outgoing.writableLength > 0) this.#outgoing.destroy();
    else this.#outgoing.end();
  }

  /** Several at once are told as the latest of them; an older one that comes late is none. */
  async #raise(generation: number): Promise<void> {
    this.#latest = Math.max(this.#latest, generation);
    if (this.#isAsking) return;
    this.#isAsking = true;
    while (this.#told < this.#latest) {
      const next = this.#latest;
      if (!(await this.#mayRead())) return this.end();
      this.#told = next;
      this.#tell({ is: "generation", generation: next });
    }
    this.#isAsking = false;
  }

  #tell(event: LiveEvent): void {
    this.#write(`event: ${event.is}\ndata: ${JSON.stringify(shownEvent(event))}\n\n`);
  }

  #write(text: string): void {
    if (this.#outgoing.writableEnded || this.#outgoing.destroyed) return;
    this.#outgoing.write(text);
    if (this.#outgoing.writableLength > mostUnread) this.#outgoing.destroy();
  }
}

/** Small, and without what is for the log of the machine alone. */
function shownEvent(event: LiveEvent): LiveEvent {
  if (event.is !== "synced") return event;
  const { result } = event;
  if (result.status === "error") return { ...event, result: toldFailure(result) };
  return { ...event, result: { ...result, findings: result.findings.slice(0, mostFindings), children: null } };
}
