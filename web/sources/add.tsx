import { useState } from "preact/hooks";
import type { AddReport, Source, Trust } from "#contract";
import { ask } from "../lib/api.ts";
import { counted } from "../lib/format.ts";
import { useAction } from "../lib/resource.ts";
import { go, to } from "../lib/router.ts";
import { Dialog } from "../ui/dialog.tsx";
import { Button, ProblemNotice } from "../ui/parts.tsx";
import { tellDone } from "../ui/toast.tsx";
import { IntervalField, OnChangeField, TokenField, TrustField, usualTrust } from "./fields.tsx";
import { TextField } from "../ui/fields.tsx";

/** Adds what was typed and reads it; what is wrong with it is said here. */
export function AddDialog({ onClose }: { readonly onClose: () => void }) {
  const [place, setPlace] = useState("");
  const [ref, setRef] = useState("");
  const [trust, setTrust] = useState<Trust>(usualTrust);
  const [interval, setInterval] = useState<number | null>(null);
  const [onChange, setOnChange] = useState<Source["onChange"]>("disable");
  const [token, setToken] = useState("");
  const adding = useAction(async () => {
    const wishes = { place, trust, interval, onChange, ...given("ref", ref), ...given("token", token) };
    const report = await ask<AddReport>("POST", "/api/sources", wishes);
    onClose();
    tellAdded(report);
    go(to("sources", report.source.id));
  });
  const submit = (event: Event) => {
    event.preventDefault();
    void adding.run();
  };
  return (
    <Dialog
      title="Add a source"
      onClose={onClose}
      foot={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" form="add-source" kind="primary" disabled={adding.isRunning || place.trim() === ""}>
            {adding.isRunning ? "Reading it…" : "Add and read it"}
          </Button>
        </>
      }
    >
      <form id="add-source" class="stack" onSubmit={submit}>
        <ProblemNotice problem={adding.problem} />
        <TextField
          label="What"
          hint={<Forms />}
          required
          maxLength={2000}
          placeholder="owner/repo"
          autocapitalize="none"
          spellcheck={false}
          value={place}
          onChange={setPlace}
        />
        <TrustField value={trust} onChange={setTrust} />
        <IntervalField value={interval} onChange={setInterval} />
        <OnChangeField value={onChange} onChange={setOnChange} />
        <details>
          <summary>More: ref, token</summary>
          <div class="stack details-body">
            <TextField
              label="Ref"
              hint="A branch, a tag, or a commit by all its digits; else the default branch."
              maxLength={256}
              value={ref}
              onChange={setRef}
            />
            <TokenField
              value={token}
              onChange={setToken}
              hint="For a private repository. It is kept encrypted, is never shown again, and goes to this source's host alone."
            />
          </div>
        </details>
      </form>
    </Dialog>
  );
}

function Forms() {
  return (
    <>
      <code>owner/repo</code>, <code>owner/repo@ref</code>, <code>owner/repo/path/SKILL.md</code>, an address at GitHub,
      or a folder of the server's machine by its whole path: <code>/srv/skills</code>. Nothing of it is used before a
      review.
    </>
  );
}

function given(name: string, text: string): Record<string, string> {
  return text.trim() === "" ? {} : { [name]: text.trim() };
}

function tellAdded({ source, results }: AddReport): void {
  const [result] = results;
  if (result === undefined || result.status === "error")
    tellDone(`${source.id} was added, and could not be read yet: ${result?.error.message ?? "sync it"}`);
  else tellDone(`${source.id} was added: ${counted(result.created, "skill waits", "skills wait")} for review.`);
}
