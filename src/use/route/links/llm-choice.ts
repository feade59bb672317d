export interface Choice {
  /** Of the candidate, from 1; null: none fits. */
  readonly number: number | null;
  readonly sure: number;
}

const longest = 1024;
const fence = /^```(?:json)?\s*(\{[^`]*\})\s*```$/i;

/**
 * The one answer that counts: `{"choice": <number or null>, "sure": <0 to 1>}`, in a code fence or bare, with nothing
 * before or after it. Anything else is undefined: nothing is searched for in a text that may say anything.
 */
export function parseChoice(text: unknown): Choice | undefined {
  if (typeof text !== "string" || text.length > longest) return undefined;
  const bare = text.trim();
  const json = fence.exec(bare)?.[1] ?? bare;
  // Two keys and no texts have four quotation marks; a key that comes twice has more.
  if (json.split('"').length !== 5) return undefined;
  return choiceOf(parsed(json));
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

function choiceOf(value: unknown): Choice | undefined {
  if (typeof value !== "object" || value === null || !("choice" in value) || !("sure" in value)) return undefined;
  const { choice, sure } = value;
  const isNumber = typeof choice === "number" && Number.isSafeInteger(choice);
  if (!isNumber && choice !== null) return undefined;
  return typeof sure === "number" && sure >= 0 && sure <= 1 ? { number: choice, sure } : undefined;
}
