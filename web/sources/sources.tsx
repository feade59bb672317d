import { place } from "../lib/router.ts";
import { SourceList } from "./list.tsx";
import { SourcePage } from "./source.tsx";

export function SourcesPage() {
  const [id] = place.value.parts;
  return id === undefined ? <SourceList /> : <SourcePage key={id} id={id} />;
}
