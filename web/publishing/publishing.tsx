import type { PublishedLine, PublishedView } from "#contract";
import { ask, segment } from "../lib/api.ts";
import { useAction, useResource } from "../lib/resource.ts";
import { may } from "../lib/session.ts";
import { FindingNote } from "../skills/finding-note.tsx";
import { nothingFound } from "../skills/findings.ts";
import { Card, Notice, ProblemNotice } from "../ui/parts.tsx";
import { Visible } from "../ui/visible.tsx";
import { Ago } from "../ui/words.tsx";
import { Check } from "../ui/fields.tsx";

/** SV-6: off until it is switched on, for each skill. */
export function Publishing({ entry }: { readonly entry: string }) {
  const path = `/api/skills/${segment(entry)}/published`;
  const published = useResource<PublishedView>(path);
  const { isOpen = true, line = null } = published.data ?? {};
  const switching = useAction(async (isOn: boolean) => {
    await ask(isOn ? "PUT" : "DELETE", path);
    published.reload();
  });
  return (
    <Card title="Publishing">
      <div class="card-body stack">
        <ProblemNotice problem={published.problem ?? switching.problem} />
        <Check
          checked={line !== null}
          disabled={!may("administer") || published.data === undefined || switching.isRunning}
          onChange={(isOn) => void switching.run(isOn)}
        >
          Anybody may fetch it
        </Check>
        <p class="mute small">
          {line === null ? (
            "Nobody can fetch it from this server without a key."
          ) : (
            <>
              Switched on by <Visible text={line.by} /> <Ago at={line.at} />. {isOpen && whatIsServed(line)}
            </>
          )}
        </p>
        {!isOpen && <ClosedDoor isMeant={line !== null} />}
        {line?.findings.map((finding) => (
          <FindingNote key={finding.code} finding={finding} found={nothingFound} />
        ))}
      </div>
    </Card>
  );
}

function whatIsServed({ digest }: PublishedLine): string {
  if (digest === null) return "Nothing of it is served:";
  return "What is in use of it is served below /.well-known/agent-skills.";
}

/** Only the configuration of the server opens it: no switch of a page does. */
function ClosedDoor({ isMeant }: { readonly isMeant: boolean }) {
  const text = (
    <>
      This server publishes nothing: the door is closed. Set <code>publish.enabled</code> to <code>on</code> in its
      configuration, and start it again.
    </>
  );
  return isMeant ? <Notice tone="warn">{text}</Notice> : <p class="mute small">{text}</p>;
}
