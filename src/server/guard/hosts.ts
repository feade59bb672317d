import { AppError } from "../../core/error.ts";
import { safeLine } from "../../core/text.ts";

/** What is looked at of a request before anything else is. */
interface Called {
  readonly url?: string | undefined;
  readonly headersDistinct: Readonly<Record<string, readonly string[] | undefined>>;
}

/**
 * How a request came, as its browser sees it: over TLS, which ends at a proxy; in plain to the machine itself; or in plain
 * from elsewhere.
 */
export type Channel = "https" | "loopback" | "plain";

/** Which names the server answers to. */
export interface Hosts {
  /**
   * T36: refuses a request that came under another name, or from a page of another origin: a browser can be made to
   * look up any name as a loopback address, and then sends that name.
   */
  check(called: Called): Channel;
}

const loopback = ["localhost", "127.0.0.1", "[::1]"];
const form = /^(?:[a-z0-9](?:[a-z0-9._-]*[a-z0-9])?|\[[0-9a-f:.]+\])(?::\d{1,5})?$/;

/**
 * Loopback names and the address that is listened on, with the server's own port; and the configured names: `name`
 * also stands for the usual ports, where a proxy listens, `name:port` only for itself.
 */
export function createHosts(names: readonly string[], port: number, addresses: readonly string[] = []): Hosts {
  // Nobody's proxy listens there: without a port it would mean another server.
  const own = [...loopback, ...addresses].flatMap((name) => (port === 80 ? [name, `${name}:80`] : [`${name}:${port}`]));
  const configured = names
    .map(checkedName)
    .flatMap((name) => (/:\d+$/.test(name) ? [name] : [name, `${name}:${port}`]));
  const hosts = new Set([...own, ...configured]);
  const origins = new Set([
    ...own.map((host) => `http://${host}`),
    ...configured.flatMap((host) => [`http://${host}`, `https://${host}`]),
  ]);
  return {
    check({ url = "", headersDistinct }) {
      const host = onlyOne(headersDistinct["host"]);
      if (host === undefined || !hosts.has(host)) throw refusedHost(host);
      // In its absolute form a request names a second host.
      if (!url.startsWith("/")) throw new AppError("host.refused", "the request must name a path, not an address");
      const origin = headersDistinct["origin"];
      if (origin !== undefined && !origins.has(onlyOne(origin) ?? ""))
        throw new AppError("host.refused", "the request came from a page of another origin");
      // A configured name is a proxy's, and that has TLS: unless the page says otherwise, as it does with every write.
      if (!own.includes(host) && onlyOne(origin)?.startsWith("http://") !== true) return "https";
      return loopback.includes(host.replace(/:\d+$/, "")) ? "loopback" : "plain";
    },
  };
}

/** A name that was set up wrongly must be said at the start: nothing would ever come in under it. */
function checkedName(name: string): string {
  const lower = name.toLowerCase();
  if (form.test(lower)) return lower;
  throw new AppError("usage.invalid", `"${safeLine(name, 80)}" is no host name; write name or name:port`);
}

/** Twice is not once: two readers may each believe another one. */
function onlyOne(values: readonly string[] | undefined): string | undefined {
  return values?.length === 1 ? values[0]?.toLowerCase() : undefined;
}

function refusedHost(host: string | undefined): AppError {
  const shown = host === undefined ? "without one Host header" : `as "${safeLine(host, 80)}"`;
  const hint = "use localhost, or have this name added to the server's host names";
  return new AppError("host.refused", `the server was called ${shown}, which is not a name of its own; ${hint}`);
}
