import type { Readable, Writable } from "node:stream";
import type { McpServer } from "@modelcontextprotocol/server";
import { serveStdio, StdioServerTransport } from "@modelcontextprotocol/server/stdio";
import type { App } from "../../app/app.ts";
import type { Serving } from "../../features/serving.ts";
import type { Log } from "../logs/log.ts";
import { Changes } from "./changes.ts";
import { type Asker, Library } from "./library.ts";
import { createSkillServer } from "./skill-server.ts";

/** A host on the other end of two streams. */
export interface StdioHost {
  readonly input: Readable;
  /** Carries the protocol and nothing else. */
  readonly output: Writable;
  readonly who: Asker;
  readonly log: Log;
}

export interface StdioConnection {
  /** When the host has closed its end, or `close` was called. */
  readonly ended: Promise<void>;
  close(): Promise<void>;
}

/** SV-5: one host over standard input and output, of either kind of protocol. */
export async function connectStdio(app: App, serving: Serving, host: StdioHost): Promise<StdioConnection> {
  const { input, output, who, log } = host;
  const library = new Library(serving, log);
  const changes = new Changes(library, app.world.timer);
  const watching = await app.watch(() => changes.wake());
  const { transport, ended } = transportOf(input, output);
  const handle = serveStdio(() => listeningServer(library, changes, who), {
    transport,
    onerror: (error) => log.failure("mcp", error),
  });
  return {
    ended,
    async close() {
      await handle.close();
      changes.close();
      await watching.close();
    },
  };
}

async function listeningServer(library: Library, changes: Changes, who: Asker): Promise<McpServer> {
  const mcp = createSkillServer(library, who);
  // Whoever may read nothing any more is told too: the next question is answered with the reason.
  const changed = () => mcp.sendResourceListChanged();
  const listening = await changes.listen(who, await changes.now(who), { changed, refused: changed });
  // oxlint-disable-next-line unicorn/prefer-add-event-listener -- no target of events: the SDK has this one place
  mcp.server.onclose = () => listening.stop();
  return mcp;
}

/** The transport ends with its input; the SDK tells nobody but itself. */
function transportOf(input: Readable, output: Writable) {
  const transport = new StdioServerTransport(input, output);
  const close = transport.close.bind(transport);
  const ended = new Promise<void>((resolve) => {
    transport.close = async () => {
      await close();
      resolve();
    };
  });
  return { transport, ended };
}
