import { canonicalJson } from "../../core/canonical.ts";
import type { Finding } from "../../core/finding.ts";
import { safeLine, safeName } from "../../core/text.ts";
import { isNewest, isSealed, type Keys, sealText } from "../keys.ts";
import { AccountHistory, type AccountWord, isSaid } from "./account-history.ts";
import type { Permit } from "./permit.ts";
import type { AccountsContext, KeyRecord, Reads, SessionRecord, UserRecord, Writes } from "./port.ts";

/**
 * T18: rows grant something, so only a holder of the key file can write one. The seal covers every field with the name
 * or id among them, and the `seq` of the act that leaves the row: a row that was inserted, edited, swapped or put back
 * by hand is nobody's. Null: of an act from before seals named theirs.
 */
export function sealUser(keys: Keys, user: Omit<UserRecord, "seal">, seq: number | null): UserRecord {
  return { ...user, seal: sealText(keys, userText(user, seq)) };
}

/** Whether it is the row that the last word about its user has left. */
export function isIntactUser(keys: Keys, user: UserRecord, word: AccountWord | undefined): boolean {
  const { createdAt, role, disabledAt } = user;
  if (word === undefined || !isSaid(word, { createdAt, role, isOff: disabledAt !== null })) return false;
  return isSealed(keys, userText(user, sealedSeq(word)), user.seal);
}

function userText(user: Omit<UserRecord, "seal">, seq: number | null): string {
  const { name, role, password, createdAt, disabledAt } = user;
  return canonicalJson(["account.user", { name, role, password, createdAt, disabledAt, ...withSeq(seq) }]);
}

export function sealKey(keys: Keys, key: Omit<KeyRecord, "seal">, seq: number | null): KeyRecord {
  return { ...key, seal: sealText(keys, keyText(key, seq)) };
}

/** Whether it is the row that the last word about its key has left. */
export function isIntactKey(keys: Keys, key: KeyRecord, word: AccountWord | undefined): boolean {
  const { createdAt, role, revokedAt } = key;
  if (word === undefined || !isSaid(word, { createdAt, role, isOff: revokedAt !== null })) return false;
  return isSealed(keys, keyText(key, sealedSeq(word)), key.seal);
}

function keyText(key: Omit<KeyRecord, "seal">, seq: number | null): string {
  const { id, name, role, user, configurations, hash, createdAt, revokedAt } = key;
  const fields = { id, name, role, user, configurations, hash, createdAt, revokedAt };
  return canonicalJson(["account.key", { ...fields, ...withSeq(seq) }]);
}

/** What the row that a word has left was sealed with. */
function sealedSeq({ isNamed, seq }: AccountWord): number | null {
  return isNamed ? seq : null;
}

function withSeq(seq: number | null): { readonly seq?: number } {
  return seq === null ? {} : { seq };
}

export function sealSession(keys: Keys, session: Omit<SessionRecord, "seal">, of: UserRecord): SessionRecord {
  return { ...session, seal: sealText(keys, sessionText(session, of)) };
}

/** Sessions are short: one from before a rotation of the key file has ended with it. */
export function isIntactSession(keys: Keys, session: SessionRecord, of: UserRecord): boolean {
  return isSealed(keys, sessionText(session, of), session.seal) && isNewest(keys, session.seal);
}

/** T37: it stands on the user's record too, so that it ends with their password, also where its row was put back. */
function sessionText({ hash, user, way, createdAt, seenAt }: Omit<SessionRecord, "seal">, of: UserRecord): string {
  const standsOn = { createdAt: of.createdAt, password: of.password };
  return canonicalJson(["account.session", { hash, user, way, createdAt, seenAt, of: standsOn }]);
}

export function tamperedUser({ name }: UserRecord): Finding {
  return tampered(
    `users/${safeName(name)}`,
    `the record of user "${safeLine(name, 80)}" was written or changed outside Skillward, or sealed with a key that ` +
      "the key file does not have; it grants nothing: remove the user, and add them again if they are yours",
  );
}

