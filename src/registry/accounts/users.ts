import { AppError } from "../../core/error.ts";
import type { Finding } from "../../core/finding.ts";
import { safeLine, safeName } from "../../core/text.ts";
import { type AuditAct, type AuditEvent, nextSeq, recordChanges } from "../audit/audit.ts";
import { named } from "./account-history.ts";
import type { Permit } from "./permit.ts";
import { chosenRole, parseAccountName, type Person } from "./roles.ts";
import type { AccountsContext, Reads, UserRecord, Writes } from "./port.ts";
import { revokeKeysOf } from "./api-keys.ts";
import { isBelievedUser, sealUser, tamperedUser, withWords } from "./seal.ts";
import { hashPassword } from "./password.ts";
import { verifiedUser, wrongPassword } from "./sessions.ts";
import type { User } from "../schema.ts";

export interface NewUser {
  readonly name: string;
  readonly role: string;
  readonly password: string;
}

export async function addUser(context: AccountsContext, permit: Permit<"administer">, wanted: NewUser): Promise<User> {
  const name = parseAccountName(wanted.name);
  const role = chosenRole(wanted.role);
  // Before the transaction: there is one writer at a time, and hashing is slow on purpose.
  const password = await hashPassword(wanted.password, context.random);
  return context.kept.transaction((port) => insertUser(context, port, permit.person, { name, role, password }));
}

/** In the transaction of whoever calls. The password is the encoded hash. */
export async function insertUser(
  context: AccountsContext,
  port: Writes,
  by: Pick<Person, "name">,
  { name, role, password }: Pick<UserRecord, "name" | "role" | "password">,
): Promise<User> {
  if ((await port.findUser(name)) !== undefined)
    throw new AppError("record.exists", `there is a user "${name}" already; choose another name`);
  const fields = { name, role, password, createdAt: context.clock.now(), disabledAt: null };
  const user = sealUser(context.keys, fields, await nextSeq(port));
  await port.putUser(user);
  await recordChanges(port, [eventOf(context, by, "user.added", user, { role, ...named })]);
  return viewOf(user, true);
}

export async function setRole(
  context: AccountsContext,
  permit: Permit<"administer">,
  name: string,
  wanted: string,
): Promise<User> {
  const role = chosenRole(wanted);
  return changeUser(context, permit.person, name, (user) => ({
    fields: { role },
    details: { role: { from: user.role, to: role } },
  }));
}

export async function resetPassword(
  context: AccountsContext,
  permit: Permit<"administer">,
  name: string,
  chosen: string,
): Promise<User> {
  const password = await hashPassword(chosen, context.random);
  return changeUser(context, permit.person, name, () => ({ fields: { password }, details: { password: "replaced" } }));
}

/** Anybody may, who knows the current one; all their sessions end with it (T37). */
export async function changeOwnPassword(
  context: AccountsContext,
  by: Person,
  { current, chosen }: { readonly current: string; readonly chosen: string },
): Promise<User> {
  const verified = await verifiedUser(context, by.name, current);
  const password = await hashPassword(chosen, context.random);
  return changeUser(context, by, by.name, (user) => {
    // Hashing takes its time: a password that somebody replaced meanwhile was not the current one.
    if (user.password !== verified.password) throw wrongPassword();
    return { fields: { password }, details: { password: "replaced" } };
  });
}

/** Whoever is disabled signs in no more, nor do their keys; enabling gives both back, but no session. */
export async function disableUser(context: AccountsContext, permit: Permit<"administer">, name: string): Promise<User> {
  return changeUser(context, permit.person, name, (user) => ({
    fields: { disabledAt: user.disabledAt ?? context.clock.now() },
    details: { state: "disabled" },
  }));
}

export async function enableUser(context: AccountsContext, permit: Permit<"administer">, name: string): Promise<User> {
  return changeUser(context, permit.person, name, () => ({
    fields: { disabledAt: null },
    details: { state: "enabled" },
  }));
}

interface Change {
  readonly fields: Partial<Pick<UserRecord, "role" | "password" | "disabledAt">>;
  readonly details: AuditEvent["details"];
}

