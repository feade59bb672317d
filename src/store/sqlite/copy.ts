import type { Timer } from "../../core/world.ts";
import { Connection } from "./connection.ts";
import { createPatience } from "./patience.ts";

/**
 * A whole copy of the store at one moment, in one new file, while others read and write it: what is in the log beside it
 * is in the copy too. The file that it goes to must not be there.
 */
export async function copySqlite(from: string, to: string, { timer }: { readonly timer: Timer }): Promise<void> {
  const { untilFree } = createPatience({ timer });
  // SQLite takes this for writing, although nothing of the store changes.
  const connection = await untilFree(() => new Connection(from, "write"));
  try {
    await untilFree(() => connection.all("VACUUM INTO ?", [to]));
  } finally {
    connection.close();
  }
}
