import { useEffect, useState } from "preact/hooks";
import type { CompositionPreview as Preview } from "#contract";
import { ask, type Problem } from "../lib/api.ts";
import { bytes, count, short } from "../lib/format.ts";
import { generation } from "../lib/live.ts";
import { asProblem } from "../lib/resource.ts";
import { to } from "../lib/router.ts";
import { Card, Empty, Facts, FindingNotices, ProblemNotice, Tag } from "../ui/parts.tsx";
import { Visible } from "../ui/visible.tsx";
import { TextField } from "../ui/fields.tsx";

interface PreviewProps {
  readonly configuration: string;
  readonly task?: string;
  /** Counted up whenever something that it rests on has changed. */
  readonly turn: number;
}

/** The very bytes, before any request is sent. Nothing is sent, and nothing is recorded. */
export function CompositionPreview({ configuration, task, turn }: PreviewProps) {
  const [query, setQuery] = useState("");
  const [asked, setAsked] = useState("");
  const [preview, setPreview] = useState<Preview>();
  const [problem, setProblem] = useState<Problem>();
  const seen = generation.value;
  // A pause in typing is a question.
  useEffect(() => {
    const timer = window.setTimeout(() => setAsked(query), 300);
    return () => window.clearTimeout(timer);
  }, [query]);
  useEffect(() => {
    let isLatest = true;
    const wanted = { configuration, ...(task !== undefined && { task }), ...(asked !== "" && { query: asked }) };
    void (async () => {
      try {
        const answer = await ask<Preview>("POST", "/api/compose", wanted);
        if (!isLatest) return;
        setPreview(answer);
        setProblem(undefined);
      } catch (error) {
        if (isLatest) setProblem(asProblem(error));
      }
    })();
    return () => void (isLatest = false);
  }, [configuration, task, asked, turn, seen]);
  return (
    <Card title="What a prompt gets">
      <div class="card-body stack">
        <TextField
          label="A request"
          hint="With routing switched on, what it says decides what else is chosen."
          placeholder="as a user would write it"
          value={query}
          onChange={setQuery}
        />
        <ProblemNotice problem={problem} />
        {preview !== undefined && <Shown preview={preview} />}
      </div>
    </Card>
  );
}

function Shown({ preview }: { readonly preview: Preview }) {
  const { composition, last, generation: of, budget } = preview;
  const included = [...composition.included, ...(last?.included ?? [])];
  const dropped = [...composition.dropped, ...(last?.dropped ?? [])];
  const findings = [...preview.findings, ...composition.findings, ...(last?.findings ?? [])];
  const size = composition.bytes + (last?.bytes ?? 0);
  const tokens = composition.tokens + (last?.tokens ?? 0);
  return (
    <>
      <Meter used={size} most={budget} />
      <Facts
        of={[
          ["Size", `${bytes(size)} of ${bytes(budget)}, about ${count(tokens)} tokens`],
          ["Digest", <span class="mono">{short(composition.digest)}</span>],
          ["Generation", String(of)],
        ]}
      />
      <h3>In the prompt</h3>
      {included.length === 0 ? (
        <Empty title="Nothing">Attach a skill, or switch routing on.</Empty>
      ) : (
        <ul class="lines">
          {included.map(({ entry, name, via, place, bytes: own }) => (
            <li key={entry} class="line">
              <a class="wrap" href={to("skills", entry)}>
                {name}
              </a>
              <Tag tone={via === "routed" ? "accent" : "plain"}>{via}</Tag>
              {place === "system" && <Tag tone="warn">system</Tag>}
              <span class="end faint small">{bytes(own)}</span>
            </li>
          ))}
        </ul>
      )}
      {dropped.length > 0 && (
        <>
          <h3>Left out</h3>
          <ul class="lines">
            {dropped.map(({ entry, why, via }) => (
              <li key={entry} class="line">
                <a class="wrap" href={to("skills", entry)}>
                  {entry}
                </a>
                <Tag tone="warn">{why}</Tag>
                <span class="end faint small">{via}</span>
              </li>
            ))}
          </ul>
        </>
      )}
      <FindingNotices of={findings} />
      <Block title="In a system message of its own" text={composition.systemBlock} />
      <Block title="Before the first user message" text={composition.block} />
      <Block title="Before the last user message" text={last?.block ?? ""} />
    </>
  );
}

function Meter({ used, most }: { readonly used: number; readonly most: number }) {
  const share = most === 0 ? 0 : Math.min(100, Math.round((100 * used) / most));
  return (
    <div
      class="progress"
      role="meter"
      aria-label="Of the budget"
      aria-valuenow={share}
      aria-valuemin={0}
      aria-valuemax={100}
    >
      <div style={{ width: `${share}%` }} />
    </div>
  );
}

function Block({ title, text }: { readonly title: string; readonly text: string }) {
  if (text === "") return null;
  return (
    <details class="block">
      <summary>{title}</summary>
      <pre class="text" tabIndex={0}>
        <Visible text={text} />
      </pre>
    </details>
  );
}
