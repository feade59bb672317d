/** The thread that runs contracts, each in an engine that has nothing of the host (SC-10). Only text comes and goes. */
import { parentPort } from "node:worker_threads";
import { refusalText, type Step } from "../contract/messages.ts";
import { ContractEngine } from "./contract-engine.ts";

// The engine asks this thread for the time. A contract that knew it could answer one thing today and another tomorrow.
Object.assign(Date, { now: () => 0 });
Object.assign(Date.prototype, { getTimezoneOffset: () => 0 });

const now = () => performance.now();
let engine: ContractEngine | undefined;

async function answer(step: Step): Promise<string> {
  if (step.step === "engine") return renew();
  if (step.step === "ask") return engine?.ask(step.predicate, step.milliseconds) ?? notOpen;
  return engine?.open(step.code, step.facts, step.milliseconds) ?? notOpen;
}

async function renew(): Promise<string> {
  // Let go first: two of them are more memory than one contract may have.
  engine = undefined;
  engine = await ContractEngine.create(now);
  return JSON.stringify({ ready: true });
}

const notOpen = refusalText("contract.crashed", "there is no contract to be asked");

parentPort?.on("message", ({ number, asked }: { number: number; asked: string }) => {
  const step: Step = JSON.parse(asked);
  answer(step).then(
    (text) => parentPort?.postMessage({ number, answer: text }),
    () => parentPort?.postMessage({ number, fault: "the engine did not start" }),
  );
});
