import type { Socket } from "node:net";
import type { Readable } from "node:stream";
import { describe, expect, test } from "vitest";
import { get, head, read, serve, transportTo, until } from "../../test/support/loopback.ts";
import { AppError } from "../core/error.ts";

/** More than a body holds for a reader that does not read: then nothing more is taken from the connection. */
const [first, second] = [60_000, 6_000];
const size = first + second;

/** The other side goes while the reader has enough; only then it reads. How many bytes it got, or what it was told. */
async function leftWhileFull(
  headers: string,
  leave: (socket: Socket) => unknown,
  isSeen: (body: Readable) => boolean = () => true,
): Promise<number | string> {
  const server = await serve((socket) => {
    socket.write(head(`${headers}connection: close\r\n`));
    socket.write(Buffer.alloc(first, "a"));
  });
  const { body } = await transportTo(server).send(get(server.origin));
  await until(() => body.readableLength === first);
  const [socket] = server.connections;
  socket?.write(Buffer.alloc(second, "a"));
  await until(() => body.readableLength === size);
  if (socket !== undefined) leave(socket);
  // All that the end brings with it has happened by then.
  await server.closed();
  await until(() => isSeen(body));
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => void setImmediate(resolve));
  return read(body).then(
    (bytes) => bytes.length,
    (error: unknown) => (error instanceof AppError ? `${error.code} ${error.message}` : String(error)),
  );
}

describe("T7: who goes while nobody reads does not end the process", () => {
  const end = (socket: Socket) => socket.end();
  const reset = (socket: Socket) => socket.resetAndDestroy();

  test("after all of it: all of it is read, whether its length was said or not", async () => {
    expect(await leftWhileFull(`content-length: ${size}\r\n`, end)).toBe(size);
    expect(await leftWhileFull("", end)).toBe(size);
  });

  test("before the end: it is a fault", async () => {
    const said = await leftWhileFull(`content-length: ${size + 1}\r\n`, end);
    expect(said).toMatch(/^upstream\.unreachable .* its answer does not have the length it said$/);
  });

  test("by a reset: it is a fault, whatever came", async () => {
    for (const headers of [`content-length: ${size}\r\n`, `content-length: ${size + 1}\r\n`, ""])
      expect(await leftWhileFull(headers, reset, ({ errored }) => errored !== null)).toMatch(
        /^upstream\.unreachable .* it closed the connection$/,
      );
  });
});
