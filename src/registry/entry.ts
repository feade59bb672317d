import { canonicalJson } from "../core/canonical.ts";
import type { Digest } from "../core/digest.ts";
import type { Finding } from "../core/finding.ts";
import type { EntryId } from "../core/ids.ts";
import { parseRecord } from "../core/json/json.ts";
import type { Provenance } from "../sources/reading.ts";
import { isSealed, type Keys, sealText } from "./keys.ts";

/** A skill's place in the registry, as it is kept. Its state is not: it is computed (RV-1). */
export interface Entry {
  readonly id: EntryId;
  readonly source: string;
  readonly path: string;
  /** Whether the skill is in its source. */
  readonly present: boolean;
  /** The last signed word there was when it was last seen to be away; 0 when it never was. None up to it counts (IN-20). */
  readonly awayAt: number;
  /** What the source holds now, or held last. */
  readonly current: Digest;
  /**
   * JSON of Finding[]: what was noticed when the current revision was loaded here, such as a link that was left out.
   * The same bytes elsewhere may have been loaded without a finding, so these are the entry's and not the revision's.
   */
  readonly loading: string;
  /** Over all the other fields. */
  readonly seal: string;
  readonly commit: string | null;
  readonly repositoryId: number | null;
}

/** `back`: it was away at some time after the latest word about it. */
export type Presence = "present" | "absent" | "back";

export function presenceOf({ present, awayAt }: Pick<Entry, "present" | "awayAt">, latestWord: number): Presence {
  if (!present) return "absent";
  return latestWord > 0 && latestWord <= awayAt ? "back" : "present";
}

/** The entry with its seal: only a holder of the key file can write a row that counts (T17). */
export function sealEntry(keys: Keys, entry: Omit<Entry, "seal">): Entry {
  return { ...entry, seal: sealText(keys, sealedText(entry)) };
}

export function isIntact(keys: Keys, entry: Entry): boolean {
  return isSealed(keys, sealedText(entry), entry.seal);
}

function sealedText({ id, present, awayAt, current, loading, commit, repositoryId }: Omit<Entry, "seal">): string {
  return `entry ${JSON.stringify([id, present, awayAt, current, loading, commit, repositoryId])}`;
}

/** What the entry's current revision was loaded with; undefined when its row was changed by hand. */
export function readLoading(keys: Keys, entry: Entry): readonly Finding[] | undefined {
  if (!isIntact(keys, entry)) return undefined;
  // Sealed: exactly what the sync wrote.
  const findings: readonly Finding[] = entry.loading === "[]" ? none : JSON.parse(entry.loading);
  return findings;
}

const none: readonly Finding[] = [];

/** Where the bytes of one digest of an entry came from. */
interface EntryProvenance {
  readonly entry: EntryId;
  readonly digest: Digest;
  readonly provenance: Provenance;
}

/** As it is kept: only a holder of the key file can write a row that counts (T17). */
export function renderProvenance(keys: Keys, { entry, digest, provenance }: EntryProvenance): string {
  const text = canonicalJson({ ...provenance, proof: { ...provenance.proof } });
  return JSON.stringify({ digest, text, seal: sealText(keys, provenanceText(entry, digest, text)) });
}

/** Undefined for a row that nobody with the key file wrote: then nothing is known. */
export function readProvenance(keys: Keys, entry: EntryId, record: string): EntryProvenance | undefined {
  const { digest, text, seal } = parseRecord(record) ?? {};
  if (typeof digest !== "string" || typeof text !== "string" || typeof seal !== "string") return undefined;
  if (!isSealed(keys, provenanceText(entry, digest, text), seal)) return undefined;
  // Sealed: exactly what a sync wrote.
  const provenance: Provenance = JSON.parse(text);
  return { entry, digest, provenance };
}

function provenanceText(entry: EntryId, digest: Digest, text: string): string {
  return `provenance ${JSON.stringify([entry, digest, text])}`;
}
