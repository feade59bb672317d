import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

interface CuttingProxy {
  readonly url: string;
  cut(): void;
  /** The next one that sends the text is not heard from then on, and hears nothing; the others are well. */
  forget(): void;
  /** How many were forgotten. */
  readonly forgotten: number;
  /** So long it waits before it hands on each 8 KiB of an answer. */
  dawdle(milliseconds: number): void;
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
  let [isCutting, isSwallowing, isForgetting] = [false, false, false];
  let [forgotten, dawdling] = [0, 0];
  const server = createServer((near) => {
    const far = connect(Number(target.port), target.hostname);
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on("error", () => {}).on("close", () => [near, far].forEach((each) => each.destroySoon()));
    }
    let isDeaf = false;
    const isHeard = () => !(isDeaf ||= isSwallowing);
    near.on("data", (bytes) => {
      if (isForgetting && isCut(bytes.toString("latin1"))) {
        isForgetting = false;
        isDeaf = true;
        forgotten++;
      }
      if (!isHeard()) return;
      far.write(bytes);
      if (isCutting && isCut(bytes.toString("latin1"))) near.destroy();
    });
    far.on("data", (bytes) => {
      if (!isHeard()) return;
      if (dawdling === 0) return void near.write(bytes);
      far.pause();
      void inPieces(bytes, near, dawdling).then(() => far.resume());
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
    forget: () => void (isForgetting = true),
    get forgotten() {
      return forgotten;
    },
    dawdle: (milliseconds) => void (dawdling = milliseconds),
    swallow: () => void (isSwallowing = true),
    mend: () => void ([isCutting, isSwallowing, isForgetting, dawdling] = [false, false, false, 0]),
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

const pieceBytes = 8192;

async function inPieces(bytes: Buffer, to: Socket, milliseconds: number): Promise<void> {
  for (let at = 0; at < bytes.length; at += pieceBytes) {
    await sleep(milliseconds);
    to.write(bytes.subarray(at, at + pieceBytes));
  }
}
