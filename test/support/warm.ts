import { MessageChannel, type MessagePort, receiveMessageOnPort, Worker } from "node:worker_threads";
import { demandBuilt, type Ended, type Options, surroundings } from "./cli.ts";

/** A process that has loaded the built command line, and runs one command after the other. */
interface Warm {
  readonly port: MessagePort;
  /** How many have ended. */
  readonly ended: Int32Array;
}

let started: Warm | undefined;

function warm(): Warm {
  return (started ??= start());
}

function start(): Warm {
  const { port1, port2 } = new MessageChannel();
  const ended = new Int32Array(new SharedArrayBuffer(4));
  const worker = new Worker(new URL("warm.worker.mjs", import.meta.url), {
    workerData: { port: port2, ended, bin: demandBuilt() },
    transferList: [port2],
  });
  worker.unref();
  port1.unref();
  return { port: port1, ended };
}

/**
 * The built command line as `skillward` runs it, in a fifth of the time: most of a command's is loading. Whatever is
 * about processes (signals, pipes, several at once) needs one of its own. Stands still until the command has ended.
 */
export function skillwardWarm(args: readonly string[], options: Options = {}): Ended {
  const { port, ended } = warm();
  port.postMessage({ args, input: options.input ?? "", ...surroundings(options) });
  for (;;) {
    const seen = Atomics.load(ended, 0);
    const answer = receiveMessageOnPort(port);
    if (answer !== undefined) return answerOf(answer.message);
    Atomics.wait(ended, 0, seen);
  }
}

let last: Promise<unknown> = Promise.resolve();

/** Whatever else the test does goes on: a server that the command asks. One command after the other. */
export function skillwardWarmBeside(args: readonly string[], options: Options = {}): Promise<Ended> {
  const { port } = warm();
  const answered = last.then(async () => {
    port.ref();
    port.postMessage({ args, input: options.input ?? "", ...surroundings(options) });
    const said = await new Promise<Answer>((heard) => void port.once("message", heard));
    port.unref();
    return answerOf(said);
  });
  last = answered.catch(() => undefined);
  return answered;
}

type Answer = Ended | { readonly failed: string };

function answerOf(said: Answer): Ended {
  if ("failed" in said) throw new Error(said.failed);
  return said;
}
