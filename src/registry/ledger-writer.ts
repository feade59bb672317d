import type { AuditEvent, ChainHead } from "./audit.ts";
import { isDecision, renderStatement, type Statement, subjectOf } from "./decision.ts";
import { type Keys, signText } from "./keys.ts";
import { type LedgerRow, rowDigest } from "./ledger.ts";
import type { RegistryWrites } from "./port.ts";

/** Adds signed statements to the end of the chain, and keeps what the audit chain must say of them. */
export class LedgerWriter {
  readonly events: AuditEvent[] = [];
  readonly #port: RegistryWrites;
  readonly #keys: Keys;
  #head: ChainHead;

  constructor(port: RegistryWrites, keys: Keys, head: ChainHead) {
    this.#port = port;
    this.#keys = keys;
    this.#head = head;
  }

  async append<Said extends Statement>(said: (seq: number, prev: string) => Said): Promise<Said> {
    const statement = said(this.#head.seq + 1, this.#head.hash);
    const payload = renderStatement(statement);
    const row = { seq: statement.seq, subject: subjectOf(statement), payload, ...signText(this.#keys, payload) };
    await this.#port.appendLedger(row);
    this.#head = { seq: statement.seq, hash: rowDigest(row) };
    this.events.push(eventOf(statement, row));
    return statement;
  }
}

/** Carries a copy of the statement: should its row be lost, the chain still says about whom it was. */
function eventOf(said: Statement, { seq, payload, key, signature }: Omit<LedgerRow, "place">): AuditEvent {
  return {
    at: said.at,
    by: said.by,
    act: actOf(said),
    subject: subjectOf(said),
    details: { seq, payload, key, signature },
  };
}

function actOf(said: Statement): AuditEvent["act"] {
  if (isDecision(said)) return `decision.${said.word}`;
  return said.word === "block" ? "block.added" : "block.lifted";
}
