/**
 * What travels over `/api`, by its name: answers of flows as they are, and what only this door has. Pages of the web
 * import these types and nothing else of `src`; the schemas beside each route are held to them.
 */

export type {
  Blocked,
  CleanReport,
  Queue,
  ReviewView,
  Said,
  Saying,
  WaitingLine,
} from "../../features/review/schema.ts";
export type { ReachView } from "../../features/configurations/attach.ts";
export type { Overview, RemovedDemonstration, Subject } from "../../features/overview/schema.ts";
export type { AuditPage, VerificationReport, Whereabouts } from "../../features/audit/schema.ts";
export type {
  EntryLine,
  ProvenanceView,
  RevisionLine,
  RevisionView,
  SkillDiff,
  SkillText,
  SkillView,
  Skills,
} from "../../features/skills/schema.ts";
export type { RouteView } from "../../features/routing/route-query.ts";
export type { UsageDay, UsageView } from "../../features/usage/schema.ts";
export type { Finding, Level } from "../../core/finding.ts";
export type { Source } from "../../sources/schema.ts";
export type { Trust, UsualTrust } from "../../sources/trust.ts";
export type { Right, Role } from "../../registry/accounts/roles.ts";
export type { State } from "../../registry/state.ts";
export type { UsageEvent } from "../../registry/usage/usage.ts";
export type { BundleDiff, Delta, DiffLine, FieldChange, FileDiff, Hunk } from "../../diff/diff.ts";
export type { Piece, VisibleFile } from "../../diff/visible.ts";
export type { Composition } from "../../compose/composition.ts";
export type { RoutingReport } from "../../routing/evaluation/report.ts";
export type { AddedKey, AddedUser, SessionView } from "../../features/people/schema.ts";
export type { EvaluationPage, EvaluationView } from "../../features/evaluation/schema.ts";
export type { TriggerList } from "../../features/routing/schema.ts";
export type { AttachedTo, AttachedView } from "../../features/configurations/schema-attached.ts";
export type { PublishedLine, PublishedView } from "../../features/publishing/schema.ts";
export type { ExplainedCall, ScopeView } from "../../features/scopes/schema.ts";
export type { Check, Diagnosis } from "../../features/health/schema.ts";
export type { CompositionPreview } from "../../features/requests/schema.ts";
export type {
  ApiKey,
  AuditRecord,
  BlockWord,
  Decision,
  InjectionRecord,
  SyncResult,
  User,
} from "../../registry/schema.ts";
export type {
  AddReport,
  LiveEvent,
  SourceLine,
  SourceView,
  BrokenSync,
  SyncReport,
} from "../../features/sources/schema.ts";
export type { Attached, ChangedProvider, Configuration, Provider, Task } from "../../models/schema.ts";
export type { EvaluationLine } from "../../routing/schema.ts";
