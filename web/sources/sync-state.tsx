import type { Source } from "#contract";
import { count } from "../lib/format.ts";
import { syncs } from "../lib/live.ts";
import { Tag, type Tone } from "../ui/parts.tsx";
import { Ago } from "../ui/words.tsx";

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
