import { AppError } from "../../src/core/error.ts";

/** How an act was refused, as `code message`; what is no refusal of ours is thrown on. */
export function refusal(act: () => unknown): string {
  try {
    act();
  } catch (error) {
    return shown(error);
  }
  return notRefused;
}

/** The same for an act that takes its time. */
export async function laterRefusal(act: () => unknown): Promise<string> {
  try {
    await act();
  } catch (error) {
    return shown(error);
  }
  return notRefused;
}

const notRefused = "not refused";

function shown(error: unknown): string {
  if (error instanceof AppError) return `${error.code} ${error.message}`;
  throw error;
}
