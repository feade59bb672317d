/**
 * What travels over `/api`, by its name: answers of flows as they are, and what only this door has. Pages of the web
 * import these types and nothing else of `src`; the schemas beside each route are held to them.
 */

export type { AddReport } from "../../features/sources/add.ts";
export type { CleanReport } from "../../features/review/schema.ts";
export type { AttachedTo, AttachedView } from "../../features/configurations/attach.ts";
export type { Subject } from "../../features/overview/schema.ts";
export type { AuditPage } from "../../features/audit/schema.ts";
export type { Blocked } from "../../features/review/schema.ts";
export type { RemovedDemonstration } from "../../features/overview/schema.ts";
export type { Check } from "../../features/health/doctor/check.ts";
export type { Diagnosis } from "../../features/health/doctor/doctor.ts";
export type { EntryLine, RevisionView } from "../../features/skills/schema.ts";
export type { EvaluationLine, EvaluationPage, EvaluationView } from "../../features/evaluation/flow.ts";
export type { LiveEvent } from "../../features/sources/sync.ts";
export type { Overview } from "../../features/overview/schema.ts";
export type { CompositionPreview } from "../../features/requests/preview.ts";
export type { ProvenanceView } from "../../features/skills/schema.ts";
export type { PublishedLine, PublishedView } from "../../features/publishing/flow.ts";
export type { Queue, WaitingLine } from "../../features/review/schema.ts";
export type { ReachView } from "../../features/configurations/attach.ts";
export type { ReviewView, Said } from "../../features/review/schema.ts";
export type { Saying } from "../../features/review/flow.ts";
export type { RevisionLine, SkillDiff } from "../../features/skills/schema.ts";
export type { RouteView } from "../../features/routing/route-query.ts";
export type { ExplainedCall } from "../../features/scopes/scope-view.ts";
export type { ScopeView } from "../../features/scopes/scope-view.ts";
export type { SkillText } from "../../features/skills/schema.ts";
export type { Skills, SkillView } from "../../features/skills/schema.ts";
export type { SourceLine, SourceView } from "../../features/sources/flow.ts";
export type { SyncFailure, SyncReport } from "../../features/sources/sync.ts";
export type { TriggerList } from "../../features/routing/triggers.ts";
export type { UsageDay, UsageView } from "../../features/usage/schema.ts";
export type { VerificationReport } from "../../features/audit/schema.ts";
export type { Whereabouts } from "../../features/audit/schema.ts";
export type { Finding, Level } from "../../core/finding.ts";
export type { Source } from "../../sources/schema.ts";
export type { Trust, UsualTrust } from "../../sources/trust.ts";
export type { ApiKey } from "../../registry/accounts/api-keys.ts";
export type { Right, Role } from "../../registry/accounts/roles.ts";
export type { User } from "../../registry/accounts/users.ts";
export type { AuditRecord } from "../../registry/audit/audit.ts";
export type { BlockWord, Decision } from "../../registry/ledger/decision.ts";
export type { InjectionRecord } from "../../registry/usage/injection.ts";
export type { State } from "../../registry/state.ts";
export type { SyncResult } from "../../registry/sync/sync.ts";
export type { UsageEvent } from "../../registry/usage/usage.ts";
export type { BundleDiff, Delta, DiffLine, FieldChange, FileDiff, Hunk } from "../../diff/diff.ts";
export type { Piece, VisibleFile } from "../../diff/visible.ts";
export type { Composition } from "../../compose/composition.ts";
export type { Attached } from "../../models/attachments.ts";
export type { Configuration } from "../../models/configuration.ts";
export type { Provider } from "../../models/provider.ts";
export type { ChangedProvider } from "../../models/providers.ts";
export type { Task } from "../../models/task.ts";
export type { RoutingReport } from "../../routing/evaluation/report.ts";
export type { AddedKey, AddedUser, SessionView } from "../../features/people/schema.ts";
