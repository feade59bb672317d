import type { Transport } from "../../base/transport.ts";
import { answeringTransport } from "./echo-transport.ts";

/** A model service in both protocols that always says the same. */
export function scriptedTransport(reply: string): Transport {
  return answeringTransport(() => reply);
}
