import { checkSchemas, type SchemaDrift, writeSchemas } from "../schemas.ts";
import { createWorld } from "../../../app/world/world.ts";
import { type Call, type ExitCode, exit } from "../../command/command.ts";
import type { Output } from "../../command/output.ts";

export async function run({ options }: Call, output: Output): Promise<ExitCode> {
  const folder = String(options["dir"]);
  const { files } = createWorld();
  const isCheck = options["check"] === true;
  const drift = isCheck ? await checkSchemas(files, folder) : await writeSchemas(files, folder);
  const isCurrent = drift.every(({ state }) => !isCheck && state !== "stale");
  if (options["json"] === true) output.print(JSON.stringify({ folder, current: isCurrent, drift }, null, 2));
  else output.print(isCheck ? renderCheck(folder, drift, output) : renderWrite(folder, drift));
  return isCurrent ? exit.fine : exit.findings;
}

function renderCheck(folder: string, drift: readonly SchemaDrift[], output: Output): string {
  if (drift.length === 0) return `${folder}: the schemas are current`;
  const lines = drift.map(({ file, state }) => `${output.style("red", state.padEnd(9))} ${folder}/${file}`);
  return [...lines, "Run `skillward schema` to write them; delete what is stale."].join("\n");
}

function renderWrite(folder: string, drift: readonly SchemaDrift[]): string {
  if (drift.length === 0) return `${folder}: nothing to write, the schemas are current`;
  const word = { missing: "wrote", different: "wrote", stale: "stale, delete it:" };
  return drift.map(({ file, state }) => `${word[state]} ${folder}/${file}`).join("\n");
}
