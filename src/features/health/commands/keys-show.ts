import { showKeys } from "../rotation.ts";
import { safeLine } from "../../../core/text.ts";
import { exit } from "../../command/command.ts";
import { renderFields, renderTable, show } from "../../command/render.ts";
import { withInspection } from "../../command/with-app.ts";

export const run = withInspection(async (opened, call, output) => {
  const keys = await showKeys(opened);
  show(output, call, keys, ({ file, store, isAdopted, signing, secrets }) => {
    const followed = isAdopted ? "yes" : "no: run `skillward keys rotate` to finish";
    const fields = [
      ["key file", safeLine(file, 240)],
      ["store", store],
      ["store follows", followed],
    ] as const;
    const rows = [
      ...signing.map(({ id, state, publicKey }) => [id, "signing", state, publicKey]),
      ...secrets.map(({ id, state }) => [id, "secret", state, "never shown"]),
    ];
    return [
      renderFields(fields, output.style),
      "",
      renderTable(["id", "what", "state", "public key"], rows, output.style),
    ].join("\n");
  });
  return exit.fine;
});
