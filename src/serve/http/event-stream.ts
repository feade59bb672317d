import type { HttpBindings } from "@hono/node-server";
import type { LiveEvent } from "../../app/live.ts";
import { toldFailure } from "./shown-failure.ts";

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
export class EventStream {
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
