import { useState } from "preact/hooks";
import type { EvaluationLine, EvaluationPage, EvaluationView } from "#contract";
import { ask, segment, withQuery } from "../lib/api.ts";
import { count, date, percent, share } from "../lib/format.ts";
import { useAction, useResource, useSteadyResource } from "../lib/resource.ts";
import { go, place, to } from "../lib/router.ts";
import { may } from "../lib/session.ts";
import { Chart } from "../ui/chart.tsx";
import { FormDialog } from "../ui/dialog.tsx";
import { Button, Card, Empty, Facts, Loaded, Tag } from "../ui/parts.tsx";
import { Shell } from "../ui/shell.tsx";
import { Ago } from "../ui/words.tsx";
import { Table } from "../ui/table.tsx";
import { TextField, TextAreaField } from "../ui/fields.tsx";

/** RT-8: how often routing is right, over time. */
export function EvaluationsPage() {
  const [id] = place.value.parts;
  return id === undefined || id === "" ? <List /> : <One id={id} />;
}

const atOnce = 50;
/** As many as are kept. */
const mostAtOnce = 500;

function List() {
  const [limit, setLimit] = useState(atOnce);
  const runs = useSteadyResource<EvaluationPage>(withQuery("/api/evaluations", { limit }));
  const [isAdding, setAdding] = useState(false);
  const add = (
    <Button kind="primary" onClick={() => setAdding(true)}>
      Evaluate
    </Button>
  );
  return (
    <Shell title="Evaluations" about="how often routing is right" tools={may("operate") && add}>
      <Loaded of={runs}>
        {({ items, next }) =>
          items.length === 0 ? (
            <Card>
              <Empty title="Nothing was measured yet">
                Write down what users ask and which skill should answer: one line of JSON each.
              </Empty>
            </Card>
          ) : (
            <Runs items={items} onMore={next === null ? null : () => setLimit(mostAtOnce)} />
          )
        }
      </Loaded>
      {isAdding && <Evaluate onClose={() => setAdding(false)} />}
    </Shell>
  );
}

interface RunsProps {
  readonly items: readonly EvaluationLine[];
  /** Null: those are all of them. */
  readonly onMore: (() => void) | null;
}

function Runs({ items, onMore }: RunsProps) {
  const inTime = items.toReversed();
  const labels = inTime.map(({ at }) => date(at));
  return (
    <>
      <Card title="Quality over time">
        <div class="card-body">
          <Chart
            title="Share of queries whose first match was right, share answered, share of false fires, by run"
            kind="line"
            most={1}
            labels={labels}
            format={share}
            series={[
              { name: "first is right", values: inTime.map(({ figures }) => figures.pAt1), colour: 1 },
              { name: "answered", values: inTime.map(({ figures }) => figures.coverage), colour: 2 },
              { name: "false fires", values: inTime.map(({ figures }) => figures.falseFires), colour: 4 },
            ]}
          />
        </div>
      </Card>
      <Card title="Runs">
        <Table
          label="All that was measured in each run"
          columns={[
            "Run",
            "When",
            { title: "Queries", isNumber: true },
            { title: "First right", isNumber: true },
            { title: "MRR", isNumber: true },
            { title: "Answered", isNumber: true },
            { title: "False fires", isNumber: true },
          ]}
        >
          {items.map(({ id, title, at, by, figures }) => (
            <tr key={id}>
              <td class="wrap">
                <a href={to("evaluations", id)}>{title}</a>
                <div class="faint small">{by}</div>
              </td>
              <td>
                <Ago at={at} />
              </td>
              <td class="number">{count(figures.queries)}</td>
              <td class="number">{percent(figures.pAt1)}</td>
              <td class="number">{figures.mrr.toFixed(3)}</td>
              <td class="number">{percent(figures.coverage)}</td>
              <td class="number">{figures.falseFires === null ? "–" : percent(figures.falseFires)}</td>
            </tr>
          ))}
        </Table>
        {onMore !== null && (
          <div class="card-body row">
            <Button onClick={onMore}>Show earlier runs</Button>
            <span class="mute small">These are the latest {count(items.length)}, in the chart too.</span>
          </div>
        )}
      </Card>
    </>
  );
}

function One({ id }: { readonly id: string }) {
  const run = useResource<EvaluationView>(`/api/evaluations/${segment(id)}`);
  return (
    <Shell title="Evaluation" about={run.data?.title}>
      <Loaded of={run}>{(view) => <Report view={view} />}</Loaded>
    </Shell>
  );
}

