import type { AuditRecord } from "#contract";
import { short } from "../lib/format.ts";
import { Ago } from "./words.tsx";
import { Table } from "./table.tsx";

/** Records of the chain, as they were written. */
export function AuditTable({ records }: { readonly records: readonly AuditRecord[] }) {
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
