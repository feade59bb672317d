import type { AuditRecord } from "#contract";
import { Card, Empty } from "../ui/parts.tsx";
import { Visible } from "../ui/visible.tsx";
import { Ago } from "../ui/words.tsx";

/** The latest changes of state. */
export function Recent({ records }: { readonly records: readonly AuditRecord[] }) {
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