function changeUser(
  context: AccountsContext,
  by: Person,
  name: string,
  change: (user: UserRecord) => Change,
): Promise<User> {
  return context.kept.transaction(async (port) => {
    const user = await knownUser(context, port, name);
    // Sealing it again would make a forged row a true one.
    if (!isBelievedUser(context, user)) throw new AppError("store.failed", tamperedUser(user).message);
    const { fields, details } = change(user);
    const changed = sealUser(context.keys, { ...user, ...fields }, await nextSeq(port));
    if (changed.role === user.role && changed.password === user.password && changed.disabledAt === user.disabledAt)
      return viewOf(user, true);
    if (!mayAdminister(changed)) await keepAnAdmin(context, port, user);
    await port.putUser(changed);
    if (changed.disabledAt !== null || changed.password !== user.password) await port.deleteSessionsOf(name);
    await recordChanges(port, [eventOf(context, by, "user.changed", user, { ...details, ...named })]);
    return viewOf(changed, true);
  });
}

/** Their keys are revoked with them, so that another user of that name does not inherit them. */
export async function removeUser(context: AccountsContext, permit: Permit<"administer">, name: string): Promise<void> {
  await context.kept.transaction(async (port) => {
    const user = await knownUser(context, port, name);
    await keepAnAdmin(context, port, user);
    await port.deleteUser(name);
    await port.deleteSessionsOf(name);
    const revoked = await revokeKeysOf(context, permit, port, name);
    const { role, state } = viewOf(user, isBelievedUser(context, user));
    const removed = eventOf(context, permit.person, "user.removed", user, { role: safeName(role), state, ...named });
    await recordChanges(port, [...revoked, removed]);
  });
}

async function knownUser(context: AccountsContext, port: Reads, name: string): Promise<UserRecord> {
  const user = await withWords(context, port, () => port.findUser(name));
  if (user !== undefined) return user;
  throw new AppError("record.missing", `there is no user "${safeLine(name, 80)}"; \`skillward user list\` shows all`);
}

/** Without an admin who can sign in, nobody could make one through any door. */
async function keepAnAdmin(context: AccountsContext, port: Reads, leaving: UserRecord): Promise<void> {
  if (!isActiveAdmin(context, leaving)) return;
  const users = await withWords(context, port, () => port.listUsers());
  if (users.some((user) => user.name !== leaving.name && isActiveAdmin(context, user))) return;
  throw new AppError(
    "record.in-use",
    `${leaving.name} is the last enabled admin, so nothing was changed; make another user admin first`,
  );
}

/** Whether somebody can sign in who may do everything. */
export async function hasActiveAdmin(context: AccountsContext, port: Reads): Promise<boolean> {
  const users = await withWords(context, port, () => port.listUsers());
  return users.some((user) => isActiveAdmin(context, user));
}

function isActiveAdmin(context: AccountsContext, user: UserRecord): boolean {
  return mayAdminister(user) && isBelievedUser(context, user);
}

function mayAdminister({ role, disabledAt }: UserRecord): boolean {
  return role === "admin" && disabledAt === null;
}

/** Every user. A row that nobody with the key file left so is shown with a finding, never as one of them (T18). */
export async function listUsers(
  context: AccountsContext,
  _permit: Permit<"administer">,
): Promise<{ users: readonly User[]; findings: readonly Finding[] }> {
  const { read } = context.kept;
  const records = await withWords(context, read, () => read.listUsers());
  const tampered = records.filter((user) => !isBelievedUser(context, user));
  const users = records.map((user) => viewOf(user, !tampered.includes(user)));
  return { users, findings: tampered.map(tamperedUser) };
}

export async function showUser(context: AccountsContext, _permit: Permit<"administer">, name: string): Promise<User> {
  const user = await knownUser(context, context.kept.read, name);
  return viewOf(user, isBelievedUser(context, user));
}

function viewOf(user: UserRecord, isIntact: boolean): User {
  const { name, role, createdAt, disabledAt } = user;
  const state = isIntact ? (user.disabledAt === null ? "enabled" : "disabled") : "tampered";
  return { name, role, createdAt, disabledAt, state };
}

function eventOf(
  { clock }: AccountsContext,
  by: Pick<Person, "name">,
  act: AuditAct,
  { name }: UserRecord,
  details: AuditEvent["details"],
): AuditEvent {
  return { at: clock.now(), by: by.name, act, subject: safeName(name), details };
}
