import type { UsageView, UsageDay } from "#contract";
import { withQuery } from "../lib/api.ts";
import { count } from "../lib/format.ts";
import { useReloading, useResource } from "../lib/resource.ts";
import { place, setQuery, to } from "../lib/router.ts";
import { Chart } from "../ui/chart.tsx";
import { Button, Card, Empty, Loaded } from "../ui/parts.tsx";
import { Shell } from "../ui/shell.tsx";
import { Table } from "../ui/table.tsx";
import { Ago } from "../ui/words.tsx";
import { SelectField } from "../ui/fields.tsx";

const spans = [7, 30, 90, 365];

/** RV-8: what happened to skills in requests. */
export function UsagePage() {
  const days = Number(place.value.query.get("days") ?? 30);
  const usage = useResource<UsageView>(withQuery("/api/usage", { days }));
  useReloading(usage);
  return (
    <Shell
      title="Usage"
      about="what happened to skills in requests"
      tools={<Button onClick={() => usage.reload()}>Look again</Button>}
    >
      <div class="row">
        <SelectField
          label="Days"
          value={String(days)}
          options={spans.map((span) => [String(span), `the last ${span}`] as const)}
          onChange={(span) => setQuery("days", span)}
        />
      </div>
      <Loaded of={usage}>{(view) => <Shown view={view} />}</Loaded>
    </Shell>
  );
}

function Shown({ view: { days, skills } }: { readonly view: UsageView }) {
  if (skills.length === 0)
    return (
      <Card>
        <Empty title="Nothing was used in this time">
          <p>
            Send a request through the gateway. <a href={to("configurations")}>Configurations</a> say how.
          </p>
        </Empty>
      </Card>
    );
  return (
    <>
      <Card title="Day by day">
        <div class="card-body">
          <Chart
            title="How often skills were injected, dropped and denied, by day"
            kind="bar"
            labels={days.map(({ day }) => day.slice(5))}
            series={usageSeries(days)}
          />
        </div>
      </Card>
      <Card title="Skill by skill">
        <Table
          label="Usage of each skill"
          columns={["Skill", ...usageEvents.map((title) => ({ title, isNumber: true })), "Denied tools", "Last"]}
        >
          {skills.map(({ entry, name, counts, tools, last }) => (
            <tr key={entry}>
              <td class="wrap">
                <a href={to("skills", entry)}>{name}</a>
                <div class="faint small">{entry}</div>
              </td>
              {usageEvents.map((event) => (
                <td key={event} class="number">
                  {count(counts[event] ?? 0)}
                </td>
              ))}
              <td class="wrap mute small">{tools.map(({ tool, times }) => `${tool} ×${times}`).join(", ")}</td>
              <td>
                <Ago at={last} />
              </td>
            </tr>
          ))}
        </Table>
      </Card>
    </>
  );
}

/** What can happen to a skill in a request, each in one colour wherever it is drawn. */
const colours = { injected: 1, routed: 2, dropped: 3, denied: 4 } as const;

const usageEvents = ["injected", "routed", "dropped", "denied"] as const;

export function usageSeries(days: readonly UsageDay[]) {
  return usageEvents.map((event) => ({
    name: event,
    colour: colours[event],
    values: days.map(({ counts }) => counts[event] ?? 0),
  }));
}
