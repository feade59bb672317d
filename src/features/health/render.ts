import { safeLine } from "../../core/text.ts";
import type { Output } from "../command/output.ts";
import { plural, renderFields, renderFindings, renderTable } from "../command/render.ts";
import type { Backup } from "./backup.ts";
import type { KeysShown, Rotation } from "./rotation.ts";
import type { Check } from "./schema.ts";

type Style = Output["style"];

export function renderBackup({ store, database, checkpoint, seq, keyFile }: Backup, style: Style): string {
  return renderFields(
    [
      ["store", store],
      ["database", database === null ? "not copied: see below" : safeLine(database, 240)],
      ["checkpoint", `${safeLine(checkpoint, 240)}, of audit record ${seq}`],
      ["key file", `${safeLine(keyFile, 240)}: not copied; keep a copy of it elsewhere`],
    ],
    style,
  );
}

export function renderKeyFile({ file, store, isAdopted, signing, secrets }: KeysShown, style: Style): string {
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
  return [renderFields(fields, style), "", renderTable(["id", "what", "state", "public key"], rows, style)].join("\n");
}

export function renderRotation(rotation: Rotation, style: Style): string {
  const { signing, isNew, users, keys, providers, tokens, findings } = rotation;
  const what = isNew ? `key ${signing} signs from now on` : `the store follows key ${signing} now`;
  const secrets = `${plural(providers, "secret")} of providers, ${plural(tokens, "token")} of sources`;
  const followed = `${plural(users, "user")}, ${plural(keys, "API key")}, ${secrets}`;
  return [`${what}; locked with the new secret: ${followed}`, ...renderFindings(findings, style)].join("\n");
}

const colours = { ok: "green", warn: "yellow", fail: "red" } as const;

/** Of the longest name: lines are printed as they come. */
const width = "configuration".length;

export function renderCheck({ name, state, says, todo }: Check, style: Style): string {
  const line = `${style(colours[state], state.padEnd(4))}  ${name.padEnd(width)}  ${says}`;
  return todo === null ? line : `${line}\n${" ".repeat(width + 8)}${style("dim", `→ ${todo}`)}`;
}

export function renderCount({ checks }: { readonly checks: readonly Check[] }): string {
  const count = (state: Check["state"]) => checks.filter((check) => check.state === state).length;
  return `${count("ok")} ok, ${count("warn")} to look at, ${count("fail")} to mend`;
}
