import type { Resource } from "../lib/resource.ts";
import type { DiffMode } from "../skills/diff-table.tsx";
import type { RawFiles } from "../skills/raw.tsx";
import { Button, Notice } from "../ui/parts.tsx";
import { EntryDelta, EntryHead, EntryTabs, type TabId, Tampering } from "./entry.tsx";
import { FactStrip } from "./facts.tsx";
import type { Shown } from "./shown.ts";

interface MainProps {
  readonly shown: Shown;
  readonly tab: TabId;
  readonly mode: DiffMode;
  readonly raw: Resource<RawFiles>;
  readonly hasSide: boolean;
  readonly onTab: (tab: TabId) => void;
  readonly onMode: () => void;
}

/** The middle: what changes for whoever uses it first, then all there is to read. */
export function Main({ shown, tab, mode, raw, hasSide, onTab, onMode }: MainProps) {
  const { view } = shown;
  if (view === undefined)
    return shown.problem === undefined ? (
      <div class="loading" role="status">
        Loading…
      </div>
    ) : null;
  return (
    <>
      <ChangeNotice shown={shown} />
      <Tampering view={view} />
      <EntryHead view={view} />
      <EntryDelta view={view} />
      {!hasSide && <FactStrip view={view} />}
      <div class="review-views">
        <EntryTabs view={view} tab={tab} mode={mode} raw={raw} onTab={onTab} onMode={onMode} />
      </div>
    </>
  );
}

/** RV-5: nobody decides on bytes that they have not been told of. */
function ChangeNotice({ shown: { change, accept } }: { readonly shown: Shown }) {
  if (change === "none") return null;
  const text =
    change === "moved"
      ? "It changed since you opened it. What stands here is not what its source holds now."
      : "It changed meanwhile: nothing was decided. This is what it is now.";
  return (
    <Notice tone="warn">
      <div class="row">
        <span>{text}</span>
        <Button shortcut="c" onClick={accept}>
          {change === "moved" ? "Show what it is now" : "I see that it changed"}
        </Button>
      </div>
    </Notice>
  );
}
