import { type Digest, sha256 } from "../../core/digest.ts";
import { AppError } from "../../core/error.ts";
import type { Finding } from "../../core/finding.ts";
import { safeLine, safeName } from "../../core/text.ts";
import type { Randomness } from "../../core/world.ts";
import { type AuditEvent, nextSeq, recordChanges } from "../audit/audit.ts";
import { named } from "./account-history.ts";
import type { Permit } from "./permit.ts";
import { chosenRole, parseAccountName, type Role } from "./roles.ts";
import type { AccountsContext, KeyRecord, Reads, Writes } from "./port.ts";
import { believedUser, isBelievedKey, sealKey, tamperedKey, withWords } from "./seal.ts";
import type { ApiKey } from "../schema.ts";

export interface NewKey {
  readonly name: string;
  readonly role: string;
  /** Whose key it is: it never may more than they do. Without one it stands for itself, as `key:<name>`. */
  readonly user?: string | null | undefined;
  /** The configurations it is limited to; all of them when not given. */
  readonly configurations?: readonly string[] | null | undefined;
}

/** Makes a key. Its text is in this answer and nowhere else, now or later (RV-12). */
export async function addKey(
  context: AccountsContext,
  permit: Permit<"administer">,
  wanted: NewKey,
): Promise<{ record: ApiKey; text: string }> {
  const chosen = chosenFields(wanted);
  const { id, hash, text } = createKeyText(context.random);
  return context.kept.transaction(async (port) => {
    await refuseTakenName(context, port, chosen.name);
    if (chosen.user !== null) await refuseUnknownUser(context, port, chosen.user);
    const fields = { ...chosen, id, hash, createdAt: context.clock.now(), revokedAt: null };
    const key = sealKey(context.keys, fields, await nextSeq(port));
    await port.putKey(key);
    const details = { ...chosen, ...named };
    await recordChanges(port, [{ at: key.createdAt, by: permit.person.name, act: "key.added", subject: id, details }]);
    return { record: viewOf(key, true), text };
  });
}

type ChosenFields = Pick<KeyRecord, "name" | "user" | "configurations"> & { readonly role: Role };

function chosenFields({ name, role: wanted, user = null, configurations = null }: NewKey): ChosenFields {
  const role = chosenRole(wanted);
  if (configurations?.length === 0)
    throw new AppError("usage.invalid", "name at least one configuration, or none to allow them all");
  // RV-12: a limit that the rest of the role would go around is none.
  if (configurations !== null && role !== "operator" && role !== "reader")
    throw new AppError("usage.invalid", `a key limited to configurations is operator or reader, not ${role}`);
  return { name: parseAccountName(name), role, user, configurations: configurations && [...new Set(configurations)] };
}

/** Names sign decisions and audit records: two keys in use never share one. */
async function refuseTakenName(context: AccountsContext, port: Reads, name: string): Promise<void> {
  const all = await withWords(context, port, () => port.listKeys());
  const taken = all.some((key) => key.name === name && key.revokedAt === null && isBelievedKey(context, key));
  if (taken)
    throw new AppError("record.exists", `there is a key "${name}" already; revoke it first or choose another name`);
}

async function refuseUnknownUser(context: AccountsContext, port: Reads, name: string): Promise<void> {
  if ((await believedUser(context, port, name)) === undefined)
    throw new AppError("record.missing", `there is no user "${safeLine(name, 80)}" for this key to belong to`);
}

/** A key that is revoked stays in the list, and never works again. */
export async function revokeKey(context: AccountsContext, permit: Permit<"administer">, id: string): Promise<ApiKey> {
  return context.kept.transaction(async (port) => {
    const key = await withWords(context, port, () => port.findKey(id));
    if (key === undefined)
      throw new AppError("record.missing", `there is no key "${safeLine(id, 80)}"; \`skillward key list\` shows all`);
    if (isRevoked(context, key)) return viewOf(key, true);
    const revoked = planRevoking(context, permit, key, await nextSeq(port));
    await port.putKey(revoked.key);
    await recordChanges(port, [revoked.event]);
    return viewOf(revoked.key, true);
  });
}

/** Revokes every key of a user, in the transaction of whoever calls, and says what is to be recorded of it next. */
export async function revokeKeysOf(
  context: AccountsContext,
  permit: Permit<"administer">,
  port: Writes,
  user: string,
): Promise<AuditEvent[]> {
  const all = await withWords(context, port, () => port.listKeys());
  const keys = all.filter((key) => key.user === user && !isRevoked(context, key));
  const first = await nextSeq(port);
  const revoked = keys.map((key, at) => planRevoking(context, permit, key, first + at));
  for (const { key } of revoked) await port.putKey(key);
  return revoked.map(({ event }) => event);
}

/** A row that says so by hand is not revoked by that. */
function isRevoked(context: AccountsContext, key: KeyRecord): boolean {
  return key.revokedAt !== null && isBelievedKey(context, key);
}

/** A tampered row is sealed as what it can only be from now on. */
function planRevoking(
  context: AccountsContext,
  permit: Permit<"administer">,
  key: KeyRecord,
  seq: number,
): { key: KeyRecord; event: AuditEvent } {
  const { id, name, state } = viewOf(key, isBelievedKey(context, key));
  const at = context.clock.now();
  const details = { name: safeName(name), was: state, ...named };
  return {
    key: sealKey(context.keys, { ...key, revokedAt: at }, seq),
    event: { at, by: permit.person.name, act: "key.revoked", subject: safeName(id), details },
  };
}

/** Every key, without its hash. A row that nobody with the key file left so comes with a finding (T18). */
export async function listKeys(
  context: AccountsContext,
  _permit: Permit<"administer">,
): Promise<{ keys: readonly ApiKey[]; findings: readonly Finding[] }> {
  const { read } = context.kept;
  const records = await withWords(context, read, () => read.listKeys());
  const tampered = records.filter((key) => !isBelievedKey(context, key));
  const keys = records.map((key) => viewOf(key, !tampered.includes(key)));
  return { keys, findings: tampered.map(tamperedKey) };
}

function viewOf(key: KeyRecord, isIntact: boolean): ApiKey {
  const { id, name, role, user, configurations, createdAt, revokedAt } = key;
  const state = isIntact ? (revokedAt === null ? "active" : "revoked") : "tampered";
  return { id, name, role, user, configurations, createdAt, revokedAt, state };
}

/** A prefix of our own, so that scanners for leaked secrets can know one when they see it. */
const form = /^skw_([0-9a-f]{16})_([A-Za-z0-9_-]{43})$/;

/** What is kept of a key: whose secret it is, and a hash. 256 random bits need no slow one. */
interface KeyProof {
  readonly id: string;
  readonly hash: Digest;
}

export function createKeyText(random: Randomness): KeyProof & { readonly text: string } {
  const id = Buffer.from(random.bytes(8)).toString("hex");
  const secret = Buffer.from(random.bytes(32)).toString("base64url");
  return { id, hash: hashOf(secret), text: `skw_${id}_${secret}` };
}

export function parseKeyText(text: string): KeyProof | undefined {
  const [, id, secret] = form.exec(text) ?? [];
  return id === undefined || secret === undefined ? undefined : { id, hash: hashOf(secret) };
}

function hashOf(secret: string): Digest {
  return sha256(Buffer.from(secret));
}
