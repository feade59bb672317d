import type { Resource } from "../lib/resource.ts";
import { Markdown } from "../ui/markdown.tsx";
import { markedTextOf } from "../ui/marked-text.tsx";
import { Empty, Loaded } from "../ui/parts.tsx";
import { isMain, type RawFiles } from "./raw.tsx";

/** The instructions as a reader of Markdown shows them; the header stands in a view of its own. */
export function RenderedView({ raw }: { readonly raw: Resource<RawFiles> }) {
  return (
    <Loaded of={raw}>
      {({ files }) => {
        const lines = files.find(isMain)?.lines ?? null;
        if (lines === null) return <Empty title="There is no text to show">The raw view has what is there.</Empty>;
        return (
          <div class="card card-body">
            <Markdown text={withoutHeader(markedTextOf(lines))} />
          </div>
        );
      }}
    </Loaded>
  );
}

function withoutHeader(text: string): string {
  const lines = text.split("\n");
  if (lines[0]?.trimEnd() !== "---") return text;
  const end = lines.findIndex((line, index) => index > 0 && line.trimEnd() === "---");
  return end < 0 ? text : lines.slice(end + 1).join("\n");
}
