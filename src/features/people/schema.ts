import { z } from "@hono/zod-openapi";
import { roles } from "../../registry/accounts/roles.ts";
import { apiKey, user } from "../../registry/schema.ts";
import { finding } from "../../core/schema.ts";

const role = z.enum(roles);

const text = (most: number) =>
  z
    .string()
    .max(most)
    .refine((value) => value.isWellFormed(), "must be valid Unicode");

/** Bounded here, so that whoever guesses cannot make us remember much; what a name may be says the account itself. */
const signInName = text(64).describe("The name of a user.");
const password = text(2048).describe("12 to 1024 characters.");

export const signInAsked = z.strictObject({ name: signInName, password });

export const firstAsked = z.strictObject({
  token: text(256).describe("What stands behind `#/first/` in the link that the server printed."),
  name: signInName,
  password,
});

export const passwordAsked = z.strictObject({ current: password, next: password });

/** Who is signed in, and how one could be. Anybody may ask. */
export const sessionView = z
  .object({
    person: z
      .object({
        name: z.string(),
        role,
        rights: z.array(z.enum(["read", "operate", "review", "administer"])).readonly(),
      })
      .nullable()
      .describe("Null: nobody is signed in."),
    // T37
    token: z.string().nullable().describe("To be sent as `x-skillward-token` with every write of this session."),
    // RV-12
    isFirst: z.boolean().describe("There is no admin yet: the link that the server printed makes the first one."),
    // SV-11
    ways: z.object({ password: z.boolean(), oidc: z.object({ title: z.string() }).nullable() }),
    version: z.string(),
  })
  .openapi("Session");

export type SessionView = z.infer<typeof sessionView>;

const name = z.string().min(1).max(64).describe("Lowercase letters, digits, dots, hyphens and underscores.");

export const addedUser = z
  .object({
    ...user.shape,
    password: z.string().nullable().describe("The one that was made, this one time; null: somebody chose one."),
  })
  .openapi("AddedUser");

export type AddedUser = z.infer<typeof addedUser>;

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

export const addedKey = z
  .object({ ...apiKey.shape, key: z.string().describe("Its text: shown this one time, and kept nowhere.") })
  .openapi("AddedKey");

export type AddedKey = z.infer<typeof addedKey>;

export const apiKeys = z.object({ keys: z.array(apiKey).readonly(), findings: z.array(finding).readonly() });

export const keyAsked = z.strictObject({
  name,
  role,
  user: z.string().max(64).nullable().optional(),
  configurations: z.array(z.string().min(1).max(128)).max(256).nullable().optional(),
});
