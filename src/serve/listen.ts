import { AppError } from "../base/error.ts";
import { safeLine } from "../base/text.ts";

/** As much of a server as it takes to open a port. */
interface Listening {
  listen(port: number, host: string, ready: () => void): unknown;
  once(event: "error", act: (error: NodeJS.ErrnoException) => void): unknown;
  off(event: "error", act: (error: NodeJS.ErrnoException) => void): unknown;
  address(): string | { port: number } | null;
}

/** The port that is open afterwards; `usage.invalid` when it cannot be. */
export function listen(server: Listening, host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const fail = (error: NodeJS.ErrnoException) => reject(refusal(error, host, port));
    server.once("error", fail);
    server.listen(port, host, () => {
      server.off("error", fail);
      const address = server.address();
      resolve(typeof address === "object" && address !== null ? address.port : port);
    });
  });
}

const reasons: Readonly<Record<string, string>> = {
  EADDRINUSE:
    "it is in use; choose another port (`npm start -- --port 9000`, `skillward serve --port 9000`), or stop what listens there",
  EACCES: "this account may not; choose a port above 1023",
  EADDRNOTAVAIL: "this machine has no such address; choose 127.0.0.1, or 0.0.0.0 for all",
  ENOTFOUND: "there is no such host; choose 127.0.0.1, or 0.0.0.0 for all",
};

function refusal(cause: NodeJS.ErrnoException, host: string, port: number): AppError {
  const reason = reasons[cause.code ?? ""] ?? `the system says ${safeLine(cause.code ?? cause.message, 80)}`;
  return new AppError("usage.invalid", `cannot listen on port ${port} of ${safeLine(host, 80)}: ${reason}`, { cause });
}

/** Listening there means on every address: none of them is a name of its own. */
const wildcards = new Set(["0.0.0.0", "::", ""]);

/** The address that was chosen is a name too. */
export function namesOf(host: string): string[] {
  return wildcards.has(host) ? [] : [inUrl(host)];
}

export function urlOf(host: string, port: number): string {
  return `http://${wildcards.has(host) ? "localhost" : inUrl(host)}:${port}`;
}

function inUrl(host: string): string {
  return host.includes(":") ? `[${host}]` : host;
}
