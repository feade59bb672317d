import { Visible } from "../ui/visible.tsx";

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
