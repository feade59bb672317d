import type { IncomingMessage } from "node:http";
import type { Changes } from "./gate.ts";
import type { UpstreamRequest } from "./script.ts";

/** What became of an exchange: the whole answer was sent, the client left before that, or the script cut it. */
type Outcome = "open" | "answered" | "left" | "cut";

export interface Exchange {
  readonly number: number;
  readonly request: UpstreamRequest;
  /** Only the first word counts: what happens to a connection afterwards is no news. */
  end(outcome: Exclude<Outcome, "open">): void;
}

export interface Recording {
  readonly requests: readonly UpstreamRequest[];
  /** Takes the request in, with all of its body or with what came before the client left. */
  record(incoming: IncomingMessage): Promise<Exchange>;
  received(n: number): Promise<UpstreamRequest>;
  gone(n: number): Promise<void>;
}

export function createRecording(changes: Changes): Recording {
  const requests: UpstreamRequest[] = [];
  const outcomes: Outcome[] = [];
  return {
    requests,
    async record(incoming) {
      const body = await readBody(incoming);
      const number = requests.length + 1;
      const end = (outcome: Outcome): void => {
        if (outcomes[number - 1] === "open") outcomes[number - 1] = outcome;
        changes.happened();
      };
      const request = createRequest(incoming, body, () => outcomes[number - 1] === "left");
      requests.push(request);
      outcomes.push(incoming.complete ? "open" : "left");
      changes.happened();
      return { number, request, end };
    },
    received: (n) => changes.until(() => requests[n - 1]),
    async gone(n) {
      await changes.until(() => hasLeft(outcomes[n - 1], n) || undefined);
    },
  };
}

async function readBody(incoming: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  incoming.on("data", (part: Buffer) => parts.push(part));
  // A client that leaves in the middle is no fault of the reading: what came until then is the record.
  incoming.on("error", () => {});
  await new Promise<void>((resolve) => incoming.once("end", resolve).once("close", resolve));
  return Buffer.concat(parts);
}

function createRequest(incoming: IncomingMessage, body: Buffer, isAborted: () => boolean): UpstreamRequest {
  const { rawHeaders } = incoming;
  const headers = rawHeaders.flatMap((name, at): [string, string][] =>
    at % 2 === 0 ? [[name, rawHeaders[at + 1] ?? ""]] : [],
  );
  return {
    method: incoming.method ?? "",
    path: incoming.url ?? "",
    headers,
    header: (wanted) => headers.find(([name]) => name.toLowerCase() === wanted.toLowerCase())?.[1],
    body,
    text: body.toString(),
    get aborted() {
      return isAborted();
    },
  };
}

function hasLeft(outcome: Outcome | undefined, n: number): boolean {
  if (outcome === "answered" || outcome === "cut")
    throw new Error(`the client of request ${n} did not go away: the request was ${outcome}`);
  return outcome === "left";
}
