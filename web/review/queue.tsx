import type { Queue, WaitingLine } from "#contract";
import { count, counted } from "../lib/format.ts";
import { go, to } from "../lib/router.ts";
import { may } from "../lib/session.ts";
import { Button, Notice, Tag } from "../ui/parts.tsx";
import { Visible } from "../ui/visible.tsx";
import { Ago, FindingsTag } from "../ui/words.tsx";
import { cleanIn, groupsOf, inOrder } from "./groups.ts";

interface QueueProps {
  readonly queue: Queue;
  readonly chosen: string | null;
  /** Null: no more of it can be listed at once. */
  readonly onMore: (() => void) | null;
  readonly onClean: () => void;
}

/** All that waits, grouped; the one that is shown is marked. */
export function QueueList({ queue, chosen, onMore, onClean }: QueueProps) {
  return (
    <nav class="queue" aria-label="What waits">
      <CleanButton queue={queue} onClean={onClean} />
      {groupsOf(queue).map(({ kind, title, items }) => (
        <section key={kind} aria-label={title}>
          <h2 class="queue-title">
            {title} <span class="faint">{items.length}</span>
          </h2>
          <ul>
            {items.map((item) => (
              <QueueItem
                key={item.entry}
                item={item}
                isMixed={kind === "blocked" || kind === "half"}
                isChosen={item.entry === chosen}
              />
            ))}
          </ul>
        </section>
      ))}
      <More queue={queue} onMore={onMore} />
      {queue.turnedDown > 0 && (
        <p class="queue-more mute small">{counted(queue.turnedDown, "more was", "more were")} turned down already.</p>
      )}
    </nav>
  );
}

function More({ queue: { more }, onMore }: Pick<QueueProps, "queue" | "onMore">) {
  if (more === 0) return null;
  return (
    <div class="queue-more">
      {onMore === null ? (
        <p class="mute small">{counted(more, "more waits", "more wait")}: decide on some of these to see them.</p>
      ) : (
        <Button onClick={onMore}>Show more of {count(more)}</Button>
      )}
    </div>
  );
}

const changeWords: Readonly<Record<WaitingLine["change"], string>> = {
  new: "new",
  changed: "changed",
  same: "approved before",
};

interface QueueItemProps {
  readonly item: WaitingLine;
  /** Whether its group has what is new and what has changed. */
  readonly isMixed: boolean;
  readonly isChosen: boolean;
}

function QueueItem({ item, isMixed, isChosen }: QueueItemProps) {
  return (
    <li>
      <a
        class="queue-item"
        href={to("review", item.entry)}
        aria-current={isChosen ? "true" : undefined}
        title={item.entry}
      >
        <span class="queue-name">
          <Visible text={item.name} />
        </span>
        {item.clean ? <Tag tone="ok">clean</Tag> : <FindingsTag findings={item.findings} />}
        <span class="queue-about">
          <span>
            {isMixed && `${changeWords[item.change]} · `}
            <Visible text={item.source} />
            {item.state === "held" && " · held"}
          </span>
          <span>
            {item.files !== null && counted(item.files, "file")}
            {item.files !== null && item.seenAt !== null && " · "}
            {item.seenAt !== null && <Ago at={item.seenAt} />}
          </span>
        </span>
      </a>
    </li>
  );
}

function CleanButton({ queue, onClean }: Pick<QueueProps, "queue" | "onClean">) {
  const clean = cleanIn(queue).length;
  if (clean === 0 || !may("review")) return null;
  return (
    <div class="queue-clean">
      <Button onClick={onClean}>Approve what is clean ({count(clean)})</Button>
    </div>
  );
}

/** On a narrow screen: the same as a list to choose from. */
export function QueueSelect({ queue, chosen, onMore, onClean }: QueueProps) {
  const order = inOrder(queue);
  const isListed = order.some(({ entry }) => entry === chosen);
  return (
    <div class="queue-select">
      <select
        aria-label="What waits"
        value={chosen ?? ""}
        onChange={(event) => go(to("review", event.currentTarget.value))}
      >
        {!isListed && chosen !== null && <option value={chosen}>{chosen}</option>}
        {groupsOf(queue).map(({ title, items }) => (
          <optgroup key={title} label={title}>
            {items.map(({ entry, name, source }) => (
              <option key={entry} value={entry}>
                {name} · {source}
              </option>
            ))}
          </optgroup>
        ))}
      </select>
      <span class="mute small">{counted(queue.total, "waits", "wait")}</span>
      <CleanButton queue={queue} onClean={onClean} />
      <More queue={queue} onMore={onMore} />
    </div>
  );
}

/** What was noticed about the registry itself: it comes before any entry. */
export function Noticed({ noticed }: Pick<Queue, "noticed">) {
  if (noticed.length === 0) return null;
  return (
    <Notice tone="bad">
      <strong>Noticed about the registry itself</strong>
      <ul>
        {noticed.map(({ message, code }) => (
          <li class="wrap">
            <code>{code}</code> <Visible text={message} />
          </li>
        ))}
      </ul>
    </Notice>
  );
}
