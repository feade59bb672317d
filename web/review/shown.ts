import { useEffect, useRef, useState } from "preact/hooks";
import type { ReviewView } from "#contract";
import { ask, type Problem, segment } from "../lib/api.ts";
import { useResource } from "../lib/resource.ts";

/** What is on the screen of one entry. */
export interface Shown {
  readonly view: ReviewView | undefined;
  readonly problem: Problem | undefined;
  /** `moved`: the server has other bytes than those on the screen. `swapped`: they are on the screen, unasked for. */
  readonly change: "none" | "moved" | "swapped";
  /** Whether it has been on the screen long enough for a key to be meant for it. */
  readonly isSettled: boolean;
  /** Shows what there is now, or says that the change was noticed. */
  readonly accept: () => void;
  /** Reads it anew: because a word on it came too late, or because one was said that leaves it waiting. */
  readonly renew: (reason: "late" | "said") => Promise<void>;
}

interface Held {
  readonly entry: string;
  readonly view: ReviewView;
  readonly isSwapped: boolean;
}

/**
 * RV-5: a word is on the digest that the person sees. So bytes on the screen are never exchanged in silence when the
 * server tells of new ones: they stay until the person asks for the others, or until a word on them came too late.
 */
export function useShown(entry: string | null): Shown {
  const path = entry === null ? null : `/api/review/${segment(entry)}`;
  const { data, problem, put } = useResource<ReviewView>(path);
  const held = useRef<Held | null>(null);
  const [, setTurn] = useState(0);
  const hold = (view: ReviewView, isSwapped: boolean) => {
    held.current = entry === null ? null : { entry, view, isSwapped };
  };
  if (held.current?.entry !== entry) held.current = null;
  if (data !== undefined && (held.current === null || isOfSameBytes(held.current.view, data)))
    hold(data, held.current?.isSwapped ?? false);
  const { view, isSwapped = false } = held.current ?? {};
  const hasMoved = view !== undefined && data !== undefined && !isOfSameBytes(view, data);
  return {
    view,
    problem,
    change: hasMoved ? "moved" : isSwapped ? "swapped" : "none",
    isSettled: useSettled(view === undefined ? null : `${view.entry} ${view.revision.digest}`),
    accept() {
      if (data !== undefined) hold(data, false);
      setTurn((turn) => turn + 1);
    },
    async renew(reason) {
      if (path === null) return;
      const fresh = await ask<ReviewView>("GET", path);
      if (reason === "late") hold(fresh, true);
      put(fresh);
    },
  };
}

function isOfSameBytes(one: ReviewView, other: ReviewView): boolean {
  return one.entry === other.entry && one.revision.digest === other.revision.digest;
}

/** A key that was meant for what stood there before must not be taken for a word on what stands there now. */
const settlingMilliseconds = 400;

function useSettled(what: string | null): boolean {
  const [settled, setSettled] = useState<string | null>(null);
  useEffect(() => {
    if (what === null) return;
    const timer = window.setTimeout(() => setSettled(what), settlingMilliseconds);
    return () => window.clearTimeout(timer);
  }, [what]);
  return what !== null && settled === what;
}
