import { useState } from "preact/hooks";
import type { TriggerList } from "#contract";
import { ask, segment, withQuery } from "../lib/api.ts";
import { useAction, useResource } from "../lib/resource.ts";
import { may } from "../lib/session.ts";
import { Icon } from "../ui/icon.tsx";
import { Button, Card, ProblemNotice } from "../ui/parts.tsx";
import { Visible } from "../ui/visible.tsx";

/** RT-2: the phrases by which an admin wants the skill found. */
export function Triggers({ entry }: { readonly entry: string }) {
  const all = useResource<TriggerList>("/api/triggers");
  const phrases = all.data?.triggers.find((each) => each.entry === entry)?.phrases ?? [];
  const path = `/api/skills/${segment(entry)}/triggers`;
  const [phrase, setPhrase] = useState("");
  const adding = useAction(async () => {
    await ask("POST", path, { phrases: [phrase.trim()] });
    setPhrase("");
    all.reload();
  });
  const removing = useAction(async (gone: string) => {
    await ask("DELETE", withQuery(path, { phrase: gone }));
    all.reload();
  });
  const submit = (event: Event) => {
    event.preventDefault();
    if (phrase.trim() !== "") void adding.run();
  };
  return (
    <Card title="Triggers">
      <div class="card-body stack">
        <ProblemNotice problem={all.problem ?? adding.problem ?? removing.problem} />
        {phrases.length === 0 ? (
          <p class="mute">No phrase was set by which it is found.</p>
        ) : (
          <ul class="chips">
            {phrases.map((each) => (
              <li class="chip wrap">
                <Visible text={each} />
                {may("administer") && (
                  <button type="button" class="copy" onClick={() => void removing.run(each)}>
                    <Icon name="close" />
                    <span class="unseen">Remove the trigger {each}</span>
                  </button>
                )}
              </li>
            ))}
          </ul>
        )}
        {may("administer") && (
          <form class="row add-line" onSubmit={submit}>
            <input
              aria-label="A phrase"
              maxLength={800}
              placeholder="write release notes"
              value={phrase}
              onInput={(event) => setPhrase(event.currentTarget.value)}
            />
            <Button type="submit" disabled={adding.isRunning || phrase.trim() === ""}>
              Add
            </Button>
          </form>
        )}
      </div>
    </Card>
  );
}
