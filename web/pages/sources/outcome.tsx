import type { SyncFailure, SyncResult } from "#contract";
import { bytes, count } from "../../lib/format.ts";
import { nothingFound } from "../../skill/findings.ts";
import { FindingNotes } from "../../skill/finding-note.tsx";
import { Card, Facts, Tag, type Tone } from "../../ui/parts.tsx";
import { Visible } from "../../ui/visible.tsx";
import { Table } from "../../ui/table.tsx";

/** What a sync did that ended while somebody looked (IN-23). */
export function Outcome({ result }: { readonly result: SyncResult | SyncFailure }) {
  if (result.status === "error") return null;
  const { findings, children } = result;
  return (
    <Card title="What the sync did">
      <div class="card-body stack">
        <Facts
          of={[
            ["New", count(result.created)],
            ["Changed", count(result.updated)],
            ["As before", count(result.unchanged)],
            ["Gone", count(result.orphaned)],
            ["Read", `${bytes(result.bytes)} in ${count(result.requests)} requests`],
          ]}
        />
        <FindingNotes findings={findings} found={nothingFound} />
        {children !== null && children.length > 0 && <Plugins plugins={children} />}
      </div>
    </Card>
  );
}

type Plugin = NonNullable<SyncResult["children"]>[number];

const tones: Readonly<Record<Plugin["outcome"], Tone>> = {
  read: "ok",
  listed: "plain",
  refused: "bad",
  failed: "bad",
  unreached: "warn",
};

function Plugins({ plugins }: { readonly plugins: readonly Plugin[] }) {
  return (
    <Table label="Plugins" columns={["Plugin", "Outcome", { title: "Skills", isNumber: true }, "Where, or why not"]}>
      {plugins.map(({ name, outcome, skills, where, reason }) => (
        <tr key={name}>
          <td class="wrap">
            <Visible text={name} />
          </td>
          <td>
            <Tag tone={tones[outcome]}>{outcome}</Tag>
          </td>
          <td class="number">{count(skills)}</td>
          <td class="wrap">
            <Visible text={reason ?? where ?? ""} />
          </td>
        </tr>
      ))}
    </Table>
  );
}
