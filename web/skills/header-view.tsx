import type { ReviewView, RevisionView } from "#contract";
import { counted } from "../lib/format.ts";
import { Card, Tag } from "../ui/parts.tsx";
import { Visible } from "../ui/visible.tsx";

/** The front-matter as it was read, and what follows from it: tools, reach, what a prompt shows otherwise. */
export function HeaderView({ frontmatter, revision }: Pick<ReviewView, "frontmatter" | "revision">) {
  return (
    <div class="stack">
      <Card title="Front-matter">
        {frontmatter.length === 0 ? (
          <p class="card-body mute">It has none that could be read.</p>
        ) : (
          <table class="table header-fields" aria-label="Front-matter">
            <tbody>
              {frontmatter.map(({ field, value }) => (
                <tr key={field}>
                  <th scope="row" class="wrap">
                    <Visible text={field} />
                  </th>
                  <td class="text">
                    <Visible text={value} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </Card>
      <Card title="Tools it asks to have pre-approved">
        <div class="card-body">
          <Grants grants={revision.grants} />
        </div>
      </Card>
      <Card title="What it can reach for, as the scanner sees it">
        <div class="card-body stack">
          <Reach revision={revision} />
        </div>
      </Card>
      <InPrompts revision={revision} />
    </div>
  );
}

export function Grants({ grants }: { readonly grants: readonly string[] }) {
  if (grants.length === 0) return <span class="mute">none</span>;
  return (
    <ul class="chips">
      {grants.map((tool) => (
        <li>
          <code class="chip wrap">
            <Visible text={tool} />
          </code>
        </li>
      ))}
    </ul>
  );
}

export function Reach({ revision: { capabilities } }: { readonly revision: RevisionView }) {
  const seen = (["secrets", "network", "shell"] as const).filter((kind) => capabilities[kind].length > 0);
  if (seen.length === 0) return <span class="mute">no secrets, network or shell that was seen</span>;
  return (
    <ul class="stack">
      {seen.map((kind) => (
        <li class="wrap">
          <Tag tone="warn">{kind}</Tag> <Visible text={capabilities[kind].join(", ")} />
        </li>
      ))}
    </ul>
  );
}

function InPrompts({ revision: { inPrompts } }: { readonly revision: RevisionView }) {
  if (inPrompts === null || inPrompts.replaced.length + inPrompts.defused.length === 0) return null;
  const { replaced, defused } = inPrompts;
  return (
    <Card title="Shown otherwise in prompts">
      <ul class="card-body stack">
        {replaced.map(({ path, line }) => (
          <li class="wrap">
            Line {line} of the instructions: where files cannot be read, <Visible text={path} /> is said to be not
            available.
          </li>
        ))}
        {defused.length > 0 && (
          <li>
            {counted(defused.length, "place")} that could pass for a marker of ours, on line {defused.join(", ")}: a
            word is put before it.
          </li>
        )}
      </ul>
    </Card>
  );
}
