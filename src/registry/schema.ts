import { z } from "zod";
import { count, digest, moment, texts } from "../core/schema.ts";
import { trusts } from "../sources/trust.ts";
import type { ApiKey } from "./accounts/api-keys.ts";
import type { User } from "./accounts/users.ts";
import type { AuditRecord } from "./audit/audit.ts";
import { blockKinds, type BlockWord, type Decision } from "./ledger/decision.ts";
import { states } from "./state.ts";

/** What the registry keeps, as the API describes it. Start-up loads none of it: rows of the store have readers of their own. */

export const state = z.enum(states);

/** What every signed statement has. */
const statement = {
  seq: count,
  prev: z.string(),
  by: z.string(),
  at: moment,
  note: z.string(),
};

export const decision = z
  .object({
    ...statement,
    word: z.enum(["approve", "reject", "disable", "override"]),
    entry: z.string(),
    repositoryId: z.number().nullable(),
    commit: z.string().nullable(),
    digest,
    current: digest.describe("What was current when it was decided."),
    trust: z.enum(trusts),
    grants: texts,
    overrides: texts,
  })
  .meta({ id: "Decision" }) satisfies z.ZodType<Decision>;

export const blockKind = z.enum(blockKinds);

export const blockWord = z
  .object({ ...statement, word: z.enum(["block", "unblock"]), kind: blockKind, value: z.string() })
  .meta({ id: "BlockWord" }) satisfies z.ZodType<BlockWord>;

export const auditRecord = z
  .object({
    seq: count,
    at: moment,
    by: z.string(),
    act: z.string(),
    subject: z.string(),
    details: z.string().describe("Canonical JSON: what is hashed is what is stored."),
    prev: z.string(),
    hash: z.string(),
  })
  .meta({ id: "AuditRecord" }) satisfies z.ZodType<AuditRecord>;

/** Of a row that somebody wrote by hand, everything is what they wrote. */
export const user = z
  .object({
    name: z.string(),
    role: z.string(),
    createdAt: moment,
    disabledAt: moment.nullable(),
    state: z.enum(["enabled", "disabled", "tampered"]),
  })
  .meta({ id: "User" }) satisfies z.ZodType<User>;

export const apiKey = z
  .object({
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
  })
  .meta({ id: "ApiKey" }) satisfies z.ZodType<ApiKey>;
