import { grouped, short } from "../lib/format.ts";
import { Copy } from "../ui/copy.tsx";

/** All of a digest, in groups that can be read out and compared. */
export function WholeDigest({ of }: { readonly of: string }) {
  return (
    <span class="digest">
      <code>{grouped(of)}</code>
      <Copy text={of} label="Copy the digest" />
    </span>
  );
}

export function ShortDigest({ of }: { readonly of: string }) {
  return <code title={of}>{short(of)}</code>;
}
