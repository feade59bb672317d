import type { Server } from "node:http";

/** Opens a port of the loopback interface, any free one for 0, and says under which origin. */
export function listenOnLoopback(server: Server, port = 0): Promise<string> {
  return new Promise((resolve, reject) => {
    server.once("error", reject).listen(port, "127.0.0.1", () => {
      const address = server.address();
      resolve(`http://127.0.0.1:${typeof address === "object" && address ? address.port : port}`);
    });
  });
}

/** Cuts off whoever is still connected. */
export function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
