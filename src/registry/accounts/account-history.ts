import { createSingleFlight } from "../../core/async.ts";
import { pages } from "../../core/kept.ts";
import { safeName } from "../../core/text.ts";
import { type AuditAct, type AuditReads, parseDetails } from "../audit/audit.ts";
import type { InquiryReads } from "../inquiry.ts";
import type { AuditRecord } from "../schema.ts";

export type HistoryReads = Pick<AuditReads, "auditHead"> & Pick<InquiryReads, "findAudit">;

/** The last word of the audit chain about a user or a key. */
export interface AccountWord {
  readonly seq: number;
  readonly at: number;
  /** Whether the row that it left is sealed together with its `seq`, so that no other row can be the one. */
  readonly isNamed: boolean;
  /** What it says of the row; null: there is none that counts. */
  readonly said: Said | null;
}

/** What an act tells of the row that it left. */
interface Said {
  /** The row was made at this time or later: whoever had the name before was removed then. */
  readonly since: number;
  /** Undefined: it does not tell. */
  readonly role: unknown;
  /** Disabled, or revoked. */
  readonly isOff: boolean;
}

/** In the details of an act whose row is sealed together with the act's `seq`; older acts have nothing of it. */
export const named = { seal: 2 } as const;

const acts: readonly AuditAct[] = ["user.added", "user.changed", "user.removed", "key.added", "key.revoked"];
const page = 1000;

/**
 * What was said last about each account, followed from record to record. The seal of a row is good for ever: a row from
 * before a revocation, a removal or a new password that is put back by hand is found out by this alone (T18). One for
 * all doors of a process: what it has seen said stays said, also when the record of it is taken away later.
 */
export class AccountHistory {
  readonly #words = new Map<string, AccountWord>();
  #upTo = 0;
  #last = 0;
  #firstNamed = Infinity;
  readonly #following = createSingleFlight();

  /** Reads on to the present end; however many ask at once, once. Gives back the `seq` of the last word of all. */
  async follow(read: HistoryReads): Promise<number> {
    // What is on its way already may have missed what the caller has just read.
    await this.#following.underWay?.catch(() => {});
    await this.#following.run(() => this.#readOn(read));
    return this.#last;
  }

  /** The same in a transaction, which may wait for nobody; before it has recorded anything that could be undone. */
  async followIn(port: HistoryReads): Promise<number> {
    await this.#readOn(port);
    return this.#last;
  }

  user(name: string): AccountWord | undefined {
    return this.#words.get(`user.${safeName(name)}`);
  }

  key(id: string): AccountWord | undefined {
    return this.#words.get(`key.${safeName(id)}`);
  }

  async #readOn(port: HistoryReads): Promise<void> {
    const { seq: end } = await port.auditHead();
    if (end <= this.#upTo) return;
    const from = (after: number) => port.findAudit({ acts, after, before: end + 1, limit: page });
    for await (const records of pages(from, this.#upTo, ({ seq }) => seq))
      for (const record of records) if (record.seq > this.#last) this.#add(record);
    this.#upTo = Math.max(this.#upTo, end);
  }

  #add(record: AuditRecord): void {
    const { seq, at, act, subject } = record;
    const [kind = "", what = ""] = act.split(".");
    const details = parseDetails(record);
    const isNamed = details["seal"] === named.seal;
    if (isNamed) this.#firstNamed = Math.min(this.#firstNamed, seq);
    const account = `${kind}.${subject}`;
    const said = saidBy(what, details, this.#words.get(account));
    // Whoever writes to the database can append a record, and one of the old kind takes no key file.
    const isOwn = isNamed || seq < this.#firstNamed;
    this.#words.set(account, { seq, at, isNamed, said: isOwn ? said : null });
    this.#last = seq;
  }
}

function saidBy(
  what: string,
  { role, state }: Readonly<Record<string, unknown>>,
  before: AccountWord | undefined,
): Said | null {
  if (what === "added") return { since: before?.at ?? 0, role, isOff: false };
  if (what === "revoked") return { since: 0, role: undefined, isOff: true };
  const known = before?.said;
  if (what === "removed" || known === null || known === undefined) return null;
  const isOff = state === undefined ? known.isOff : state === "disabled";
  return { since: known.since, role: isRoleChange(role) ? role.to : known.role, isOff };
}

function isRoleChange(role: unknown): role is { readonly to: unknown } {
  return typeof role === "object" && role !== null && "to" in role;
}

/** Whether a row can be the one that a word has left. Where the seal tells, nothing else has to. */
export function isSaid(
  { isNamed, said }: AccountWord,
  row: { readonly createdAt: number; readonly role: string; readonly isOff: boolean },
): boolean {
  if (said === null || isNamed) return said !== null;
  const { since, role = row.role, isOff } = said;
  return since <= row.createdAt && role === row.role && isOff === row.isOff;
}