export function tamperedKey({ id }: KeyRecord): Finding {
  return tampered(
    `keys/${safeName(id)}`,
    `the record of key "${safeLine(id, 80)}" was written or changed outside Skillward, or sealed with a key that ` +
      "the key file does not have; it grants nothing: revoke it, and add a new one if it is yours",
  );
}

function tampered(file: string, message: string): Finding {
  return { code: "account.tampered", level: "high", message, at: { file, line: 1 } };
}

type Believing = Pick<AccountsContext, "kept" | "keys" | "history">;

/** The user's row, when it is the one that the audit chain knows of; undefined for nobody, and for any other row (T18). */
export function believedUser(context: Believing, port: Reads, name: string): Promise<UserRecord | undefined> {
  return believed(
    context,
    port,
    () => port.findUser(name),
    (user) => isBelievedUser(context, user),
  );
}

/** The same for a key. */
export function believedKey(context: Believing, port: Reads, id: string): Promise<KeyRecord | undefined> {
  return believed(
    context,
    port,
    () => port.findKey(id),
    (key) => isBelievedKey(context, key),
  );
}

async function believed<Row>(
  context: Believing,
  port: Reads,
  find: () => Promise<Row | undefined>,
  fits: (row: Row) => boolean,
): Promise<Row | undefined> {
  const row = await find();
  if (row === undefined) return undefined;
  await follow(context, port);
  if (fits(row)) return row;
  // Somebody may have changed it between the two, and then nothing is wrong with it.
  const again = await withWords(context, port, find);
  return again !== undefined && fits(again) ? again : undefined;
}

/** Rows together with what was said of them up to then: read again when there was a word in between. */
export async function withWords<Rows>(context: Believing, port: Reads, read: () => Promise<Rows>): Promise<Rows> {
  for (let last = await follow(context, port); ; ) {
    const rows = await read();
    const now = await follow(context, port);
    if (now === last) return rows;
    last = now;
  }
}

/** Of a row that was read `withWords`. */
export function isBelievedUser({ keys, history }: Pick<Believing, "keys" | "history">, user: UserRecord): boolean {
  return isIntactUser(keys, user, history.user(user.name));
}

export function isBelievedKey({ keys, history }: Pick<Believing, "keys" | "history">, key: KeyRecord): boolean {
  return isIntactKey(keys, key, history.key(key.id));
}

function follow({ kept, history }: Believing, port: Reads): Promise<number> {
  return port === kept.read ? history.follow(port) : history.followIn(port);
}

export interface Resealed {
  readonly users: number;
  readonly keys: number;
  /** Rows that were left as they are. */
  readonly findings: readonly Finding[];
}

/** Seals every row with the newest secret. Never one that somebody else wrote: that would make a forged row a true one. */
export async function resealAccounts(port: Writes, keys: Keys, _permit: Permit<"administer">): Promise<Resealed> {
  const history = new AccountHistory();
  await history.followIn(port);
  const [users, apiKeys] = [await port.listUsers(), await port.listKeys()];
  const sealedUsers = users.flatMap((user) => resealedUser(keys, history, user) ?? []);
  const sealedKeys = apiKeys.flatMap((key) => resealedKey(keys, history, key) ?? []);
  for (const user of sealedUsers) await port.putUser(user);
  for (const key of sealedKeys) await port.putKey(key);
  const findings = [
    ...users.filter((user) => resealedUser(keys, history, user) === undefined).map(tamperedUser),
    ...apiKeys.filter((key) => resealedKey(keys, history, key) === undefined).map(tamperedKey),
  ];
  return { users: sealedUsers.length, keys: sealedKeys.length, findings };
}

function resealedUser(keys: Keys, history: AccountHistory, user: UserRecord): UserRecord | undefined {
  const word = history.user(user.name);
  return word && isIntactUser(keys, user, word) ? sealUser(keys, user, sealedSeq(word)) : undefined;
}

function resealedKey(keys: Keys, history: AccountHistory, key: KeyRecord): KeyRecord | undefined {
  const word = history.key(key.id);
  return word && isIntactKey(keys, key, word) ? sealKey(keys, key, sealedSeq(word)) : undefined;
}
