import type { RefObject } from "preact";
import { useEffect, useRef } from "preact/hooks";

/** Goes from finding to finding, the first after the last; waits for a view that is still being read. */
export function useNextFinding(inside: RefObject<HTMLElement | null>, ...shown: readonly unknown[]): () => void {
  const isWanted = useRef(false);
  const look = () => {
    const notes = [...(inside.current?.querySelectorAll<HTMLElement>("[data-finding]") ?? [])];
    const at = notes.findIndex((note) => note === document.activeElement);
    const next = notes[(at + 1) % Math.max(1, notes.length)];
    if (next === undefined) return;
    isWanted.current = false;
    next.focus({ preventScroll: true });
    next.scrollIntoView({ block: "center" });
  };
  useEffect(() => {
    if (isWanted.current) look();
  }, shown);
  return () => {
    isWanted.current = true;
    look();
  };
}
