import { signal } from "@preact/signals";
import type { LiveEvent } from "#contract";
import { actByItself } from "./api.ts";

/** The generation that the server was last heard of; 0: not yet. */
export const generation = signal(0);

/** Whether the server is heard of at present. */
export const isHeard = signal(false);

/** How often the server was heard of again after it had been lost: what was asked for meanwhile may have failed. */
export const comebacks = signal(0);

type SyncEvent = Extract<LiveEvent, { is: "sync" | "synced" }>;

/** The latest news of each source that is, or was, synced while this page was open. */
export const syncs = signal<ReadonlyMap<string, SyncEvent>>(new Map());

/** Says whether the server could tell who is signed in; listening goes on for them, or has been ended by then. */
type Asking = () => Promise<boolean>;

let stream: EventSource | undefined;
let waiting: number | undefined;
/** Tries in a row that came to nothing. */
let failures = 0;
let isLost = false;

/**
 * Listens to the server until it is told to stop. A stream that breaks is made again by the browser; one that is answered
 * with anything but a stream is not, as when the session has ended, too many are open, or the server is away behind a
 * proxy. Then `ask` is called after a while, a longer one each time.
 */
export function listen(ask: Asking): void {
  stopListening();
  failures = 0;
  open(ask);
}

function open(ask: Asking): void {
  const own = new EventSource("/api/events");
  stream = own;
  own.addEventListener("open", begin);
  own.addEventListener("error", () => {
    isHeard.value = false;
    isLost = true;
    if (own.readyState === EventSource.CLOSED) waiting = window.setTimeout(() => void comeAgain(own, ask), pause());
  });
  for (const name of ["generation", "sync", "synced"] as const)
    own.addEventListener(name, ({ data }) => take(JSON.parse(String(data)) as LiveEvent));
}

function begin(): void {
  failures = 0;
  isHeard.value = true;
  if (isLost) {
    actByItself();
    comebacks.value++;
  }
  isLost = false;
  // Nobody said how those went on meanwhile; whichever still runs is heard of again.
  syncs.value = new Map([...syncs.value].filter(([, event]) => event.is === "synced"));
}

const shortest = 1000;
const longest = 60_000;

/** Not the same for every page that lost the server at the same moment. */
function pause(): number {
  return Math.min(longest, shortest * 2 ** failures) * (0.75 + Math.random() / 2);
}

async function comeAgain(lost: EventSource, ask: Asking): Promise<void> {
  actByItself();
  failures++;
  const isKnown = await ask();
  if (stream !== lost) return;
  if (isKnown) open(ask);
  else waiting = window.setTimeout(() => void comeAgain(lost, ask), pause());
}

export function stopListening(): void {
  window.clearTimeout(waiting);
  stream?.close();
  stream = undefined;
  isHeard.value = false;
}

function take(event: LiveEvent): void {
  actByItself();
  if (event.is === "generation") generation.value = event.generation;
  else syncs.value = new Map(syncs.value).set(event.source, event);
}
