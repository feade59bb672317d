import { hasUnseen } from "../../../base/text.ts";
import type { EntryId } from "../../../base/ids.ts";
import type { Evidence } from "../link.ts";

/** More than this is no answer that anybody looks through. */
const mostEvidence = 1000;
const longestWhy = 1000;

/** What of a link's answer is evidence. */
export interface Answer {
  readonly evidence: readonly Evidence[];
  /** How much of it is not. */
  readonly dropped: number;
}

/**
 * RT-4: a link is believed nothing but what can be checked: entries that it may name, each once, with a confidence and
 * words that can be shown. Null is no list at all. Throws what the answer itself throws.
 */
export function readAnswer(answer: unknown, mayName: (entry: EntryId) => boolean): Answer | null {
  if (!Array.isArray(answer)) return null;
  const { length } = answer;
  if (!Number.isSafeInteger(length)) return null;
  const evidence = new Map<EntryId, Evidence>();
  for (let at = 0; at < Math.min(length, mostEvidence); at++) {
    const one = evidenceAt(answer, at);
    if (one !== undefined && !evidence.has(one.entry) && mayName(one.entry)) evidence.set(one.entry, one);
  }
  return { evidence: [...evidence.values()], dropped: length - evidence.size };
}

/** Each member is read once: what is checked is what is used. One that throws when it is read is none. */
function evidenceAt(answer: readonly unknown[], at: number): Evidence | undefined {
  try {
    const item = answer[at];
    if (typeof item !== "object" || item === null) return undefined;
    if (!("entry" in item && "confidence" in item && "why" in item)) return undefined;
    const { entry, confidence, why } = item;
    if (typeof entry !== "string" || !isShare(confidence) || !isShown(why)) return undefined;
    return { entry, confidence, why };
  } catch {
    return undefined;
  }
}

function isShare(value: unknown): value is number {
  // Also false for what is not a number.
  return typeof value === "number" && value >= 0 && value <= 1;
}

function isShown(value: unknown): value is string {
  return typeof value === "string" && value.length <= longestWhy && !hasUnseen(value);
}
