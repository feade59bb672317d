import { Worker } from "node:worker_threads";
import { expect, onTestFinished, test } from "vitest";
import { sha256 } from "../../src/core/digest.ts";
import { skillText } from "../support/registry.ts";

/** As it is published: from sources there is no thread, and the work is done elsewhere. */
const program = new URL("../../dist/index-worker.js", import.meta.url);

test("RT-6, T17: the published thread indexes approved bytes, and no others", async () => {
  const worker = new Worker(program);
  onTestFinished(async () => void (await worker.terminate()));
  const bytes = Buffer.from(skillText("tides", "Read the tables.\n"));
  const [good, bad] = [sha256(Buffer.from("good")), sha256(Buffer.from("bad"))];
  const answered = new Promise((resolve, reject) => worker.once("message", resolve).once("error", reject));
  worker.postMessage({
    number: 7,
    asked: [
      { digest: good, file: sha256(bytes), bytes },
      { digest: bad, file: sha256(Buffer.from("other")), bytes },
    ],
  });
  expect(await answered).toMatchObject({
    number: 7,
    answer: { segment: { digests: new Uint8Array(Buffer.from(good, "hex")) }, unroutable: [], tampered: [bad] },
  });
});
