import type { Kept } from "../../core/kept.ts";
import type { Clock, Randomness } from "../../core/world.ts";
import type { AuditReads, AuditWrites } from "../audit/audit.ts";
import type { InquiryReads } from "../inquiry.ts";
import type { Keys } from "../keys.ts";
import type { ApiKey, User } from "../schema.ts";
import type { AccountHistory } from "./account-history.ts";
import type { AccountPolicy } from "./roles.ts";

/**
 * What this room keeps. Rows are not believed: each carries a seal over all of its other fields, so every field comes
 * back exactly as it was put, with the type it has here. One that somebody damaged beyond reading comes back empty: the
 * seal does not fit it any more, and the row can still be listed, removed and revoked.
 */

export interface UserRecord extends Omit<User, "state"> {
  /** The encoded hash, never the password. */
  readonly password: string;
  readonly seal: string;
}

export interface KeyRecord extends Omit<ApiKey, "state"> {
  /** sha256 of the secret's text, as hex. The secret itself is kept nowhere. */
  readonly hash: string;
  readonly seal: string;
}

/** Somebody who is signed in at a browser, which alone holds the secret. */
export interface SessionRecord {
  /** sha256 of the secret's text, as hex. The secret itself is kept nowhere. */
  readonly hash: string;
  /** Who is signed in. */
  readonly user: string;
  /** How they have signed in: `password`, `oidc`, `proxy`. */
  readonly way: string;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  /** When it was last used; up to a minute later than this. */
  readonly seenAt: number;
  readonly seal: string;
}

export interface AccountReads {
  /** The user of exactly this name, byte for byte; undefined when there is none. */
  findUser(name: string): Promise<UserRecord | undefined>;
  /** Every user, ordered by the bytes of the name. */
  listUsers(): Promise<readonly UserRecord[]>;
  /** The key of exactly this id, byte for byte; undefined when there is none. */
  findKey(id: string): Promise<KeyRecord | undefined>;
  /** Every key, revoked ones too, ordered by the bytes of the id. */
  listKeys(): Promise<readonly KeyRecord[]>;
  /** The session of exactly this hash; undefined when there is none. */
  findSession(hash: string): Promise<SessionRecord | undefined>;
}

export interface AccountWrites extends AccountReads {
  /** Adds the user, or replaces the one of that name as a whole. */
  putUser(user: UserRecord): Promise<void>;
  /** Removes the user of exactly this name; nothing happens when there is none. Keys stay as they are. */
  deleteUser(name: string): Promise<void>;
  /** Adds the key, or replaces the one of that id as a whole. Keys are never removed: the audit names them. */
  putKey(key: KeyRecord): Promise<void>;
  /** Adds the session, or replaces the one of that hash as a whole. */
  putSession(session: SessionRecord): Promise<void>;
  /** Removes the session of exactly this hash; nothing happens when there is none. */
  deleteSession(hash: string): Promise<void>;
  /** Removes every session of exactly this user. */
  deleteSessionsOf(user: string): Promise<void>;
  /** Removes what was opened before the one moment, and what was last seen before the other. */
  deleteSessionsBefore(createdBefore: number, seenBefore: number): Promise<void>;
}

export type Reads = AccountReads & AuditReads & Pick<InquiryReads, "findAudit">;
export type Writes = Reads & AccountWrites & AuditWrites;

/** What everything about users and keys stands on. */
export interface AccountsContext {
  readonly kept: Kept<Reads, Writes>;
  readonly keys: Keys;
  readonly clock: Clock;
  readonly random: Randomness;
  readonly policy: AccountPolicy;
  /** What the audit chain says of them, as far as this process has followed it. */
  readonly history: AccountHistory;
}
