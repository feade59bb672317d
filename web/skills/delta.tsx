import type { Delta } from "#contract";
import { Card, Tag, type Tone } from "../ui/parts.tsx";
import { Visible } from "../ui/visible.tsx";

const words: Readonly<Record<Delta["kind"], string>> = {
  host: "host",
  command: "command",
  secret: "secret",
  tool: "tool",
  description: "description",
  hidden: "hidden text",
  finding: "finding",
  file: "file",
  scope: "scope",
};

function toneOf({ kind, change }: Delta): Tone {
  if (change === "removed") return "plain";
  if (kind === "hidden" || kind === "finding") return "bad";
  return kind === "file" || kind === "description" ? "accent" : "warn";
}

/** As many as a glance takes in; the others are a click away. */
const mostAtOnce = 12;

/** What is looked at first: what the change means for whoever uses the skill (RV-4, T28). */
export function DeltaCard({ delta, title }: { readonly delta: readonly Delta[]; readonly title: string }) {
  const [first, rest] = [delta.slice(0, mostAtOnce), delta.slice(mostAtOnce)];
  return (
    <Card title={title}>
      {delta.length === 0 ? (
        <p class="card-body mute">No new host, command, secret, tool, hidden text or finding.</p>
      ) : (
        <DeltaList delta={first} />
      )}
      {rest.length > 0 && (
        <details class="more">
          <summary>{rest.length} more</summary>
          <DeltaList delta={rest} />
        </details>
      )}
    </Card>
  );
}

function DeltaList({ delta }: { readonly delta: readonly Delta[] }) {
  return (
    <ul class="delta">
      {delta.map((each) => (
        <li>
          <Tag tone={toneOf(each)}>{titleOf(each)}</Tag>
          <span class="wrap">
            <Visible text={each.what} />
            {each.at !== null && (
              <span class="mute small">
                {" "}
                <Visible text={each.at.file} />, line {each.at.line}
              </span>
            )}
          </span>
        </li>
      ))}
    </ul>
  );
}

function titleOf({ kind, change }: Delta): string {
  if (kind === "hidden" && change !== "removed") return words[kind];
  return change === "added" ? `new ${words[kind]}` : change === "removed" ? `${words[kind]} gone` : words[kind];
}
