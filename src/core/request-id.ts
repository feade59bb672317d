import type { Randomness } from "./world.ts";

const usable = /^[\w-]{8,64}$/;

/** The client's own id where it is one, else a new one. It is in the answer and in the log. */
export function requestId(given: string | readonly string[] | undefined, random: Randomness): string {
  if (typeof given === "string" && usable.test(given)) return given;
  return `req_${Buffer.from(random.bytes(12)).toString("hex")}`;
}
