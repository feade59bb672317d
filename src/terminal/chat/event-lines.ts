import type { Finding } from "../../core/finding.ts";
import type { AgentEvent, Reply, ReplyRow } from "../../agent/agent-event.ts";
import type { SkillChange } from "../../agent/skills/agent-skill.ts";
import { cellsIn, hang, type Line, line, type Look, prose, span } from "../line.ts";
import { lookOf, placeOf } from "../wording.ts";
import { linesIn, shown, roughly } from "./shown.ts";

/** An event that is told by itself, whatever goes on beside it. */
export type ToldEvent = Exclude<
  AgentEvent,
  {
    readonly type:
      | "text"
      | "model.answered"
      | "tool.started"
      | "tool.asked"
      | "tool.denied"
      | "tool.ended"
      | "sub-agent";
  }
>;

/** The lines that stay of it; none for what is only shown while it lasts. */
export function eventLines(event: ToldEvent, columns: number): Line[] {
  switch (event.type) {
    case "reply":
      return replyLines(event.reply, columns);
    case "skills.changed":
      return [...changeLines(event.change, columns), ...allFindingLines(event.change.findings, columns)];
    case "skill.used":
      return prose(
        `◇ skill ${event.name} · ${event.use}${event.by === "model" ? " by the model" : ""}`,
        columns,
        "dim",
      );
    case "model.failed":
      return [
        ...mark("✗", `the model failed: ${event.message}`, columns, "red"),
        ...prose(whatToDo(event.code), columns, "dim"),
      ];
    case "compacted": {
      const said = `older messages became a summary: ${roughly(event.before)} → ${roughly(event.after)} tokens`;
      return [...prose(said, columns, "dim"), ...allFindingLines(event.findings, columns)];
    }
    case "finding":
      return findingLines(event.finding, columns);
    case "conversation": {
      const { id, is, messages } = event;
      return prose(
        is === "new" ? `new conversation ${id}` : `conversation ${id} goes on, ${messages} messages so far`,
        columns,
        "dim",
      );
    }
    case "turn.ended":
      if (event.end === "cancelled") return mark("■", "cancelled", columns, "yellow");
      if (event.end === "calls")
        return mark("■", "stopped: more calls than one turn may make; say “go on” to go on", columns, "yellow");
      return [];
    case "turn.started":
    case "model.asked":
    case "leave":
      return [];
  }
}

const mostNames = 20;

function changeLines(change: SkillChange, columns: number): Line[] {
  const { generation } = change;
  const kinds: readonly [sign: string, names: readonly string[], look: Look][] = [
    ["+", change.added, "green"],
    ["~", change.changed, "yellow"],
    ["-", change.removed, "red"],
    ["✓", change.confirmed, "cyan"],
  ];
  const names = kinds.flatMap(([sign, list, look]) => list.map((name) => span(`${sign}${name} `, look)));
  const more = names.length > mostNames ? [span(`… ${names.length - mostNames} more `, "dim")] : [];
  const none = names.length === 0 ? [span("nothing changed ", "dim")] : [];
  const said = [...names.slice(0, mostNames), ...more, ...none, span(`(generation ${generation})`, "dim")];
  return hang(line("skills: ", "dim"), line("        "), said, columns);
}

function mark(sign: string, text: string, columns: number, look: Look): Line[] {
  return hang(line(`${sign} `, look), line("  "), line(text, look), columns);
}

/** Whatever failed, the conversation goes on from before it (AG-8). */
function whatToDo(code: Extract<AgentEvent, { type: "model.failed" }>["code"]): string {
  if (code === "upstream.refused")
    return "  Its service does not take the secret that is kept for it: skillward provider secret";
  if (code === "model.refused") return "  Its provider has no such model: skillward provider show";
  return "  Nothing of the conversation is lost: say it again to try once more.";
}

const widestName = 36;
const tones: Readonly<Record<NonNullable<ReplyRow["tone"]>, Look>> = {
  good: "green",
  warn: "yellow",
  bad: "red",
  dim: "dim",
};

/** What a command answers, as wide as the terminal. */
export function replyLines(reply: Reply, columns: number): Line[] {
  const { title, rows = [], notes = [], text, findings = [], isError = false } = reply;
  return [
    ...(title === undefined ? [] : prose(title, columns, "bold", ...(isError ? (["red"] as const) : []))),
    ...rowLines(rows, columns),
    ...notes.flatMap((note) => prose(note, columns, isError ? "red" : "dim")),
    ...(text === undefined ? [] : linesIn(text).map((each) => line("  ").concat(shown(each)))),
    ...allFindingLines(findings, columns),
  ];
}

/** Two columns, or one above the other where there is no room for two. */
function rowLines(rows: readonly ReplyRow[], columns: number): Line[] {
  const most = Math.min(widestName, Math.floor(columns / 2) - 4);
  const fitting = rows.map(({ name }) => cellsIn(line(name))).filter((width) => width <= most);
  const width = Math.max(0, ...fitting);
  return rows.flatMap(({ name, about, tone }) => {
    const look = tone === undefined ? [] : [tones[tone]];
    const first = span(name, ...(look.length === 0 ? (["cyan"] as const) : look));
    const missing = width - cellsIn([first]);
    const gap = span(" ".repeat(2 + width + 2));
    const said = line(about, ...look);
    if (missing < 0) {
      const below = cellsIn(said) === 0 ? [] : hang([gap], [gap], said, columns);
      return [...hang([span("  ")], [span("    ")], [first], columns), ...below];
    }
    return hang([span("  "), first, span(" ".repeat(missing + 2))], [gap], said, columns);
  });
}

export function allFindingLines(findings: readonly Finding[], columns: number): Line[] {
  return findings.flatMap((each) => findingLines(each, columns));
}

/** How much it weighs, what it is, and where. */
function findingLines(finding: Finding, columns: number): Line[] {
  const { code, level, message, excerpt, decoded } = finding;
  const lead = [span(`  ${level.padEnd(8)} `, ...lookOf(level))];
  const follow = [span(" ".repeat(cellsIn(lead)))];
  const said = [span(`${message} `), span(`${code} ${placeOf(finding)}`, "dim")];
  const seen = [excerpt, decoded].flatMap((text) =>
    text === undefined ? [] : hang(follow, follow, line(text, "dim"), columns),
  );
  return [...hang(lead, follow, said, columns), ...seen];
}
