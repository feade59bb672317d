import type { Whereabouts } from "#contract";
import { segment } from "../lib/api.ts";
import { count } from "../lib/format.ts";
import { useResource } from "../lib/resource.ts";
import { to } from "../lib/router.ts";
import { Card, Empty, Loaded } from "../ui/parts.tsx";
import { Visible } from "../ui/visible.tsx";
import { Ago } from "../ui/words.tsx";
import { Table } from "../ui/table.tsx";

/** Where a revision is attached, and where it was used: what a word on it touches (RV-8). */
export function WhereView({ digest }: { readonly digest: string }) {
  const where = useResource<Whereabouts>(`/api/where/${segment(digest)}`);
  return (
    <Loaded of={where}>
      {({ entries, uses, more, expiredBefore }) => (
        <div class="stack">
          <Card title="Where it is attached">
            <div class="card-body">
              <Targets of={[...new Set(entries.flatMap(({ attachedTo }) => attachedTo))]} />
            </div>
          </Card>
          <Card title="Used in">
            {uses.length === 0 ? <Empty title="No request has used it" /> : <Uses uses={uses} />}
            {more && <p class="card-body mute">There are more; the audit has all of them.</p>}
            {expiredBefore !== null && (
              <p class="card-body mute">
                What was used before <Ago at={expiredBefore} /> is not known any more.
              </p>
            )}
          </Card>
        </div>
      )}
    </Loaded>
  );
}

/** Configurations and tasks, each by its key: `config:docs`. */
export function Targets({ of }: { readonly of: readonly string[] }) {
  if (of.length === 0) return <span class="mute">no configuration and no task</span>;
  return (
    <ul class="chips">
      {of.map((key) => {
        const [kind = "", ...id] = key.split(":");
        const name = id.join(":");
        return (
          <li>
            <a class="chip" href={to(kind === "task" ? "tasks" : "configurations", name)}>
              {kind === "task" ? `task ${name}` : name}
            </a>
          </li>
        );
      })}
    </ul>
  );
}

function Uses({ uses }: Pick<Whereabouts, "uses">) {
  return (
    <Table label="Uses" columns={["What", "Configuration", "Task", { title: "Times", isNumber: true }, "Last"]}>
      {uses.map((use) => (
        <tr>
          <td>
            {use.event}
            {use.tool !== null && (
              <>
                {" "}
                <code class="wrap">
                  <Visible text={use.tool} />
                </code>
              </>
            )}
          </td>
          <td class="wrap">{use.configuration ?? "–"}</td>
          <td class="wrap">{use.task ?? "–"}</td>
          <td class="number">{"times" in use ? count(use.times) : 1}</td>
          <td>
            <Ago at={"last" in use ? use.last : use.at} />
          </td>
        </tr>
      ))}
    </Table>
  );
}
