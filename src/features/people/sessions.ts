import type { AccountsContext } from "../../registry/accounts/port.ts";
import { addFirstAdmin } from "../../registry/accounts/first-admin.ts";
import type { Person } from "../../registry/accounts/roles.ts";
import {
  closeSession,
  type FoundSession,
  lookAtSession,
  openSession,
  openWithPassword,
  touchSession,
  type Way,
} from "../../registry/accounts/sessions.ts";
import { changeOwnPassword, hasActiveAdmin, type NewUser } from "../../registry/accounts/users.ts";

/** Being signed in, for doors that browsers come through. A secret is what the browser holds, and is kept nowhere else. */
export interface Sessions {
  find(secret: string): Promise<FoundSession | undefined>;
  /** The same without its being used by that: it ends as if nobody had looked. */
  look(secret: string): Promise<FoundSession | undefined>;
  /** The secret of a new session; `auth.failed` alike for everybody who may not. */
  signIn(name: string, password: string): Promise<string>;
  /** The same for a user whom the caller knows already. */
  open(user: string, way: Way): Promise<string>;
  close(secret: string): Promise<void>;
  /** All their sessions end with the password. */
  changePassword(person: Person, passwords: { readonly current: string; readonly chosen: string }): Promise<void>;
  /** Whether there is no admin yet (RV-12). */
  isFirst(): Promise<boolean>;
  /** Makes the first admin with the token of the link, and signs them in. */
  addFirst(token: string, wanted: Omit<NewUser, "role">): Promise<string>;
}

export function createSessions(accounts: AccountsContext, store: string): Sessions {
  let hasAdmin = false;
  const touching = new Set<string>();
  /** Nobody waits for the writer to read something. Where nothing can be written the session ends earlier. */
  const touchSoon = (secret: string) => {
    if (touching.has(secret)) return;
    touching.add(secret);
    void touchSession(accounts, secret)
      .catch(() => {})
      .finally(() => touching.delete(secret));
  };
  return {
    async find(secret) {
      const found = await lookAtSession(accounts, secret);
      if (found?.isDue === true) touchSoon(secret);
      return found;
    },
    look: (secret) => lookAtSession(accounts, secret),
    signIn: (name, password) => openWithPassword(accounts, name, password),
    open: (user, way) => openSession(accounts, user, way),
    close: (secret) => closeSession(accounts, secret),
    async changePassword(person, passwords) {
      await changeOwnPassword(accounts, person, passwords);
    },
    async isFirst() {
      // The last admin cannot leave: once there is one, nobody who asks costs a look at all users any more.
      hasAdmin ||= await hasActiveAdmin(accounts, accounts.kept.read);
      return !hasAdmin;
    },
    async addFirst(token, wanted) {
      const { name } = await addFirstAdmin({ ...accounts, store }, token, wanted);
      return openSession(accounts, name, "password");
    },
  };
}
