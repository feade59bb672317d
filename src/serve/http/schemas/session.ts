import { z } from "@hono/zod-openapi";
import { roles } from "../../../registry/accounts/roles.ts";
import type { SessionView } from "../contract.ts";

const text = (most: number) =>
  z
    .string()
    .max(most)
    .refine((value) => value.isWellFormed(), "must be valid Unicode");

/** Bounded here, so that whoever guesses cannot make us remember much; what a name may be says the account itself. */
const name = text(64).describe("The name of a user.");
export const password = text(2048).describe("12 to 1024 characters.");

export const signInAsked = z.strictObject({ name, password });

export const firstAsked = z.strictObject({
  token: text(256).describe("What stands behind `#/first/` in the link that the server printed."),
  name,
  password,
});

export const passwordAsked = z.strictObject({ current: password, next: password });

export const sessionView = z
  .object({
    person: z
      .object({
        name: z.string(),
        role: z.enum(roles),
        rights: z.array(z.enum(["read", "operate", "review", "administer"])).readonly(),
      })
      .nullable()
      .describe("Null: nobody is signed in."),
    token: z.string().nullable().describe("To be sent as `x-skillward-token` with every write of this session."),
    isFirst: z.boolean().describe("There is no admin yet: the link that the server printed makes the first one."),
    ways: z.object({ password: z.boolean(), oidc: z.object({ title: z.string() }).nullable() }),
    version: z.string(),
  })
  .openapi("Session") satisfies z.ZodType<SessionView>;
