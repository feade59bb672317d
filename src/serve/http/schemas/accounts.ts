import { z } from "@hono/zod-openapi";
import { roles } from "../../../registry/accounts/roles.ts";
import type { AddedKey, AddedUser, ApiKey, User } from "../contract.ts";
import { finding } from "../schemas.ts";
import { moment } from "./registry.ts";
import { password } from "./session.ts";

const name = z.string().min(1).max(64).describe("Lowercase letters, digits, dots, hyphens and underscores.");
const role = z.enum(roles);

/** Of a row that somebody wrote by hand, everything is what they wrote. */
const userFields = {
  name: z.string(),
  role: z.string(),
  createdAt: moment,
  disabledAt: moment.nullable(),
  state: z.enum(["enabled", "disabled", "tampered"]),
};

const user = z.object(userFields).openapi("User") satisfies z.ZodType<User>;

export const addedUser = z
  .object({
    ...userFields,
    password: z.string().nullable().describe("The one that was made, this one time; null: somebody chose one."),
  })
  .openapi("AddedUser") satisfies z.ZodType<AddedUser>;

export const users = z.object({ users: z.array(user).readonly(), findings: z.array(finding).readonly() });

const chosen = password.nullable().describe("Null: one is made, and is in the answer, this one time.");

export const userAsked = z.strictObject({ name, role, password: chosen });

export const userChange = z
  .strictObject({
    role: role.optional(),
    password: chosen.optional(),
    state: z.enum(["enabled", "disabled"]).optional(),
  })
  .refine((change) => Object.values(change).filter((value) => value !== undefined).length === 1, {
    message: "name one of role, password and state",
  });

export const removed = z.object({ removed: z.string() });

const keyFields = {
  id: z.string(),
  name: z.string(),
  role: z.string(),
  user: z.string().nullable().describe("Whose key it is; null: it stands for itself."),
  configurations: z
    .array(z.string())
    .readonly()
    .nullable()
    .describe("What it is limited to; null: it is good for all."),
  createdAt: moment,
  revokedAt: moment.nullable(),
  state: z.enum(["active", "revoked", "tampered"]),
};

export const apiKey = z.object(keyFields).openapi("ApiKey") satisfies z.ZodType<ApiKey>;

export const addedKey = z
  .object({ ...keyFields, key: z.string().describe("Its text: shown this one time, and kept nowhere.") })
  .openapi("AddedKey") satisfies z.ZodType<AddedKey>;

export const apiKeys = z.object({ keys: z.array(apiKey).readonly(), findings: z.array(finding).readonly() });

export const keyAsked = z.strictObject({
  name,
  role,
  user: z.string().max(64).nullable().optional(),
  configurations: z.array(z.string().min(1).max(128)).max(256).nullable().optional(),
});
