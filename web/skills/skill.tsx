import type { SkillView } from "#contract";
import { segment } from "../lib/api.ts";
import { bytes, counted } from "../lib/format.ts";
import { useAtLeast } from "../lib/media.ts";
import { type Resource, useResource } from "../lib/resource.ts";
import { place, setQuery, to } from "../lib/router.ts";
import { may } from "../lib/session.ts";
import { DecisionsView } from "./decisions.tsx";
import { WholeDigest } from "./digest.tsx";
import { FilesView, RawView, useRaw, RenderedView } from "./raw.tsx";
import { type Found, liftedOn } from "./findings.ts";
import { Grants, Reach } from "./header-view.tsx";
import { PathIn, ProofList, ProvenanceFacts } from "./provenance.tsx";
import { RevisionsView } from "./revisions.tsx";
import { Targets, WhereView } from "./where.tsx";
import { Card, Facts, Loaded, Notice } from "../ui/parts.tsx";
import { Shell } from "../ui/shell.tsx";
import { Tabs } from "../ui/tabs.tsx";
import { Toast } from "../ui/toast.tsx";
import { Visible } from "../ui/visible.tsx";
import { FindingsTag, StateTag } from "../ui/words.tsx";
import { SkillActs } from "./acts.tsx";
import { Blocks } from "../review/blocks.tsx";
import { Publishing } from "../publishing/publishing.tsx";
import { Triggers } from "../routing/triggers.tsx";

/** One skill: what is in use of it, where it comes from, who let it in, where it is used. */
export function SkillPage({ entry }: { readonly entry: string }) {
  const skill = useResource<SkillView>(`/api/skills/${segment(entry)}`);
  return (
    <Shell title="Skill" about={skill.data?.name ?? entry}>
      <Loaded of={skill}>{(view) => <OneSkill view={view} resource={skill} />}</Loaded>
      <Toast />
    </Shell>
  );
}

function OneSkill({ view, resource }: { readonly view: SkillView; readonly resource: Resource<SkillView> }) {
  return (
    <>
      <Noticed view={view} />
      <Head view={view} resource={resource} />
      <Blocks view={view} onLifted={resource.reload} />
      <div class="split">
        <SkillTabs view={view} />
        <Side view={view} />
      </div>
    </>
  );
}

function Noticed({ view: { noticed, revision } }: { readonly view: SkillView }) {
  const told = [...revision.tampering, ...noticed];
  if (told.length === 0) return null;
  return (
    <Notice tone="bad">
      <strong>Noticed</strong>
      <ul>
        {told.map(({ code, message }) => (
          <li class="wrap">
            <code>{code}</code> <Visible text={message} />
          </li>
        ))}
      </ul>
    </Notice>
  );
}

function Head({ view, resource }: { readonly view: SkillView; readonly resource: Resource<SkillView> }) {
  const waits = view.inUse !== view.current && view.state !== "orphaned";
  return (
    <div class="page-head">
      <div class="head-text">
        <p class="crumb wrap">
          <a href={to("sources", view.source)}>
            <Visible text={view.source} />
          </a>{" "}
          / <PathIn path={view.provenance.path} />
        </p>
        <h2 class="wrap">
          <Visible text={view.name} /> <StateTag state={view.state} reason={view.reason} />
        </h2>
        <p class="mute wrap">
          <Visible text={view.revision.description} />
        </p>
        {waits && (
          <p class="sentence">
            <Visible text={view.reason} />. <a href={to("review", view.entry)}>Review what is current</a>
          </p>
        )}
      </div>
      {may("review") && <SkillActs view={view} onDone={resource.reload} />}
    </div>
  );
}

const tabs = [
  { id: "rendered", title: "Rendered" },
  { id: "raw", title: "Raw" },
  { id: "files", title: "Files" },
  { id: "provenance", title: "Provenance" },
  { id: "revisions", title: "Revisions" },
  { id: "decisions", title: "Decisions" },
  { id: "where", title: "Used" },
] as const;

function SkillTabs({ view }: { readonly view: SkillView }) {
  const { revision, decisions, entry } = view;
  const wanted = place.value.query.get("tab");
  const tab = tabs.find(({ id }) => id === wanted)?.id ?? "rendered";
  const raw = useRaw(entry, tab === "raw" || tab === "rendered" ? revision.digest : null);
  const found: Found = {
    findings: revision.findings,
    reasons: view.reasons,
    lifted: liftedOn(decisions, revision.digest),
  };
  const mode = useAtLeast(1200) ? "side" : "unified";
  return (
    <div>
      <Tabs label="Views" tabs={tabs} selected={tab} onSelect={(id) => setQuery("tab", id)}>
        <div class="tab-body">
          {tab === "rendered" && <RenderedView raw={raw} />}
          {tab === "raw" && <RawView raw={raw} found={found} />}
          {tab === "files" && <FilesView revision={revision} />}
          {tab === "provenance" && <ProvenanceCard view={view} />}
          {tab === "revisions" && <RevisionsView entry={entry} mode={mode} />}
          {tab === "decisions" && <DecisionsView decisions={decisions} />}
          {tab === "where" && <WhereView digest={revision.digest} />}
        </div>
      </Tabs>
    </div>
  );
}

function ProvenanceCard({ view: { provenance } }: { readonly view: SkillView }) {
  return (
    <Card title="Where it comes from, and what of it was proven">
      <div class="card-body stack">
        <ProvenanceFacts provenance={provenance} />
        <ProofList provenance={provenance} />
      </div>
    </Card>
  );
}

function Side({ view }: { readonly view: SkillView }) {
  const { revision } = view;
  const size = revision.files.reduce((sum, file) => sum + file.size, 0);
  return (
    <div class="stack-wide">
      <Card title={view.inUse === null ? "What is current, not in use" : "What is in use"}>
        <div class="card-body stack">
          <WholeDigest of={revision.digest} />
          <Facts
            of={[
              ["Trust", view.trust?.replace("_", " ") ?? "its source is gone"],
              ["Size", `${bytes(size)} in ${counted(revision.files.length, "file")}`],
              ["Kind", revision.kind ?? "not said"],
              ["Strict", revision.strict ? "yes" : "no"],
              ["Findings", <FindingsTag findings={view.findings} />],
              ["Pre-approved", <Grants grants={view.granted} />],
              ["Reaches for", <Reach revision={revision} />],
            ]}
          />
        </div>
      </Card>
      <Card title="Attached to">
        <div class="card-body stack">
          <Targets of={view.attachedTo} />
          <p class="mute small">
            It is put on and taken off at each <a href="#/configurations">configuration</a> and{" "}
            <a href="#/tasks">task</a>.
          </p>
        </div>
      </Card>
      <Triggers entry={view.entry} />
      <Publishing entry={view.entry} />
    </div>
  );
}
