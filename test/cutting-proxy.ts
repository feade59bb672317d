import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";

interface CuttingProxy {
  readonly url: string;
  cut(): void;
  /** From now on it takes what comes, and says nothing: as a network that is gone, and tells nobody. */
  swallow(): void;
  /** From now on nothing is cut or swallowed any more, on new connections: what was swallowed is lost. */
  mend(): void;
  close(): void;
}

/** By what is sent: a text in it, or what somebody makes of it. */
export type CutBy = string | ((sent: string) => boolean);

/** A way to the server of `url` that is cut right after a text went through, before the answer comes back. */
export async function cuttingProxy(url: string, by: CutBy): Promise<CuttingProxy> {
  const isCut = typeof by === "string" ? (sent: string) => sent.includes(by) : by;
  const target = new URL(url);
  const sockets = new Set<Socket>();
  let [isCutting, isSwallowing] = [false, false];
  const server = createServer((near) => {
    const far = connect(Number(target.port), target.hostname);
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on("error", () => {}).on("close", () => [near, far].forEach((each) => each.destroySoon()));
    }
    let isDeaf = false;
    const isHeard = () => !(isDeaf ||= isSwallowing);
    near.on("data", (bytes) => {
      if (!isHeard()) return;
      far.write(bytes);
      if (isCutting && isCut(bytes.toString("latin1"))) near.destroy();
    });
    far.on("data", (bytes) => {
      if (isHeard()) near.write(bytes);
    });
    far.on("end", () => {
      if (isHeard()) near.end();
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" ? (address?.port ?? 0) : 0;
  return {
    url: Object.assign(new URL(url), { port: String(port) }).href,
    cut: () => void (isCutting = true),
    swallow: () => void (isSwallowing = true),
    mend: () => void ([isCutting, isSwallowing] = [false, false]),
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
