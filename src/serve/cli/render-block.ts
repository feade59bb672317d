import type { Blocked, BlockWanted } from "../../app/blocks.ts";
import { blockKinds } from "../../registry/decision.ts";
import { textOption } from "./call.ts";
import type { Call } from "./command.ts";
import type { Output } from "./output.ts";
import { plural } from "./render.ts";
import { shownId } from "./render-registry.ts";

/** The frame has checked the choice already. */
export function blockWanted(call: Call): BlockWanted {
  const [typed, value = ""] = call.args;
  const kind = blockKinds.find((known) => known === typed) ?? "entry";
  return { kind, value, reason: textOption(call, "reason") ?? "" };
}

export function renderBlocked({ block: { word, kind, value }, changed }: Blocked, style: Output["style"]): string {
  const what = `${kind} ${style("bold", shownId(value))}`;
  const skills = changed === 0 ? "no skill" : plural(changed, "skill");
  if (word === "block") return `Blocked ${what}: ${skills} went out of use`;
  return `Lifted the block of ${what}: ${skills} came back into use`;
}
