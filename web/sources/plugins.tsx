import { useState } from "preact/hooks";
import type { SourceView } from "#contract";
import { withQuery } from "../lib/api.ts";
import { count, short } from "../lib/format.ts";
import { Button, Card, Tag, type Tone } from "../ui/parts.tsx";
import { Table } from "../ui/table.tsx";
import { Visible } from "../ui/visible.tsx";

type Plugin = SourceView["plugins"][number];

/** What asks for somebody comes first, what nobody picked last. */
const outcomes: readonly (readonly [outcome: Plugin["outcome"], tone: Tone, means: string])[] = [
  ["failed", "bad", "Its repository could not be read; what is here of it stays"],
  ["refused", "bad", "Its entry cannot be followed"],
  ["unreached", "warn", "The sync ended before it; the next one goes on there"],
  ["read", "ok", "Its skills are here"],
  ["listed", "plain", "It is there, and nobody picked it"],
];

/** More are shown when they are asked for: a marketplace can have thousands. */
const atOnce = 100;

/** IN-14: the plugins of a marketplace, and what became of each at the last sync. */
export function Plugins({ source, plugins }: SourceView) {
  const [isAll, setAll] = useState(false);
  if (plugins.length === 0) return null;
  const inOrder = outcomes.flatMap(([outcome]) => plugins.filter((plugin) => plugin.outcome === outcome));
  const shown = isAll ? inOrder : inOrder.slice(0, atOnce);
  return (
    <Card title="Its plugins" tools={<span class="mute small">{summaryOf(plugins)}</span>}>
      <Table label="Plugins" columns={["Plugin", "Outcome", { title: "Skills", isNumber: true }, "From", "Commit"]}>
        {shown.map((plugin, at) => (
          <PluginRow key={at} source={source.id} plugin={plugin} />
        ))}
      </Table>
      {shown.length < inOrder.length && (
        <div class="card-body">
          <Button onClick={() => setAll(true)}>Show all {count(inOrder.length)}</Button>
        </div>
      )}
    </Card>
  );
}

function PluginRow({ source, plugin }: { readonly source: string; readonly plugin: Plugin }) {
  const { name, outcome, skills, where, commit, ref, reason } = plugin;
  const [, tone, means] = outcomes.find(([each]) => each === outcome) ?? [outcome, "plain", ""];
  return (
    <tr>
      <td class="wrap">
        <Visible text={name} />
      </td>
      <td>
        <Tag tone={tone} title={means}>
          {outcome}
        </Tag>
      </td>
      <td class="number">
        {skills === 0 || where === null ? (
          count(skills)
        ) : (
          <a href={withQuery("#/skills", { source, q: where })}>{count(skills)}</a>
        )}
      </td>
      <td class="wrap plugin-from">
        {where !== null && <Visible text={where} />}
        {reason !== null && (
          <span class="block small mute">
            <Visible text={reason} />
          </span>
        )}
      </td>
      <td class="nowrap">
        {commit === null ? <span class="mute">none</span> : <code title={commit}>{short(commit)}</code>}
        {ref !== null && ref !== commit && (
          <span class="block small mute">
            <Visible text={ref} />
          </span>
        )}
      </td>
    </tr>
  );
}

function summaryOf(plugins: readonly Plugin[]): string {
  const counts = outcomes.map(
    ([outcome]) => [plugins.filter((each) => each.outcome === outcome).length, outcome] as const,
  );
  return counts.flatMap(([number, outcome]) => (number === 0 ? [] : [`${count(number)} ${outcome}`])).join(", ");
}
