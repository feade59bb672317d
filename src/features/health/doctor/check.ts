import { AppError } from "../../../core/error.ts";
import { safeLine } from "../../../core/text.ts";
import type { Check } from "../schema.ts";

export function fine(name: string, says: string): Check {
  return { name, state: "ok", says: safeLine(says, longest), todo: null };
}

export function warning(name: string, says: string, todo: string): Check {
  return { name, state: "warn", says: safeLine(says, longest), todo };
}

export function failure(name: string, says: string, todo: string): Check {
  return { name, state: "fail", says: safeLine(says, longest), todo };
}

const longest = 400;

/** What cannot be looked at is a fault of its own, in the words of whoever refused; the other checks go on. */
export async function checked(
  name: string,
  todo: string | ((error: AppError) => string),
  act: () => Promise<Check | readonly Check[]>,
): Promise<readonly Check[]> {
  try {
    return [await act()].flat();
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return [failure(name, error.message, typeof todo === "string" ? todo : todo(error))];
  }
}
