import type { World } from "../../app/world/world.ts";
import { listOption, refuseOptions } from "../command/call.ts";
import type { Call } from "../command/command.ts";
import type { Output } from "../command/output.ts";
import { openPool, type PoolShelf } from "./pool-routing.ts";

const mostNotes = 10;

/** The skills that `--skills` names. Nobody approved them: they are looked at, and nothing of them goes anywhere. */
export async function openTypedPool(world: World, call: Call, output: Output): Promise<PoolShelf> {
  refuseOptions(call, ["for", "data", "config", "acceptRollback"], "is for a store, and --skills does without one");
  let notes = 0;
  const pool = await openPool(world, listOption(call, "skills") ?? [], {
    onNote: (note) => (++notes <= mostNotes ? output.note(output.style("dim", note)) : undefined),
    onProgress: (done) => output.progress(`indexing: ${done}`),
  });
  output.progress("");
  if (notes > mostNotes) output.note(output.style("dim", `and ${notes - mostNotes} more like these`));
  return pool;
}
