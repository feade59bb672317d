import { useState } from "preact/hooks";
import type { Configuration, RouteView } from "#contract";
import { ask } from "../lib/api.ts";
import { count, percent } from "../lib/format.ts";
import { useAction, useResource } from "../lib/resource.ts";
import { to } from "../lib/router.ts";
import { Button, Card, Empty, FindingNotices, Notice, ProblemNotice, Tag, type Tone } from "../ui/parts.tsx";
import { Shell } from "../ui/shell.tsx";
import { Table } from "../ui/table.tsx";
import { TextField, TextAreaField, SelectField } from "../ui/fields.tsx";

/** RT-7: which skill fits a text, and why; what each link of the chain said to it. */
export function RoutingPage() {
  const configurations = useResource<readonly Configuration[]>("/api/configurations");
  const [query, setQuery] = useState("");
  const [configuration, setConfiguration] = useState("");
  const [paths, setPaths] = useState("");
  const [routed, setRouted] = useState<RouteView>();
  const route = useAction(async () => {
    const listed = paths.split(/[\s,]+/).filter((path) => path !== "");
    const asked = {
      query,
      ...(configuration !== "" && { configuration }),
      ...(listed.length > 0 && { paths: listed }),
      limit: 10,
    };
    setRouted(await ask<RouteView>("POST", "/api/route", asked));
  });
  return (
    <Shell title="Routing" about="the right skill, or none">
      <Card title="Try it">
        <form class="card-body stack" onSubmit={(event) => (event.preventDefault(), void route.run())}>
          <TextAreaField label="A request" placeholder="as a user would write it" value={query} onChange={setQuery} />
          <div class="row filter">
            <SelectField
              label="For"
              value={configuration}
              options={[["", "every approved skill"], ...(configurations.data ?? []).map(({ id }) => id)]}
              onChange={setConfiguration}
            />
            <TextField label="Files it is about" placeholder="src/app.ts" value={paths} onChange={setPaths} />
          </div>
          <ProblemNotice problem={route.problem} />
          <div class="row">
            <Button kind="primary" type="submit" disabled={route.isRunning || query.trim() === ""}>
              Find the skill
            </Button>
          </div>
        </form>
      </Card>
      {routed !== undefined && <Answer of={routed} />}
    </Shell>
  );
}

function Answer({ of: { matches, abstained, ambiguous, tied, findings, trace } }: { readonly of: RouteView }) {
  return (
    <>
      <FindingNotices of={findings} />
      {abstained && <Notice tone="warn">No skill fits well enough: a request would go without. {trace.stopped}</Notice>}
      {ambiguous && <Notice tone="warn">The first {tied} are too close to call.</Notice>}
      <Card title="Matches">
        {matches.length === 0 ? (
          <Empty title="None" />
        ) : (
          <ul class="lines">
            {matches.map(({ entry, name, confidence, link, why, alike }) => (
              <li key={entry} class="line">
                <a class="wrap" href={to("skills", entry)}>
                  {name}
                </a>
                <Confidence of={confidence} />
                <Tag tone="accent">{link}</Tag>
                <span class="mute small wrap">{why}</span>
                {alike.length > 0 && <span class="faint small">and {count(alike.length)} alike</span>}
              </li>
            ))}
          </ul>
        )}
      </Card>
      <Steps trace={trace} />
      <Card title="Everything that was found">
        <div class="card-body">
          <p class="mute small">
            Likelihood that the right one is among the first five: {percent(trace.likelihood)}. Accepted at once from{" "}
            {percent(trace.thresholds.accept)} with a lead of {percent(trace.thresholds.margin)}; nothing below{" "}
            {percent(trace.thresholds.floor)}.
          </p>
        </div>
        <ul class="lines">
          {trace.ranked.slice(0, 20).map(({ entry, confidence, link, why }) => (
            <li key={entry} class="line">
              <span class="wrap">{entry}</span>
              <Confidence of={confidence} />
              <Tag>{link}</Tag>
              <span class="mute small wrap">{why}</span>
            </li>
          ))}
        </ul>
      </Card>
    </>
  );
}

const outcomes: Readonly<Record<string, Tone>> = {
  answered: "ok",
  none: "plain",
  failed: "bad",
  late: "warn",
  skipped: "plain",
};

function Steps({ trace }: Pick<RouteView, "trace">) {
  return (
    <Card title="The chain, link by link">
      <Table label="Links of the chain" columns={["Link", "Outcome", "Said", { title: "Time", isNumber: true }]}>
        {trace.steps.map(({ link, outcome, milliseconds, said, note }) => (
          <tr key={link}>
            <td>{link}</td>
            <td>
              <Tag tone={outcomes[outcome] ?? "plain"}>{outcome}</Tag>
            </td>
            <td>
              {said.slice(0, 5).map(({ entry, confidence, why }) => (
                <div key={entry} class="row">
                  <span class="wrap">{entry}</span> <Confidence of={confidence} />{" "}
                  <span class="mute small wrap">{why}</span>
                </div>
              ))}
              {said.length > 5 && <span class="faint small">and {count(said.length - 5)} more</span>}
              {note !== null && <span class="mute small wrap">{note}</span>}
            </td>
            <td class="number">{milliseconds.toFixed(1)} ms</td>
          </tr>
        ))}
      </Table>
    </Card>
  );
}

function Confidence({ of }: { readonly of: number }) {
  return (
    <span class="confidence" title="How often what looks like this is right">
      <span class="progress" aria-hidden="true">
        <span style={{ width: `${Math.round(of * 100)}%` }} />
      </span>
      <span class="mono">{percent(of)}</span>
    </span>
  );
}
