import { signal } from "@preact/signals";
import type { LiveEvent } from "#contract";

/** The generation that the server was last heard of; 0: not yet. */
export const generation = signal(0);

/** Whether the server is heard of at present. */
export const isHeard = signal(false);

type SyncEvent = Extract<LiveEvent, { is: "sync" | "synced" }>;

/** The latest news of each source that is, or was, synced while this page was open. */
export const syncs = signal<ReadonlyMap<string, SyncEvent>>(new Map());

let stream: EventSource | undefined;

/** Listens to the server until it is told to stop; a stream that breaks is made again by the browser. */
export function listen(): void {
  stream?.close();
  stream = new EventSource("/api/events");
  stream.addEventListener("open", () => (isHeard.value = true));
  stream.addEventListener("error", () => (isHeard.value = false));
  for (const name of ["generation", "sync", "synced"] as const)
    stream.addEventListener(name, ({ data }) => take(JSON.parse(String(data)) as LiveEvent));
}

export function stopListening(): void {
  stream?.close();
  stream = undefined;
  isHeard.value = false;
}

function take(event: LiveEvent): void {
  if (event.is === "generation") generation.value = event.generation;
  else syncs.value = new Map(syncs.value).set(event.source, event);
}
