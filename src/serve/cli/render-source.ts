import type { SourceView } from "../../app/sources.ts";
import { safeLine } from "../../base/text.ts";
import { states } from "../../registry/state.ts";
import type { Output } from "./output.ts";
import { renderFields, when } from "./render.ts";
import { renderSize } from "./render-registry.ts";

export function renderSource({ source, states: counts }: SourceView, style: Output["style"]): string {
  const { bounds, error, expectedFingerprint } = source;
  const skills = states.flatMap((state) => (counts[state] === undefined ? [] : [`${counts[state]} ${state}`]));
  const fields: [string, string][] = [
    ["source", source.id],
    ["title", safeLine(source.title)],
    ["from", `${source.kind} ${safeLine(source.url, 500)}`],
    ["trust", source.trust],
    [
      "on change",
      source.onChange === "hold" ? "hold: the approved revision stays in use" : "disable: out of use until approved",
    ],
    ["syncs", source.enabled ? "on" : "off"],
    ["synced", `${when(source.syncedAt)} (${source.status})`],
    ["added by", safeLine(source.addedBy)],
    ["skills", skills.length === 0 ? "none" : skills.join(", ")],
  ];
  if (expectedFingerprint !== null) fields.push(["fingerprint", safeLine(expectedFingerprint)]);
  if (bounds !== null)
    fields.push(["one sync", `${bounds.files} files, ${bounds.seconds} seconds, ${renderSize(bounds.bytes)} at most`]);
  if (error !== null) fields.push(["error", style("red", safeLine(error, 500))]);
  return renderFields(fields, style);
}
