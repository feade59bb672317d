import type { ComponentChildren } from "preact";
import type { Overview, AuditRecord, Subject } from "#contract";
import { count } from "../lib/format.ts";
import { useResource } from "../lib/resource.ts";
import { Chart } from "../ui/chart.tsx";
import { Icon } from "../ui/icon.tsx";
import { Card, Empty, Loaded } from "../ui/parts.tsx";
import { Shell } from "../ui/shell.tsx";
import { Toast } from "../ui/toast.tsx";
import { Visible } from "../ui/visible.tsx";
import { Demonstration } from "./demonstration.tsx";
import { usageSeries } from "../usage/usage.tsx";
import { Ago } from "../ui/words.tsx";
import { to } from "../lib/router.ts";

/** SV-3: what needs me today. */
export function OverviewPage() {
  const overview = useResource<Overview>("/api/overview");
  return (
    <Shell title="Overview">
      <Loaded of={overview}>
        {(data) => (
          <>
            <h2 class="unseen">What there is, and what to do</h2>
            <Counts counts={data.counts} />
            <div class="overview">
              <div class="stack-wide">
                <AttentionCard attention={data.attention} />
                {data.tour !== null && <Tour steps={data.tour} />}
                <UsageCard usage={data.usage} />
              </div>
              <div class="stack-wide">
                {data.hasDemonstration && <Demonstration onRemoved={overview.reload} />}
                <Recent records={data.recent} />
              </div>
            </div>
          </>
        )}
      </Loaded>
      <Toast />
    </Shell>
  );
}

function Counts({ counts: { waiting, blocked, enabled, skills, sources } }: Pick<Overview, "counts">) {
  return (
    <ul class="counts" aria-label="How much there is">
      <Count href="#/review" number={waiting} tone={waiting > 0 ? "warn" : undefined}>
        {waiting === 1 ? "waits" : "wait"} for review
      </Count>
      <Count href="#/skills?state=blocked" number={blocked} tone={blocked > 0 ? "bad" : undefined}>
        blocked
      </Count>
      <Count href="#/skills?state=usable" number={enabled}>
        may be used
      </Count>
      <Count href="#/skills" number={skills}>
        {skills === 1 ? "skill" : "skills"} in all
      </Count>
      <Count href="#/sources" number={sources}>
        {sources === 1 ? "source" : "sources"}
      </Count>
    </ul>
  );
}

interface CountProps {
  readonly href: string;
  readonly number: number;
  readonly tone?: "warn" | "bad" | undefined;
  readonly children: ComponentChildren;
}

function Count({ href, number, tone, children }: CountProps) {
  return (
    <li>
      <a href={href} class={tone === undefined ? "count-card" : `count-card ${tone}`}>
        <strong>{count(number)}</strong>
        <span>{children}</span>
      </a>
    </li>
  );
}

const icons = { bad: "warn", warn: "warn", info: "audit" } as const;

function AttentionCard({ attention }: Pick<Overview, "attention">) {
  return (
    <Card title="What needs you today">
      {attention.length === 0 ? (
        <Empty title="Nothing needs you">What comes in, changes or fails will stand here.</Empty>
      ) : (
        <ul class="attention">
          {attention.map(({ level, title, about, on }) => (
            <li>
              <a href={linkTo(on)} class={`attention-item ${level}`}>
                <Icon name={icons[level]} />
                <span>
                  <strong class="wrap">
                    <Visible text={title} />
                  </strong>
                  <span class="mute wrap">
                    <Visible text={about} />
                  </span>
                </span>
              </a>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}

function UsageCard({ usage }: Pick<Overview, "usage">) {
  const isEmpty = usage.every(({ counts }) => Object.keys(counts).length === 0);
  return (
    <Card title="Usage" tools={<a href="#/usage">All of it</a>}>
      <div class="card-body">
        {isEmpty ? (
          <p class="mute">
            No request has used a skill yet. <a href="#/configurations">Attach one to a configuration</a>.
          </p>
        ) : (
          <Chart
            title="What happened to skills on each of the last days"
            kind="bar"
            labels={usage.map(({ day }) => day.slice(5))}
            series={usageSeries(usage)}
          />
        )}
      </div>
    </Card>
  );
}

/** The latest changes of state. */
function Recent({ records }: { readonly records: readonly AuditRecord[] }) {
  return (
    <Card title="Lately" tools={<a href="#/audit">Audit</a>}>
      {records.length === 0 ? (
        <Empty title="Nothing to be seen here" />
      ) : (
        <ul class="recent">
          {records.map(({ seq, at, by, act, subject }) => (
            <li key={seq}>
              <span class="recent-act">{act}</span>
              <span class="mute small">
                <Ago at={at} />
              </span>
              <span class="wrap recent-about">
                <Visible text={subject} /> <span class="faint">by</span> <Visible text={by} />
              </span>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}

/** The first steps, with what was done of them. */
function Tour({ steps }: { readonly steps: NonNullable<Overview["tour"]> }) {
  const done = steps.filter((step) => step.done).length;
  return (
    <Card title="First steps" tools={<span class="mute small">{`${done} of ${steps.length} done`}</span>}>
      <ol class="tour">
        {steps.map(({ title, about, on, done: isDone }, index) => (
          <li class={isDone ? "done" : undefined}>
            <span class="tour-mark" aria-hidden="true">
              {isDone ? <Icon name="check" /> : index + 1}
            </span>
            <span>
              <a href={linkTo({ kind: on, id: null })}>{title}</a>
              {isDone && <span class="unseen"> (done)</span>}
              <span class="mute">{about}</span>
            </span>
          </li>
        ))}
      </ol>
    </Card>
  );
}

const pages: Readonly<Record<Subject["kind"], string>> = {
  audit: "audit",
  review: "review",
  source: "sources",
  configuration: "configurations",
  task: "tasks",
  store: "settings",
  usage: "usage",
  api: "api",
};

/** The page on which something is looked at, or all of its kind. */
function linkTo({ kind, id }: Subject): string {
  return id === null ? to(pages[kind]) : to(pages[kind], id);
}
