import { useEffect, useRef, useState } from "preact/hooks";
import type { Queue } from "#contract";
import { useAction } from "../lib/resource.ts";
import { go, to } from "../lib/router.ts";
import { tellDecided } from "./decided.tsx";
import { sayWord, type Word } from "./deciding.ts";
import { afterDeciding } from "./groups.ts";
import type { Shown } from "./shown.ts";

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
  useEffect(() => {
    ask(null);
    saying.clear();
  }, [view?.entry, view?.revision.digest]);
  return { asking, ask, isAsking, saying, say: (word: Word) => void saying.run(word) };
}
