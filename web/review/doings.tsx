import type { KeyBinding } from "../lib/keys.ts";
import { Button } from "../ui/parts.tsx";
import { Visible } from "../ui/visible.tsx";
import type { Queue, ReviewView } from "#contract";
import { go, to } from "../lib/router.ts";
import { canDisable, canOverride, type Word } from "./deciding.ts";
import { firstTab, type TabId, tabsOf } from "./entry.tsx";
import { beside } from "./groups.ts";
import type { Asking } from "./saying.tsx";
import type { Shown } from "./shown.ts";

/** One thing that can be done with the entry on the screen, by its key and by its button. */
export interface Doing extends KeyBinding {
  readonly title: string;
  /** Why it cannot be done now; undefined: it can. */
  readonly why?: string | undefined;
  readonly kind?: "primary" | "danger" | "quiet";
  /** Only by its key, without a button. */
  readonly isKeyOnly?: boolean;
}

interface FootProps {
  readonly doings: readonly Doing[];
  readonly message: string | undefined;
  /** Whose word it has, where it takes more than one. */
  readonly approvals: string | undefined;
}

/** The bar at the bottom: what can be done, and why what cannot be done now cannot. */
export function Foot({ doings, message, approvals }: FootProps) {
  const keys = doings.filter(({ isKeyOnly }) => isKeyOnly === true);
  const buttons = doings.filter(({ isKeyOnly }) => isKeyOnly !== true);
  return (
    <footer class="review-foot" aria-label="Decide">
      <ul class="foot-keys" aria-label="Keys">
        {keys.map(({ key, title }) => (
          <li>
            <kbd>{key}</kbd> {title}
          </li>
        ))}
      </ul>
      {(message ?? approvals) !== undefined && (
        <span class="foot-why">
          {approvals !== undefined && (
            <strong>
              <Visible text={approvals} />
            </strong>
          )}
          {message !== undefined && (
            <span>
              <Visible text={message} />
            </span>
          )}
        </span>
      )}
      <div class="foot-buttons">
        {buttons.map(({ key, title, why, kind, act }) => (
          <Button
            key={key}
            {...(kind === undefined ? {} : { kind })}
            shortcut={key}
            disabled={why !== undefined}
            title={why}
            onClick={act}
          >
            {title}
          </Button>
        ))}
      </div>
    </footer>
  );
}

interface Looking {
  readonly entry: string;
  readonly queue: Queue;
  readonly shown: Shown;
  readonly tab: TabId;
  readonly setTab: (tab: TabId) => void;
  readonly toggleMode: () => void;
  readonly goToFinding: () => void;
}

function byKey(key: string, title: string, about: string, act: () => void): Doing {
  return { key, title, about, act, isKeyOnly: true };
}

/** What moves about and changes nothing. */
export function lookingOf({ entry, queue, shown, tab, setTab, toggleMode, goToFinding }: Looking): readonly Doing[] {
  const { view } = shown;
  const step = (by: 1 | -1) => {
    const next = beside(queue, entry, by);
    if (next !== undefined) go(to("review", next));
  };
  const nextFinding = () => {
    if (view === undefined || view.revision.findings.length === 0) return;
    if (tab !== "changes" && tab !== "raw") setTab(firstTab(view));
    goToFinding();
  };
  const nextView = () => {
    const ids = view === undefined ? [] : tabsOf(view).map(({ id }) => id);
    const next = ids[(ids.indexOf(tab) + 1) % ids.length];
    if (next !== undefined) setTab(next);
  };
  return [
    byKey("j", "next", "the next one that waits", () => step(1)),
    byKey("k", "previous", "the one before", () => step(-1)),
    byKey("n", "finding", "the next finding", nextFinding),
    byKey("v", "view", "the next view: changes, raw, rendered …", nextView),
    byKey("d", "diff", "changes beside each other, or one below the other", toggleMode),
    ...(shown.change === "none" ? [] : [byKey("c", "seen", "look at what it is now", shown.accept)]),
  ];
}

interface Deciding {
  readonly view: ReviewView;
  /** Why it cannot be approved now. */
  readonly why: string | undefined;
  readonly ask: (asking: Asking) => void;
  readonly say: (word: Word) => void;
}

/** What a person who may decide can say; each only where it means something. */
export function decidingOf({ view, why, ask, say }: Deciding): readonly Doing[] {
  const notTheirs = view.refusals.decide ?? undefined;
  const disable: Doing = {
    key: "x",
    title: "Disable",
    about: "take it out of use",
    kind: "quiet",
    why: notTheirs,
    act: () => ask("disable"),
  };
  const override: Doing = {
    key: "o",
    title: "Override",
    about: "override findings, with a reason",
    why: notTheirs,
    act: () => ask("override"),
  };
  const withoutTools: Doing = {
    key: "u",
    title: "Approve without tools",
    about: "approve it, but none of the tools it asks for",
    why,
    act: () => say({ act: "approve", withoutGrants: true }),
  };
  return [
    ...(canDisable(view) ? [disable] : []),
    {
      key: "r",
      title: "Reject",
      about: "reject these bytes, with a note",
      kind: "danger",
      why: notTheirs,
      act: () => ask("reject"),
    },
    ...(canOverride(view) ? [override] : []),
    ...(view.revision.grants.length > 0 ? [withoutTools] : []),
    {
      key: "a",
      title: "Approve this digest",
      about: "approve exactly what is shown",
      kind: "primary",
      why,
      act: () => say({ act: "approve" }),
    },
  ];
}
