import { useState } from "preact/hooks";
import type { ExplainedCall, ScopeView } from "#contract";
import { ask } from "../lib/api.ts";
import { useAction } from "../lib/resource.ts";
import { Button, Card, Empty, FindingNotices, ProblemNotice, Tag, type Tone } from "../ui/parts.tsx";
import { Shell } from "../ui/shell.tsx";
import { SkillPicker } from "../ui/skill-picker.tsx";
import { Table } from "../ui/table.tsx";
import { TextField, Check } from "../ui/fields.tsx";

const decisions: Readonly<Record<string, Tone>> = {
  allow: "ok",
  allowed: "ok",
  ask: "warn",
  partly: "warn",
  deny: "bad",
  denied: "bad",
};

/** SC-3, SC-7: what may be done while a set of skills is held, and why something may not. */
export function ScopesPage() {
  const [names, setNames] = useState<readonly string[]>([]);
  const [tools, setTools] = useState("");
  const [isStrict, setStrict] = useState(false);
  const [view, setView] = useState<ScopeView>();
  const asked = {
    skills: names,
    strict: isStrict,
    ...(tools.trim() !== "" && { tools: tools.split(/[\s,]+/).filter((tool) => tool !== "") }),
  };
  const compose = useAction(async () => setView(await ask<ScopeView>("POST", "/api/scopes/compose", asked)));
  return (
    <Shell title="Scopes" about="what an agent may do while it holds skills">
      <div class="split even">
        <Card title="The set">
          <div class="card-body stack">
            <SkillChoice chosen={names} onChange={setNames} />
            <TextField
              label="Tools of the host"
              hint="Names with commas between them; empty: the usual ones."
              placeholder="Read, Bash, Edit"
              value={tools}
              onChange={setTools}
            />
            <Check checked={isStrict} onChange={setStrict}>
              Strict: a skill that says nothing allows nothing
            </Check>
            <ProblemNotice problem={compose.problem} />
            <div class="row">
              <Button kind="primary" disabled={compose.isRunning} onClick={() => void compose.run()}>
                Compose
              </Button>
            </div>
          </div>
        </Card>
        <Explain asked={asked} />
      </div>
      {view !== undefined && <Composed view={view} />}
    </Shell>
  );
}

interface ChoiceProps {
  readonly chosen: readonly string[];
  readonly onChange: (chosen: readonly string[]) => void;
}

function SkillChoice({ chosen, onChange }: ChoiceProps) {
  return (
    <>
      <ul class="row" aria-label="Skills in the set">
        {chosen.map((entry) => (
          <li key={entry}>
            <Button onClick={() => onChange(chosen.filter((each) => each !== entry))} title={`Take ${entry} out`}>
              {entry} ×
            </Button>
          </li>
        ))}
        {chosen.length === 0 && <li class="mute">No skill: the empty scope allows nothing.</li>}
      </ul>
      <SkillPicker
        action="Add"
        taken="added"
        limit={5}
        except={chosen}
        onPick={(entry) => onChange([...chosen, entry])}
      />
    </>
  );
}

function Composed({ view: { tools, groups, forbidden, protocol, findings } }: { readonly view: ScopeView }) {
  return (
    <>
      <FindingNotices of={findings} />
      <Card title="What comes of it">
        {tools.length === 0 ? (
          <Empty title="No tool is known" />
        ) : (
          <Table label="Effective tools" columns={["Tool", "Decision", "Why"]}>
            {tools.map(({ name, decision, why }) => (
              <tr key={name}>
                <td>
                  <code>{name}</code>
                </td>
                <td>
                  <Tag tone={decisions[decision] ?? "plain"}>{decision}</Tag>
                </td>
                <td class="wrap mute">{why}</td>
              </tr>
            ))}
          </Table>
        )}
      </Card>
      <div class="grid">
        <Card title="Groups: each has to allow a call">
          <ul class="lines">
            {groups.map(({ skills, allowed }) => (
              <li key={skills.join()} class="line">
                <span class="wrap">{skills.join(", ")}</span>
                <code class="wrap">{allowed === "*" ? "everything" : allowed.join(", ") || "nothing"}</code>
              </li>
            ))}
            {groups.length === 0 && <li class="line mute">None</li>}
          </ul>
        </Card>
        <Card title="Forbidden">
          <div class="card-body">
            <code class="wrap">{forbidden.join(", ") || "nothing"}</code>
          </div>
        </Card>
        {protocol.length > 0 && (
          <Card title="Steps">
            <ol class="lines">
              {protocol.map((step) => (
                <li key={step} class="line wrap">
                  {step}
                </li>
              ))}
            </ol>
          </Card>
        )}
      </div>
    </>
  );
}

function Explain({ asked }: { readonly asked: object }) {
  const [call, setCall] = useState("");
  const [said, setSaid] = useState<ExplainedCall>();
  const explain = useAction(async () =>
    setSaid(await ask<ExplainedCall>("POST", "/api/scopes/explain", { ...asked, call })),
  );
  return (
    <Card title="May it do this?">
      <form class="card-body stack" onSubmit={(event) => (event.preventDefault(), void explain.run())}>
        <TextField
          label="A call"
          hint="As an agent would make it."
          class="mono"
          placeholder="Bash(git push)"
          value={call}
          onChange={setCall}
        />
        <ProblemNotice problem={explain.problem} />
        <div class="row">
          <Button type="submit" disabled={explain.isRunning || call.trim() === ""}>
            Ask the gate
          </Button>
          {said !== undefined && <Tag tone={decisions[said.decision] ?? "plain"}>{said.decision}</Tag>}
        </div>
        {said !== undefined && <p class="wrap">{said.why}</p>}
      </form>
    </Card>
  );
}
