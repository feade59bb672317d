import { type Digest, sha256 } from "../../core/digest.ts";
import { AppError } from "../../core/error.ts";
import { type AuditAct, type AuditEvent, recordEvents } from "../audit/audit.ts";
import type { AccountsContext, Reads, SessionRecord } from "./port.ts";
import { type EnabledUser, enabledUser } from "./authenticate.ts";
import { verifyPassword } from "./password.ts";
import type { Person } from "./roles.ts";
import { isIntactSession, sealSession } from "./seal.ts";

/** How somebody has signed in. */
const ways = ["password", "oidc", "proxy"] as const;
export type Way = (typeof ways)[number];

/** Who is signed in, as they are now: a role that was changed since holds at once. */
export interface FoundSession {
  readonly person: Person;
  readonly way: Way;
  readonly createdAt: number;
  /** Whether that it is used is to be written down: once a minute, since everybody waits for the one writer there is. */
  readonly isDue: boolean;
}

const minute = 60_000;
/** T37: it ends when nobody used it for this long, */
const idleTime = 30 * minute;
/** and after this long in any case. */
const wholeTime = 12 * 60 * minute;

/** Signs a user in whom the caller knows already. What it gives back is for their browser alone: nothing else has it. */
export function openSession(context: AccountsContext, user: string, way: Way): Promise<string> {
  return open(context, user, way, () => true);
}

/** The same for whoever knows the password (T38). */
export async function openWithPassword(context: AccountsContext, user: string, password: string): Promise<string> {
  const verified = await verifiedUser(context, user, password);
  // Whoever replaces a password must not find a session of the former one open behind it.
  return open(context, user, "password", (now) => now.password === verified.password);
}

async function open(
  context: AccountsContext,
  user: string,
  way: Way,
  isStill: (user: EnabledUser) => boolean,
): Promise<string> {
  const { kept, keys, clock, random } = context;
  const secret = Buffer.from(random.bytes(32)).toString("base64url");
  await kept.transaction(async (port) => {
    const now = clock.now();
    await port.deleteSessionsBefore(now - wholeTime, now - idleTime);
    const owner = await enabledUser(context, port, user);
    if (owner === undefined || !isStill(owner)) throw wrongPassword();
    const session = { hash: hashOf(secret), user, way, createdAt: now, seenAt: now };
    await port.putSession(sealSession(keys, session, owner));
    await recordEvents(port, [eventOf(now, "session.opened", session)]);
  });
  return secret;
}

/**
 * Who is signed in with this secret; undefined alike for a wrong one, and one whose session or user is no more. Looking
 * does not make the session last.
 */
export async function lookAtSession(context: AccountsContext, secret: string): Promise<FoundSession | undefined> {
  const live = await findLive(context, context.kept.read, secret);
  if (live === undefined) return undefined;
  const { owner, way, session } = live;
  return { person: personOf(owner), way, createdAt: session.createdAt, isDue: isDue(session, context.clock.now()) };
}

/** What is not there, or has ended already, is left as it is. */
export async function closeSession(context: AccountsContext, secret: string): Promise<void> {
  const { kept, clock } = context;
  await kept.transaction(async (port) => {
    const live = await findLive(context, port, secret);
    if (live === undefined) return;
    await port.deleteSession(live.session.hash);
    await recordEvents(port, [eventOf(clock.now(), "session.closed", live.session)]);
  });
}

interface Live {
  readonly session: SessionRecord;
  readonly owner: EnabledUser;
  readonly way: Way;
}

async function findLive(context: AccountsContext, port: Reads, secret: string): Promise<Live | undefined> {
  const { keys, clock } = context;
  const session = await port.findSession(hashOf(secret));
  if (session === undefined) return undefined;
  const { createdAt, seenAt, user } = session;
  const way = ways.find((known) => known === session.way);
  const owner = await enabledUser(context, port, user);
  // T18: whoever writes a row by hand signs nobody in.
  if (owner === undefined || way === undefined || !isIntactSession(keys, session, owner)) return undefined;
  const now = clock.now();
  return isWithin(idleTime, now, seenAt) && isWithin(wholeTime, now, createdAt) ? { session, owner, way } : undefined;
}

/** In both directions: a clock that ran ahead when the session was written does not make it last for longer. */
function isWithin(time: number, now: number, at: number): boolean {
  return Math.abs(now - at) < time;
}

function isDue({ seenAt }: SessionRecord, now: number): boolean {
  return now - seenAt >= minute;
}

/** It was used now. No new generation and no audit record: nothing anyone else uses has changed. */
export async function touchSession(context: AccountsContext, secret: string): Promise<void> {
  const { kept, keys, clock } = context;
  const seenAt = clock.now();
  await kept.transaction(async (port) => {
    const live = await findLive(context, port, secret);
    // It has ended meanwhile, or another request was faster.
    if (live === undefined || !isDue(live.session, seenAt)) return;
    await port.putSession(sealSession(keys, { ...live.session, seenAt }, live.owner));
  });
}

/** 256 random bits need no slow hash. */
function hashOf(secret: string): Digest {
  return sha256(Buffer.from(secret));
}

function eventOf(at: number, act: AuditAct, { user, way }: Pick<SessionRecord, "user" | "way">): AuditEvent {
  return { at, by: user, act, subject: user, details: { way } };
}

/** T38: unknown, wrong, disabled and tampered are answered alike, after the same work. */
export async function signIn(context: AccountsContext, name: string, password: string): Promise<Person> {
  return personOf(await verifiedUser(context, name, password));
}

/** The user whose password this is, as they are kept now. */
export async function verifiedUser(context: AccountsContext, name: string, password: string): Promise<EnabledUser> {
  const { read } = context.kept;
  const user = await enabledUser(context, read, name);
  const matches = await verifyPassword(password, user?.password);
  // Hashing takes its time: whoever was disabled, or got another password meanwhile, is not let in.
  const still = await enabledUser(context, read, name);
  if (!matches || still === undefined || still.password !== user?.password) throw wrongPassword();
  return still;
}

export function wrongPassword(): AppError {
  return new AppError("auth.failed", "the name or the password is wrong");
}

function personOf({ name, role }: EnabledUser): Person {
  return { name, role, configurations: null };
}
