import { AppError } from "../core/error.ts";
import type { Finding } from "../core/finding.ts";
import { safeLine, safeName } from "../core/text.ts";
import type { Randomness } from "../core/world.ts";
import { type Belonging, decrypt, encrypt, type Keys } from "../registry/keys.ts";
import type { LlmRecord } from "./port.ts";
import { isIntactProvider, parseProvider, providerRecord } from "./provider.ts";

/**
 * The secret of a provider, for the way out alone: it is never shown, logged or kept. Fails for a row that nobody with
 * the key file wrote, also for one that was made to have no secret, and for a secret that was encrypted for another
 * provider, version or origin (RV-13, T43).
 */
export function openSecret(keys: Keys, stored: LlmRecord): string | null {
  if (!isIntactProvider(keys, stored))
    throw new AppError("keys.unusable", `the row of provider "${safeName(stored.id)}" was changed by hand`);
  return stored.secret === null ? null : decrypt(keys, stored.secret, belongingOf(stored));
}

/** Refuses a row that was changed by hand, and a secret that is not its own (RV-13, T40). */
export function demandOwnSecret(keys: Keys, stored: LlmRecord): void {
  openSecret(keys, stored);
}

/** The same record, sealed and its secret encrypted by the newest key. Refuses what is not its own. */
export function encryptAnew(keys: Keys, random: Randomness, stored: LlmRecord): LlmRecord {
  const secret = openSecret(keys, stored);
  const encrypted = secret === null ? null : encrypt(keys, random, secret, belongingOf(stored));
  return providerRecord(parseProvider(stored), encrypted, keys);
}

/** What every secret of a provider is bound to. */
function belongingOf(stored: LlmRecord): Belonging {
  const { id, version, origin } = parseProvider(stored);
  return ["providers", id, version, origin];
}

/** One that does not open for the provider it stands with. */
export function foreignSecret(id: string, why: string): Finding {
  const at = { file: `providers/${safeLine(id)}`, line: 1 };
  return { code: "provider.tampered", level: "high", message: `${why}; set it again`, at };
}
