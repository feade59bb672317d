import type { Readable, Writable } from "node:stream";

/** What happens to the chunks on their way. */
export interface Passage {
  push(chunk: Buffer): Buffer;
  /** What is still to come when the last one has passed. */
  end(): Buffer;
}

export type Ending =
  | { readonly how: "ended" }
  /** The client went away: the upstream is not read any more. */
  | { readonly how: "left" }
  | {
      readonly how: "failed";
      readonly error: unknown;
      /** The client stands between two events of a stream. */
      readonly betweenEvents: boolean;
    };

/**
 * Hands on what comes as it comes (CO-16): nothing is gathered, and whoever reads slowly slows the upstream down.
 * When it failed, the client has not been told yet.
 */
export function pump(body: Readable, client: Writable, passage: Passage): Promise<Ending> {
  return new Promise((resolve) => {
    let tail: Buffer = Buffer.alloc(0);
    const resume = () => void body.resume();
    const give = (chunk: Buffer) => {
      if (chunk.length === 0) return;
      tail = lastThree(tail, chunk);
      if (!client.write(chunk)) body.pause();
    };
    const finish = (ending: Ending) => {
      client.off("drain", resume);
      client.off("close", left);
      resolve(ending);
    };
    const left = () => {
      body.destroy();
      finish({ how: "left" });
    };
    client.on("drain", resume);
    client.once("close", left);
    body.on("data", (chunk: Buffer) => give(passage.push(chunk)));
    body.once("end", () => {
      give(passage.end());
      client.end();
      finish({ how: "ended" });
    });
    body.once("error", (error) => finish({ how: "failed", error, betweenEvents: isBlankLine(tail) }));
    if (client.destroyed) left();
  });
}

function lastThree(before: Buffer, chunk: Buffer): Buffer {
  return chunk.length > 2 ? chunk.subarray(-3) : Buffer.concat([before, chunk]).subarray(-3);
}

/** Two ends of lines after each other; CRLF is one. */
const blankLine = /(?:\n\n|\n\r\n?|\r\r\n?)$/;

/** An event ends with an empty line; at the very beginning there is none that could be torn. */
function isBlankLine(tail: Buffer): boolean {
  return tail.length === 0 || blankLine.test(tail.toString("latin1"));
}

const mostBytes = 16 * 1024;
const named = /"id"\s*:\s*"(resp_[\w-]{1,128})"/;

/** Looks for the id of a stored response in what passes by (CO-8). Nothing is held back for it. */
export class ResponseId implements Passage {
  #seen = "";
  #found: string | undefined;

  get found(): string | undefined {
    return this.#found;
  }

  push(chunk: Buffer): Buffer {
    if (this.#found === undefined && this.#seen.length < mostBytes) {
      this.#seen += chunk.toString("latin1", 0, mostBytes);
      this.#found = named.exec(this.#seen)?.[1];
    }
    return chunk;
  }

  end(): Buffer {
    return Buffer.alloc(0);
  }
}
