import type { SyncFailure, SyncResult } from "#contract";
import { bytes, count } from "../lib/format.ts";
import { nothingFound } from "../skills/findings.ts";
import { FindingNotes } from "../skills/finding-note.tsx";
import { Card, Facts } from "../ui/parts.tsx";

/** What a sync did that ended while somebody looked (IN-23). */
export function Outcome({ result }: { readonly result: SyncResult | SyncFailure }) {
  if (result.status === "error") return null;
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
        <FindingNotes findings={result.findings} found={nothingFound} />
      </div>
    </Card>
  );
}
