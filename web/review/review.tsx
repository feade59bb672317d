import { useState } from "preact/hooks";
import type { Queue } from "#contract";
import { withQuery } from "../lib/api.ts";
import { counted } from "../lib/format.ts";
import { useAtLeast } from "../lib/media.ts";
import { useSteadyResource } from "../lib/resource.ts";
import { place } from "../lib/router.ts";
import { Empty, Loaded } from "../ui/parts.tsx";
import { Shell } from "../ui/shell.tsx";
import { Toast } from "../ui/toast.tsx";
import { CleanDialog } from "./clean.tsx";
import { Desk } from "./desk.tsx";
import { inOrder } from "./groups.ts";
import { Noticed, QueueList, QueueSelect } from "./queue.tsx";

/** As many as are read at first, and more when they are asked for. */
const atOnce = 100;
const mostAtOnce = 500;

/** SV-3: what waits for somebody's word, one after the other, by keys alone if one likes. */
export function ReviewPage() {
  const [limit, setLimit] = useState(atOnce);
  const queue = useSteadyResource<Queue>(withQuery("/api/review", { limit }));
  const [settled, setSettled] = useState<ReadonlySet<string>>(new Set());
  const [isCleaning, setCleaning] = useState(false);
  const isWide = useAtLeast(901);
  const settle = (entry: string, digest: string) => {
    setSettled(new Set(settled).add(`${entry} ${digest}`));
    queue.reload();
  };
  const showMore = limit < mostAtOnce ? () => setLimit(Math.min(mostAtOnce, limit + 200)) : null;
  return (
    <Shell title="Review" about={queue.data && counted(queue.data.total, "waits", "wait")} isWide>
      <Loaded of={queue}>
        {(data) => {
          const waiting = withoutSettled(data, settled);
          const chosen = place.value.parts[0] ?? inOrder(waiting)[0]?.entry ?? null;
          const choosing = { queue: waiting, chosen, onMore: showMore, onClean: () => setCleaning(true) };
          return (
            <>
              {chosen === null ? (
                <NothingWaits queue={waiting} />
              ) : (
                <Desk entry={chosen} queue={waiting} onSettled={settle}>
                  {isWide ? <QueueList {...choosing} /> : <QueueSelect {...choosing} />}
                </Desk>
              )}
              <Toast />
              {isCleaning && <CleanDialog queue={waiting} onDone={queue.reload} onClose={() => setCleaning(false)} />}
            </>
          );
        }}
      </Loaded>
    </Shell>
  );
}

/** What was decided here a moment ago does not wait any more, also before the server has said so. */
function withoutSettled(queue: Queue, settled: ReadonlySet<string>): Queue {
  const items = queue.items.filter(({ entry, current }) => !settled.has(`${entry} ${current}`));
  return { ...queue, items, total: queue.total - (queue.items.length - items.length) };
}

function NothingWaits({ queue: { turnedDown, noticed } }: { readonly queue: Queue }) {
  return (
    <div class="page">
      <Noticed noticed={noticed} />
      <Empty title="Nothing waits for a word">
        <p>What sources bring, and every change of it, comes here first.</p>
        {turnedDown > 0 && <p>{counted(turnedDown, "skill was", "skills were")} turned down.</p>}
        <p>
          <a href="#/sources">Look at the sources</a> or <a href="#/skills">at the skills</a>
        </p>
      </Empty>
    </div>
  );
}
