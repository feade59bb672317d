import type { SourceLine } from "#contract";
import { StateTag } from "../ui/words.tsx";

/** How many skills of a source are in which state. */
export function States({ states }: { readonly states: SourceLine["states"] }) {
  const entries = Object.entries(states) as [keyof typeof states, number][];
  if (entries.length === 0) return <span class="mute">none</span>;
  return (
    <span class="row">
      {entries.map(([state, number]) => (
        <span key={state} class="nowrap">
          {number} <StateTag state={state} />
        </span>
      ))}
    </span>
  );
}
