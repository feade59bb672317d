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

/** Changes that come in a row, such as one approval after another, end long before that. */
const mostAttempts = 10;

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
    `the registry changed in each of ${mostAttempts} attempts to read it; try again when fewer changes are made`,
  );
}
