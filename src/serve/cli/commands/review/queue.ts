import type { App } from "../../../../app/app.ts";
import { type Queue, reviewQueue } from "../../../../app/queue.ts";
import { safeLine } from "../../../../base/text.ts";
import { countOption, textOption, typedAgain } from "../../call.ts";
import { type Call, type ExitCode, exit } from "../../command.ts";
import type { Output } from "../../output.ts";
import { hint, renderTable, short, show } from "../../render.ts";
import { renderCounts, renderMore, renderNoticed, shownId } from "../../render-registry.ts";

export async function listQueue(app: App, call: Call, output: Output): Promise<ExitCode> {
  const wanted = {
    source: textOption(call, "source"),
    limit: countOption(call, "limit"),
    after: textOption(call, "after"),
  };
  const queue = await reviewQueue(app, wanted);
  show(output, call, queue, () => renderQueue(queue, call, output.style));
  if (queue.items.length > 0) hint(output, call, "Look at one: skillward review <entry>");
  return queue.noticed.length === 0 ? exit.fine : exit.findings;
}

function renderQueue(queue: Queue, call: Call, style: Output["style"]): string {
  const rows = queue.items.map(({ entry, state, current, findings, reason }) => [
    shownId(entry),
    state,
    short(current),
    renderCounts(findings),
    safeLine(reason, 500),
  ]);
  const table = renderTable(["entry", "state", "digest", "findings", "why"], rows, style);
  return [
    rows.length === 0 ? "Nothing waits for review." : table,
    ...renderMore(queue, `skillward review${typedAgain(call, ["source", "limit"])}`),
    ...renderTurnedDown(queue),
    ...renderNoticed(queue.noticed, style),
  ].join("\n");
}

function renderTurnedDown({ turnedDown }: Queue): string[] {
  if (turnedDown === 0) return [];
  const [are, their] = turnedDown === 1 ? ["is", "its"] : ["are", "their"];
  return [
    "",
    `${turnedDown} more ${are} held or blocked with ${their} current bytes turned down: skillward skill list`,
  ];
}
