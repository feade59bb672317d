import type { Opened } from "./desk.ts";
import { type Draft, type Plan, type ReviewState, type State, stay, type Step, tell } from "./state.ts";
import { plural } from "../wording.ts";
import { blockingIn, openIn } from "./words.ts";

const nothing: Draft = { overrides: [], reason: "" };

/** `a`: what stands in the way is said at once, the rest is asked. */
export function beginApproval(state: State, review: ReviewState): Step {
  const why = whyNotApprovable(review);
  if (why !== undefined) return tell(state, `cannot approve ${review.view.name}: ${why}`, "fault");
  const codes = openIn(review.view);
  if (codes.length > 0) return stay({ ...state, ask: { kind: "blocked", codes } });
  return askForGrants(state, review, nothing);
}

/** The desk refuses these too; nobody should be led through questions for that. */
function whyNotApprovable({ view, raw, tab }: ReviewState): string | undefined {
  if (tab === "raw" && (raw === "unread" || raw === "reading")) return "its files are still being read";
  if (view.revision.tampering.length > 0) return "its bytes were changed by hand";
  if (!view.revision.loadable) return "it cannot be loaded; f shows why";
  if (view.state === "orphaned") return "it is not in its source any more";
  return view.state === "enabled" ? "it is enabled already" : undefined;
}

/** Tools are pre-approved only when a person says so. */
export function askForGrants(state: State, { view }: ReviewState, draft: Draft): Step {
  if (view.revision.grants.length > 0) return stay({ ...state, ask: { kind: "grants", draft } });
  return stay({ ...state, ask: { kind: "confirm", plan: approvalOf(view, draft, false) } });
}

export function approvalOf(view: Opened, { overrides, reason }: Draft, withoutGrants: boolean): Plan {
  const { grants, digest } = view.revision;
  const tools = withoutGrants
    ? "without pre-approving its tools"
    : `pre-approving ${plural(grants.length, "tool")}: ${grants.join(", ")}`;
  return {
    ...about(view),
    saying: { act: "approve", digest, withoutGrants, overrides, reason },
    details: [...(grants.length === 0 ? [] : [tools]), ...overrideDetails({ overrides, reason })],
  };
}

/** `o`: which ones, why, and then what. */
export function beginOverride(state: State, { view }: ReviewState): Step {
  const codes = blockingIn(view);
  if (codes.length === 0) return tell(state, `nothing in ${view.name} blocks it`);
  return stay({ ...state, ask: { kind: "codes", codes, cursor: 0, picked: [] } });
}

export function overrideOf(view: Opened, draft: Draft): Plan {
  return {
    ...about(view),
    saying: { act: "override", digest: view.revision.digest, ...draft },
    details: overrideDetails(draft),
  };
}

export function rejectionOf(view: Opened, note: string): Plan {
  return {
    ...about(view),
    saying: { act: "reject", digest: view.revision.digest, note },
    details: note === "" ? [] : [`because: ${note}`],
  };
}

function about({ entry, name }: Opened): Pick<Plan, "entry" | "name"> {
  return { entry, name };
}

function overrideDetails({ overrides, reason }: Draft): string[] {
  return overrides.length === 0 ? [] : [`overriding ${overrides.join(", ")}`, `because: ${reason}`];
}
