import { lookup } from "node:dns/promises";
import { isIP, type LookupFunction, Socket } from "node:net";
import { buildConnector } from "undici";
import { type Place, pairName } from "./private-pairs.ts";

/** Every address of a host name. Asked once for each connection. */
export type Resolve = (hostname: string) => Promise<readonly string[]>;

/** A place and the addresses to try, in order: these and no others are dialled. */
export interface Target extends Place {
  readonly addresses: readonly string[];
}

/** Opens a connection and hands out its socket at once; `ready` when it can be used, after TLS where that is asked for. */
export type Dial = (target: Target, ready: (error: Error | null) => void) => Socket;

export const resolveName: Resolve = async (hostname) => {
  const answers = await lookup(hostname, { all: true, verbatim: true });
  return answers.map(({ address }) => address);
};

/** How long one address is tried before the next one is tried beside it. */
const attemptDeadline = 500;

/** Dials what it is told to; `trusted` (PEM) takes the place of the authorities that Node knows. */
export function createDial(trusted?: string): Dial {
  return (target, ready) => {
    const { protocol, hostname, port, addresses } = target;
    const connect = buildConnector({
      timeout: 0,
      lookup: answering(addresses),
      autoSelectFamily: true,
      autoSelectFamilyAttemptTimeout: attemptDeadline,
      ...(trusted === undefined ? {} : { ca: trusted }),
    });
    const socket: unknown = connect({ protocol, hostname, host: pairName(target), port }, (...[error]) => ready(error));
    if (socket instanceof Socket) return socket;
    throw new TypeError("the connector gave no socket");
  };
}

/** What stands in for resolving once more. */
function answering(addresses: readonly string[]): LookupFunction {
  const answers = addresses.map((address) => ({ address, family: isIP(address) }));
  return (_hostname, { all }, callback) => {
    const [first] = answers;
    if (all) callback(null, answers);
    else callback(null, first?.address ?? "", first?.family);
  };
}