function Report({ view: { title, at, by, generation, report } }: { readonly view: EvaluationView }) {
  const { curve, confusions, misses, fires, abstention } = report;
  return (
    <>
      <h2 class="wrap">{title}</h2>
      <Card>
        <div class="card-body">
          <Facts
            of={[
              ["When", <Ago at={at} />],
              ["By", by],
              ["Generation", String(generation)],
              ["Queries", `${count(report.n)}, of which ${count(report.positives)} want a skill`],
              ["First right", percent(report.p1)],
              ["MRR", report.mrr.toFixed(3)],
              ["Answered", percent(abstention.coverage)],
              ["False fires", abstention.falseFires === null ? "no query wants none" : percent(abstention.falseFires)],
            ]}
          />
        </div>
      </Card>
      <Card title="Answered against false fires, by floor">
        <div class="card-body">
          <Chart
            title="For each floor: the share of queries answered and the share of false fires"
            kind="line"
            most={1}
            format={share}
            labels={curve.points.map(({ threshold }) => threshold.toFixed(2))}
            series={[
              { name: "answered", values: curve.points.map((point) => point.coverage), colour: 2 },
              { name: "false fires", values: curve.points.map((point) => point.falseFires), colour: 4 },
            ]}
          />
        </div>
      </Card>
      <Card title="Taken for one another">
        {confusions.length === 0 ? (
          <Empty title="No two skills were confused" />
        ) : (
          <ul class="lines">
            {confusions.map(({ expected, chosen, count: times, words, alike }) => (
              <li key={`${expected} ${chosen}`} class="line">
                <span class="wrap">
                  <a href={to("skills", expected)}>{expected}</a> <span class="faint">lost to</span>{" "}
                  <a href={to("skills", chosen)}>{chosen}</a>
                </span>
                <Tag tone="warn">×{times}</Tag>
                {alike && <Tag>alike</Tag>}
                <span class="mute small wrap">{words.join(", ")}</span>
              </li>
            ))}
          </ul>
        )}
      </Card>
      <Queries title="Missed" rows={misses.map(({ query, chosen, why }) => ({ query, chosen, why }))} />
      <Queries title="Fired where none should" rows={fires.map(({ query, chosen, why }) => ({ query, chosen, why }))} />
    </>
  );
}

interface QueriesProps {
  readonly title: string;
  readonly rows: readonly { readonly query: string; readonly chosen: string | null; readonly why: string }[];
}

function Queries({ title, rows }: QueriesProps) {
  if (rows.length === 0) return null;
  return (
    <Card title={`${title}: ${rows.length}`}>
      <ul class="lines">
        {rows.slice(0, 100).map(({ query, chosen, why }) => (
          <li key={query} class="line">
            <span class="wrap">{query}</span>
            <span class="faint small wrap">{chosen ?? "nothing"}</span>
            <span class="mute small wrap">{why}</span>
          </li>
        ))}
      </ul>
    </Card>
  );
}

const example = `{"query":"draft the release notes","expected":["acme:skills/release-notes"]}\n{"query":"what is the weather","expected":null}`;

function Evaluate({ onClose }: { readonly onClose: () => void }) {
  const [title, setTitle] = useState("");
  const [text, setText] = useState("");
  const run = useAction(async () => {
    const golden = text
      .split("\n")
      .filter((line) => line.trim() !== "")
      .map((line, at) => parseLine(line, at + 1));
    const { id } = await ask<EvaluationLine>("POST", "/api/evaluations", { title, golden });
    go(to("evaluations", id));
  });
  return (
    <FormDialog
      title="Evaluate routing"
      action="Measure"
      meanwhile="Measuring…"
      running={run}
      onSubmit={() => void run.run()}
      onClose={onClose}
    >
      <TextField label="Title" value={title} onChange={setTitle} />
      <TextAreaField
        label="Queries"
        hint="One line of JSON each: what is asked, and which skills would be right."
        class="mono"
        rows={10}
        placeholder={example}
        value={text}
        onChange={setText}
      />
    </FormDialog>
  );
}

function parseLine(line: string, number: number): unknown {
  try {
    return JSON.parse(line);
  } catch {
    throw new Error(`Line ${number} is not JSON.`);
  }
}
