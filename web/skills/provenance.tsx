import type { ProvenanceView } from "#contract";
import { Icon } from "../ui/icon.tsx";
import { Facts } from "../ui/parts.tsx";
import { Visible } from "../ui/visible.tsx";
import { Ago } from "../ui/words.tsx";

/** The way from the source to the bytes: which links of it were proven, and which are somebody's word (IN-8). */
export function ProofList({ provenance: { links, kind } }: { readonly provenance: ProvenanceView }) {
  if (links.length === 0)
    return (
      <p class="mute">
        {kind === null
          ? "Its source is not there any more."
          : "A folder of the server's machine: the bytes are what was read there."}
      </p>
    );
  return (
    <ul class="proof">
      {links.map(({ what, proven }) => (
        <li class={proven ? "proven" : "unproven"}>
          <Icon name={proven ? "check" : "warn"} />
          <span class="wrap">
            <span class="unseen">{proven ? "Proven: " : "Not proven: "}</span>
            <Visible text={what} />
          </span>
        </li>
      ))}
    </ul>
  );
}

export function ProvenanceFacts({ provenance }: { readonly provenance: ProvenanceView }) {
  const { kind, url, path, commit, repositoryId, firstSeen, lastChanged } = provenance;
  return (
    <Facts
      of={[
        ["Source", <Visible text={kind === null ? "gone" : `${kind} ${url ?? ""}`} />],
        ["Path", <Visible text={path === "" ? "the root" : path} />],
        ["Commit", commit === null ? "none" : <code>{commit}</code>],
        ...(repositoryId === null ? [] : [["Repository id", String(repositoryId)] as const]),
        ["First seen", firstSeen === null ? "unknown" : <Ago at={firstSeen} />],
        ["Last changed", lastChanged === null ? "unknown" : <Ago at={lastChanged} />],
      ]}
    />
  );
}

/** The folder of a skill inside its source: of one that is a skill as a whole, there is none to name. */
export function PathIn({ path }: { readonly path: string }) {
  return path === "" ? <>the root</> : <Visible text={path} />;
}

/** The id of an entry. One that ends in its colon would read as if something were missing. */
export function EntryName({ entry }: { readonly entry: string }) {
  return (
    <>
      <Visible text={entry} />
      {entry.endsWith(":") && " the root"}
    </>
  );
}
