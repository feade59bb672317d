import { useEffect, useState } from "preact/hooks";

/** Whether the window is at least so wide, also when that changes. */
export function useAtLeast(pixels: number): boolean {
  const query = `(min-width: ${pixels}px)`;
  const [isSo, setSo] = useState(() => window.matchMedia(query).matches);
  useEffect(() => {
    const list = window.matchMedia(query);
    const look = () => setSo(list.matches);
    look();
    list.addEventListener("change", look);
    return () => list.removeEventListener("change", look);
  }, [query]);
  return isSo;
}
