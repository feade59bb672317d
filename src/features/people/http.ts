import { addApiKey, revokeApiKey } from "./flow.ts";
import type { App } from "../../app/app.ts";
import { listKeys } from "../../registry/accounts/api-keys.ts";
import { requireRight } from "../../registry/accounts/permit.ts";
import { createPassword } from "../../registry/accounts/password.ts";
import {
  addUser,
  disableUser,
  enableUser,
  listUsers,
  removeUser,
  resetPassword,
  setRole,
} from "../../registry/accounts/users.ts";
import { apiKey, type User } from "../../registry/schema.ts";
import type { ApiRoutes } from "../http/api-routes.ts";
import * as schemas from "./schema.ts";

/** RV-12: users and API keys, for admins. */
export function mountAccounts(routes: ApiRoutes): void {
  mountUsers(routes);
  mountKeys(routes);
}

function mountUsers(routes: ApiRoutes): void {
  routes.get({ path: "/api/users", summary: "Every user.", answer: schemas.users }, ({ app }) =>
    listUsers(app.accounts, requireRight(app, "administer")),
  );
  routes.post(
    { path: "/api/users", summary: "Add a user.", asked: schemas.userAsked, answer: schemas.addedUser },
    async ({ app }, { name, role, password: chosen }) => {
      const { accounts } = app;
      const permit = requireRight(app, "administer");
      return withPassword(accounts, chosen, (password) => addUser(accounts, permit, { name, role, password }));
    },
  );
  routes.patch(
    {
      path: "/api/users/{id}",
      summary: "Change the role, the password or the state of a user.",
      asked: schemas.userChange,
      answer: schemas.addedUser,
    },
    async ({ app, id }, { role, password: chosen, state }) => {
      const { accounts } = app;
      const permit = requireRight(app, "administer");
      if (chosen !== undefined)
        return withPassword(accounts, chosen, (password) => resetPassword(accounts, permit, id, password));
      if (role !== undefined) return { ...(await setRole(accounts, permit, id, role)), password: null };
      const change = state === "enabled" ? enableUser : disableUser;
      return { ...(await change(accounts, permit, id)), password: null };
    },
  );
  routes.delete(
    { path: "/api/users/{id}", summary: "Remove a user and revoke their keys.", answer: schemas.removed },
    async ({ app, id }) => {
      await removeUser(app.accounts, requireRight(app, "administer"), id);
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
  routes.get({ path: "/api/keys", summary: "Every API key, without its text.", answer: schemas.apiKeys }, ({ app }) =>
    listKeys(app.accounts, requireRight(app, "administer")),
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
