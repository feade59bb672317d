import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";

interface CuttingProxy {
  readonly url: string;
  cut(): void;
  /** From now on nothing is cut any more. */
  mend(): void;
  close(): void;
}

/** A way to the server of `url` that is cut right after a text went through, before the answer comes back. */
export async function cuttingProxy(url: string, text: string): Promise<CuttingProxy> {
  const target = new URL(url);
  const sockets = new Set<Socket>();
  let isCutting = false;
  const server = createServer((near) => {
    const far = connect(Number(target.port), target.hostname);
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on("error", () => {}).on("close", () => [near, far].forEach((each) => each.destroySoon()));
    }
    near.on("data", (bytes) => {
      far.write(bytes);
      if (isCutting && bytes.includes(text)) near.destroy();
    });
    far.pipe(near);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" ? (address?.port ?? 0) : 0;
  return {
    url: Object.assign(new URL(url), { port: String(port) }).href,
    cut: () => void (isCutting = true),
    mend: () => void (isCutting = false),
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
