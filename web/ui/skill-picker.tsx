import { useState } from "preact/hooks";
import type { Skills } from "#contract";
import { withQuery } from "../lib/api.ts";
import { count } from "../lib/format.ts";
import { useSteadyResource } from "../lib/resource.ts";
import { to } from "../lib/router.ts";
import { Button, Empty, Loaded } from "./parts.tsx";
import { Visible } from "./visible.tsx";
import { FindingsTag, StateTag } from "./words.tsx";
import { TextField } from "./fields.tsx";

interface PickerProps {
  /** What stands on the button of each. */
  readonly action: string;
  /** What stands there where it is taken already. */
  readonly taken: string;
  /** How many are offered at once. */
  readonly limit: number;
  /** Those that are taken already. */
  readonly except?: readonly string[];
  readonly disabled?: boolean;
  readonly onPick: (entry: string) => void;
}

/** RV-14: offers what may be used, and nothing else. What is held may: an approved revision of it goes on. */
export function SkillPicker({ action, taken, limit, except = [], disabled = false, onPick }: PickerProps) {
  const [text, setText] = useState("");
  const skills = useSteadyResource<Skills>(withQuery("/api/skills", { usable: "true", q: text, limit }));
  return (
    <>
      <TextField
        label="Find a skill"
        type="search"
        maxLength={200}
        placeholder="name, source or description"
        value={text}
        onChange={setText}
      />
      <Loaded of={skills}>
        {({ items, more }) =>
          items.length === 0 ? (
            <Empty title="No approved skill fits">
              <a href={to("review")}>Review what waits</a>
            </Empty>
          ) : (
            <ul class="lines">
              {items.map(({ entry, name, state, reason, findings }) => (
                <li key={entry} class="line">
                  <span class="wrap">
                    <strong>
                      <Visible text={name} />
                    </strong>{" "}
                    <span class="faint small">
                      <Visible text={entry} />
                    </span>
                  </span>
                  {state !== "enabled" && <StateTag state={state} reason={reason} />}
                  <FindingsTag findings={findings} />
                  <span class="end">
                    {except.includes(entry) ? (
                      <span class="faint small">{taken}</span>
                    ) : (
                      <Button disabled={disabled} onClick={() => onPick(entry)}>
                        {action}
                      </Button>
                    )}
                  </span>
                </li>
              ))}
              {more > 0 && <li class="line faint">{count(more)} more: type more of the name</li>}
            </ul>
          )
        }
      </Loaded>
    </>
  );
}
