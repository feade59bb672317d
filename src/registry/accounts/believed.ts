import type { AccountsContext, Reads } from "./accounts.ts";
import type { KeyRecord, UserRecord } from "./port.ts";
import { isIntactKey, isIntactUser } from "./seal.ts";

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
