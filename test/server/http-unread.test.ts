import { Server } from "node:http";
import { connect, type Socket } from "node:net";
import { afterEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { answeredWith, call, type Started, startTestServer, until } from "../support/http-serving.ts";

let server: Started;
afterEach(() => server.stop());

const complete = { json: { configuration: "mine", prompt: "hello" } };
/** More than what lies between two processes takes. */
const long = "x".repeat(16 * 2 ** 20);

/** Asks, and takes nothing of the answer. */
async function askUnread(key: string): Promise<Socket> {
  const socket = connect(server.port, "127.0.0.1");
  onTestFinished(() => void socket.destroy());
  socket.on("error", () => {}).pause();
  const body = JSON.stringify(complete.json);
  const headers = [
    `Host: localhost:${server.port}`,
    `Authorization: Bearer ${key}`,
    "Content-Type: application/json",
    `Content-Length: ${body.length}`,
  ];
  socket.write(["POST /api/complete HTTP/1.1", ...headers, "", body].join("\r\n"));
  const before = server.serving.asked.length;
  await until(() => server.serving.asked.length > before);
  return socket;
}

describe("T41: answers that nobody reads", () => {
  test("T41: one of which nothing is taken is given up, and its connection with it", async () => {
    // Longer than a busy machine needs from the connection to the request: both are within this time.
    server = await startTestServer({ bounds: { unreadMs: 1000 } });
    server.serving.answer = async () => answeredWith(long);
    const socket = await askUnread(server.serving.keys.reader);
    await until(() => server.requests().length === 1);
    const { text } = await call(server, "/metrics", { key: server.serving.keys.operator });
    expect([text.includes("skillward_http_running 1\n"), socket.bytesRead]).toEqual([true, 0]);
  });

  test("T41: whoever waits for an answer is not taken for one who does not read", async () => {
    const timing = vi.spyOn(Server.prototype, "setTimeout");
    onTestFinished(() => timing.mockRestore());
    server = await startTestServer();
    const [http] = timing.mock.contexts;
    if (!(http instanceof Server)) throw new Error("no server has a limit of time");
    const sockets: Socket[] = [];
    http.on("connection", (socket) => void sockets.push(socket));
    server.serving.answer = async () => {
      // Node says so of a connection on which nothing moved for long.
      for (const socket of sockets) expect(http.emit("timeout", socket)).toBe(true);
      return answeredWith("thought about it");
    };
    const { status, text } = await call(server, "/api/complete", { ...complete, key: server.serving.keys.reader });
    expect([status, text, sockets.length]).toEqual([200, expect.stringContaining("thought about it"), 1]);
  });

  test("T41: a key that leaves too much unread is answered nothing more until it is read or given up; others are", async () => {
    server = await startTestServer({ bounds: { unreadBytes: 2 ** 20 } });
    const { keys } = server.serving;
    server.serving.answer = async ({ person }) => answeredWith(person.name === "key:a-reader" ? long : "short");
    const asking = () => call(server, "/api/complete", { ...complete, key: keys.reader });
    const unread = await askUnread(keys.reader);
    let refused = await asking();
    while (refused.status === 200) refused = await asking();
    expect([refused.status, refused.json().code]).toEqual([429, "request.too-many"]);
    expect((await call(server, "/api/complete", { ...complete, key: keys.operator })).status).toBe(200);
    unread.destroy();
    await until(() =>
      server.requests().some(({ status, principal }) => status === 200 && principal === "key:a-reader"),
    );
    expect((await asking()).status).toBe(200);
  });
});

describe("T41: connections of one address", () => {
  async function connected(count: number): Promise<void> {
    const held = Array.from({ length: count }, () => connect(server.port, "127.0.0.1"));
    onTestFinished(() => held.forEach((socket) => socket.destroy()));
    await Promise.all(held.map((socket) => new Promise((resolve) => socket.once("connect", resolve))));
  }

  test("T41: one holds so many and no more, as long as it is no proxy through which everybody comes", async () => {
    const bounds = { connections: 10, connectionsEach: 3 };
    server = await startTestServer({ bounds });
    await connected(3);
    await expect(call(server, "/healthz")).rejects.toMatchObject({ code: "ECONNRESET" });
    await server.stop();
    server = await startTestServer({ bounds, proxies: ["127.0.0.1"] });
    await connected(3);
    expect((await call(server, "/healthz")).status).toBe(200);
  });
});
