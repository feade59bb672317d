import { canonicalJson } from "../../base/canonical.ts";
import type { Finding } from "../../base/finding.ts";
import { safeLine, safeName } from "../../base/text.ts";
import { isNewest, isSealed, type Keys, sealText } from "../keys.ts";
import { type AccountWord, isSaid } from "./account-history.ts";
import type { KeyRecord, SessionRecord, UserRecord } from "./port.ts";

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
export function sealedSeq({ isNamed, seq }: AccountWord): number | null {
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
