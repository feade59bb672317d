import { rotateKeys } from "../rotation.ts";
import { type Call, type ExitCode, exit } from "../../command/command.ts";
import type { Output } from "../../command/output.ts";
import { hint, plural, renderFindings, show } from "../../command/render.ts";
import { openStoredFor } from "../../command/with-app.ts";

export async function run(call: Call, output: Output): Promise<ExitCode> {
  const rotation = await rotateKeys(() => openStoredFor(call));
  show(output, call, rotation, ({ signing, isNew, users, keys, providers, tokens, findings }) => {
    const what = isNew ? `key ${signing} signs from now on` : `the store follows key ${signing} now`;
    const secrets = `${plural(providers, "secret")} of providers, ${plural(tokens, "token")} of sources`;
    const followed = `${plural(users, "user")}, ${plural(keys, "API key")}, ${secrets}`;
    return [`${what}; locked with the new secret: ${followed}`, ...renderFindings(findings, output.style)].join("\n");
  });
  hint(output, call, "Copy the key file to every other node now, back it up, and start what still runs again.");
  return rotation.findings.length === 0 ? exit.fine : exit.findings;
}
