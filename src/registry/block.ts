import { AppError } from "../base/error.ts";
import { safeLine } from "../base/text.ts";
import { demand, type Person } from "./accounts/roles.ts";
import { recordChanges } from "./audit.ts";
import type { BlockWord } from "./decision.ts";
import type { DecideContext } from "./decide.ts";
import { ledgerHead } from "./ledger-head.ts";
import { LedgerWriter } from "./ledger-writer.ts";

/** Blocks or lifts a block, by digest, entry, source or repository, across sources and nodes (RV-9). */
export async function setBlock(
  { kept, keys, clock, policy }: DecideContext,
  person: Person,
  { word, kind, value, note }: Pick<BlockWord, "word" | "kind" | "value" | "note">,
): Promise<BlockWord> {
  demand(person, "administer", policy);
  if (note.trim() === "")
    throw new AppError("usage.invalid", `to ${word} ${kind} ${safeLine(value)} takes a reason; give one`);
  return kept.transaction(async (port) => {
    const ledger = new LedgerWriter(port, keys, await ledgerHead(port, keys, kept.known()));
    const said = { word, kind, value, note, by: person.name, at: clock.now() };
    const block = await ledger.append<BlockWord>((seq, prev) => ({ ...said, seq, prev }));
    await recordChanges(port, ledger.events);
    return block;
  });
}
