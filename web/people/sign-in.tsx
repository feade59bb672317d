import { useState } from "preact/hooks";
import type { SessionView } from "#contract";
import { ask } from "../lib/api.ts";
import { useAction } from "../lib/resource.ts";
import { go, place } from "../lib/router.ts";
import { enter, session } from "../lib/session.ts";
import { Button, Notice, ProblemNotice } from "../ui/parts.tsx";
import { Alone } from "./alone.tsx";
import { NameField, PasswordField } from "../ui/account-fields.tsx";

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
