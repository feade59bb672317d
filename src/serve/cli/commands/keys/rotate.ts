import { rotateKeys } from "../../../../app/rotation.ts";
import { type Call, type ExitCode, exit } from "../../command.ts";
import type { Output } from "../../output.ts";
import { hint, renderFindings, show } from "../../render.ts";
import { openFor } from "../../with-app.ts";

export async function run(call: Call, output: Output): Promise<ExitCode> {
  const rotation = await rotateKeys(() => openFor(call));
  show(output, call, rotation, ({ signing, isNew, users, keys, providers, tokens, findings }) => {
    const what = isNew ? `key ${signing} signs from now on` : `the store follows key ${signing} now`;
    const secrets = `${providers} secrets of providers and ${tokens} tokens of sources`;
    const followed = `${users} users, ${keys} API keys, ${secrets} are locked with the new secret`;
    return [`${what}; ${followed}`, ...renderFindings(findings, output.style)].join("\n");
  });
  hint(output, call, "Copy the key file to every other node now, back it up, and start what still runs again.");
  return rotation.findings.length === 0 ? exit.fine : exit.findings;
}
