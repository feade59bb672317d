import type { App } from "../../app/app.ts";
import { createPassword } from "../../registry/accounts/password.ts";
import { apiKey, type User } from "../../registry/schema.ts";
import type { ApiRoutes } from "../http/api-routes.ts";
import { userFlow } from "./flow-user.ts";
import { addApiKey, listApiKeys, revokeApiKey } from "./flow.ts";
import * as schemas from "./schema.ts";

/** RV-12: users and API keys, for admins. */
export function mountAccounts(routes: ApiRoutes): void {
  mountUsers(routes);
  mountKeys(routes);
}

function mountUsers(routes: ApiRoutes): void {
  routes.get({ path: "/api/users", summary: "Every user.", answer: schemas.users }, ({ app }) => userFlow.list(app));
  routes.post(
    { path: "/api/users", summary: "Add a user.", asked: schemas.userAsked, answer: schemas.addedUser },
    async ({ app }, { name, role, password }) =>
      withPassword(await userFlow.add(app, { name, role }, async () => chosenOrMade(app, password))),
  );
  routes.patch(
    {
      path: "/api/users/{id}",
      summary: "Change the role, the password or the state of a user.",
      asked: schemas.userChange,
      answer: schemas.addedUser,
    },
    async ({ app, id }, { role, password: chosen, state }) => {
      if (chosen !== undefined)
        return withPassword(await userFlow.reset(app, id, async () => chosenOrMade(app, chosen)));
      if (role !== undefined) return { ...(await userFlow.setRole(app, id, role)), password: null };
      const change = state === "enabled" ? userFlow.enable : userFlow.disable;
      return { ...(await change(app, id)), password: null };
    },
  );
  routes.delete(
    { path: "/api/users/{id}", summary: "Remove a user and revoke their keys.", answer: schemas.removed },
    async ({ app, id }) => {
      await userFlow.remove(app, id);
      return { removed: id };
    },
  );
}

interface PasswordChoice {
  readonly password: string;
  /** Null: somebody chose the password. One that was made is shown this one time. */
  readonly made: string | null;
}

function chosenOrMade({ accounts }: App, chosen: string | null): PasswordChoice {
  if (chosen !== null) return { password: chosen, made: null };
  const made = createPassword(accounts.random);
  return { password: made, made };
}

function withPassword({ user, chosen }: { user: User; chosen: PasswordChoice }): schemas.AddedUser {
  return { ...user, password: chosen.made };
}

function mountKeys(routes: ApiRoutes): void {
  routes.get({ path: "/api/keys", summary: "Every API key, without its text.", answer: schemas.apiKeys }, ({ app }) =>
    listApiKeys(app),
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
