import type { ComponentChildren } from "preact";
import type { Decision, ReviewView } from "#contract";
import { bytes, counted } from "../lib/format.ts";
import { to } from "../lib/router.ts";
import { WordTag } from "../skills/decisions.tsx";
import { WholeDigest } from "../skills/digest.tsx";
import { Grants, Reach } from "../skills/header-view.tsx";
import { PathIn, ProofList } from "../skills/provenance.tsx";
import { Facts, Tag } from "../ui/parts.tsx";
import { Visible } from "../ui/visible.tsx";
import { Ago, StateTag } from "../ui/words.tsx";
import { approvalsLine } from "./deciding.ts";

/** What a person knows before deciding, beside what there is to read. */
export function FactList({ view }: { readonly view: ReviewView }) {
  const { provenance, revision, decisions, source } = view;
  const approvals = approvalsLine(view.approvals);
  const size = revision.files.reduce((sum, file) => sum + file.size, 0);
  return (
    <>
      <Fact title="Digest you would approve">
        <WholeDigest of={revision.digest} />
      </Fact>
      <Fact title="Where it comes from">
        <p class="wrap">
          <a href={to("sources", source)}>
            <Visible text={source} />
          </a>{" "}
          <PathIn path={provenance.path} />
        </p>
        <ProofList provenance={provenance} />
      </Fact>
      <Fact title="Standing">
        <Facts
          of={[
            ["State", <StateTag state={view.state} reason={view.reason} />],
            ["Why", <Visible text={view.reason} />],
            ...(approvals === undefined ? [] : [["Approvals", <Visible text={approvals} />] as const]),
            ["Trust", view.trust?.replace("_", " ") ?? "its source is gone"],
            ["Size", `${bytes(size)} in ${counted(revision.files.length, "file")}`],
            ["Kind", revision.kind ?? "not said"],
            ["Strict", revision.strict ? "yes" : "no"],
            ["Loads", revision.loadable ? "yes" : <Tag tone="bad">no</Tag>],
          ]}
        />
      </Fact>
      <Fact title="Tools it asks for">
        <Grants grants={revision.grants} />
      </Fact>
      <Fact title="Reaches for">
        <Reach revision={revision} />
      </Fact>
      <Fact title="Words so far">
        <Words decisions={decisions} digest={revision.digest} />
      </Fact>
    </>
  );
}

function Fact({ title, children }: { readonly title: string; readonly children: ComponentChildren }) {
  return (
    <section class="fact" aria-label={title}>
      <h3>{title}</h3>
      {children}
    </section>
  );
}

const mostWords = 6;

function Words({ decisions, digest }: { readonly decisions: readonly Decision[]; readonly digest: string }) {
  if (decisions.length === 0) return <p class="mute">Nobody has said one yet.</p>;
  return (
    <ul class="stack small">
      {decisions
        .slice(-mostWords)
        .toReversed()
        .map((decision) => (
          <li class="wrap">
            <WordTag word={decision.word} /> <Visible text={decision.by} />{" "}
            <span class="mute">
              <Ago at={decision.at} />,{" "}
              {decision.digest === digest ? "these bytes" : `digest ${decision.digest.slice(0, 8)}`}
            </span>
            {decision.note !== "" && (
              <div class="mute">
                <Visible text={decision.note} />
              </div>
            )}
          </li>
        ))}
    </ul>
  );
}

/** Where there is no room beside: one line of the most important, all of it below. */
export function FactStrip({ view }: { readonly view: ReviewView }) {
  const { links } = view.provenance;
  const proven = links.filter((link) => link.proven).length;
  return (
    <details class="card fact-strip">
      <summary>
        <span>
          Digest <code>{view.revision.digest.slice(0, 12)}</code>
        </span>
        <span>{view.trust?.replace("_", " ") ?? "source is gone"}</span>
        {links.length > 0 && (
          <Tag tone={proven === links.length ? "ok" : "warn"}>
            {proven} of {counted(links.length, "link")} proven
          </Tag>
        )}
        {view.revision.grants.length > 0 && <Tag tone="warn">{counted(view.revision.grants.length, "tool")}</Tag>}
      </summary>
      <div class="fact-grid">
        <FactList view={view} />
      </div>
    </details>
  );
}
