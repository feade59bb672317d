/** Real implementations of the interfaces in `base`, for tests: ours and yours. */
export { fixedClock } from "./fixed-clock.ts";
export { memoryFiles, type MemoryEntry } from "./memory-files.ts";
