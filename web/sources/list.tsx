import { useState } from "preact/hooks";
import type { SourceLine, SyncReport } from "#contract";
import { ask } from "../lib/api.ts";
import { counted } from "../lib/format.ts";
import { useAction, useResource } from "../lib/resource.ts";
import { to, place } from "../lib/router.ts";
import { may } from "../lib/session.ts";
import { Icon } from "../ui/icon.tsx";
import { Button, Card, Empty, Loaded, ProblemNotice } from "../ui/parts.tsx";
import { Shell } from "../ui/shell.tsx";
import { tellDone, Toast } from "../ui/toast.tsx";
import { Visible } from "../ui/visible.tsx";
import { AddDialog } from "./add.tsx";
import { States, SyncState } from "./sync-state.tsx";
import { Table } from "../ui/table.tsx";
import { SourcePage } from "./source.tsx";

function SourceList() {
  const sources = useResource<readonly SourceLine[]>("/api/sources");
  const [isAdding, setAdding] = useState(false);
  const syncing = useAction(async () => {
    const { results, waiting } = await ask<SyncReport>("POST", "/api/sync");
    sources.reload();
    const failed = results.filter(({ status }) => status === "error").length;
    const bad = failed === 0 ? "" : `, ${counted(failed, "of them failed", "of them failed")}`;
    tellDone(
      `${counted(results.length, "source")} synced${bad}; ${counted(waiting, "skill waits", "skills wait")} for review.`,
    );
  });
  const add = (
    <Button kind="primary" onClick={() => setAdding(true)}>
      <Icon name="plus" /> Add a source
    </Button>
  );
  return (
    <Shell
      title="Sources"
      keys={may("administer") ? [{ key: "+", about: "add a source", act: () => setAdding(true) }] : []}
    >
      <Loaded of={sources}>
        {(all) => (
          <>
            <div class="page-head">
              <div class="head-text">
                <h2>Where skills come from</h2>
                <p class="mute">
                  A repository is read at a fixed commit, a folder as it is when it is synced. What they bring waits for
                  review.
                </p>
              </div>
              {may("administer") && (
                <div class="tools">
                  {all.length > 0 && (
                    <Button disabled={syncing.isRunning} onClick={() => void syncing.run()}>
                      <Icon name="sync" /> {syncing.isRunning ? "Syncing…" : "Sync all"}
                    </Button>
                  )}
                  {add}
                </div>
              )}
            </div>
            <ProblemNotice problem={syncing.problem} />
            {all.length === 0 ? (
              <Card>
                <Empty title="There is no source yet">
                  <p>A repository, a marketplace or a folder with skills.</p>
                  {may("administer") && add}
                </Empty>
              </Card>
            ) : (
              <SourceTable sources={all} />
            )}
          </>
        )}
      </Loaded>
      {isAdding && <AddDialog onClose={() => setAdding(false)} />}
      <Toast />
    </Shell>
  );
}

function SourceTable({ sources }: { readonly sources: readonly SourceLine[] }) {
  return (
    <Card>
      <Table label="Sources" columns={["Source", "Kind", "Trust", "Skills", "Last sync"]}>
        {sources.map(({ source, states }) => (
          <tr key={source.id}>
            <td class="wrap">
              <a href={to("sources", source.id)}>
                <Visible text={source.title} />
              </a>
              <span class="block mute small">
                <Visible text={source.url} />
              </span>
            </td>
            <td>{source.kind}</td>
            <td>{source.trust.replace("_", " ")}</td>
            <td>
              <States states={states} />
            </td>
            <td>
              <SyncState source={source} />
              {source.status === "error" && source.error !== null && (
                <span class="block small bad-text wrap">
                  <Visible text={source.error} />
                </span>
              )}
            </td>
          </tr>
        ))}
      </Table>
    </Card>
  );
}

export function SourcesPage() {
  const [id] = place.value.parts;
  return id === undefined ? <SourceList /> : <SourcePage key={id} id={id} />;
}
