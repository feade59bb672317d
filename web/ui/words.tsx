import type { EntryLine, Level } from "#contract";
import { ago, time } from "../lib/format.ts";
import { Tag, type Tone } from "./parts.tsx";

const states: Readonly<Record<string, Tone>> = {
  enabled: "ok",
  new: "accent",
  pending: "accent",
  held: "warn",
  disabled: "plain",
  blocked: "bad",
  orphaned: "plain",
};

export function StateTag({ state, reason }: { readonly state: string; readonly reason?: string }) {
  return (
    <Tag tone={states[state] ?? "plain"} title={reason}>
      {state}
    </Tag>
  );
}

const levels: Readonly<Record<Level, Tone>> = {
  critical: "bad",
  high: "bad",
  medium: "warn",
  low: "plain",
  info: "plain",
};
const worstFirst: readonly Level[] = ["critical", "high", "medium", "low", "info"];

export function LevelTag({ level }: { readonly level: Level }) {
  return <Tag tone={levels[level]}>{level}</Tag>;
}

/** The worst of what was found, with its number; `clean` when nothing was. */
export function FindingsTag({ findings }: { readonly findings: EntryLine["findings"] }) {
  const worst = worstFirst.find((level) => (findings[level] ?? 0) > 0);
  if (worst === undefined) return <Tag tone="ok">clean</Tag>;
  return (
    <Tag tone={levels[worst]}>
      {findings[worst]} {worst}
    </Tag>
  );
}

export function Ago({ at }: { readonly at: number }) {
  return (
    <time dateTime={new Date(at).toISOString()} title={time(at)}>
      {ago(at)}
    </time>
  );
}
