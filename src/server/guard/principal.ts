import { AppError } from "../../core/error.ts";
import type { Person } from "../../registry/accounts/roles.ts";

type Headers = Readonly<Record<string, readonly string[] | undefined>>;

/** One text for every wrong key, and for none at all: which it was is nobody's business (RV-12). */
const refusal = "a valid API key is needed: send it as `Authorization: Bearer <key>` or as `x-api-key`";

export function noKey(): AppError {
  return new AppError("auth.failed", refusal);
}

/**
 * T36: who asks, by the key in the request; a key is needed on loopback too. Fails alike for none, a wrong one and
 * two different ones.
 */
export async function identify(headers: Headers, byKey: (key: string) => Promise<Person>): Promise<Person> {
  const key = keyIn(headers);
  if (key === undefined) throw noKey();
  try {
    return await byKey(key);
  } catch (error) {
    if (error instanceof AppError && error.code === "auth.failed")
      throw new AppError("auth.failed", refusal, { cause: error });
    throw error;
  }
}

/** Whether the request shows one, right or wrong. What a proxy asks for itself (`Basic`) is none. */
export function hasKey(headers: Headers): boolean {
  return (
    headers["x-api-key"] !== undefined || (headers["authorization"] ?? []).some((value) => /^Bearer\b/i.test(value))
  );
}

/** Names in lower case, each with all its values. */
function keyIn(headers: Headers): string | undefined {
  const bearers = (headers["authorization"] ?? []).map((value) => /^Bearer +(\S+)$/i.exec(value)?.[1]);
  const keys = new Set([...bearers, ...(headers["x-api-key"] ?? [])]);
  const [key] = keys;
  return keys.size === 1 && key !== "" ? key : undefined;
}
