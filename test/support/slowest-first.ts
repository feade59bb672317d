import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Mostly those that start programs and end them. One of them begun last would have one core wait for the other. */
const slow = [
  "source-kill",
  "crash",
  "tampering",
  "gateway-kill",
  "linear",
  "source-storm",
  "source-nodes",
  "nodes-kill",
  "nodes-degraded",
  "standby",
];

/** A clean checkout knows nothing of earlier runs: these are begun first, the others by size. */
export class SlowestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // oxlint-disable-next-line unicorn/no-array-sort -- not the array's
    const sorted = await super.sort(files);
    const isSlow = ({ moduleId }: TestSpecification) => slow.some((name) => moduleId.endsWith(`/${name}.test.ts`));
    return [...sorted.filter(isSlow), ...sorted.filter((file) => !isSlow(file))];
  }
}
