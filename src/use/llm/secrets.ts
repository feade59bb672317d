import type { Finding } from "../../base/finding.ts";
import { safeLine } from "../../base/text.ts";
import type { Randomness } from "../../base/world.ts";
import { type Belonging, decrypt, encrypt, type Keys } from "../../registry/keys.ts";
import type { LlmRecord } from "./port.ts";
import { parseProvider } from "./provider.ts";

/**
 * The secret of a provider, for the way out alone: it is never shown, logged or kept. Fails for one that was encrypted
 * for another provider, version or origin (RV-13, T43).
 */
export function openSecret(keys: Keys, stored: LlmRecord): string | null {
  return stored.secret === null ? null : decrypt(keys, stored.secret, belongingOf(stored));
}

/** People write `ollama` where a key is asked for: covering that would damage answers and hide nothing. */
const shortest = 8;

/** CO-16: the secret that must not come back in an answer; null when there is none that is worth it. */
export function secretToCover(secret: string | null): string | null {
  return secret === null || secret.length < shortest ? null : secret;
}

/** Refuses a secret that was not encrypted for this provider, at this origin and version (RV-13, T40). */
export function demandOwnSecret(keys: Keys, stored: LlmRecord): void {
  openSecret(keys, stored);
}

/** The same record with its secret encrypted by the newest key. Refuses one that is not its own. */
export function encryptAnew(keys: Keys, random: Randomness, stored: LlmRecord): LlmRecord {
  if (stored.secret === null) return stored;
  const of = belongingOf(stored);
  return { ...stored, secret: encrypt(keys, random, decrypt(keys, stored.secret, of), of) };
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
