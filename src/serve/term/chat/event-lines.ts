import type { AgentEvent, TurnEnd } from "../../../use/agent/agent-event.ts";
import type { SkillChange } from "../../../use/agent/skills/agent-skill.ts";
import { hang, type Line, line, type Look, prose, span } from "../line.ts";
import { findingLines, replyLines } from "./reply-lines.ts";
import { roughly } from "./words.ts";

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
      return [
        ...changeLines(event.change, columns),
        ...event.change.findings.flatMap((each) => findingLines(each, columns)),
      ];
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
      return [...prose(said, columns, "dim"), ...event.findings.flatMap((each) => findingLines(each, columns))];
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
      return endLines(event.end, columns);
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

function endLines(end: TurnEnd, columns: number): Line[] {
  if (end === "cancelled") return mark("■", "cancelled", columns, "yellow");
  if (end === "calls")
    return mark("■", "stopped: more calls than one turn may make; say “go on” to go on", columns, "yellow");
  return [];
}
