import type { Finding } from "#contract";
import { Tag } from "../ui/parts.tsx";
import { Visible } from "../ui/visible.tsx";
import { LevelTag } from "../ui/words.tsx";
import type { Found } from "./findings.ts";

interface FindingNoteProps {
  readonly finding: Finding;
  readonly found: Found;
  /** Where it is, when it does not stand there. */
  readonly place?: string;
}

const tones = { critical: "bad", high: "bad", medium: "warn", low: "plain", info: "plain" } as const;

/** One finding: what, how bad, why it matters, and what was hidden there (RV-6). */
export function FindingNote({ finding, found, place }: FindingNoteProps) {
  const { code, level, message, excerpt, decoded } = finding;
  const why = found.reasons[code];
  return (
    <div class={`finding ${tones[level]}`} data-finding tabIndex={-1}>
      <div class="finding-head">
        <LevelTag level={level} />
        <code>{code}</code>
        {found.lifted.has(code) && <Tag tone="accent">overridden</Tag>}
        {place !== undefined && <span class="mute small wrap">{place}</span>}
      </div>
      <p>
        <Visible text={message} />
      </p>
      {excerpt !== undefined && place !== undefined && (
        <p class="text finding-text">
          <Visible text={excerpt} />
        </p>
      )}
      {decoded !== undefined && (
        <p>
          <span class="mute">It reads: </span>
          <span class="text finding-text">
            <Visible text={decoded} />
          </span>
        </p>
      )}
      {why !== undefined && <p class="mute">{why}</p>}
    </div>
  );
}

/** Several below one another. */
export function FindingNotes({ findings, found }: { readonly findings: readonly Finding[]; readonly found: Found }) {
  return (
    <>
      {findings.map((finding) => (
        <FindingNote finding={finding} found={found} place={`${finding.at.file}, line ${finding.at.line}`} />
      ))}
    </>
  );
}
