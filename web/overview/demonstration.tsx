import { useState } from "preact/hooks";
import { ask } from "../lib/api.ts";
import { useAction } from "../lib/resource.ts";
import { may } from "../lib/session.ts";
import { Confirm } from "../ui/dialog.tsx";
import { Button, Card } from "../ui/parts.tsx";
import { tellDone } from "../ui/toast.tsx";

interface Removed {
  readonly removed: readonly string[];
  readonly kept: readonly { readonly part: string; readonly why: string }[];
}

/** What was prepared to be looked at, and how to be rid of it. */
export function Demonstration({ onRemoved }: { readonly onRemoved: () => void }) {
  const [isAsking, setAsking] = useState(false);
  const removing = useAction(async () => {
    const { removed, kept } = await ask<Removed>("DELETE", "/api/demonstration");
    setAsking(false);
    onRemoved();
    const rest = kept.map(({ part, why }) => ` The ${part} stays: ${why}.`).join("");
    tellDone(`Removed of the demonstration: ${removed.join(", ") || "nothing"}.${rest}`);
  });
  return (
    <Card title="Demonstration">
      <div class="card-body stack">
        <p>
          A source with a few skills, a provider that only echoes and a configuration were prepared, so that there is
          something to look at.
        </p>
        {may("administer") && (
          <div>
            <Button onClick={() => setAsking(true)}>Remove the demonstration</Button>
          </div>
        )}
      </div>
      {isAsking && (
        <Confirm
          title="Remove the demonstration"
          action="Remove it"
          running={removing}
          onAct={() => void removing.run()}
          onClose={() => setAsking(false)}
        >
          Its source, provider, configuration and key are removed, and its skills go out of use. What you made yourself
          stays.
        </Confirm>
      )}
    </Card>
  );
}
