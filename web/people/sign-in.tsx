import { useState, useEffect } from "preact/hooks";
import type { SessionView } from "#contract";
import { ask, type Problem } from "../lib/api.ts";
import { useAction } from "../lib/resource.ts";
import { go, place, replace } from "../lib/router.ts";
import { enter, session, loadSession } from "../lib/session.ts";
import { Button, Notice, ProblemNotice } from "../ui/parts.tsx";
import { NameField, PasswordField, nameRule } from "../ui/fields.tsx";
import type { ComponentChildren } from "preact";
import { Mark } from "../ui/icon.tsx";

/** SV-11: whoever is not signed in comes here, whatever page they want; they go on to that page. */
export function SignInPage() {
  const { page, parts } = place.value;
  const { ways, isFirst } = session.value ?? { ways: { password: true, oidc: null }, isFirst: false };
  const hasFailed = page === "sign-in" && parts[0] === "failed";
  return (
    <Alone title="Sign in">
      {hasFailed && (
        <Notice tone="bad">You could not be signed in there. Try again, or ask whoever runs this server.</Notice>
      )}
      {isFirst ? <NobodyYet /> : ways.password && <PasswordForm />}
      {ways.oidc !== null && (
        <a class="button oidc" href="/auth/oidc">
          {ways.oidc.title}
        </a>
      )}
      {!isFirst && !ways.password && ways.oidc === null && (
        <Notice tone="warn">No way to sign in is switched on. Come through the proxy that signs people in.</Notice>
      )}
    </Alone>
  );
}

/** RV-12. */
function NobodyYet() {
  return (
    <div class="stack">
      <p>No account has been made yet.</p>
      <p class="mute">
        The server printed a link when it started: open it to make the first one. Or on the server itself:
      </p>
      <code class="secret">skillward user add &lt;name&gt; --role admin</code>
    </div>
  );
}

function PasswordForm() {
  const [name, setName] = useState("");
  const [password, setPassword] = useState("");
  const entering = useAction(async () => {
    const view = await ask<SessionView>("POST", "/api/session", { name, password });
    if (place.value.page === "sign-in" || place.value.page === "first") go("#/");
    enter(view);
  });
  const submit = (event: Event) => {
    event.preventDefault();
    void entering.run();
  };
  return (
    <form class="stack" onSubmit={submit}>
      <NameField value={name} onChange={setName} />
      <PasswordField value={password} onChange={setPassword} />
      <ProblemNotice problem={entering.problem} />
      <Button type="submit" kind="primary" disabled={entering.isRunning}>
        Sign in
      </Button>
    </form>
  );
}

const leastCharacters = 12;

/** RV-12: the first admin, by the link that the server printed. */
export function FirstPage() {
  const [token = ""] = place.value.parts;
  const isOver = session.value?.isFirst === false;
  return (
    <Alone title="The first account">
      {isOver ? (
        <Notice tone="warn">
          The first account has been made, and this link is used up.{" "}
          <a href="#/">{session.value?.person === null ? "Sign in" : "To the overview"}</a>
        </Notice>
      ) : (
        <FirstForm token={token} />
      )}
    </Alone>
  );
}

function FirstForm({ token }: { readonly token: string }) {
  const [name, setName] = useState("");
  const [password, setPassword] = useState("");
  const [again, setAgain] = useState("");
  const isLong = Array.from(password).length >= leastCharacters;
  const isSame = password === again;
  const entering = useAction(async () => {
    const view = await ask<SessionView>("POST", "/api/first", { token, name, password });
    // The link is not to stay in the history.
    replace("#/");
    enter(view);
  });
  const submit = (event: Event) => {
    event.preventDefault();
    if (isLong && isSame) void entering.run();
  };
  return (
    <form class="stack" onSubmit={submit}>
      <p class="mute">It is an admin: it may do everything, and make accounts for others.</p>
      <NameField hint={nameRule} value={name} onChange={setName} />
      <PasswordField
        hint={`At least ${leastCharacters} characters. A few words that belong to nobody else do well.`}
        isNew
        value={password}
        onChange={setPassword}
      />
      <PasswordField label="Password, once more" isNew value={again} onChange={setAgain} />
      {password !== "" && !isLong && (
        <Notice tone="warn">{`${leastCharacters - Array.from(password).length} more characters are needed.`}</Notice>
      )}
      {again !== "" && !isSame && <Notice tone="warn">The two passwords are not the same.</Notice>}
      <ProblemNotice problem={entering.problem} />
      <Button type="submit" kind="primary" disabled={entering.isRunning || !isLong || !isSame}>
        Make the account
      </Button>
    </form>
  );
}

/** A page without the frame: for whoever is not signed in. */
function Alone({ title, children }: { readonly title: string; readonly children: ComponentChildren }) {
  useEffect(() => {
    document.title = `${title} · Skillward`;
  }, [title]);
  return (
    <main class="alone">
      <div class="alone-card fade">
        <div class="alone-head">
          <Mark />
          <div>
            <h1>{title}</h1>
            <p class="mute small">Skillward {session.value?.version}</p>
          </div>
        </div>
        {children}
      </div>
    </main>
  );
}

/** The server cannot say who is signed in: it is busy, has no store at present, or does not answer. */
export function UnknownPage({ problem }: { readonly problem: Problem }) {
  const again = useAction(loadSession);
  return (
    <Alone title="Not now">
      <ProblemNotice problem={problem} />
      <Button kind="primary" disabled={again.isRunning} onClick={() => void again.run()}>
        Try again
      </Button>
    </Alone>
  );
}
