import { useState } from "preact/hooks";
import type { AuditPage as Page, VerificationReport, AuditRecord } from "#contract";
import { ask, withQuery } from "../lib/api.ts";
import { count, short } from "../lib/format.ts";
import { useAction, useResource } from "../lib/resource.ts";
import { place, setQuery } from "../lib/router.ts";
import { Button, Card, Empty, Field, Loaded, Notice, ProblemNotice, Tag } from "../ui/parts.tsx";
import { Shell } from "../ui/shell.tsx";
import { Ago } from "../ui/words.tsx";
import { Table } from "../ui/table.tsx";
import { SelectField } from "../ui/fields.tsx";

const kinds = [
  ["", "everything"],
  ["decision.", "decisions"],
  ["entry.", "skills"],
  ["source.", "sources"],
  ["block.", "blocks"],
  ["skill.", "attachments and publishing"],
  ["configuration.", "configurations"],
  ["provider.", "providers"],
  ["user.", "users"],
  ["key.", "keys"],
  ["session.", "signing in"],
  ["usage.", "usage"],
] as const;

/** RV-8: every change of state, and whether the chain of them is whole. */
export function AuditPage() {
  const { query } = place.value;
  const filter = { act: query.get("act") ?? "", subject: query.get("subject") ?? "", by: query.get("by") ?? "" };
  const before = query.get("before") ?? "";
  const page = useResource<Page>(withQuery("/api/audit", { ...filter, before, limit: 50 }));
  return (
    <Shell title="Audit" about="every change of state, in one chain">
      <Verification />
      <Card title="Records" tools={<a href="/api/audit/export">Export</a>}>
        <Filter {...filter} />
        <Loaded of={page}>
          {({ items, next }) =>
            items.length === 0 ? (
              <Empty title="Nothing fits">Take a word out of the filter.</Empty>
            ) : (
              <>
                <AuditTable records={items} />
                <div class="card-body row">
                  {before !== "" && <Button onClick={() => setQuery("before", null)}>Newest</Button>}
                  {next !== null && <Button onClick={() => setQuery("before", String(next))}>Older</Button>}
                </div>
              </>
            )
          }
        </Loaded>
      </Card>
    </Shell>
  );
}

/** Another filter begins with the newest again. */
function change(name: string, value: string): void {
  setQuery("before", null);
  setQuery(name, value);
}

function Filter({ act, subject, by }: { readonly act: string; readonly subject: string; readonly by: string }) {
  return (
    <div class="card-body row filter">
      <SelectField label="What" value={act} options={kinds} onChange={(kind) => change("act", kind)} />
      <Field label="About">
        <input
          type="search"
          value={subject}
          placeholder="a part of its name"
          onChange={({ currentTarget }) => change("subject", currentTarget.value)}
        />
      </Field>
      <Field label="By">
        <input
          type="search"
          value={by}
          placeholder="exactly"
          onChange={({ currentTarget }) => change("by", currentTarget.value)}
        />
      </Field>
    </div>
  );
}

function Verification() {
  const [report, setReport] = useState<VerificationReport>();
  const verify = useAction(() => ask<VerificationReport>("POST", "/api/audit/verify", {}));
  const run = async () => setReport((await verify.run()) ?? report);
  return (
    <Card
      title="The chain"
      tools={
        <Button kind="primary" onClick={() => void run()} disabled={verify.isRunning}>
          {verify.isRunning ? "Verifying…" : "Verify it"}
        </Button>
      }
    >
      <div class="card-body stack">
        <p class="mute">
          Each record carries the hash of the one before, and a signed checkpoint of the last one is kept outside of the
          database. Verifying reads all of it: records, decisions, usage, and the bytes of what is in use.
        </p>
        <ProblemNotice problem={verify.problem} />
        {report !== undefined && <Report report={report} />}
      </div>
    </Card>
  );
}

function Report({ report }: { readonly report: VerificationReport }) {
  return (
    <>
      <Notice tone={report.passes ? "ok" : "bad"}>
        {report.passes ? "Everything is as it was written." : "Something was changed by another hand than Skillward's."}
      </Notice>
      <ul class="row">
        {report.parts.map(({ part, checked, found, note }) => (
          <li key={part}>
            <Tag tone={found > 0 ? "bad" : note === null ? "ok" : "warn"} title={note ?? undefined}>
              {part}: {count(checked)}
            </Tag>
          </li>
        ))}
      </ul>
      {report.parts.flatMap(({ findings }) =>
        findings.map(({ message }) => (
          <p key={message} class="wrap">
            {message}
          </p>
        )),
      )}
    </>
  );
}

/** Records of the chain, as they were written. */
function AuditTable({ records }: { readonly records: readonly AuditRecord[] }) {
  return (
    <Table label="Audit records" columns={[{ title: "No.", isNumber: true }, "When", "Who", "What", "About", "Hash"]}>
      {records.map(({ seq, at, by, act, subject, details, hash }) => (
        <tr key={seq}>
          <td class="number mono">{seq}</td>
          <td>
            <Ago at={at} />
          </td>
          <td class="wrap">{by}</td>
          <td>{act}</td>
          <td class="wrap">
            {subject}
            {details !== "{}" && (
              <details>
                <summary class="faint small">details</summary>
                <code class="wrap">{details}</code>
              </details>
            )}
          </td>
          <td class="mono faint" title={hash}>
            {short(hash)}
          </td>
        </tr>
      ))}
    </Table>
  );
}
