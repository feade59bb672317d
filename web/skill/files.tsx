import type { RevisionView } from "#contract";
import { bytes } from "../lib/format.ts";
import { Card, Empty } from "../ui/parts.tsx";
import { Visible } from "../ui/visible.tsx";
import { ShortDigest } from "./digest.tsx";

export function FilesView({ revision: { files } }: { readonly revision: RevisionView }) {
  if (files.length === 0) return <Empty title="None of its files could be verified" />;
  return (
    <Card>
      <div class="scroll" tabIndex={0} role="region" aria-label="Files">
        <table class="table">
          <caption class="unseen">Files of this revision</caption>
          <thead>
            <tr>
              <th scope="col">File</th>
              <th scope="col" class="number">
                Size
              </th>
              <th scope="col">SHA-256</th>
            </tr>
          </thead>
          <tbody>
            {files.map(({ path, size, digest }) => (
              <tr key={path}>
                <td class="mono wrap">
                  <Visible text={path} />
                </td>
                <td class="number">{bytes(size)}</td>
                <td>
                  <ShortDigest of={digest} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Card>
  );
}
