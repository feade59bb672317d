/**
 * What travels over `/api`, by its name: answers of flows as they are, and what only this door has. Pages of the web
 * import these types and nothing else of `src`; the schemas beside each route are held to them.
 */
import type { ApiKey } from "../../registry/accounts/api-keys.ts";
import type { Right, Role } from "../../registry/accounts/roles.ts";
import type { User } from "../../registry/accounts/users.ts";

export type { AddReport } from "../../app/add-source.ts";
export type { CleanReport } from "../../app/approve-clean.ts";
export type { AttachedTo, AttachedView } from "../../app/attach.ts";
export type { Subject } from "../../app/attention.ts";
export type { AuditPage } from "../../app/audit.ts";
export type { Blocked } from "../../app/blocks.ts";
export type { RemovedDemonstration } from "../../app/demonstration.ts";
export type { Check } from "../../app/doctor/check.ts";
export type { Diagnosis } from "../../app/doctor/doctor.ts";
export type { EntryLine, RevisionView } from "../../app/entry-view.ts";
export type { EvaluationLine, EvaluationPage, EvaluationView } from "../../app/evaluations.ts";
export type { LiveEvent } from "../../app/live.ts";
export type { Overview } from "../../app/overview.ts";
export type { CompositionPreview } from "../../app/preview.ts";
export type { ProvenanceView } from "../../app/provenance-view.ts";
export type { PublishedLine, PublishedView } from "../../app/published.ts";
export type { Queue, WaitingLine } from "../../app/queue.ts";
export type { ReachView } from "../../app/reach.ts";
export type { ReviewView, Said, Saying } from "../../app/reviews.ts";
export type { RevisionLine, SkillDiff } from "../../app/revisions.ts";
export type { RouteView } from "../../app/route/route-query.ts";
export type { ExplainedCall } from "../../app/scope/explain-call.ts";
export type { ScopeView } from "../../app/scope/scope-view.ts";
export type { SkillText } from "../../app/skill-text.ts";
export type { Skills, SkillView } from "../../app/skills.ts";
export type { SourceLine, SourceView } from "../../app/sources.ts";
export type { SyncFailure, SyncReport } from "../../app/syncs.ts";
export type { TriggerList } from "../../app/triggers.ts";
export type { UsageDay, UsageView } from "../../app/usage-view.ts";
export type { VerificationReport } from "../../app/verification.ts";
export type { Whereabouts } from "../../app/where.ts";
export type { Finding, Level } from "../../base/finding.ts";
export type { Source } from "../../ingest/source/source.ts";
export type { Trust, UsualTrust } from "../../ingest/source/trust.ts";
export type { ApiKey } from "../../registry/accounts/api-keys.ts";
export type { Right, Role } from "../../registry/accounts/roles.ts";
export type { User } from "../../registry/accounts/users.ts";
export type { AuditRecord } from "../../registry/audit.ts";
export type { BlockWord, Decision } from "../../registry/decision.ts";
export type { InjectionRecord } from "../../registry/injection.ts";
export type { State } from "../../registry/state.ts";
export type { SyncResult } from "../../registry/sync/sync.ts";
export type { UsageEvent } from "../../registry/usage.ts";
export type { BundleDiff, Delta, DiffLine, FieldChange, FileDiff, Hunk } from "../../review/diff/diff.ts";
export type { Piece, VisibleFile } from "../../review/visible.ts";
export type { Composition } from "../../use/compose/composition.ts";
export type { Attached } from "../../use/llm/attachments.ts";
export type { Configuration } from "../../use/llm/configuration.ts";
export type { Provider } from "../../use/llm/provider.ts";
export type { ChangedProvider } from "../../use/llm/providers.ts";
export type { Task } from "../../use/llm/task.ts";
export type { RoutingReport } from "../../use/route/evaluation/report.ts";

/** POST /api/users and PATCH /api/users/{id}: with the password that was made for them, this one time. */
export interface AddedUser extends User {
  readonly password: string | null;
}

/** POST /api/keys: with the text of the key, this one time. */
export interface AddedKey extends ApiKey {
  readonly key: string;
}

/** GET /api/session: who is signed in, and how one could be. Anybody may ask. */
export interface SessionView {
  /** Null: nobody is. */
  readonly person: { readonly name: string; readonly role: Role; readonly rights: readonly Right[] } | null;
  /** To be sent as `x-skillward-token` with every write of this session (T37); null: nobody is signed in. */
  readonly token: string | null;
  /** No user has been made yet: the link that the server printed makes the first one (RV-12). */
  readonly isFirst: boolean;
  /** The ways to sign in that are switched on (SV-11). */
  readonly ways: { readonly password: boolean; readonly oidc: { readonly title: string } | null };
  readonly version: string;
}
