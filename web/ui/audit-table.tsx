import type { AuditRecord } from "#contract";
import { short } from "../lib/format.ts";
import { Ago } from "./words.tsx";

/** Records of the chain, as they were written. */
export function AuditTable({ records }: { readonly records: readonly AuditRecord[] }) {
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label="Audit records">
      <table class="table audit">
        <thead>
          <tr>
            <th scope="col" class="number">
              No.
            </th>
            <th scope="col">When</th>
            <th scope="col">Who</th>
            <th scope="col">What</th>
            <th scope="col">About</th>
            <th scope="col">Hash</th>
          </tr>
        </thead>
        <tbody>
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
        </tbody>
      </table>
    </div>
  );
}
