import { pages } from "../../base/pages.ts";
import type { Entry } from "../entry.ts";
import type { RegistryReads } from "../port.ts";

/** All of one source, by id. */
export async function entriesOf(port: RegistryReads, source: string): Promise<Entry[]> {
  const entries: Entry[] = [];
  const read = (after: string) => port.listEntries({ source, after, limit: 5000 });
  for await (const some of pages(read, "", ({ id }) => id)) for (const entry of some) entries.push(entry);
  return entries;
}
