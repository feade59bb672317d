import type { Source, SourceLine, SyncReport, BrokenSync, SyncResult } from "#contract";
import { count, counted, bytes } from "../lib/format.ts";
import { syncs } from "../lib/live.ts";
import { Tag, type Tone, Card, Facts } from "../ui/parts.tsx";
import { Ago, StateTag } from "../ui/words.tsx";
import { nothingFound } from "../skills/findings.ts";
import { FindingNotes } from "../skills/finding-note.tsx";

const tones: Readonly<Record<Source["status"], Tone>> = {
  never: "plain",
  syncing: "accent",
  ok: "ok",
  partial: "warn",
  error: "bad",
};

/** How the latest sync of a source went, or how far it has come while it runs (IN-23). */
export function SyncState({ source }: { readonly source: Source }) {
  const news = syncs.value.get(source.id);
  if (news?.is === "sync") return <Progress of={news.progress} />;
  if (!source.enabled) return <Tag>switched off</Tag>;
  return (
    <span class="row">
      <Tag tone={tones[source.status]}>{source.status}</Tag>
      {source.syncedAt !== null && (
        <span class="mute small">
          <Ago at={source.syncedAt} />
        </span>
      )}
    </span>
  );
}

type Progressed = Extract<NonNullable<ReturnType<typeof syncs.value.get>>, { is: "sync" }>["progress"];

function Progress({ of }: { readonly of: Progressed }) {
  const [done, total] = [of?.done ?? 0, of?.total ?? 0];
  return (
    <span class="sync-progress" role="status">
      <progress
        max={Math.max(1, total)}
        value={total === 0 ? undefined : done}
        aria-label="How far the sync has come"
      />
      <span class="mute small">
        {of === null ? "begins" : `${count(done)} of ${count(total)} ${of.of}`}
        {of !== null && of.left !== null && `, ${count(of.left)} requests left`}
      </span>
    </span>
  );
}

/** How many skills of a source are in which state. */
export function States({ states }: { readonly states: SourceLine["states"] }) {
  const entries = Object.entries(states) as [keyof typeof states, number][];
  if (entries.length === 0) return <span class="mute">none</span>;
  return (
    <span class="row">
      {entries.map(([state, number]) => (
        <span key={state} class="nowrap">
          {number} <StateTag state={state} />
        </span>
      ))}
    </span>
  );
}

/** What a sync did, in one line. */
export function tellOfSync(result: SyncReport["results"][number] | undefined): string {
  if (result === undefined) return "Nothing was synced.";
  if (result.status === "error") return result.error.message;
  const parts = (
    [
      [result.created, "new"],
      [result.updated, "changed"],
      [result.orphaned, "gone"],
      [result.blocked, "blocked"],
    ] as const
  ).flatMap(([number, word]) => (number === 0 ? [] : [`${number} ${word}`]));
  const what = parts.length === 0 ? "nothing changed" : parts.join(", ");
  const rest = result.status === "partial" ? " Not all of it could be read." : "";
  return `${result.source} synced: ${what}; ${counted(result.unchanged, "skill")} as before.${rest}`;
}

/** What a sync did that ended while somebody looked (IN-23). */
export function Outcome({ result }: { readonly result: SyncResult | BrokenSync }) {
  if (result.status === "error") return null;
  return (
    <Card title="What the sync did">
      <div class="card-body stack">
        <Facts
          of={[
            ["New", count(result.created)],
            ["Changed", count(result.updated)],
            ["As before", count(result.unchanged)],
            ["Gone", count(result.orphaned)],
            ["Read", `${bytes(result.bytes)} in ${count(result.requests)} requests`],
          ]}
        />
        <FindingNotes findings={result.findings} found={nothingFound} />
      </div>
    </Card>
  );
}
