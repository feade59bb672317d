import { canonicalJson } from "../core/canonical.ts";
import type { Digest } from "../core/digest.ts";
import type { EntryId } from "../core/ids.ts";
import { parseRecord } from "../core/json/json.ts";
import type { Provenance } from "../sources/provenance.ts";
import { isSealed, type Keys, sealText } from "./keys.ts";

/** Where the bytes of one digest of an entry came from. */
export interface EntryProvenance {
  readonly entry: EntryId;
  readonly digest: Digest;
  readonly provenance: Provenance;
}

/** As it is kept: only a holder of the key file can write a row that counts (T17). */
export function renderProvenance(keys: Keys, { entry, digest, provenance }: EntryProvenance): string {
  const text = canonicalJson({ ...provenance, proof: { ...provenance.proof } });
  return JSON.stringify({ digest, text, seal: sealText(keys, sealedText(entry, digest, text)) });
}

/** Undefined for a row that nobody with the key file wrote: then nothing is known. */
export function readProvenance(keys: Keys, entry: EntryId, record: string): EntryProvenance | undefined {
  const { digest, text, seal } = parseRecord(record) ?? {};
  if (typeof digest !== "string" || typeof text !== "string" || typeof seal !== "string") return undefined;
  if (!isSealed(keys, sealedText(entry, digest, text), seal)) return undefined;
  // Sealed: exactly what a sync wrote.
  const provenance: Provenance = JSON.parse(text);
  return { entry, digest, provenance };
}

function sealedText(entry: EntryId, digest: Digest, text: string): string {
  return `provenance ${JSON.stringify([entry, digest, text])}`;
}
