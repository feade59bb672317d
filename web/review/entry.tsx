import type { ReviewView } from "#contract";
import type { Resource } from "../lib/resource.ts";
import { to } from "../lib/router.ts";
import { DeltaCard } from "../skills/delta.tsx";
import { DiffView } from "../skills/diff.tsx";
import type { DiffMode } from "../skills/diff-table.tsx";
import { FilesView, type RawFiles, RawView, RenderedView } from "../skills/raw.tsx";
import { type Found, liftedOn } from "../skills/findings.ts";
import { HeaderView } from "../skills/header-view.tsx";
import { PathIn } from "../skills/provenance.tsx";
import { RevisionsView } from "../skills/revisions.tsx";
import { WhereView } from "../skills/where.tsx";
import { Button, Empty, Notice } from "../ui/parts.tsx";
import { type Tab, Tabs } from "../ui/tabs.tsx";
import { Visible } from "../ui/visible.tsx";
import { FactStrip } from "./facts.tsx";
import type { Shown } from "./shown.ts";

export type TabId = "changes" | "raw" | "rendered" | "files" | "header" | "revisions" | "where";

/** A new entry opens as raw text, a change as a diff (RV-4). */
export function firstTab({ diff }: ReviewView): TabId {
  return diff.from === null ? "raw" : "changes";
}

function numbered(title: string, number: number) {
  return (
    <>
      {title} <span class="faint">{number}</span>
    </>
  );
}

export function tabsOf({ revision, diff }: ReviewView): readonly (Tab & { readonly id: TabId })[] {
  return [
    ...(diff.from === null ? [] : [{ id: "changes" as const, title: numbered("Changes", diff.files.length) }]),
    { id: "raw", title: "Raw" },
    { id: "rendered", title: "Rendered" },
    { id: "files", title: numbered("Files", revision.files.length) },
    { id: "header", title: "Front-matter" },
    { id: "revisions", title: "Revisions" },
    { id: "where", title: "Used by" },
  ];
}

/** Name, way and description of what is before a person. */
function EntryHead({ view }: { readonly view: ReviewView }) {
  const { source, provenance, revision, diff, decisions } = view;
  const before = decisions.findLast(({ word, digest }) => word === "approve" && digest === diff.from?.digest)?.commit;
  return (
    <header>
      <p class="crumb wrap">
        <a href={to("sources", source)}>
          <Visible text={source} />
        </a>
        {" / "}
        <PathIn path={provenance.path} />
        {provenance.commit !== null && (
          <>
            {" · "}
            {before !== undefined && before !== null && before !== provenance.commit && (
              <>
                <code>{before.slice(0, 7)}</code> →{" "}
              </>
            )}
            <code>{provenance.commit.slice(0, 7)}</code>
          </>
        )}
      </p>
      <h2 class="wrap" data-entry={view.entry}>
        <a class="plain-link" href={to("skills", view.entry)}>
          <Visible text={view.name} />
        </a>
      </h2>
      <p class="mute wrap">
        <Visible text={revision.description} />
      </p>
    </header>
  );
}

/** What comes before everything else: what follows is then not what came in. */
function Tampering({ view: { revision, diff } }: { readonly view: ReviewView }) {
  const all = [...revision.tampering, ...diff.tampering];
  const told = [...new Map(all.map((finding) => [`${finding.at.file} ${finding.message}`, finding])).values()];
  if (told.length === 0) return null;
  return (
    <Notice tone="bad">
      <strong>Changed by hand: not what came in</strong>
      <ul>
        {told.map(({ at, message }) => (
          <li class="wrap">
            <Visible text={`${at.file}: ${message}`} />
          </li>
        ))}
      </ul>
    </Notice>
  );
}

interface EntryTabsProps {
  readonly view: ReviewView;
  readonly tab: TabId;
  readonly mode: DiffMode;
  readonly raw: Resource<RawFiles>;
  readonly onTab: (tab: TabId) => void;
  readonly onMode: () => void;
}

function EntryTabs({ view, tab, mode, raw, onTab, onMode }: EntryTabsProps) {
  const { revision, reasons, decisions } = view;
  const found: Found = { findings: revision.findings, reasons, lifted: liftedOn(decisions, revision.digest) };
  return (
    <Tabs label="Views" tabs={tabsOf(view)} selected={tab} onSelect={(id) => onTab(id as TabId)}>
      <div class="tab-body">
        {tab === "changes" && (
          <>
            <div class="mode">
              <Button kind="quiet" shortcut="d" onClick={onMode}>
                {mode === "side" ? "Unified" : "Side by side"}
              </Button>
            </div>
            <DiffView diff={view.diff} found={found} mode={mode} />
          </>
        )}
        {tab === "raw" && <RawView raw={raw} found={found} />}
        {tab === "rendered" && <RenderedView raw={raw} />}
        {tab === "files" && <FilesView revision={revision} />}
        {tab === "header" && <HeaderView frontmatter={view.frontmatter} revision={revision} />}
        {tab === "revisions" && <RevisionsView entry={view.entry} mode={mode} />}
        {tab === "where" && <UsedBy view={view} />}
      </div>
    </Tabs>
  );
}

/** Of what it would take the place of. */
function UsedBy({ view: { diff, revision } }: { readonly view: ReviewView }) {
  if (diff.from === null) return <Empty title="Nothing of it was ever approved, so nothing uses it" />;
  return <WhereView digest={diff.from.is === "in use" ? diff.from.digest : revision.digest} />;
}

function EntryDelta({ view: { diff } }: { readonly view: ReviewView }) {
  return (
    <DeltaCard
      title={diff.from === null ? "What it brings to whoever uses it" : "What changes for whoever uses it"}
      delta={diff.delta}
    />
  );
}

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
