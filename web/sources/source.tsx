import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { Source, SourceLine, SourceView, SyncReport } from "#contract";
import { ask, segment, withQuery } from "../lib/api.ts";
import { time } from "../lib/format.ts";
import { syncs } from "../lib/live.ts";
import { type Resource, useAction, useResource } from "../lib/resource.ts";
import { go } from "../lib/router.ts";
import { may } from "../lib/session.ts";
import { Confirm } from "../ui/dialog.tsx";
import { Icon } from "../ui/icon.tsx";
import { Button, Card, Facts, Loaded, Notice, ProblemNotice } from "../ui/parts.tsx";
import { Shell } from "../ui/shell.tsx";
import { tellDone, Toast } from "../ui/toast.tsx";
import { Visible } from "../ui/visible.tsx";
import { Outcome, States, SyncState, tellOfSync } from "./sync-state.tsx";
import { Plugins } from "./plugins.tsx";
import { SettingsForm } from "./settings-form.tsx";
import { intervalTitle } from "./fields.tsx";

/** One source: what it is, how it is read, what became of its skills. */
export function SourcePage({ id }: { readonly id: string }) {
  const source = useResource<SourceView>(`/api/sources/${segment(id)}`);
  const news = syncs.value.get(id);
  const ended = news?.is === "synced" ? news : undefined;
  useEffect(() => {
    if (ended !== undefined) source.reload();
  }, [ended]);
  return (
    <Shell title="Source" about={id}>
      <Loaded of={source}>
        {(view) => (
          <OneSource view={view} resource={source}>
            {ended !== undefined && <Outcome result={ended.result} />}
          </OneSource>
        )}
      </Loaded>
      <Toast />
    </Shell>
  );
}

interface OneSourceProps {
  readonly view: SourceView;
  readonly resource: Resource<SourceView>;
  /** What the latest sync did. */
  readonly children: ComponentChildren;
}

function OneSource({ view, resource, children }: OneSourceProps) {
  const { source, states } = view;
  const syncing = useAction(async (repair: boolean) => {
    const path = withQuery(`/api/sources/${segment(source.id)}/sync`, repair ? { repair: "true" } : {});
    const { results } = await ask<SyncReport>("POST", path);
    resource.reload();
    tellDone(tellOfSync(results[0]));
  });
  return (
    <>
      <div class="page-head">
        <div>
          <h2 class="wrap">
            <Visible text={source.title} />
          </h2>
          <p class="mute wrap">
            <Visible text={source.url} />
          </p>
        </div>
        {may("administer") && (
          <div class="tools">
            <Button
              disabled={syncing.isRunning || !source.enabled}
              title={source.enabled ? undefined : "It is switched off"}
              onClick={() => void syncing.run(false)}
            >
              <Icon name="sync" /> {syncing.isRunning ? "Syncing…" : "Sync now"}
            </Button>
            <Button
              disabled={syncing.isRunning || !source.enabled}
              title="Writes every revision again, also those that are kept already"
              onClick={() => void syncing.run(true)}
            >
              Repair
            </Button>
            <Remove source={source} states={states} />
          </div>
        )}
      </div>
      <ProblemNotice problem={syncing.problem} />
      {source.status === "error" && source.error !== null && syncing.problem === undefined && (
        <Notice tone="bad">
          <Visible text={source.error} />
        </Notice>
      )}
      <div class="grid">
        <Card title="What is known of it">
          <div class="card-body">
            <Facts of={factsOf(source)} />
          </div>
        </Card>
        <Card title="Its skills" tools={<a href={withQuery("#/skills", { source: source.id })}>Show them</a>}>
          <div class="card-body">
            <States states={states} />
          </div>
        </Card>
      </div>
      {children}
      <Plugins {...view} />
      {may("administer") && <SettingsForm source={source} onSaved={resource.put} />}
    </>
  );
}

function factsOf(source: Source): Parameters<typeof Facts>[0]["of"] {
  const { remote } = source;
  return [
    ["Id", <code>{source.id}</code>],
    ["Kind", source.kind],
    ["Last sync", <SyncState source={source} />],
    ["Syncs", intervalTitle(source.interval)],
    ...(source.dueAt === null ? [] : [["Next", time(source.dueAt)] as const]),
    ["Trust", source.trust.replace("_", " ")],
    ...(source.ref === null ? [] : [["Ref", <Visible text={source.ref} />] as const]),
    ...(source.pin === null ? [] : [["Pinned to", <code class="wrap">{source.pin}</code>] as const]),
    ...(remote?.proof
      ? [
          [
            "Commit",
            remote.proof.commit === "hashed" ? "its own bytes have its id" : "the service's word alone",
          ] as const,
          ["Reachable", <Visible text={remote.proof.reachable ?? "from no branch or tag that is known"} />] as const,
        ]
      : []),
    ...(source.repositoryId === null ? [] : [["Repository id", String(source.repositoryId)] as const]),
    ["Token", source.tokenRef === null ? "none" : "set; it is never shown"],
    ...(source.include === null ? [] : [["Includes", <Visible text={source.include.join(", ")} />] as const]),
    ["Added by", <Visible text={source.addedBy} />],
  ];
}

function Remove({ source: { id }, states }: SourceLine) {
  const [isAsking, setAsking] = useState(false);
  const used = (states.enabled ?? 0) + (states.held ?? 0);
  const removing = useAction(async () => {
    const { orphaned } = await ask<{ orphaned: number }>("DELETE", `/api/sources/${segment(id)}`);
    tellDone(`${id} was removed; ${orphaned} of its skills went out of use.`);
    go("#/sources");
  });
  return (
    <>
      <Button kind="danger" onClick={() => setAsking(true)}>
        Remove
      </Button>
      {isAsking && (
        <Confirm
          title={`Remove ${id}`}
          action="Remove the source"
          running={removing}
          onAct={() => void removing.run()}
          onClose={() => setAsking(false)}
        >
          {used === 0
            ? "None of its skills is in use now."
            : `${used} of its skills are in use now: they go out of use at once, on every node.`}{" "}
          The revisions and the words on them are kept: added again, it is what it was.
        </Confirm>
      )}
    </>
  );
}
