/** The thread that reads and tokenises skills, so that requests are answered meanwhile (RT-6). */
import { parentPort } from "node:worker_threads";
import { buffersOf } from "./buffers.ts";
import { indexSkills, type RawSkill } from "./index-job.ts";

parentPort?.on("message", ({ number, asked }: { number: number; asked: readonly RawSkill[] }) => {
  try {
    const answer = indexSkills(asked);
    parentPort?.postMessage({ number, answer }, buffersOf(answer));
  } catch (error) {
    parentPort?.postMessage({ number, fault: error instanceof Error ? error.message : "unknown" });
  }
});
