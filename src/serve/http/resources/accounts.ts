import { addApiKey, revokeApiKey } from "../../../app/api-keys.ts";
import type { App } from "../../../app/app.ts";
import { listKeys } from "../../../registry/accounts/api-keys.ts";
import { createPassword } from "../../../registry/accounts/password.ts";
import {
  addUser,
  disableUser,
  enableUser,
  listUsers,
  removeUser,
  resetPassword,
  setRole,
  type User,
} from "../../../registry/accounts/users.ts";
import type { Api } from "../api.ts";
import type { AddedUser } from "../contract.ts";
import type { Operations } from "../operations.ts";
import * as schemas from "../schemas/accounts.ts";

/** RV-12: users and API keys, for admins. */
export function mountAccounts(operations: Operations, api: Api): void {
  mountUsers(operations, api);
  mountKeys(operations, api);
}

function mountUsers(operations: Operations, api: Api): void {
  operations.get({ path: "/api/users", summary: "Every user.", answer: schemas.users }, ({ person }) =>
    listUsers(api.as(person).accounts, person),
  );
  operations.post(
    { path: "/api/users", summary: "Add a user.", asked: schemas.userAsked, answer: schemas.addedUser },
    async ({ person }, { name, role, password: chosen }) => {
      const { accounts } = api.as(person);
      return withPassword(accounts, chosen, (password) => addUser(accounts, person, { name, role, password }));
    },
  );
  operations.patch(
    {
      path: "/api/users/{id}",
      summary: "Change the role, the password or the state of a user.",
      asked: schemas.userChange,
      answer: schemas.addedUser,
    },
    async ({ person, id }, { role, password: chosen, state }) => {
      const { accounts } = api.as(person);
      if (chosen !== undefined)
        return withPassword(accounts, chosen, (password) => resetPassword(accounts, person, id, password));
      if (role !== undefined) return { ...(await setRole(accounts, person, id, role)), password: null };
      const change = state === "enabled" ? enableUser : disableUser;
      return { ...(await change(accounts, person, id)), password: null };
    },
  );
  operations.delete(
    { path: "/api/users/{id}", summary: "Remove a user and revoke their keys.", answer: schemas.removed },
    async ({ person, id }) => {
      await removeUser(api.as(person).accounts, person, id);
      return { removed: id };
    },
  );
}

/** With the password that was chosen, or with one that is made and shown this one time. */
async function withPassword(
  { random }: App["accounts"],
  chosen: string | null,
  act: (password: string) => Promise<User>,
): Promise<AddedUser> {
  const made = chosen === null ? createPassword(random) : null;
  return { ...(await act(chosen ?? made ?? "")), password: made };
}

function mountKeys(operations: Operations, api: Api): void {
  operations.get(
    { path: "/api/keys", summary: "Every API key, without its text.", answer: schemas.apiKeys },
    ({ person }) => listKeys(api.as(person).accounts, person),
  );
  operations.post(
    {
      path: "/api/keys",
      summary: "Make an API key; its text is in this answer and nowhere else.",
      asked: schemas.keyAsked,
      answer: schemas.addedKey,
    },
    async ({ person }, asked) => {
      const { record, text } = await addApiKey(api.as(person), asked);
      return { ...record, key: text };
    },
  );
  operations.delete(
    { path: "/api/keys/{id}", summary: "Revoke an API key.", answer: schemas.apiKey },
    ({ person, id }) => revokeApiKey(api.as(person), id),
  );
}
