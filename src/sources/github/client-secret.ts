import { safeLine } from "../../core/text.ts";
import type { Repository } from "../repository.ts";

/** A token and the repositories it may be shown for (IN-6). */
export interface Token {
  readonly secret: string;
  readonly isFor: (repository: Repository) => boolean;
}

/** So many characters in a row are enough to tell a token by. */
const shortestPart = 8;

/** T9: whether a text shows the secret or a part of it, whatever stands between its characters, also merely encoded. */
export function showsSecret(text: string, secret: string): boolean {
  const shown = lettersOf(text);
  return formsOf(secret).some((form) => hasPart(shown, lettersOf(form)));
}

function hasPart(shown: string, hidden: string): boolean {
  if (hidden === "") return false;
  const length = Math.min(shortestPart, hidden.length);
  for (let at = 0; at + length <= hidden.length; at++) if (shown.includes(hidden.slice(at, at + length))) return true;
  return false;
}

/** As it is, in hex, and in base64 behind any number of other bytes: what those change is cut off. */
function formsOf(secret: string): string[] {
  const behind = (count: number) => Buffer.from(" ".repeat(count) + secret).toString("base64");
  return [secret, Buffer.from(secret).toString("hex"), behind(0), behind(1).slice(2), behind(2).slice(3)];
}

function lettersOf(text: string): string {
  return text.toLowerCase().replace(/[^a-z0-9]+/g, "");
}

/** No message of a service is longer; what comes behind is not shown. */
const longestQuote = 120;

/** What a service said, to be shown in a message of ours; empty when it said nothing, or the secret. */
export function quoteOf(said: string, secret: string | null): string {
  const head = said.slice(0, longestQuote * 2);
  if (head === "" || (secret !== null && showsSecret(head, secret))) return "";
  return ` (it says: ${safeLine(head, longestQuote)})`;
}
