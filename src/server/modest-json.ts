import { AppError } from "../core/error.ts";
import { JsonReader } from "../core/json/reader.ts";
import { JsonFault } from "../core/json/tokens.ts";

const deepest = 64;

/**
 * T41: goes over the bytes once and builds nothing. What is nested deeper, or holds more values, than any request that is
 * meant is refused here: to parse it, and to say what is wrong with each of them, would keep everybody else waiting. Whether
 * it is JSON is for the parser to say.
 */
export function demandModest(bytes: Uint8Array, mostValues: number): void {
  try {
    new JsonReader(bytes, { depth: deepest, values: mostValues }).skip();
  } catch (error) {
    if (!(error instanceof JsonFault)) throw error;
    if (error.kind === "excess")
      throw new AppError("usage.invalid", `the body is ${error.message}; send less at a time`);
  }
}
