import type { Decision } from "#contract";
import { Card, Empty, Tag, type Tone } from "../ui/parts.tsx";
import { Table } from "../ui/table.tsx";
import { Visible } from "../ui/visible.tsx";
import { Ago } from "../ui/words.tsx";
import { ShortDigest } from "./digest.tsx";

const tones: Readonly<Record<Decision["word"], Tone>> = {
  approve: "ok",
  reject: "bad",
  disable: "bad",
  override: "warn",
};

export function WordTag({ word }: Pick<Decision, "word">) {
  return <Tag tone={tones[word]}>{word}</Tag>;
}

/** The signed words on an entry, the latest first (RV-3). */
export function DecisionsView({ decisions }: { readonly decisions: readonly Decision[] }) {
  if (decisions.length === 0) return <Empty title="Nobody has said a word on it yet" />;
  return (
    <Card>
      <Table
        label="Signed decisions, the latest first"
        columns={["Word", "Digest", "Who", "When", "Tools, overrides, note"]}
      >
        {decisions.toReversed().map((decision) => (
          <tr key={decision.seq}>
            <td>
              <WordTag word={decision.word} />
            </td>
            <td>
              <ShortDigest of={decision.digest} />
            </td>
            <td class="wrap">
              <Visible text={decision.by} />
            </td>
            <td>
              <Ago at={decision.at} />
            </td>
            <td class="wrap">
              <Said of={decision} />
            </td>
          </tr>
        ))}
      </Table>
    </Card>
  );
}

function Said({ of: { grants, overrides, note } }: { readonly of: Decision }) {
  return (
    <>
      {grants.length > 0 && (
        <div>
          <span class="mute">pre-approves</span> <Visible text={grants.join(", ")} />
        </div>
      )}
      {overrides.length > 0 && (
        <div>
          <span class="mute">overrides</span> <Visible text={overrides.join(", ")} />
        </div>
      )}
      {note !== "" && <Visible text={note} />}
    </>
  );
}
