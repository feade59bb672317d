import { canonicalJson } from "../base/canonical.ts";
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
  return canonicalJson(["source", { ...set, ...more }]);
}

/** What was changed by hand counts for the least. */
export function believedSource(keys: Keys, source: Source): Source {
  return isIntactSource(keys, source) ? source : { ...source, trust: "untrusted", onChange: "disable" };
}

export function tamperedSource({ id }: Source): Finding {
  const message = `the row of source "${safeLine(id)}" was changed by hand; it counts as untrusted until it is set again`;
  return { code: "source.tampered", level: "critical", message, at: { file: `source:${safeLine(id)}`, line: 1 } };
}
