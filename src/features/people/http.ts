import { addApiKey, revokeApiKey } from "./flow.ts";
import type { App } from "../../app/app.ts";
import { listKeys } from "../../registry/accounts/api-keys.ts";
import { createPassword } from "../../registry/accounts/password.ts";
import {
  addUser,
  disableUser,
  enableUser,
  listUsers,
  removeUser,
  resetPassword,
  setRole,
  type User,
} from "../../registry/accounts/users.ts";
import { apiKey } from "../../registry/schema.ts";
import type { ApiRoutes } from "../http/api-routes.ts";
import * as schemas from "./schema.ts";

/** RV-12: users and API keys, for admins. */
export function mountAccounts(routes: ApiRoutes): void {
  mountUsers(routes);
  mountKeys(routes);
}

function mountUsers(routes: ApiRoutes): void {
  routes.get({ path: "/api/users", summary: "Every user.", answer: schemas.users }, ({ app, person }) =>
    listUsers(app.accounts, person),
  );
  routes.post(
    { path: "/api/users", summary: "Add a user.", asked: schemas.userAsked, answer: schemas.addedUser },
    async ({ app, person }, { name, role, password: chosen }) => {
      const { accounts } = app;
      return withPassword(accounts, chosen, (password) => addUser(accounts, person, { name, role, password }));
    },
  );
  routes.patch(
    {
      path: "/api/users/{id}",
      summary: "Change the role, the password or the state of a user.",
      asked: schemas.userChange,
      answer: schemas.addedUser,
    },
    async ({ app, person, id }, { role, password: chosen, state }) => {
      const { accounts } = app;
      if (chosen !== undefined)
        return withPassword(accounts, chosen, (password) => resetPassword(accounts, person, id, password));
      if (role !== undefined) return { ...(await setRole(accounts, person, id, role)), password: null };
      const change = state === "enabled" ? enableUser : disableUser;
      return { ...(await change(accounts, person, id)), password: null };
    },
  );
  routes.delete(
    { path: "/api/users/{id}", summary: "Remove a user and revoke their keys.", answer: schemas.removed },
    async ({ app, person, id }) => {
      await removeUser(app.accounts, person, id);
      return { removed: id };
    },
  );
}

/** With the password that was chosen, or with one that is made and shown this one time. */
async function withPassword(
  { random }: App["accounts"],
  chosen: string | null,
  act: (password: string) => Promise<User>,
): Promise<schemas.AddedUser> {
  const made = chosen === null ? createPassword(random) : null;
  return { ...(await act(chosen ?? made ?? "")), password: made };
}

function mountKeys(routes: ApiRoutes): void {
  routes.get(
    { path: "/api/keys", summary: "Every API key, without its text.", answer: schemas.apiKeys },
    ({ app, person }) => listKeys(app.accounts, person),
  );
  routes.post(
    {
      path: "/api/keys",
      summary: "Make an API key; its text is in this answer and nowhere else.",
      asked: schemas.keyAsked,
      answer: schemas.addedKey,
    },
    async ({ app }, asked) => {
      const { record, text } = await addApiKey(app, asked);
      return { ...record, key: text };
    },
  );
  routes.delete({ path: "/api/keys/{id}", summary: "Revoke an API key.", answer: apiKey }, ({ app, id }) =>
    revokeApiKey(app, id),
  );
}
