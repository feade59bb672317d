import { exportAudit } from "../../../../app/audit.ts";
import type { Inspection } from "../../../../app/inspect.ts";
import { safeLine } from "../../../../base/text.ts";
import { exit } from "../../command.ts";
import type { Output } from "../../output.ts";
import { show } from "../../render.ts";
import { withInspection } from "../../with-app.ts";

export const run = withInspection(async (opened, call, output) => {
  const to = String(call.options["to"]);
  const records = to === "-" ? await toOutput(opened, output) : await toFile(opened, to);
  if (to !== "-") show(output, call, { file: to, records }, () => `${records} records in ${safeLine(to, 240)}`);
  const { refusal, hasCheckpoint } = opened.kept;
  if (!hasCheckpoint) output.note("There is no checkpoint: nothing outside of it says how long the chain must be.");
  if (refusal === null) return exit.fine;
  output.note(`What was exported is not what the checkpoint has seen: ${refusal}`);
  return exit.findings;
});

async function toOutput(opened: Inspection, output: Output): Promise<number> {
  let records = 0;
  for await (const lines of exportAudit(opened, (count) => (records = count))) output.print(lines.trimEnd());
  return records;
}

async function toFile(opened: Inspection, file: string): Promise<number> {
  let records = 0;
  const lines = exportAudit(opened, (count) => (records = count));
  await opened.world.files.write(file, asBytes(lines));
  return records;
}

async function* asBytes(lines: AsyncIterable<string>): AsyncGenerator<Uint8Array> {
  for await (const some of lines) yield Buffer.from(some);
}
