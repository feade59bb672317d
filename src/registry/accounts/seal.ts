import { canonicalJson } from "../../base/canonical.ts";
import type { Finding } from "../../base/finding.ts";
import { safeLine, safeName } from "../../base/text.ts";
import { isNewest, isSealed, type Keys, sealText } from "../keys.ts";
import type { KeyRecord, SessionRecord, UserRecord } from "./port.ts";

/**
 * T18: rows grant something, so only a holder of the key file can write one. The seal covers every field with the name
 * or id among them: a row that was inserted, edited or swapped by hand is nobody's.
 */
export function sealUser(keys: Keys, user: Omit<UserRecord, "seal">): UserRecord {
  return { ...user, seal: sealText(keys, userText(user)) };
}

export function isIntactUser(keys: Keys, user: UserRecord): boolean {
  return isSealed(keys, userText(user), user.seal);
}

function userText({ name, role, password, createdAt, disabledAt }: Omit<UserRecord, "seal">): string {
  return canonicalJson(["account.user", { name, role, password, createdAt, disabledAt }]);
}

export function sealKey(keys: Keys, key: Omit<KeyRecord, "seal">): KeyRecord {
  return { ...key, seal: sealText(keys, keyText(key)) };
}

export function isIntactKey(keys: Keys, key: KeyRecord): boolean {
  return isSealed(keys, keyText(key), key.seal);
}

function keyText(key: Omit<KeyRecord, "seal">): string {
  const { id, name, role, user, configurations, hash, createdAt, revokedAt } = key;
  return canonicalJson(["account.key", { id, name, role, user, configurations, hash, createdAt, revokedAt }]);
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
