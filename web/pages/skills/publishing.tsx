import type { PublishedLine } from "#contract";
import { ask, segment } from "../../lib/api.ts";
import { useAction, useResource } from "../../lib/resource.ts";
import { may } from "../../lib/session.ts";
import { Card, ProblemNotice } from "../../ui/parts.tsx";
import { Ago } from "../../ui/words.tsx";

/** SV-6: off until it is switched on, for each skill. */
export function Publishing({ entry, isUsable }: { readonly entry: string; readonly isUsable: boolean }) {
  const published = useResource<readonly PublishedLine[]>("/api/published");
  const line = published.data?.find((each) => each.entry === entry);
  const switching = useAction(async (isOn: boolean) => {
    await ask(isOn ? "PUT" : "DELETE", `/api/skills/${segment(entry)}/published`);
    published.reload();
  });
  return (
    <Card title="Publishing">
      <div class="card-body stack">
        <ProblemNotice problem={published.problem ?? switching.problem} />
        <label class="check">
          <input
            type="checkbox"
            checked={line !== undefined}
            disabled={!may("administer") || published.data === undefined || switching.isRunning}
            onChange={(event) => void switching.run(event.currentTarget.checked)}
          />
          Anybody may fetch it
        </label>
        <p class="mute small">
          {line === undefined ? (
            "Nobody can fetch it from this server without a key."
          ) : (
            <>
              Switched on by {line.by} <Ago at={line.at} />.{" "}
              {isUsable
                ? "What is in use of it is served below /.well-known/agent-skills."
                : "It is not in use, so nothing is served."}
            </>
          )}
        </p>
      </div>
    </Card>
  );
}
