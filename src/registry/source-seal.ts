import { canonicalJson } from "../core/canonical.ts";
import { AppError } from "../core/error.ts";
import type { Finding } from "../core/finding.ts";
import { safeLine } from "../core/text.ts";
import type { Source } from "../sources/schema.ts";
import { flags } from "../sources/source.ts";
import { isSealed, type Keys, sealText } from "./keys.ts";

/** The source with its seal over what people set: what trust and `on_change` are is not for a row to say (T17). */
export function sealSource(keys: Keys, source: Omit<Source, "seal">): Source {
  return { ...source, seal: sealText(keys, sealedText(source)) };
}

export function isIntactSource(keys: Keys, source: Source): boolean {
  return isSealed(keys, sealedText(source), source.seal);
}

/** How its syncs went: nothing is decided by it. */
const ofSyncs: ReadonlySet<string> = new Set(["status", "error", "syncedAt", "cursor", "remote", "dueAt", "seal"]);

/** Everything else of it. Only a remote source is held to where it stands (T12). */
function sealedText(source: Omit<Source, "seal">): string {
  const set = Object.fromEntries(Object.entries(source).filter(([name]) => !ofSyncs.has(name)));
  return canonicalJson(["source", { ...set, pin: source.repositoryId === null ? null : source.pin }]);
}

const least = { trust: "untrusted", onChange: "disable", approveOnAdd: false } as const;
const switchedOff = Object.fromEntries(flags.filter((flag) => flag !== "enabled").map((flag) => [flag, false]));

/** What was changed by hand counts for the least. */
export function believedSource(keys: Keys, source: Source): Source {
  return isIntactSource(keys, source) ? source : { ...source, ...least, ...switchedOff };
}

/** T12, T17: which repository it is and which token it has is not for a row to say. There is no guessing it back. */
export function demandIntactRemote(keys: Keys, source: Source): void {
  if (source.kind === "folder" || isIntactSource(keys, source)) return;
  throw new AppError(
    "keys.unusable",
    `the row of source "${safeLine(source.id)}" was changed by hand; nothing is fetched for it: remove it and add it again`,
  );
}

export function tamperedSource({ id, kind }: Source): Finding {
  const cure = kind === "folder" ? "it is set again" : "it is removed and added again";
  const message = `the row of source "${safeLine(id)}" was changed by hand; it counts as untrusted until ${cure}`;
  return { code: "source.tampered", level: "critical", message, at: { file: `source:${safeLine(id)}`, line: 1 } };
}
