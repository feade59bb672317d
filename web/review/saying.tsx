import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { Queue, ReviewView, Said } from "#contract";
import { useAction } from "../lib/resource.ts";
import { go, to } from "../lib/router.ts";
import { sayWord, type Word } from "./deciding.ts";
import { afterDeciding } from "./groups.ts";
import type { Shown } from "./shown.ts";
import { ShortDigest } from "../skills/digest.tsx";
import { tellDone } from "../ui/toast.tsx";
import { Visible } from "../ui/visible.tsx";

/** What a person is asked before it is said. */
export type Asking = "reject" | "disable" | "override" | null;

interface SayingOptions {
  readonly shown: Shown;
  readonly queue: Queue;
  readonly onSettled: (entry: string, digest: string) => void;
}

/** Says words on what is on the screen, and goes on to the next once one settled it. */
export function useSaying({ shown, queue, onSettled }: SayingOptions) {
  const { view } = shown;
  const [asking, setAsking] = useState<Asking>(null);
  const isAsking = useRef(false);
  /** From this moment on keys are for the question, also before it is on the screen. */
  const ask = (next: Asking) => {
    isAsking.current = next !== null;
    setAsking(next);
  };
  const saying = useAction(async (word: Word) => {
    if (view === undefined) return;
    const said = await sayWord(shown, view, word);
    ask(null);
    if (said === null) return;
    tellDecided(view, said, word);
    if (word.act === "override") return shown.renew("said");
    onSettled(view.entry, view.revision.digest);
    const next = afterDeciding(queue, view.entry);
    go(next === undefined ? "#/review" : to("review", next));
  });
  // Runs before the browser paints the new entry: later it would also close a dialog that a key has opened for it.
  useLayoutEffect(() => {
    ask(null);
    saying.clear();
  }, [view?.entry, view?.revision.digest]);
  return { asking, ask, isAsking, saying, say: (word: Word) => void saying.run(word) };
}

const past: Readonly<Record<Word["act"], string>> = {
  approve: "Approved",
  reject: "Rejected",
  disable: "Disabled",
  override: "Overridden in",
};

/** Says what was signed, and where it can be undone. */
function tellDecided(view: ReviewView, { standing }: Said, { act }: Word): void {
  tellDone(
    <>
      {past[act]}{" "}
      <a href={to("skills", view.entry)}>
        <Visible text={view.name} />
      </a>{" "}
      <ShortDigest of={view.revision.digest} />: it is {standing.state} now.
      {act === "approve" && <AfterApproval entry={view.entry} isInUse={standing.inUse === view.revision.digest} />}
    </>,
  );
}

/** RV-5: what one person has approved may need another one's word, and is not in use before. */
function AfterApproval({ entry, isInUse }: { readonly entry: string; readonly isInUse: boolean }) {
  return isInUse ? (
    <>
      {" "}
      To undo it, <a href={to("skills", entry)}>disable it</a>.
    </>
  ) : (
    <>
      {" "}
      It comes into use when another person has approved it, too. To take it back,{" "}
      <a href={to("review", entry)}>reject it</a>.
    </>
  );
}
