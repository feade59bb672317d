import type { AgentState } from "../../agent/agent.ts";
import { fit, type Line, line, span } from "../line.ts";
import { cellsOf, headOf, tailOf, visible } from "../width.ts";
import { plural } from "../wording.ts";

/** In the manner of 1.2k, for a number that is only looked at. */
export function roughly(count: number): string {
  if (count < 1000) return String(count);
  return count < 1_000_000 ? `${trimmed(count / 1000)}k` : `${trimmed(count / 1_000_000)}M`;
}

function trimmed(value: number): string {
  return value < 99.95 ? value.toFixed(1).replace(/\.0$/, "") : String(Math.round(value));
}

/** One row, for what stands under the prompt. Where it is narrow, the model's name gives way to what changes. */
export function statusLine(state: AgentState, columns: number): Line {
  const { model, skills, unconfirmed, generation, tokens, held } = state;
  const waiting = unconfirmed === 0 ? "" : ` (${unconfirmed} unconfirmed)`;
  const parts = [`${plural(skills, "skill")}${waiting}`, `gen ${generation}`, `${roughly(tokens)} tokens`];
  const scope = held.length === 0 ? [] : [`scope: ${held.join(",")}`];
  const known = visible([...parts, ...scope].join(between));
  const name = cutInside(visible(model), columns - cellsOf(`  ${between}${known}`));
  return fit(line(`  ${name === "" ? "" : `${name}${between}`}${known}`, "dim"), columns);
}

const between = " · ";
/** Less of a name says nothing. */
const shortestName = 8;

/** Both ends of it, which tell a provider and a model; nothing where that is too little. */
function cutInside(name: string, cells: number): string {
  if (cellsOf(name) <= cells) return name;
  if (cells < shortestName) return "";
  const head = Math.floor((cells - 1) / 2);
  return `${headOf(name, head)}…${tailOf(name, cells - 1 - head)}`;
}

export function greeting({ workspace, skills, unconfirmed }: AgentState): Line[] {
  const trust = unconfirmed === 0 ? "" : `, ${unconfirmed} of them unconfirmed: /skills shows them`;
  const found = skills === 0 ? "no skills here yet" : `${plural(skills, "skill")}${trust}`;
  return [
    [span("Skillward", "bold", "cyan"), span(`  ${workspace}`, "dim")],
    line(`${found} · /help for all else`, "dim"),
  ];
}
