import type { Finding } from "../../base/finding.ts";
import type { Message, ToolSpec } from "../../base/model.ts";
import { cutText } from "./fence.ts";
import type { Session } from "./session.ts";
import { answerCall, denyCall } from "./session-call.ts";
import { type ReadAnswer, Talk } from "./session-talk.ts";
import type { SpawnOutcome } from "./spawn.ts";
import { reasonOf, spawnFinding } from "./spawn-faults.ts";
import { tell } from "./spawn-host.ts";

/** How a session went, before its contracts are asked. */
export type Ran = Pick<SpawnOutcome, "end" | "text" | "findings">;

/** The model answers, its calls are made in order, and so on until it wants none. Never rejects. */
export async function runSession(
  session: Session,
  opening: readonly Message[],
  tools: readonly ToolSpec[],
): Promise<Ran> {
  const { lifetime, limits } = session;
  const talk = new Talk(opening);
  let last = "";
  try {
    for (let turn = 1; turn <= limits.turns; turn++) {
      const answer = await askModel(session, talk, tools, turn);
      if ("code" in answer) return { end: "failed", text: last, findings: [answer] };
      if (answer.text !== "") last = cutText(answer.text, limits.textBytes);
      if (answer.calls.length === 0) return { end: "finished", text: last, findings: [] };
      await makeCalls(session, talk, answer);
      if (talk.isTooLong) return { end: "failed", text: last, findings: [tooLong(session)] };
    }
    return { end: "turns", text: last, findings: [] };
  } catch (error) {
    const endedBy = lifetime.endedBy();
    if (endedBy !== null) return { end: endedBy, text: last, findings: [] };
    const message = reasonOf(error, "the session ended by an error that nobody expected");
    return { end: "failed", text: last, findings: [spawnFinding("spawn.broken", session.id, message)] };
  }
}

/** A failing model is its session's failure, said as a finding. */
async function askModel(
  { id, host, model, lifetime }: Session,
  talk: Talk,
  tools: readonly ToolSpec[],
  turn: number,
): Promise<ReadAnswer | Finding> {
  tell(host.onEvent, { type: "model.asked", id, turn });
  try {
    const { messages } = talk;
    const said = await lifetime.during((signal) => model.answer({ messages, parameters: {}, tools, signal }));
    const answer = talk.hear(said, turn);
    if (typeof answer === "string") return spawnFinding("spawn.model-rubbish", id, `the model's answer: ${answer}`);
    tell(host.onEvent, { type: "model.answered", id, turn, text: answer.text, calls: answer.calls.length });
    return answer;
  } catch (error) {
    lifetime.demand();
    return spawnFinding("spawn.model-failed", id, `the model failed: ${reasonOf(error, "it threw an error")}`);
  }
}

async function makeCalls(session: Session, talk: Talk, { calls }: ReadAnswer): Promise<void> {
  const most = session.limits.calls;
  for (const [index, call] of calls.entries()) {
    const isLookedAt = index < most;
    const answer = isLookedAt
      ? await answerCall(session, call)
      : denyCall(session, call, `more than ${most} calls were wanted at once`);
    talk.answer(call, answer);
  }
}

function tooLong({ id }: Session): Finding {
  return spawnFinding("spawn.too-long", id, "the session and its tools said more than is kept of one");
}
