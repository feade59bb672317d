import { z } from "zod";
import { count, digest, finding, moment, texts } from "../core/schema.ts";
import { child } from "../sources/schema.ts";
import { trusts } from "../sources/trust.ts";
import { blockKinds, decisionWords } from "./ledger/decision.ts";
import { states } from "./state.ts";

/** What the registry keeps, as the API describes it. Start-up loads none of it: rows of the store have readers of their own. */

export const state = z.enum(states);

/** What every signed statement has: its place in the chain, who said it, when and why. */
const statement = {
  seq: count,
  // The digest of the statement before, so that none can be taken out unnoticed.
  prev: z.string(),
  by: z.string(),
  at: moment,
  note: z.string(),
};

/** A person's word on one digest (RV-3). */
export const decision = z
  .object({
    ...statement,
    word: z.enum(decisionWords),
    entry: z.string(),
    repositoryId: z.number().nullable(),
    commit: z.string().nullable(),
    digest,
    // Another digest than the one decided on: a rollback to a kept revision (RV-1).
    current: digest.describe("What was current when it was decided."),
    trust: z.enum(trusts),
    // The tools whose pre-approval this word grants, and the codes of the findings that it lifts on this digest only.
    grants: texts,
    overrides: texts,
  })
  .meta({ id: "Decision" });

export type Decision = Readonly<z.infer<typeof decision>>;

export const blockKind = z.enum(blockKinds);

/** A word on everything that fits a target, whatever source or node it is on (RV-9). */
export const blockWord = z
  .object({ ...statement, word: z.enum(["block", "unblock"]), kind: blockKind, value: z.string() })
  .meta({ id: "BlockWord" });

export type BlockWord = Readonly<z.infer<typeof blockWord>>;

/** One link of the chain. `prev` of the first one is the store's own beginning. */
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
  .meta({ id: "AuditRecord" });

export type AuditRecord = Readonly<z.infer<typeof auditRecord>>;

/** A user as an admin sees them. Of a tampered one, everything is what somebody wrote: show it through `safeLine`. */
export const user = z
  .object({
    name: z.string(),
    role: z.string(),
    createdAt: moment,
    disabledAt: moment.nullable(),
    state: z.enum(["enabled", "disabled", "tampered"]),
  })
  .meta({ id: "User" });

export type User = Readonly<z.infer<typeof user>>;

/** A key as an admin sees it. Of a tampered one, everything is what somebody wrote: show it through `safeLine`. */
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
  .meta({ id: "ApiKey" });

export type ApiKey = Readonly<z.infer<typeof apiKey>>;

/** What a sync did (IN-23). */
export const syncResult = z
  .object({
    source: z.string(),
    status: z.enum(["ok", "partial"]),
    created: count,
    updated: count,
    unchanged: count,
    disabledOnChange: count,
    held: count,
    orphaned: count,
    blocked: count,
    // Entries whose kept bytes were scanned again, because an earlier version of the scanner had looked at them.
    rescanned: count,
    requests: count,
    bytes: count,
    // Until when the service allows no more requests, where that stopped it (IN-11).
    limitedUntil: moment.nullable(),
    findings: z.array(finding).readonly(),
    // The commit the source is pinned to; null for a folder.
    pin: z.string().nullable(),
    // What became of each plugin of a marketplace; null for other kinds.
    children: z.array(child).readonly().nullable(),
  })
  .meta({ id: "SyncResult" });

export type SyncResult = Readonly<z.infer<typeof syncResult>>;

/** What one request was given, and what was kept from it (CO-7, CO-16). No word of a prompt is in it. */
export const injectionRecord = z
  .object({
    // `inj_` and 24 hex digits.
    id: z.string(),
    at: moment,
    // The id of the request that it was for, and who asked.
    request: z.string(),
    by: z.string(),
    // What was asked: `chat`, `responses`, `completions`, `messages`, `complete`, `translate`, `task` …
    operation: z.string(),
    configuration: z.string(),
    task: z.string().nullable(),
    model: z.string(),
    generation: count,
    // Of the composition.
    digest: z.string(),
    bytes: count,
    included: z
      .array(
        z.object({
          entry: z.string(),
          digest: z.string(),
          name: z.string(),
          via: z.string(),
          place: z.string(),
          bytes: count,
        }),
      )
      .readonly(),
    dropped: z
      .array(z.object({ entry: z.string(), digest: z.string().nullable(), via: z.string(), why: z.string() }))
      .readonly(),
    findings: z.array(finding).readonly(),
  })
  .meta({ id: "Injection" });

export type InjectionRecord = Readonly<z.infer<typeof injectionRecord>>;
