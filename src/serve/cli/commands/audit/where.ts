import { type Whereabouts, whereUsed } from "../../../../app/where.ts";
import { safeLine } from "../../../../base/text.ts";
import { countOption } from "../../call.ts";
import { exit } from "../../command.ts";
import type { Output } from "../../output.ts";
import { renderTable, show, when } from "../../render.ts";
import { withInspection } from "../../with-app.ts";

export const run = withInspection(async (opened, call, output) => {
  const found = await whereUsed(opened, {
    digest: call.args[0] ?? "",
    each: call.options["each"] === true,
    limit: countOption(call, "limit") ?? 100,
  });
  show(output, call, found, () => renderWhere(found, output.style));
  return exit.fine;
});

function renderWhere(found: Whereabouts, style: Output["style"]): string {
  const sections = [
    [style("bold", found.digest)],
    ["", style("bold", "Entries that have or had it"), renderEntries(found, style)],
    ["", style("bold", "Words on it"), renderWords(found, style)],
    ["", style("bold", "Uses"), renderUses(found, style), ...renderLimits(found)],
  ];
  return sections.flat().join("\n");
}

function renderEntries({ entries }: Whereabouts, style: Output["style"]): string {
  if (entries.length === 0) return "none";
  const rows = entries.map(({ entry, state, isCurrent, isInUse, attachedTo }) => [
    safeLine(entry),
    state,
    isCurrent ? "yes" : "no",
    isInUse ? "yes" : "no",
    safeLine(attachedTo.join(", ") || "nothing"),
  ]);
  return renderTable(["entry", "state", "current", "in use", "attached to"], rows, style);
}

function renderWords({ decisions, block }: Whereabouts, style: Output["style"]): string {
  const words = block === null ? decisions : [...decisions, { ...block, entry: "everything with it" }];
  if (words.length === 0) return "none";
  const rows = words.map(({ at, by, word, entry, note }) => [
    when(at),
    word,
    safeLine(entry),
    safeLine(by, 48),
    safeLine(note),
  ]);
  return renderTable(["at", "word", "entry", "by", "note"], rows, style);
}

function renderUses({ uses }: Whereabouts, style: Output["style"]): string {
  if (uses.length === 0) return "none";
  const rows = uses.map((use) => [
    safeLine(use.configuration ?? "-"),
    safeLine(use.task ?? "-"),
    safeLine(use.conversation ?? "-"),
    safeLine(use.entry),
    use.event,
    safeLine(use.tool ?? "-"),
    ...("times" in use ? [String(use.times), when(use.first), when(use.last)] : ["1", when(use.at), when(use.at)]),
  ]);
  const titles = ["configuration", "task", "conversation", "entry", "what", "tool", "times", "first", "last"];
  return renderTable(titles, rows, style);
}

/** What is not in the list is said. */
function renderLimits({ more, expiredBefore, spooled }: Whereabouts): string[] {
  return [
    ...(more ? ["There are more: raise --limit."] : []),
    ...(expiredBefore === null ? [] : [`Usage before ${when(expiredBefore)} is not kept any more.`]),
    ...(spooled === 0 ? [] : [`Batches of usage that wait on this machine: ${spooled} (skillward audit replay)`]),
  ];
}
