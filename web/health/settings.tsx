import { useEffect, useState } from "preact/hooks";
import type { Diagnosis, SessionView } from "#contract";
import { ask, withQuery } from "../lib/api.ts";
import { useAction } from "../lib/resource.ts";
import { enter, may, session } from "../lib/session.ts";
import { Button, Card, Loading, Notice, ProblemNotice, Tag } from "../ui/parts.tsx";
import { Shell } from "../ui/shell.tsx";
import { Providers } from "../configurations/providers.tsx";
import { PasswordField } from "../ui/fields.tsx";

/** One's own account; for admins also the services that are asked, and whether the installation is sound. */
export function SettingsPage() {
  return (
    <Shell title="Settings">
      {may("administer") && <Providers />}
      {session.value?.ways.password === true && <OwnPassword />}
      {may("administer") && <Doctor />}
    </Shell>
  );
}

function OwnPassword() {
  const [current, setCurrent] = useState("");
  const [next, setNext] = useState("");
  const [isDone, setDone] = useState(false);
  const change = useAction(async () => {
    // The session goes on under another id, and with another token.
    enter(await ask<SessionView>("PUT", "/api/session/password", { current, next }));
    setCurrent("");
    setNext("");
    setDone(true);
  });
  return (
    <Card title="Your password">
      <form class="card-body stack narrow" onSubmit={(event) => (event.preventDefault(), void change.run())}>
        <ProblemNotice problem={change.problem} />
        {isDone && change.problem === undefined && (
          <Notice tone="ok">It is changed. Other browsers are signed out.</Notice>
        )}
        <PasswordField label="Now" value={current} onChange={setCurrent} />
        <PasswordField label="New" hint="At least 12 characters." isNew value={next} onChange={setNext} />
        <div class="row">
          <Button type="submit" disabled={change.isRunning || current === "" || next === ""}>
            Change it
          </Button>
        </div>
      </form>
    </Card>
  );
}

/**
 * SV-10: everything that a working Skillward stands on. All of it is looked at, so that is done when somebody wishes it and
 * not at every generation; GitHub and model services, with their tokens, are asked only by the button.
 */
function Doctor() {
  const [diagnosis, setDiagnosis] = useState<Diagnosis>();
  const look = useAction(async (offline: boolean) =>
    setDiagnosis(await ask<Diagnosis>("GET", withQuery("/api/doctor", { offline: String(offline) }))),
  );
  useEffect(() => void look.run(true), []);
  const button = (
    <Button disabled={look.isRunning} onClick={() => void look.run(false)}>
      {look.isRunning ? "Looking…" : "Look again"}
    </Button>
  );
  return (
    <Card title="Is everything in order?" tools={button}>
      <p class="card-body mute">Look again asks GitHub and the model services, too.</p>
      <ProblemNotice problem={look.problem} />
      {diagnosis === undefined && look.problem === undefined && <Loading />}
      {diagnosis !== undefined && <Checks of={diagnosis} />}
    </Card>
  );
}

function Checks({ of: { checks } }: { readonly of: Diagnosis }) {
  return (
    <ul class="lines">
      {checks.map(({ name, state, says, todo }) => (
        <li key={`${name} ${says}`} class="line">
          <Tag tone={state === "ok" ? "ok" : state === "warn" ? "warn" : "bad"}>{state}</Tag>
          <strong>{name}</strong>
          <span class="wrap">{says}</span>
          {todo !== null && <span class="mute small wrap">{todo}</span>}
        </li>
      ))}
    </ul>
  );
}
