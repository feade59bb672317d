import { until } from "../support/http-serving.ts";
import { realWorld } from "../support/registry.ts";

type Files = typeof realWorld.files;

/** The real disk, on which whoever reads can be made to wait. */
export interface HeldDisk {
  readonly files: Files;
  /** From now on, below this folder. */
  hold(folder: string): void;
  /** Until somebody waits, or so many do. */
  held(count?: number): Promise<void>;
  /** How many wait. */
  waiting(): number;
  goOn(): void;
}

export function heldDisk(): HeldDisk {
  let folder: string | undefined;
  let waiting: (() => void)[] = [];
  const read: Files["read"] = async (path, max) => {
    if (folder !== undefined && path.startsWith(folder)) await new Promise<void>((goOn) => waiting.push(goOn));
    return realWorld.files.read(path, max);
  };
  return {
    files: { ...realWorld.files, read },
    hold: (below) => void (folder = below),
    held: (count = 1) => until(() => waiting.length >= count),
    waiting: () => waiting.length,
    goOn: () => {
      folder = undefined;
      for (const goOn of waiting) goOn();
      waiting = [];
    },
  };
}
