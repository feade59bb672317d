import { AppError } from "../core/error.ts";
import type { Finding } from "../core/finding.ts";
import type { EntryId } from "../core/ids.ts";
import { parseJson } from "../core/json/json.ts";
import type { Kept } from "../core/kept.ts";
import { countCharacters, hasUnseen, nameKey, safeLine, storedText } from "../core/text.ts";
import type { Clock } from "../core/world.ts";
import type { Permit } from "../registry/accounts/permit.ts";
import { type AuditWrites, recordChanges } from "../registry/audit/audit.ts";
import type { RegistryReads } from "../registry/port.ts";
import { canStand, mostWords } from "./names/phrases.ts";
import type { RouteReads, RouteWrites, TriggerRow } from "./port.ts";
import { routeFinding } from "./route-faults.ts";
import type { Triggers } from "./schema.ts";

/** What the flows of this file work with: what is kept, and the right of whoever asks. */
export interface TriggerContext {
  readonly kept: Kept<RouteReads, Writes>;
  readonly clock: Clock;
  readonly permit: Permit<"administer">;
}

type Writes = RouteWrites & AuditWrites & Pick<RegistryReads, "findEntry">;

const longestPhrase = 200;
const mostPhrases = 50;

/** All that can be read; a row that cannot is no trigger, and a finding. */
export async function readTriggers(
  read: Pick<RouteReads, "listTriggers">,
): Promise<{ readonly triggers: readonly Triggers[]; readonly findings: readonly Finding[] }> {
  const rows = (await read.listTriggers()).map((row) => ({ entry: row.entry, phrases: phrasesOf(row) }));
  return {
    triggers: rows.flatMap(({ entry, phrases }) => (phrases === undefined ? [] : [{ entry, phrases }])),
    findings: rows.flatMap(({ entry, phrases }) => (phrases === undefined ? [damaged(entry)] : [])),
  };
}

/** Sets more phrases for an entry. Those that it has already stay as they are. */
export async function addTriggers(
  context: TriggerContext,
  entry: EntryId,
  typed: readonly string[],
): Promise<Triggers> {
  const wanted = distinct(typed.map(demandPhrase));
  return context.kept.transaction(async (port) => {
    if ((await port.findEntry(entry)) === undefined)
      throw new AppError("record.missing", `there is no entry ${shown(entry)}; check its id, or sync its source`);
    const before = await storedPhrases(port, entry);
    const added = wanted.filter((phrase) => !has(before, phrase));
    if (added.length === 0) throw new AppError("record.exists", `${shown(entry)} has these triggers already`);
    const phrases = [...before, ...added];
    if (phrases.length > mostPhrases)
      throw new AppError(
        "usage.invalid",
        `${shown(entry)} would have ${phrases.length} triggers; ${mostPhrases} are the most: take some away first`,
      );
    await change(context, port, { entry, phrases }, { added });
    return { entry, phrases };
  });
}

/** Takes phrases away, or all of them when none is named; also of an entry that the registry has no more. */
export async function removeTriggers(
  context: TriggerContext,
  entry: EntryId,
  typed: readonly string[],
): Promise<Triggers> {
  return context.kept.transaction(async (port) => {
    if ((await port.findTriggers(entry)) === undefined)
      throw new AppError("record.missing", `${shown(entry)} has no triggers; \`skillward trigger list\` shows who has`);
    const before = await storedPhrases(port, entry);
    const stranger = typed.find((phrase) => !has(before, phrase));
    if (stranger !== undefined)
      throw new AppError(
        "record.missing",
        `${shown(entry)} has no trigger "${safeLine(stranger)}"; nothing was changed`,
      );
    const isGone = (phrase: string) => typed.length === 0 || has(typed, phrase);
    const phrases = before.filter((phrase) => !isGone(phrase));
    await change(context, port, { entry, phrases }, { removed: before.filter(isGone) });
    return { entry, phrases };
  });
}

/** Invariant 7: the phrases and the record of their change, in one transaction. */
async function change(
  { clock, permit }: TriggerContext,
  port: Writes,
  { entry, phrases }: Triggers,
  details: { readonly added: readonly string[] } | { readonly removed: readonly string[] },
): Promise<void> {
  await port.putTriggers(entry, phrases.length === 0 ? null : JSON.stringify(phrases));
  await recordChanges(port, [
    { at: clock.now(), by: permit.person.name, act: "trigger.changed", subject: entry, details },
  ]);
}

/** A row that cannot be read holds nothing, and is replaced by the next change. */
async function storedPhrases(port: RouteReads, entry: EntryId): Promise<readonly string[]> {
  const row = await port.findTriggers(entry);
  return (row && phrasesOf(row)) ?? [];
}

function phrasesOf(row: TriggerRow): readonly string[] | undefined {
  const text = storedText(row.phrases);
  // Each character of a phrase takes two code units at most, and some more when it is written as JSON.
  if (text.length > mostPhrases * longestPhrase * 8) return undefined;
  const phrases = parseJson(text);
  if (!Array.isArray(phrases) || phrases.length > mostPhrases) return undefined;
  return phrases.every((value) => typeof value === "string" && phraseOf(value) === value) ? phrases : undefined;
}

function demandPhrase(typed: string): string {
  const phrase = phraseOf(typed);
  // One that could never be found is not kept as if it could.
  if (phrase !== undefined && canStand(phrase)) return phrase;
  const words = `${mostWords} words (${mostWords * 2} signs where words are not spaced)`;
  const rule = `1 to ${longestPhrase} characters that can be seen, with a letter or a digit among them, at most ${words}`;
  throw new AppError("usage.invalid", `"${safeLine(typed, 80)}" is no trigger: give ${rule}`);
}

/** The one form in which a phrase is kept; undefined for what could never be typed as a query, or is too long. */
function phraseOf(typed: string): string | undefined {
  // Before anything is done with it: normalising a long run of marks is slow (T26).
  if (typed.length > longestPhrase * 4) return undefined;
  const phrase = typed.normalize("NFC").replace(/\s+/g, " ").trim();
  if (hasUnseen(phrase) || countCharacters(phrase) > longestPhrase) return undefined;
  return /[\p{L}\p{N}]/u.test(phrase) ? phrase : undefined;
}

function has(phrases: readonly string[], phrase: string): boolean {
  return phrases.some((each) => nameKey(each) === nameKey(phrase));
}

/** Without those that differ only in case or form from one before. */
function distinct(phrases: readonly string[]): readonly string[] {
  return phrases.filter((phrase, at) => !has(phrases.slice(0, at), phrase));
}

function damaged(entry: EntryId): Finding {
  const message =
    "its triggers cannot be read and count as none: the row was changed by hand; remove and add them again";
  return routeFinding("route.trigger-damaged", safeLine(entry, 240), message);
}

function shown(entry: EntryId): string {
  return `"${safeLine(entry, 240)}"`;
}
