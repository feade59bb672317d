import { AppError } from "../core/error.ts";

/**
 * Thrown by a function that read things of more than one generation. It never leaves `atOneGeneration`, which does the
 * work again. It is an exception so that no function in between has to hand the case on.
 */
export class GenerationChanged extends Error {
  constructor() {
    super("the registry changed while a request was prepared");
    this.name = "GenerationChanged";
  }
}

/**
 * Another node may change the registry without a pause, as a bulk approval does: then most attempts of a busy node are in vain,
 * and ten in a row were seen. So many in a row mean that something is wrong.
 */
const mostAttempts = 1000;

/** Invariant 8: whatever `act` reads and makes is of one generation. It is done again when the registry changed meanwhile. */
export async function atOneGeneration<Result>(act: () => Promise<Result>): Promise<Result> {
  for (let attempt = 0; attempt < mostAttempts; attempt++) {
    try {
      return await act();
    } catch (error) {
      if (!(error instanceof GenerationChanged)) throw error;
    }
  }
  throw new AppError(
    "store.failed",
    `the registry changed in each of ${mostAttempts.toLocaleString("en")} attempts to read it; try again when fewer changes are made`,
  );
}
