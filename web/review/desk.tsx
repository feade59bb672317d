import type { ComponentChildren, RefObject } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { Queue, ReviewView } from "#contract";
import { useKeys } from "../lib/keys.ts";
import { useAtLeast } from "../lib/media.ts";
import { may } from "../lib/session.ts";
import type { DiffMode } from "../skills/diff-table.tsx";
import { useRaw } from "../skills/raw.tsx";
import { ProblemNotice } from "../ui/parts.tsx";
import { approvalsLine, whyNotApprovable, whyNotYet } from "./deciding.ts";
import { NoteDialog, OverrideDialog } from "./dialogs.tsx";
import { decidingOf, lookingOf, Foot } from "./doings.tsx";
import { firstTab, type TabId, Main } from "./entry.tsx";
import { FactList } from "./facts.tsx";
import { Noticed } from "./queue.tsx";
import { useSaying } from "./saying.tsx";
import { useShown } from "./shown.ts";

interface DeskProps {
  readonly entry: string;
  readonly queue: Queue;
  readonly onSettled: (entry: string, digest: string) => void;
  /** What waits, to choose from. */
  readonly children: ComponentChildren;
}

/** One entry before a person: what it is, all around it, and what can be done. */
export function Desk({ entry, queue, onSettled, children }: DeskProps) {
  const shown = useShown(entry);
  const { view, change } = shown;
  const main = useRef<HTMLDivElement>(null);
  const { tab, setTab, raw, isRead } = useTab(entry, view);
  const { mode, toggleMode } = useMode();
  const hasSide = useAtLeast(1480);
  const goToFinding = useNextFinding(main, raw.data, tab);
  const { asking, ask, isAsking, saying, say } = useSaying({ shown, queue, onSettled });
  useEffect(() => {
    main.current?.scrollTo(0, 0);
    window.scrollTo(0, 0);
  }, [entry, view?.revision.digest]);

  const why = whyNotYet(shown, isRead);
  const doings = [
    ...lookingOf({ entry, queue, shown, tab, setTab, toggleMode, goToFinding }),
    ...(view === undefined || !may("review") ? [] : decidingOf({ view, why, ask, say })),
  ];
  useKeys(
    doings.map((doing) => ({
      ...doing,
      act: () => {
        if (doing.why === undefined && !isAsking.current) doing.act();
      },
    })),
  );

  // A text can be long: it is laid out again only when something of it changed.
  const body = useMemo(
    () => <Main shown={shown} tab={tab} mode={mode} raw={raw} onTab={setTab} onMode={toggleMode} hasSide={hasSide} />,
    [view, change, shown.problem, tab, mode, raw.data, raw.problem, hasSide],
  );
  const dialog = { saying, onSay: say, onClose: () => ask(null) };
  return (
    <div class={hasSide ? "review has-side" : "review"}>
      {children}
      <div class="review-main" ref={main} tabIndex={0} role="region" aria-label="What is reviewed">
        <Noticed noticed={queue.noticed} />
        <ProblemNotice problem={shown.problem} />
        {asking === null && <ProblemNotice problem={saying.problem} />}
        {body}
      </div>
      {hasSide && (
        <div class="review-side" tabIndex={0} role="region" aria-label="Facts">
          {view !== undefined && <FactList view={view} />}
        </div>
      )}
      <Foot
        doings={doings}
        message={may("review") ? whyNotApprovable(shown) : (view?.refusals.decide ?? undefined)}
        approvals={view && approvalsLine(view.approvals)}
      />
      {view !== undefined && asking === "override" && <OverrideDialog view={view} {...dialog} />}
      {view !== undefined && (asking === "reject" || asking === "disable") && (
        <NoteDialog act={asking} view={view} {...dialog} />
      )}
    </div>
  );
}

/** Which view of the entry is open, and its files once one of them needs them. */
function useTab(entry: string, view: ReviewView | undefined) {
  const [chosen, setChosen] = useState<{ readonly entry: string; readonly tab: TabId } | null>(null);
  const tab = chosen?.entry === entry ? chosen.tab : view === undefined ? "changes" : firstTab(view);
  const needsRaw = tab === "raw" || tab === "rendered";
  const raw = useRaw(entry, needsRaw && view !== undefined ? view.revision.digest : null);
  return {
    tab,
    raw,
    setTab: (next: TabId) => setChosen({ entry, tab: next }),
    isRead: !needsRaw || raw.data !== undefined,
  };
}

function useMode() {
  const [chosen, setChosen] = useState<DiffMode | null>(null);
  const usual: DiffMode = useAtLeast(1200) ? "side" : "unified";
  const mode = chosen ?? usual;
  return { mode, toggleMode: () => setChosen(mode === "side" ? "unified" : "side") };
}

/** Goes from finding to finding, the first after the last; waits for a view that is still being read. */
function useNextFinding(inside: RefObject<HTMLElement | null>, ...shown: readonly unknown[]): () => void {
  const isWanted = useRef(false);
  const look = () => {
    const notes = [...(inside.current?.querySelectorAll<HTMLElement>("[data-finding]") ?? [])];
    const at = notes.findIndex((note) => note === document.activeElement);
    const next = notes[(at + 1) % Math.max(1, notes.length)];
    if (next === undefined) return;
    isWanted.current = false;
    next.focus({ preventScroll: true });
    next.scrollIntoView({ block: "center" });
  };
  useEffect(() => {
    if (isWanted.current) look();
  }, shown);
  return () => {
    isWanted.current = true;
    look();
  };
}
