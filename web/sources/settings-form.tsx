import { useState } from "preact/hooks";
import type { Source, SourceView } from "#contract";
import { ask, segment } from "../lib/api.ts";
import { useAction } from "../lib/resource.ts";
import { Button, Card, ProblemNotice } from "../ui/parts.tsx";
import { tellDone } from "../ui/toast.tsx";
import { IntervalField, OnChangeField, TokenField, TrustField } from "./fields.tsx";
import { TextField, TextAreaField, Check } from "../ui/fields.tsx";

/** What people say of a source; only what was changed is sent. */
export function SettingsForm({
  source,
  onSaved,
}: {
  readonly source: Source;
  readonly onSaved: (view: SourceView) => void;
}) {
  const [title, setTitle] = useState(source.title);
  const [trust, setTrust] = useState(source.trust);
  const [interval, setInterval] = useState(source.interval);
  const [onChange, setOnChange] = useState(source.onChange);
  const [enabled, setEnabled] = useState(source.enabled);
  const [include, setInclude] = useState((source.include ?? []).join("\n"));
  const [token, setToken] = useState("");
  const isRemote = source.kind !== "folder";
  const hasParts = source.kind === "repo" || source.kind === "marketplace";
  const wishes = {
    ...changed("title", title, source.title),
    ...changed("trust", trust, source.trust),
    ...changed("interval", interval, source.interval),
    ...changed("onChange", onChange, source.onChange),
    ...changed("enabled", enabled, source.enabled),
    ...(hasParts ? changed("include", linesOf(include), linesOf((source.include ?? []).join("\n"))) : {}),
    ...(token === "" ? {} : { token }),
  };
  const isSame = Object.keys(wishes).length === 0;
  const saving = useAction(async (more: Readonly<Record<string, unknown>> = {}) => {
    onSaved(await ask<SourceView>("PATCH", `/api/sources/${segment(source.id)}`, { ...wishes, ...more }));
    setToken("");
    tellDone(`${source.id} was changed.`);
  });
  const submit = (event: Event) => {
    event.preventDefault();
    void saving.run();
  };
  return (
    <Card title="Settings">
      <form class="card-body stack" onSubmit={submit}>
        <div class="grid">
          <TextField label="Title" required maxLength={256} value={title} onChange={setTitle} />
          <TrustField value={trust} onChange={setTrust} />
          <IntervalField value={interval} onChange={setInterval} />
          <OnChangeField value={onChange} onChange={setOnChange} />
          {isRemote && (
            <TokenField
              value={token}
              onChange={setToken}
              hint={
                source.tokenRef === null
                  ? "None is set. It is never shown again."
                  : "One is set: type another to replace it."
              }
            />
          )}
          {hasParts && (
            <TextAreaField
              label="Include"
              hint="Folders or plugins, one on a line; nothing means all."
              class="mono"
              value={include}
              onChange={setInclude}
            />
          )}
        </div>
        <Check checked={enabled} onChange={setEnabled}>
          It is synced, by hand and on its schedule
        </Check>
        <ProblemNotice problem={saving.problem} />
        <div class="row">
          <Button type="submit" kind="primary" disabled={isSame || saving.isRunning}>
            Save
          </Button>
          {source.tokenRef !== null && (
            <Button disabled={saving.isRunning} onClick={() => void saving.run({ token: null })}>
              Remove the token
            </Button>
          )}
        </div>
      </form>
    </Card>
  );
}

function changed<Value>(name: string, now: Value, before: Value): Record<string, Value> {
  return JSON.stringify(now) === JSON.stringify(before) ? {} : { [name]: now };
}

/** Null: all. */
function linesOf(text: string): readonly string[] | null {
  const lines = text.split("\n").flatMap((line) => (line.trim() === "" ? [] : [line.trim()]));
  return lines.length === 0 ? null : lines;
}
