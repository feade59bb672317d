import { readEnvironment } from "../../app/config/config.ts";
import { openPublishing } from "./flow.ts";
import { createWorld } from "../../app/world/world.ts";
import type { Publishing } from "../../workspace/workspace.ts";
import { listOption, textOption } from "../command/call.ts";
import type { Call, ExitCode, Run } from "../command/command.ts";
import type { Output } from "../command/output.ts";
import { plural } from "../command/render.ts";

type Act = (publishing: Publishing, call: Call, output: Output) => Promise<ExitCode>;

/** A command that changes a workspace: the way out is closed however it ends. */
export function withPublishing(needsLock: boolean, act: Act): Run {
  return async (call, output) => {
    const publishing = await openPublishing(createWorld(), readEnvironment(), {
      dir: textOption(call, "dir"),
      hosts: textOption(call, "hosts"),
      tokenEnv: textOption(call, "tokenEnv"),
      accept: listOption(call, "accept"),
      onFile: fetchProgress(output),
      // A note can come while files are fetched: first the line that counts them goes.
      onNote: (text) => {
        output.progress("");
        output.note(text);
      },
      needsLock,
    });
    try {
      return await act(publishing, call, output);
    } finally {
      await publishing.close();
    }
  };
}

/** How much is to come is not known; that something comes is. */
function fetchProgress(output: Output): (bytes: number) => void {
  let [files, sum] = [0, 0];
  return (bytes) => {
    files++;
    sum += bytes;
    output.progress(`fetching: ${plural(files, "file")}, ${Math.ceil(sum / 1024)} KiB`);
  };
}
