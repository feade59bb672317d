import { canonicalJson } from "../base/canonical.ts";
import { AppError } from "../base/error.ts";
import type { Finding } from "../base/finding.ts";
import { safeLine } from "../base/text.ts";
import type { Source } from "../ingest/source/source.ts";
import { isSealed, type Keys, sealText } from "./keys.ts";

/** The source with its seal over what people set: what trust and `on_change` are is not for a row to say (T17). */
export function sealSource(keys: Keys, source: Omit<Source, "seal">): Source {
  return { ...source, seal: sealText(keys, sealedText(source)) };
}

export function isIntactSource(keys: Keys, source: Source): boolean {
  return isSealed(keys, sealedText(source), source.seal);
}

/** How its syncs went is left out: nothing is decided by it. */
function sealedText(source: Omit<Source, "seal">): string {
  const { id, title, kind, url, ref, tokenRef, trust, onChange, addedBy, enabled } = source;
  const { expectedFingerprint, hosts, include, bounds, interval, approveOnAdd } = source;
  const set = { id, title, kind, url, ref, tokenRef, trust, onChange, addedBy, enabled };
  const limits = bounds && { files: bounds.files, seconds: bounds.seconds, bytes: bounds.bytes };
  const more = { expectedFingerprint, hosts, include, bounds: limits, interval, approveOnAdd };
  return canonicalJson(["source", { ...set, ...more, ...pinned(source), ...grants(source) }]);
}

/** T12: which repository it is and where it stands. Whoever takes the ids out of a row has another text, and no seal. */
function pinned({ repositoryId, ownerId, pin }: Omit<Source, "seal">) {
  return repositoryId === null ? {} : { repositoryId, ownerId, pin };
}

/** Only what is granted: rows of before it could be are sealed without it. */
function grants({ tokenForOwner }: Omit<Source, "seal">) {
  return tokenForOwner ? { tokenForOwner } : {};
}

const least = { trust: "untrusted", onChange: "disable", tokenForOwner: false, approveOnAdd: false } as const;

/** What was changed by hand counts for the least. */
export function believedSource(keys: Keys, source: Source): Source {
  return isIntactSource(keys, source) ? source : { ...source, ...least };
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
