import { useState } from "preact/hooks";
import type { SessionView } from "#contract";
import { ask } from "../lib/api.ts";
import { useAction } from "../lib/resource.ts";
import { place, replace } from "../lib/router.ts";
import { enter, session } from "../lib/session.ts";
import { Button, Notice, ProblemNotice } from "../ui/parts.tsx";
import { Alone } from "./alone.tsx";
import { NameField, nameRule, PasswordField } from "../ui/account-fields.tsx";

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
