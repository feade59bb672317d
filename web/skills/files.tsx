import type { RevisionView } from "#contract";
import { bytes } from "../lib/format.ts";
import { Card, Empty } from "../ui/parts.tsx";
import { Visible } from "../ui/visible.tsx";
import { ShortDigest } from "./digest.tsx";
import { Table } from "../ui/table.tsx";

export function FilesView({ revision: { files } }: { readonly revision: RevisionView }) {
  if (files.length === 0) return <Empty title="None of its files could be verified" />;
  return (
    <Card>
      <Table label="Files" columns={["File", { title: "Size", isNumber: true }, "SHA-256"]}>
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
      </Table>
    </Card>
  );
}
