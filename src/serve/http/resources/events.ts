import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import { demandAll } from "../../../app/route/demand-all.ts";
import type { Person } from "../../../registry/accounts/roles.ts";
import { type Door, personOf, type Wire } from "../../door.ts";
import { whoAsks } from "../../guard.ts";
import { isForTheLog, TooMany } from "../../statuses.ts";
import type { Api } from "../api.ts";
import { EventStream } from "../event-stream.ts";
import type { Operations } from "../operations.ts";
import { liveEvent } from "../schemas/events.ts";

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
  demandAll(person, policy, "events concern all of them");
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
