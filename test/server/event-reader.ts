import { request } from "node:http";
import type { LiveEvent } from "../../src/features/sources/schema.ts";

export interface EventReader {
  readonly status: number;
  /** All that came so far, as it came. */
  readonly text: () => string;
  readonly events: () => LiveEvent[];
  /** When the server has ended it, or cut it off. */
  readonly ended: Promise<void>;
  close(): void;
}

/** Reads `/api/events` as a browser does. */
export function readEvents({ port }: { port: number }, headers: Record<string, string>): Promise<EventReader> {
  return new Promise((resolve, reject) => {
    const sent = request({ host: "127.0.0.1", port, path: "/api/events", headers });
    sent.once("error", reject);
    sent.once("response", (response) => {
      let text = "";
      response.on("data", (bytes: Buffer) => (text += bytes.toString()));
      const ended = new Promise<void>((resolveEnd) => response.once("close", () => resolveEnd()));
      response.on("error", () => {});
      resolve({
        status: response.statusCode ?? 0,
        text: () => text,
        events: () => eventsIn(text),
        ended,
        close: () => void sent.destroy(),
      });
    });
    sent.end();
  });
}

/** Each with its name before it. */
function eventsIn(text: string): LiveEvent[] {
  return [...text.matchAll(/^event: (\w+)\ndata: (.*)\n\n/gm)].map(([, name, data = ""]) => {
    const event: LiveEvent = JSON.parse(data);
    if (event.is !== name) throw new Error(`${name} is ${event.is}`);
    return event;
  });
}
