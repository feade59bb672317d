import { createHash } from "node:crypto";
import type { Randomness } from "../core/world.ts";

/** Bytes that look random, never repeat, and are the same for the same seed in every run. */
export function seededRandomness(seed = "skillward"): Randomness {
  let block = 0;
  const next = () => createHash("sha256").update(`${seed} ${block++}`).digest();
  return {
    bytes(count) {
      const blocks = Array.from({ length: Math.ceil(count / 32) }, next);
      return Uint8Array.from(Buffer.concat(blocks).subarray(0, count));
    },
  };
}
