import { useEffect, useState } from "preact/hooks";
import type { EntryLine, Skills, SourceLine, State } from "#contract";
import { withQuery } from "../lib/api.ts";
import { count, counted } from "../lib/format.ts";
import { useResource, useSteadyResource } from "../lib/resource.ts";
import { place, setQuery, to } from "../lib/router.ts";
import { EntryName } from "./provenance.tsx";
import { Button, Card, Empty, Loaded } from "../ui/parts.tsx";
import { Shell } from "../ui/shell.tsx";
import { Visible } from "../ui/visible.tsx";
import { FindingsTag, StateTag } from "../ui/words.tsx";
import { Table } from "../ui/table.tsx";
import { SkillPage } from "./skill.tsx";
import { TextField, SelectField } from "../ui/fields.tsx";

const states: readonly State[] = ["enabled", "held", "pending", "new", "blocked", "disabled", "orphaned"];
const atOnce = 100;
const mostAtOnce = 500;
/** In the place of a state: enabled, or held with an approved revision that goes on. */
const usable = "usable";

/** Every skill, whatever its state; what is filtered by stands in the address. */
function SkillList() {
  const { query } = place.value;
  const [limit, setLimit] = useState(atOnce);
  const wanted = { state: query.get("state") ?? "", source: query.get("source") ?? "", q: query.get("q") ?? "" };
  // While another answer comes, what was there stays: a list that vanishes at every letter cannot be read.
  const { state, ...others } = wanted;
  const standing = state === usable ? { usable: "true" } : { state };
  const skills = useSteadyResource<Skills>(withQuery("/api/skills", { ...others, ...standing, limit }));
  return (
    <Shell title="Skills" about={skills.data && counted(skills.data.total, "skill")}>
      <Filter {...wanted} />
      <Loaded of={skills}>
        {({ items, more }) => (
          <Card>
            {items.length === 0 ? (
              <NoSkills isFiltered={Object.values(wanted).some((each) => each !== "")} />
            ) : (
              <SkillTable items={items} />
            )}
            {more > 0 && (
              <div class="card-body">
                {limit < mostAtOnce ? (
                  <Button onClick={() => setLimit(Math.min(mostAtOnce, limit + 200))}>
                    Show more of {count(more)}
                  </Button>
                ) : (
                  <p class="mute">{count(more)} more: narrow it down to see them.</p>
                )}
              </div>
            )}
          </Card>
        )}
      </Loaded>
    </Shell>
  );
}

function Filter({ state, source, q }: { readonly state: string; readonly source: string; readonly q: string }) {
  const sources = useResource<readonly SourceLine[]>("/api/sources");
  const [text, setText] = useState(q);
  useEffect(() => setText(q), [q]);
  useEffect(() => {
    if (text === q) return;
    const timer = window.setTimeout(() => setQuery("q", text), 200);
    return () => window.clearTimeout(timer);
  }, [text]);
  return (
    <form class="row filter" role="search" onSubmit={(event) => event.preventDefault()}>
      <TextField
        label="Text"
        type="search"
        maxLength={200}
        placeholder="name, id or description"
        value={text}
        onChange={setText}
      />
      <SelectField
        label="State"
        value={state}
        options={[["", "any"], [usable, "may be used"], ...states]}
        onChange={(chosen) => setQuery("state", chosen)}
      />
      <SelectField
        label="Source"
        value={source}
        options={[["", "any"], ...(sources.data ?? []).map((line) => line.source.id)]}
        onChange={(chosen) => setQuery("source", chosen)}
      />
    </form>
  );
}

function NoSkills({ isFiltered }: { readonly isFiltered: boolean }) {
  return isFiltered ? (
    <Empty title="No skill fits that">
      <a href="#/skills">Show all of them</a>
    </Empty>
  ) : (
    <Empty title="There is no skill yet">
      <a href="#/sources">Add a source</a>
    </Empty>
  );
}

function SkillTable({ items }: { readonly items: readonly EntryLine[] }) {
  return (
    <Table label="Skills" columns={["Skill", "State", "Findings", "Source", "Trust"]}>
      {items.map((item) => (
        <tr key={item.entry}>
          <td class="wrap">
            <a href={to("skills", item.entry)}>
              <Visible text={item.name} />
            </a>
            <span class="block mute small">
              <EntryName entry={item.entry} />
            </span>
          </td>
          <td>
            <StateTag state={item.state} reason={item.reason} />
          </td>
          <td>
            <FindingsTag findings={item.findings} />
          </td>
          <td class="wrap">
            <a href={to("sources", item.source)}>
              <Visible text={item.source} />
            </a>
          </td>
          <td>{item.trust?.replace("_", " ") ?? "–"}</td>
        </tr>
      ))}
    </Table>
  );
}

export function SkillsPage() {
  const [entry] = place.value.parts;
  return entry === undefined ? <SkillList /> : <SkillPage key={entry} entry={entry} />;
}
